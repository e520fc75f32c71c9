package import FlowNotices

/// A trade's source of sidecar files and additional event data for a notice. Delivery does not interpret them.
package protocol NoticeAttachmentSource: Sendable {
  /// Called when the notice's file is about to be written.
  func attachments(of notice: Notice) async throws -> NoticeAttachments
}

/// A trade's sidecar files and additional event data for one notice. It prints as `<redacted>`, so that no log or error shows
/// them.
package struct NoticeAttachments: Sendable, CustomStringConvertible, CustomReflectable {
  /// Makes the HTML page for people, with the same bytes at every call; nil if the notice has none.
  let page: @Sendable () -> [UInt8]?
  /// Makes the iCalendar file, with the same bytes at every call; nil if the notice has none.
  let calendar: @Sendable () -> [UInt8]?
  /// Additional members of the event's data, for sensitive sinks only: keys, and values as JSON objects.
  let sensitive: [(key: String, json: String)]

  package init(
    page: @escaping @Sendable () -> [UInt8]? = { nil }, calendar: @escaping @Sendable () -> [UInt8]? = { nil },
    sensitive: [(key: String, json: String)] = []
  ) {
    self.page = page
    self.calendar = calendar
    self.sensitive = sensitive
  }

  static let none = NoticeAttachments()

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
