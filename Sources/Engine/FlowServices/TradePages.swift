package import FlowCalendar
package import FlowControl
package import FlowModel
package import FlowNotices
package import FlowStore

/// A trade's pages: those attached to its notices, and the published sites of its teams.
package protocol TradePages: Sendable {
  /// The page of a notice, from its text; nil if the notice has none, or is another trade's.
  func page(of notice: Notice) -> [UInt8]?
  /// The calendar of a notice, from its text; nil if the notice has none, or is another trade's.
  func calendar(of notice: Notice) -> [UInt8]?

  /// True if the attachments for a sink with `Sensitive=yes` are built from the notice's digest.
  func usesDigest(of notice: Notice) -> Bool
  /// The digest of such a notice, parsed from its text; nil if the text is unreadable.
  func digest(of notice: Notice) -> (any PagedDigest)?
  /// The attachments of such a notice for a sink with `Sensitive=yes`; nil if the digest is not of the trade.
  func attachments(
    of notice: Notice, with digest: any PagedDigest, team: TeamID, in store: Store
  ) async throws -> SensitiveAttachments?

  /// The name of the published file that shows what the notice is about; nil if there is none, or the notice is another trade's.
  func publishedPage(of notice: Notice) -> String?

  /// The published files of a team by owner and file name; nil if the team no longer exists.
  func site(_ query: SiteQuery) async throws -> [SiteOwner: [String: [UInt8]]]?
  /// The published files, by name, of a team whose records cannot be read.
  func errorPages(of team: Team) -> [String: [UInt8]]
}

extension TradePages {
  package func calendar(of notice: Notice) -> [UInt8]? { nil }
  package func publishedPage(of notice: Notice) -> String? { nil }

  package func usesDigest(of notice: Notice) -> Bool { false }
  package func digest(of notice: Notice) -> (any PagedDigest)? { nil }
  package func attachments(
    of notice: Notice, with digest: any PagedDigest, team: TeamID, in store: Store
  ) async throws -> SensitiveAttachments? { nil }
}

/// A query for the published files of a team.
package struct SiteQuery: Sendable {
  package let team: Team
  /// The folder name of each owner.
  package let names: [SiteOwner: String]
  package let zone: Zone
  package let now: Timestamp
  /// True if the pages show sensitive data, such as phone numbers.
  package let isSensitive: Bool
  package let store: Store

  package init(
    team: Team, names: [SiteOwner: String], zone: Zone, now: Timestamp, isSensitive: Bool, store: Store
  ) {
    self.team = team
    self.names = names
    self.zone = zone
    self.now = now
    self.isSensitive = isSensitive
    self.store = store
  }

  /// The team's local date.
  package var today: CivilDate { zone.local(at: now).date }
}

/// The attachments of a notice for a sink with `Sensitive=yes`. Their description is `<redacted>`, so that no log can contain
/// them.
package struct SensitiveAttachments: Sendable, CustomStringConvertible, CustomReflectable {
  /// Makes the HTML page.
  package let page: @Sendable () -> [UInt8]?
  /// Makes the iCalendar file; nil if the notice has none.
  package let calendar: @Sendable () -> [UInt8]?
  /// Members of the event's data besides the recipient: keys, and values as JSON.
  package let members: [(key: String, json: String)]

  package init(
    page: @escaping @Sendable () -> [UInt8]?, calendar: @escaping @Sendable () -> [UInt8]?,
    members: [(key: String, json: String)]
  ) {
    self.page = page
    self.calendar = calendar
    self.members = members
  }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension DaemonTrades {
  /// The pages of the team's trade; nil if the daemon does not serve it.
  package func pages(of team: Team) -> (any TradePages)? { all.first { $0.trade == team.trade }?.pages }

  /// The pages of the trade that builds the sensitive attachments of the notice from its digest; nil if none does.
  package func pages(usingDigestOf notice: Notice) -> (any TradePages)? {
    all.first { $0.pages.usesDigest(of: notice) }?.pages
  }

  /// The page of a notice, from its text; nil if it has none.
  package func page(of notice: Notice) -> [UInt8]? {
    for trade in all { if let page = trade.pages.page(of: notice) { return page } }
    return nil
  }

  /// The calendar of a notice, from its text; nil if it has none.
  package func calendar(of notice: Notice) -> [UInt8]? {
    for trade in all { if let calendar = trade.pages.calendar(of: notice) { return calendar } }
    return nil
  }

  /// The name of the published file that shows what the notice is about; nil if there is none.
  package func publishedPage(of notice: Notice) -> String? {
    for trade in all { if let name = trade.pages.publishedPage(of: notice) { return name } }
    return nil
  }
}

extension Document {
  /// The page in the format that a caller asks for.
  package func text(_ format: PageFormatView) -> String {
    switch format {
    case .text: text()
    case .md: markdown
    case .html: html
    }
  }
}
