package import FlowBackup
package import FlowControl
package import FlowModel

/// Imports, restores and removes the records of the teams of one trade. Each call changes everything it names, or nothing.
package protocol TradeRecords: Sendable {
  /// A claimed file of the inbox: its id, and the encoder of the report that is stored in the import's transaction.
  typealias Claim = (id: String, encode: @Sendable (ImportReportView) throws -> String)

  /// The progress of a running import or restore.
  var progress: WorkProgress { get }

  /// Imports a file, or reports the effect in a dry run.
  ///
  /// - Parameter claim: nil for a file that a caller uploaded.
  /// - Throws: `ImportRefusal`, `StoreError`, `SystemFailure`; nothing has changed then.
  func importFile(_ request: ImportRequest, claim: Claim?) async throws -> ImportedRecords

  /// Replaces a team's records by those of archives, or reports the effect in a dry run. Undelivered notices of the team are put on
  /// hold, because they were decided with other records.
  ///
  /// - Throws: `ImportRefusal`, `StoreError`, `ControlError`; nothing has changed then.
  func restore(_ request: RestoreRequest) async throws -> RestoredRecords

  /// Removes a team's records and then their photos. The team gets the records with which a new team starts.
  ///
  /// - Parameter changed: throws if the team differs from what the caller has seen: its numbers of records and of events, as
  ///   `TradeArchives.counts` counts them.
  func clear(
    _ team: Team, dryRun: Bool, unless changed: @escaping @Sendable (_ records: Int, _ events: Int) throws -> Void
  ) async throws -> ClearedRecordsView

  /// The number of a team's records.
  func counts(of team: TeamID) async throws -> RecordCountsView

  /// A change of the number of records in a sentence, such as `120 pools before, 130 after`.
  func change(from before: RecordCountsView, to after: RecordCountsView) -> String

  /// Singular and plural noun for the records that an import of the trade creates or updates; nil for a report of another trade,
  /// and for one whose counts have the nouns.
  func noun(of report: ImportReportView) -> (one: String, many: String)?

  /// Forgets what was kept of a preview for an import that did not follow in time.
  func forgetOldPreviews(now: Timestamp)
}

extension TradeRecords {
  package func noun(of report: ImportReportView) -> (one: String, many: String)? { nil }

  package func forgetOldPreviews(now: Timestamp) {}
}

/// The result of an import, or of its dry run.
package struct ImportedRecords: Sendable {
  /// What the file is, such as `a customers file`.
  package let noun: String
  package let report: ImportReportView

  package init(_ noun: String, _ report: ImportReportView) {
    self.noun = noun
    self.report = report
  }
}

/// A request to restore a team.
package struct RestoreRequest: Sendable {
  /// Where the archives come from.
  package enum Source: Sendable {
    /// All archives of the team, or of one technician, in a verified backup of this store.
    case backup([ArchiveToRestore])
    /// A file that a caller uploaded: its path, and the user's name for it.
    case upload(path: String, name: String)
  }

  package let team: Team
  package let source: Source
  /// The technician whose records alone are restored; nil for all.
  package let technician: String?
  package let dryRun: Bool
  /// True to apply the plan's limit of records.
  package let limitsRecords: Bool

  package init(team: Team, source: Source, technician: String?, dryRun: Bool, limitsRecords: Bool) {
    self.team = team
    self.source = source
    self.technician = technician
    self.dryRun = dryRun
    self.limitsRecords = limitsRecords
  }
}

/// The result of a restore, or of its dry run.
package struct RestoredRecords: Sendable {
  package let archives: [RestoredArchiveView]
  package let before: RecordCountsView
  package let after: RecordCountsView
  /// The number of present records that the archives do not have.
  package let lost: RecordCountsView
  /// Customers whose records are lost.
  package let lostCustomers: [String]
  /// The number of undelivered notices that are now on hold.
  package let held: Int
  package let warnings: [String]

  package init(
    archives: [RestoredArchiveView], before: RecordCountsView, after: RecordCountsView, lost: RecordCountsView,
    lostCustomers: [String], held: Int, warnings: [String]
  ) {
    self.archives = archives
    self.before = before
    self.after = after
    self.lost = lost
    self.lostCustomers = lostCustomers
    self.held = held
    self.warnings = warnings
  }
}

/// The result of removing a team's records, or of its dry run.
package struct ClearedRecordsView: Sendable {
  package let before: RecordCountsView
  package let after: RecordCountsView
  /// The removed records in a sentence, such as `120 pools and 7200 visits`.
  package let removed: String
  /// The number of undelivered notices that are now on hold.
  package let held: Int

  package init(before: RecordCountsView, after: RecordCountsView, removed: String, held: Int) {
    self.before = before
    self.after = after
    self.removed = removed
    self.held = held
  }
}

extension [RunningTrade] {
  /// The records of the team's trade.
  ///
  /// - Throws: `ControlError` of the kind `.otherTrade` if the daemon does not serve it.
  package func records(of team: Team) throws(ControlError) -> any TradeRecords {
    guard let trade = of(team) else { throw .tradeNotServed(of: team) }
    return trade.records
  }
}

extension ControlError {
  /// The refusal of a team whose trade the daemon does not serve.
  static func tradeNotServed(of team: Team) -> ControlError {
    ControlError(
      .otherTrade, "this daemon does not serve the trade of team '\(team.name)'",
      facts: ["team": team.name, "trade": team.trade.rawValue])
  }
}
