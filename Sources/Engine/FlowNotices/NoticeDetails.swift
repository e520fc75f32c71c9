package import FlowModel

/// The details of one notice, as a trade decodes them from the `details` member of an event: the source of the notice's page.
package protocol NoticeDetails: Decodable, JSONWritable, Sendable {
  /// The page.
  ///
  /// - Parameter access: access and contact data of the records on the page, by record id; empty to leave them out.
  func document(access: [String: AccessData]) -> Document
  /// The maps on the page, in the page's order.
  var maps: [PinMap] { get }
  /// The few lines for a chat or a phone's notification; nil if the notice's own title and body are short enough.
  var summary: NoticeSummary? { get }
  /// The day that the notice is about. All mails about one day form one thread; nil if each mail is a thread of its own.
  var threadDay: CivilDate? { get }
}

extension NoticeDetails {
  package var maps: [PinMap] { [] }
  package var summary: NoticeSummary? { nil }
  package var threadDay: CivilDate? { nil }
}

/// A notice in a few lines, for a chat or a phone's notification.
package struct NoticeSummary: Hashable, Sendable {
  package let title: String
  /// Replaces the notice's body; nil to keep it.
  package let body: String?
  /// At most three lines without any name.
  package let lines: [String]
  /// Lines with names of technicians, for channels that may show them.
  package let namedLines: [String]

  package init(title: String, body: String?, lines: [String], namedLines: [String] = []) {
    self.title = title
    self.body = body
    self.lines = lines
    self.namedLines = namedLines
  }
}

/// The types of details of all trades' notices.
///
/// The event has the details and no finished texts, because each channel shows another part of them: a headline, the names, or
/// a page with sensitive data. The sender therefore decodes them once for each delivery, by the type that their trade names here.
package struct NoticeDetailTypes: Sendable {
  /// The type of the details of a trade's notices with an identifier; nil for notices without details.
  package typealias Lookup = @Sendable (_ identifier: String) -> (any NoticeDetails.Type)?

  private let lookups: [Lookup]

  /// - Parameter lookups: one for each trade.
  package init(_ lookups: [Lookup]) { self.lookups = lookups }

  /// The details in an event.
  ///
  /// - Parameters:
  ///   - event: the bytes of a CloudEvent.
  ///   - identifier: the notice's identifier.
  /// - Returns: nil if notices of this identifier have none, or if these cannot be decoded, such as those of a later version.
  package func details(in event: [UInt8], of identifier: String) -> (any NoticeDetails)? {
    for lookup in lookups {
      if let type = lookup(identifier) { return Self.details(in: event, as: type) }
    }
    return nil
  }

  private static func details<Details: NoticeDetails>(in event: [UInt8], as type: Details.Type) -> Details? {
    try? UntrustedJSON.decode(Envelope<Details>.self, from: event).data.details
  }

  /// The part of a CloudEvent that contains the details.
  private struct Envelope<Details: NoticeDetails>: Decodable {
    struct Contents: Decodable {
      let details: Details
    }
    let data: Contents
  }
}

/// Identifiers of the engine's own notices to one person or the office, which no team's board gets.
package enum PersonalNoticeIdentifier {
  /// The test whether a person can be reached.
  package static let test = "poolflow.notification.personTest"
  /// The report about notices that people did not get.
  package static let undelivered = "poolflow.notification.undelivered"

  package static let all: Set = [test, undelivered]
}
