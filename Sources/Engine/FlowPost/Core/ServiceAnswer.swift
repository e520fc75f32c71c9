import FlowModel
import FlowSettings

/// A service's answer, interpreted by the service's documentation. A status of 200 alone proves nothing: a proxy, a captive
/// portal or a login page returns it too.
struct ServiceAnswer: Sendable {
  /// Members of the JSON objects in the services' answers; nil if missing or of another type.
  private struct Members: Decodable {
    let id, event, eventID, errcode, description: String?
    let ok, success: Bool?
    let errorCode: Int?

    private enum CodingKeys: String, CodingKey {
      case id, event, errcode, description, ok, success
      case eventID = "event_id"
      case errorCode = "error_code"
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      func text(_ key: CodingKeys) -> String? { try? members.decode(String.self, forKey: key) }
      (id, event, eventID, errcode) = (text(.id), text(.event), text(.eventID), text(.errcode))
      description = text(.description)
      ok = try? members.decode(Bool.self, forKey: .ok)
      success = try? members.decode(Bool.self, forKey: .success)
      errorCode = try? members.decode(Int.self, forKey: .errorCode)
    }
  }

  private let kind: PostSettings.Kind
  private let text: String
  private let members: Members?

  init(_ text: String, of kind: PostSettings.Kind) {
    self.kind = kind
    // Remove a byte order mark and surrounding white space.
    let start = text.unicodeScalars.drop { $0 == "\u{FEFF}" || $0.properties.isWhitespace }
    var words = String(start)
    while words.last?.isWhitespace == true { words.removeLast() }
    self.text = words
    members = words.hasPrefix("{") ? try? UntrustedJSON.decode(Members.self, from: Array(words.utf8)) : nil
  }

  /// Whether the service confirms that it has accepted the message.
  ///
  /// Sources: ntfy, "Publishing", the message as JSON; Telegram, Bot API, "Making requests"; Matrix, client-server API, PUT
  /// send; Slack, incoming webhooks, "ok" (Rocket.Chat and Slack's own workflows answer in JSON); Teams, workflows (202) and
  /// connectors ("1"); Standard Webhooks 1.0, which leaves the answer to the receiver.
  func isAcceptance(_ status: Int) -> Bool {
    switch kind {
    case .ntfy: members?.id?.isEmpty == false && members?.event ?? "message" == "message"
    case .telegram: members?.ok == true
    case .matrix: members?.eventID?.isEmpty == false
    case .slack: text == "ok" || members?.ok == true || members?.success == true
    case .teams: status == 202 || text == "1" || text.isEmpty
    case .webhook: true
    case .smtp, .sendmail: false
    }
  }

  /// True if the answer is an HTML document, which none of the services sends.
  var isWebPage: Bool {
    let start = text.prefix(2_000).lowercased()
    return start.hasPrefix("<") && (start.contains("<html") || start.hasPrefix("<!doctype html"))
  }

  /// The status inside Telegram's answer, which counts more than the HTTP status; nil unless the answer has `"ok": false`.
  var ownStatus: Int? {
    guard kind == .telegram, members?.ok == false, let code = members?.errorCode, (400...599).contains(code) else {
      return nil
    }
    return code
  }

  /// True if the error comes from the service itself: it received the request and did not process it.
  var isOwnError: Bool {
    switch kind {
    case .telegram: members?.ok == false
    case .matrix: members?.errcode?.isEmpty == false
    // Such as `{"code":40301,"http":403,"error":"forbidden"}`.
    case .ntfy: members != nil && text.contains("\"http\"")
    // A single token, such as `rollup_error`.
    case .slack: !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
    case .teams, .webhook, .smtp, .sendmail: false
    }
  }

  /// Whether the error concerns the address only, a chat or a room.
  func isAboutAddress(_ status: Int) -> Bool {
    switch (kind, status) {
    case (.telegram, 403): isOwnError
    case (.telegram, 400): Self.chatFaults.contains { members?.description?.lowercased().contains($0) == true }
    case (.matrix, 403): members?.errcode == "M_FORBIDDEN"
    case (.matrix, 404): members?.errcode == "M_NOT_FOUND"
    default: false
    }
  }

  private static let chatFaults = [
    "chat not found", "user not found", "peer_id_invalid", "group chat was deactivated", "not enough rights",
    "have no rights", "chat_write_forbidden", "need administrator rights",
  ]
}
