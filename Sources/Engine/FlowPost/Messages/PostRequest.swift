import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FoundationEssentials

/// The request of one try, by curl or sendmail. All of it is secret and never printed.
struct PostRequest: Sendable {
  let url: String
  let body: [UInt8]
  var method = "POST"
  var headers: [String] = []
  /// The sender and recipient of a mail; nil for HTTP.
  var envelope: (from: String, to: String)?
  /// `user:password`.
  var login: String?
  var demandsTLS = false
  /// True if the request goes to this machine, so that it may be unencrypted.
  var isLocal = false
  /// A file of CA certificates that replaces the system's.
  var authority: String?
  /// The program to run instead of curl, such as sendmail, and its arguments.
  var program: String?
  var arguments: [String] = []
}

/// The content of a channel's credential.
struct ChannelSecret: Sendable {
  /// A URL, a token, or `user:password`; nil if the channel needs none.
  let value: String?
  let signatures: [WebhookSignature]

  /// The reason why a credential is unusable. It never quotes the credential.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads and checks the credential of a channel.
  ///
  /// - Throws: `PostCredentials.Fault`, `WebhookSignature.Fault`, `Fault`.
  init(_ channel: PostSettings.Channel, _ credentials: PostCredentials) throws {
    guard let name = channel.credential, let text = try credentials.text(name) else {
      (value, signatures) = (nil, [])
      return
    }
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    func fault(_ what: String) -> Fault {
      Fault(description: "the credential '\(name)' of [Channel \(channel.name)] \(what)")
    }
    guard let first = lines.first, first.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw fault("is empty or not ASCII")
    }
    guard channel.kind == .webhook || lines.count == 1 else { throw fault("has more than one line") }
    if channel.kind.isAddressedByName, let wrong = PostURL.fault(first, mail: false) {
      throw fault("does not hold a usable URL: \(wrong)")
    }
    if channel.kind == .smtp, !first.contains(":") { throw fault("is written USER:PASSWORD") }
    if !channel.kind.isAddressedByName, channel.kind != .smtp, first.contains(" ") { throw fault("is no token") }
    value = first
    signatures = try lines.dropFirst().map { try WebhookSignature(secret: $0, credential: name) }
  }
}

extension PostRequest {
  /// Builds the request of one try. A webhook's signature contains the time of the try.
  ///
  /// - Parameters:
  ///   - whole: the event's bytes exactly as in the drop.
  ///   - chat: the new id of a Telegram group; nil if it has not changed.
  /// - Returns: nil if the channel has no sender or the address is invalid.
  init?(
    _ delivery: Delivery, _ event: PostEvent, whole: [UInt8], calendar: [UInt8], _ channel: PostSettings.Channel,
    _ secret: ChannelSecret, _ zones: any ZoneSource, at now: Timestamp, chat: String? = nil
  ) {
    let board = delivery.recipient == "*" ? event.boardEvent : nil
    let event = board ?? (delivery.isShared ? event.unreached : event)
    let detail = delivery.isShared ? .headline : channel.detail
    let letter = MessageContent(event, detail: detail, isPlain: delivery.isPlain, isRepeat: delivery.isRepeat)
    let json = "Content-Type: application/json"
    let server = channel.server ?? ""
    let bearer = secret.value.map { ["Authorization: Bearer \($0)"] } ?? []
    switch channel.kind {
    case .smtp, .sendmail:
      guard let from = channel.from, let to = PostAddress(delivery.address) else { return nil }
      // UTC if the zone is missing or unknown to this machine.
      let zone = event.data.recipient?.zone.flatMap { try? zones.zone(named: $0) }
      let mail = MailMessage(
        event: event, delivery: delivery, from: from, to: to, detail: detail, calendar: calendar,
        replyTo: channel.replyTo, unsubscribe: channel.unsubscribe, zone: zone ?? .utc)
      if channel.kind == .sendmail {
        self.init(url: "", body: Self.withLineFeeds(mail.bytes()))
        program = channel.program
        // sendmail reads the recipient from the mail's To header, because all users of the machine can see arguments.
        arguments = ["-i", "-t", "-f", from.address]
        return
      }
      self.init(url: "\(server)/\(from.domain)", body: mail.bytes())
      envelope = (from.address, to.address)
      login = secret.value
      demandsTLS = !channel.isLocal || channel.authority != nil
    case .ntfy:
      self.init(
        url: "\(server)/", body: ChatBody.ntfy(letter, topic: delivery.address, key: delivery.key),
        headers: [json] + bearer)
    case .telegram:
      self.init(
        url: "\(server)/bot\(secret.value ?? "")/sendMessage",
        body: ChatBody.telegram(letter, chat: chat ?? delivery.address, isPlain: delivery.isPlain), headers: [json])
    case .matrix:
      self.init(
        url:
          "\(server)/_matrix/client/v3/rooms/\(URLText.escaped(delivery.address))/send/m.room.message/\(delivery.key)",
        body: ChatBody.matrix(letter, isPlain: delivery.isPlain), method: "PUT", headers: [json] + bearer)
    case .slack:
      self.init(url: secret.value ?? "", body: ChatBody.slack(letter, isPlain: delivery.isPlain), headers: [json])
    case .teams:
      self.init(url: secret.value ?? "", body: ChatBody.teams(letter, isPlain: delivery.isPlain), headers: [json])
    case .webhook:
      let body = WebhookBody.bytes(event, detail: detail, isPlain: delivery.isPlain, whole: board == nil ? whole : nil)
      let id = WebhookSignature.id(ofEvent: event.id)
      self.init(url: secret.value ?? "", body: body, headers: ["Content-Type: application/cloudevents+json"])
      headers += ["webhook-id: \(id)", "webhook-timestamp: \(now.seconds)"]
      if !secret.signatures.isEmpty {
        let signed = secret.signatures.map { $0.signature(id: id, seconds: now.seconds, body: body) }
        headers.append("webhook-signature: \(signed.joined(separator: " "))")
      }
    }
    isLocal = channel.kind == .smtp ? channel.isLocal : PostURL.isLoopback(url)
    authority = channel.authority
  }

  /// Removes the carriage returns, which Unix programs would treat as a part of the line.
  private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
    bytes.filter { $0 != UInt8(ascii: "\r") }
  }
}

/// Text as a part of a URL: everything but letters, digits and `-._~` becomes a percent escape (RFC 3986 §2.3).
enum URLText {
  /// Percent-escapes a text for a URL.
  ///
  /// - Parameter kept: further characters that stay unescaped.
  static func escaped(_ text: String, but kept: String = "") -> String {
    text.utf8.map { byte in
      let letter = Character(Unicode.Scalar(byte))
      if byte < 0x80, letter.isLetter || letter.isNumber || "-._~".contains(letter) || kept.contains(letter) {
        return String(letter)
      }
      let hex = String(byte, radix: 16, uppercase: true)
      return "%" + (hex.count < 2 ? "0" : "") + hex
    }.joined()
  }
}
