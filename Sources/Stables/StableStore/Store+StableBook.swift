package import FlowModel
package import FlowStore
import PoolModel
package import PoolStore
package import StableModel

extension Store: StableBooks {
  package func stableRecords(of team: TeamID) throws -> StableRecords {
    try connection.snapshot { try connection.stableRecords(of: team) }
  }

  package func stableBook(of team: TeamID) throws -> StableBook {
    try connection.snapshot { try connection.stableBook(of: team) }
  }

  package func changeStable(
    _ name: String, now: Timestamp, dryRun: Bool, claim: ImportClaim<ImportEffect>?,
    change: @Sendable (inout StableRecords) throws -> Void
  ) throws -> ImportEffect {
    try importInTransaction(name, claim, now: now, dryRun: dryRun) {
      let team = try connection.team(named: name)
      let before = try connection.counts(of: team.id)
      let old = try connection.stableRecords(of: team.id)
      var new = old
      try change(&new)
      try connection.write(new, replacing: old, of: team.id)
      return ImportEffect(before: before, after: try connection.counts(of: team.id))
    }
  }

  package func replaceStable(
    _ name: String, by book: StableBook, now: Timestamp, dryRun: Bool, photos: PhotoChange?,
    claim: ImportClaim<ImportEffect>?,
    unless refused: @Sendable (StableBook) throws -> Void
  ) throws -> ImportEffect {
    try importInTransaction(name, claim, now: now, dryRun: dryRun) {
      let team = try connection.team(named: name)
      try connection.recordChange(photos, of: team.id)
      let before = try connection.counts(of: team.id)
      let old = try connection.stableBook(of: team.id)
      try refused(old)
      try connection.write(book, replacing: old, of: team.id, now: now)
      try connection.holdUndelivered(of: team.id)
      return ImportEffect(before: before, after: try connection.counts(of: team.id))
    }
  }

  package func clearStable(
    _ name: String, dryRun: Bool, change: PhotoChange?, unless changed: @Sendable (RecordCounts) throws -> Void
  ) throws -> ClearedRecords {
    try clear(name, dryRun: dryRun, change: change, unless: changed) { team in
      // Foreign keys delete feed schedules and care with their horses.
      for table in ["horses", "feed_templates", "feed_marks", "feed_days", "forecasts", "blanket_nights"] {
        try connection.run("DELETE FROM \(table) WHERE team_id = ?", .integer(team.number))
      }
    }
  }

  package func photoHorses(of team: TeamID) throws -> Set<HorseID> {
    Set(try connection.horses(of: team).filter(\.hasPhoto).map(\.id))
  }
}

extension Connection {
  func stableCounts(of team: TeamID) throws(StoreError) -> RecordCounts {
    let counts = try first(
      """
      SELECT (SELECT count(*) FROM horses WHERE team_id = ?1) AS horses,
        (SELECT count(*) FROM feed_schedules WHERE team_id = ?1) AS schedules,
        (SELECT count(*) FROM care_events WHERE team_id = ?1) AS care,
        (SELECT count(*) FROM horses WHERE team_id = ?1 AND has_photo = 1) AS photos
      """, .integer(team.number)
    ) { row throws(StoreError) in
      RecordCounts(
        horses: row.number("horses"), schedules: row.number("schedules"), care: row.number("care"),
        photos: row.number("photos"))
    }
    return counts ?? RecordCounts(byKind: [:])
  }

  func stableRecords(of team: TeamID) throws(StoreError) -> StableRecords {
    StableRecords(
      horses: try horses(of: team), schedules: try schedules(of: team), care: try careAsLogged(of: team))
  }

  func stableBook(of team: TeamID) throws(StoreError) -> StableBook {
    let (first, last) = (CivilDate(year: 1, month: 1, day: 1), CivilDate(year: 9_999, month: 12, day: 31))
    return StableBook(
      records: try stableRecords(of: team), settings: try barnSettings(of: team), templates: try templates(of: team),
      marks: try feedMarks(of: team, from: first, to: last),
      closedDays: try closedDays(of: team, from: first, to: last), forecasts: try keptForecasts(of: team),
      nights: try blanketNights(of: team))
  }

  /// Writes the differences between two states, deletions first. Changed names get a placeholder first, because a name may
  /// move from one horse to another.
  func write(_ new: StableRecords, replacing old: StableRecords, of team: TeamID) throws(StoreError) {
    let (horses, events) = (Set(new.horses.map(\.id)), Set(new.care.map(\.id)))
    for horse in old.horses where !horses.contains(horse.id) {
      try run("DELETE FROM horses WHERE team_id = ? AND horse_id = ?", .integer(team.number), .id(horse.id))
    }
    for event in old.care where !events.contains(event.id) {
      try run("DELETE FROM care_events WHERE team_id = ? AND care_id = ?", .integer(team.number), .id(event.id))
    }
    let known = Dictionary(old.horses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let changed = new.horses.filter { horse in known[horse.id].map { $0 != horse } ?? false }
    for horse in changed where known[horse.id]?.nameKey != horse.nameKey {
      try run(
        "UPDATE horses SET name_key = ? WHERE team_id = ? AND horse_id = ?", .text("\u{1}\(horse.id)"),
        .integer(team.number), .id(horse.id))
    }
    var names: Set<HorseName> = []
    for horse in new.horses where !names.insert(horse.nameKey).inserted { throw .nameTaken(.horse, name: horse.name) }
    for horse in changed { try overwrite(horse, team: team) }
    let added = new.horses.filter { known[$0.id] == nil }
    try insert(added, team: team, among: new.horses.filter { known[$0.id] != nil })
    for horse in new.horses where old.schedules[horse.id] != new.schedules[horse.id] {
      try keep(new.schedules[horse.id], for: horse.id, of: team)
    }
    let logged = Dictionary(old.care.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for event in new.care where logged[event.id].map({ $0 != event }) ?? false { try update(event, of: team) }
    try insert(new.care.filter { logged[$0.id] == nil }, of: team)
  }

  /// Replaces all records of a stable.
  fileprivate func write(
    _ new: StableBook, replacing old: StableBook, of team: TeamID, now: Timestamp
  ) throws(StoreError) {
    // Rows are sorted by insertion for equal dates, so all are inserted again in the book's order.
    try write(StableRecords(), replacing: old.records, of: team)
    try write(new.records, replacing: StableRecords(), of: team)
    try keep(new.settings, of: team)
    try replaceTemplates(of: team, by: new.templates)
    for table in ["feed_marks", "feed_days", "forecasts", "blanket_nights"] {
      try run("DELETE FROM \(table) WHERE team_id = ?", .integer(team.number))
    }
    try insert(new.marks, of: team)
    for (date, rows) in new.closedDays.sorted(by: { $0.key < $1.key }) {
      try closeFeedDay(date, of: team)
      try insert(rows, of: team)
    }
    for kept in new.forecasts.reversed() {
      try insert(kept.forecast, digest: kept.digest, of: team, now: kept.importedAt)
    }
    for night in new.nights { try keep(night, of: team) }
  }
}

extension StoreSnapshot {
  package func stableBook(of team: TeamID) throws(StoreError) -> StableBook { try connection.stableBook(of: team) }
}
