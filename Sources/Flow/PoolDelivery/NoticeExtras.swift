package import PoolNotices

/// What a trade puts beside and into the file of a notice; delivery carries it and never looks into it.
package protocol NoticeExtrasSource: Sendable {
  /// Asked for at the moment the notice's file is written.
  func extras(of notice: Notice) async throws -> NoticeExtras
}

/// It prints as nothing, so that no log or error can hold it.
package struct NoticeExtras: Sendable, CustomStringConvertible, CustomReflectable {
  /// A page for people, the same at every call; nil for a notice that has none.
  let page: @Sendable () -> [UInt8]?
  /// The same as a calendar, iCalendar.
  let calendar: @Sendable () -> [UInt8]?
  /// What a sensitive sink alone may have: members of the event's data, and their values as JSON objects.
  let sensitive: [(key: String, json: String)]

  package init(
    page: @escaping @Sendable () -> [UInt8]? = { nil }, calendar: @escaping @Sendable () -> [UInt8]? = { nil },
    sensitive: [(key: String, json: String)] = []
  ) {
    self.page = page
    self.calendar = calendar
    self.sensitive = sensitive
  }

  static let none = NoticeExtras()

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
