/// An answer that is mostly one list: to a caller that takes `more` it comes in pages, each of them a whole answer with
/// some of the rows, so that neither side ever writes or reads all of them at once.
package protocol PagedReply: Codable, Sendable {
  associatedtype Row: Sendable
  var rows: [Row] { get set }
}

extension PagedReply {
  /// The answer with `count` of its rows from `start` on; at least one page, if an empty one.
  package func page(from start: Int, count: Int) -> Self {
    var page = self
    page.rows = Array(rows.dropFirst(start).prefix(count))
    return page
  }

  /// Puts the pages together again, in the order of their coming.
  package mutating func append(_ page: Self) { rows += page.rows }
}

extension BackupCall.List.Reply: PagedReply {
  package var rows: [BackupView] {
    get { backups }
    set { backups = newValue }
  }
}

extension BackupCall.Show.Reply: PagedReply {
  package var rows: [BackupFileView] {
    get { files }
    set { files = newValue }
  }
}

extension DaemonCall.Audit.Reply: PagedReply {
  package var rows: [AuditView] {
    get { entries }
    set { entries = newValue }
  }
}

extension FieldCall.ListVisits.Reply: PagedReply {
  package var rows: [VisitLineView] {
    get { visits }
    set { visits = newValue }
  }
}

extension FieldCall.ListStock.Reply: PagedReply {
  package var rows: [StockItemView] {
    get { items }
    set { items = newValue }
  }
}

extension FieldCall.ListEquipment.Reply: PagedReply {
  package var rows: [EquipmentItemView] {
    get { items }
    set { items = newValue }
  }
}

extension ImportCall.Inbox.Reply: PagedReply {
  package var rows: [InboxFileView] {
    get { files }
    set { files = newValue }
  }
}

extension OutboxCall.List.Reply: PagedReply {
  package var rows: [EntryView] {
    get { entries }
    set { entries = newValue }
  }
}

extension PoolsCall.List.Reply: PagedReply {
  package var rows: [PoolView] {
    get { pools }
    set { pools = newValue }
  }
}

extension SchedulerCall.List.Reply: PagedReply {
  package var rows: [JobView] {
    get { jobs }
    set { jobs = newValue }
  }
}

extension SchedulerCall.Next.Reply: PagedReply {
  package var rows: [OccurrenceView] {
    get { occurrences }
    set { occurrences = newValue }
  }
}

extension SchedulerCall.History.Reply: PagedReply {
  package var rows: [RunView] {
    get { runs }
    set { runs = newValue }
  }
}

extension TeamsCall.List.Reply: PagedReply {
  package var rows: [TeamView] {
    get { teams }
    set { teams = newValue }
  }
}

extension WaterCall.Profit.Reply: PagedReply {
  package var rows: [ProfitLineView] {
    get { report.pools }
    set { report.pools = newValue }
  }
}
