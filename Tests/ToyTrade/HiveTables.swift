package import FlowModel
package import FlowStore
package import FlowWork

/// Decisions about hives store nothing besides their runs.
package enum HiveRecord: TradeRecord {}

/// The tables of apiaries.
package struct HiveTables: TradeStore {
  package init() {}

  package var trade: Trade { .apiary }
  package var jobs: JobCatalogue { .apiaries }
  package var photoOwner: Connection.PhotoOwner? { nil }
  package var factTables: Set<Substring> { ["hives"] }

  /// The column `trade` of the other trades accepts only their names, so its check is removed with it.
  package var schemaParts: [Int: String] {
    [
      17: """
      ALTER TABLE teams ADD COLUMN any_trade TEXT NOT NULL DEFAULT 'apiary';
      UPDATE teams SET any_trade = trade;
      ALTER TABLE teams DROP COLUMN trade;
      ALTER TABLE teams RENAME COLUMN any_trade TO trade;

      -- local_date: of the next inspection.
      CREATE TABLE hives (
        team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, name TEXT NOT NULL,
        local_date TEXT NOT NULL, PRIMARY KEY (team_id, name)
      ) STRICT;
      """
    ]
  }

  /// All hives of the team, for every purpose.
  private struct Plan: FactsPlan {
    func read(of team: Team, on connection: Connection) throws(StoreError) -> any DecisionFacts {
      HiveFacts(team: team, hives: try connection.hives(of: team.id))
    }
  }

  package func factsPlan(for purpose: FactsPurpose, of team: TeamID) -> any FactsPlan { Plan() }

  package func affectsOtherDecisions(_ record: HiveRecord) -> Bool {}

  package func keep(
    _ record: HiveRecord, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp, on connection: Connection
  ) throws(StoreError) {}

  package func recordCounts(of team: TeamID, on connection: Connection) throws(StoreError) -> RecordCounts {
    RecordCounts(byKind: ["hives": try connection.hives(of: team).count])
  }
}

extension RecordCounts {
  package var hives: Int { self["hives"] }
}

/// The numbers of a team's hives around a change, and of the hives that it removes.
package struct HiveEffect: Sendable {
  package let before: Int
  package let after: Int
  package let lost: Int
}

extension Store {
  package func hives(of team: TeamID) throws -> [Hive] { try connection.hives(of: team) }

  /// Replaces hives in one transaction.
  ///
  /// - Parameters:
  ///   - keepsOthers: true to keep the present hives that are not among the new ones; false also puts the team's undelivered
  ///     notices on hold.
  ///   - claim: the inbox file that the hives come from; nil for none.
  package func replaceHives(
    of team: Team, by hives: [Hive], keepsOthers: Bool, now: Timestamp, dryRun: Bool,
    claim: ImportClaim<HiveEffect>? = nil
  ) throws -> HiveEffect {
    try importInTransaction(team.name, claim, now: now, dryRun: dryRun) {
      let (id, old) = (team.id, try connection.hives(of: team.id))
      let names = Set(hives.map(\.name))
      let others = old.filter { !names.contains($0.name) }
      let new = hives + (keepsOthers ? others : [])
      try connection.removeHives(of: id)
      for hive in new {
        try connection.run(
          "INSERT INTO hives (team_id, name, local_date) VALUES (?, ?, ?)", .integer(id.number), .text(hive.name),
          .text(hive.inspection.description))
      }
      if !keepsOthers { try connection.holdUndelivered(of: id) }
      return HiveEffect(before: old.count, after: new.count, lost: keepsOthers ? 0 : others.count)
    }
  }

  package func clearHives(
    of team: Team, dryRun: Bool, unless changed: (RecordCounts) throws -> Void
  ) throws -> ClearedRecords {
    try clear(team.name, dryRun: dryRun, change: nil, unless: changed) { try connection.removeHives(of: $0) }
  }
}

extension StoreSnapshot {
  package func hives(of team: TeamID) throws(StoreError) -> [Hive] { try connection.hives(of: team) }
}

extension Connection {
  /// Sorted by name.
  fileprivate func hives(of team: TeamID) throws(StoreError) -> [Hive] {
    try rows("SELECT name, local_date FROM hives WHERE team_id = ? ORDER BY name", .integer(team.number)) {
      row throws(StoreError) in
      guard let date = CivilDate(row.text("local_date")) else {
        throw .damaged(table: "hives", column: "local_date", value: row.text("local_date"))
      }
      return Hive(name: row.text("name"), inspection: date)
    }
  }

  fileprivate func removeHives(of team: TeamID) throws(StoreError) {
    try run("DELETE FROM hives WHERE team_id = ?", .integer(team.number))
  }
}
