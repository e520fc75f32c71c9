import FlowModel
import FlowNotices
import FoundationEssentials

/// An event from a sensitive drop sink: a CloudEvent with the notice's contents and its recipient.
struct PostEvent: Sendable {
  let id: String
  let source: String
  let type: String
  let subject: String?
  let time: Timestamp
  let expires: Timestamp?
  private(set) var data: Body
  /// The notice's details, as `withDetails` reads them; nil if there are none or they were not read.
  private(set) var details: (any NoticeDetails)?

  /// The event's `data`.
  struct Body: Decodable, Sendable {
    let identifier: String?
    fileprivate(set) var title: String
    let body: String
    fileprivate(set) var lines: [String]
    let team: String
    let job: String
    let severity: String
    fileprivate(set) var access: [String: Access]?
    fileprivate(set) var recipient: Recipient?
    /// The recipient's published page.
    fileprivate(set) var published: PublishedPageData?
    /// A complete page inside the event.
    fileprivate(set) var page: PageData?
    /// True for a team notice that its people get at their own addresses, or do not want, so that the team needs no board for
    /// it.
    let isSentPersonally: Bool

    private enum CodingKeys: String, CodingKey {
      case identifier, title, body, lines, team, job, severity, access, recipient, published, page
      case isSentPersonally = "told_otherwise"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      identifier = try values.decodeIfPresent(String.self, forKey: .identifier)
      title = try values.decode(String.self, forKey: .title)
      body = try values.decode(String.self, forKey: .body)
      lines = try values.decodeIfPresent([String].self, forKey: .lines) ?? []
      team = try values.decodeIfPresent(String.self, forKey: .team) ?? ""
      job = try values.decodeIfPresent(String.self, forKey: .job) ?? ""
      severity = try values.decodeIfPresent(String.self, forKey: .severity) ?? "info"
      access = try values.decodeIfPresent([String: Access].self, forKey: .access)
      recipient = try values.decodeIfPresent(Recipient.self, forKey: .recipient)
      published = try values.decodeIfPresent(PublishedPageData.self, forKey: .published)
      // If the page cannot be decoded, the notice's lines are used.
      page = try? values.decodeIfPresent(PageData.self, forKey: .page)
      isSentPersonally = try values.decodeIfPresent(Bool.self, forKey: .isSentPersonally) ?? false
    }
  }

  typealias Access = AccessData
  typealias Recipient = RecipientData

  /// The reason why a file is not a valid event. It quotes nothing from the file.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The CloudEvents envelope.
  private struct Envelope: Decodable {
    let specversion, id, source, type, time: String
    let subject, expirytime: String?
    let data: Body
  }

  /// - Parameter name: the file name without `.json`, which must equal the event's id.
  /// - Throws: `Fault`.
  init(_ bytes: [UInt8], name: String) throws(Fault) {
    guard bytes.count <= Limits.postEventBytes else { throw Fault(description: "it is larger than 1 MiB") }
    let envelope: Envelope
    // The decoder's own error message would quote the file.
    do { envelope = try UntrustedJSON.decode(Envelope.self, from: bytes) } catch UntrustedJSON.Fault.repeatedKey {
      throw Fault(description: "one of its objects has a key twice")
    } catch {
      throw Fault(description: "it is not an event of poolflow")
    }
    guard envelope.specversion == "1.0" else { throw Fault(description: "its specversion is not 1.0") }
    guard envelope.id == name else { throw Fault(description: "its id differs from the name of its file") }
    guard let time = Timestamp(rfc3339: envelope.time) else {
      throw Fault(description: "its time is not an RFC 3339 time")
    }
    let expires = envelope.expirytime.map { Timestamp(rfc3339: $0) }
    if let expires, expires == nil { throw Fault(description: "its expirytime is not an RFC 3339 time") }
    (id, source, type, subject) = (envelope.id, envelope.source, envelope.type, envelope.subject)
    (self.time, self.expires, data) = (time, expires ?? nil, envelope.data)
  }

  /// The event with its details, which only the text of a message needs.
  ///
  /// - Parameter bytes: the bytes that the event was read from.
  func withDetails(in bytes: [UInt8], _ types: NoticeDetailTypes) -> PostEvent {
    var event = self
    event.details = types.details(in: bytes, of: data.identifier ?? "")
    return event
  }

  /// True if the message may be sent during quiet hours.
  var isUrgent: Bool { data.severity == "error" }

  /// The message to another person that a message did not reach its recipient: the recipient's name, the title and the body.
  var unreached: PostEvent {
    var event = self
    let name = data.recipient?.name ?? ""
    event.data.title = (name.isEmpty ? "" : language.unreached(name) + ": ") + data.title
    (event.data.lines, event.data.access, event.data.page, event.details) = ([], nil, nil, nil)
    event.data.published = nil
    event.data.recipient = data.recipient.map {
      // Remove the recipient's name and addresses, because another person reads it.
      Recipient(
        key: $0.key, name: "", technician: nil, language: $0.language, addresses: [], quiet: nil, zone: $0.zone)
    }
    return event
  }

  /// The event for the team's board, if it is addressed to the team's office; nil if it is personal.
  var boardEvent: PostEvent? {
    guard data.recipient?.key == "office", !isForOperator,
      !PersonalNoticeIdentifier.all.contains(data.identifier ?? "")
    else { return nil }
    var event = self
    event.data.recipient = nil
    // The address is a secret of the recipient.
    event.data.published = nil
    return event
  }

  var isForOperator: Bool { data.job == "operator" }
  var language: Language { data.recipient?.language.flatMap(Language.init(rawValue:)) ?? .english }
}

extension Language {
  fileprivate func unreached(_ name: String) -> String {
    switch self {
    case .english: "\(name) was not reached"
    case .spanish: "No se ha podido avisar a \(name)"
    case .french: "\(name) n'a pas été prévenu(e)"
    case .portuguese: "Não foi possível avisar \(name)"
    case .german: "\(name) wurde nicht erreicht"
    }
  }
}
