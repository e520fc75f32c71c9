import PoolModel

/// The shape of the database, step by step. A released step never changes; a new one is added after it.
///
/// Every table holds its team's number, instants are whole milliseconds UTC (`_ms`), identities of the app are UUID text
/// in upper case. The dialect is one that PostgreSQL also takes where that costs nothing.
package enum Schema {
  /// Marks the file as ours: "pool".
  package static let applicationID = 0x706F_6F6C
  /// The mark of stores that were made before the first release, "pflw": their schemas have numbers of their own.
  static let developmentID = 0x7066_6C77

  package static var currentVersion: Int { migrations.count }

  package static let migrations: [String] = [
    [server, teams, records, water, routes, jobs, ledger, delivery].joined(separator: "\n"),
    timings,
    daysOff,
    daysWork,
    people,
    receipts,
    stables,
    runsBySlot,
    visitUndos,
    measuredReadings,
    defaultVolume,
    bothUnits,
  ]
}
