package import FlowModel
import FlowStore
package import StableModel

extension Store: FeedBooks {
  package func feedDays(_ dates: [CivilDate], of team: TeamID) throws -> [FeedDay] {
    try connection.snapshot { try dates.map { try connection.feedDay($0, of: team) } }
  }

  package func changeFeedDay<Result: Sendable>(
    _ date: CivilDate, of team: TeamID, change: @Sendable (inout FeedDay) throws -> Result
  ) throws -> Result {
    try connection.transaction(of: [team]) {
      let old = try connection.feedDay(date, of: team)
      var new = old
      let result = try change(&new)
      try connection.write(new, replacing: old, of: team)
      return result
    }
  }

  package func feedHistory(
    of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int
  ) throws -> [FeedRow] {
    try connection.feedHistory(of: team, horse: horse, from: from, to: to, limit: limit)
  }
}

extension Connection {
  /// The marks, closed rows, horses and schedules of a date.
  func feedDay(_ date: CivilDate, of team: TeamID) throws(StoreError) -> FeedDay {
    let last = try first("SELECT max(marking) FROM feed_marks WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in row.isNull(0) ? 0 : Int64(row.number(0))
    }
    return FeedDay(
      date: date, horses: try horses(of: team), schedules: try schedules(of: team),
      marks: try feedMarks(of: team, from: date, to: date),
      closed: try closedDays(of: team, from: date, to: date)[date],
      lastMarking: last ?? 0)
  }

  /// Feed marks of a range of dates, both inclusive, in the order in which they were made.
  func feedMarks(of team: TeamID, from: CivilDate, to: CivilDate) throws(StoreError) -> [FeedMark] {
    try rows(
      """
      SELECT horse_id, local_date, slot, at_ms, fed_by, marking FROM feed_marks
      WHERE team_id = ? AND local_date BETWEEN ? AND ? ORDER BY marking, horse_id, slot
      """, .integer(team.number), .text(from.description), .text(to.description)
    ) { row throws(StoreError) in
      FeedMark(
        horseID: try row.id("horse_id", table: "feed_marks"), date: try row.date("local_date", table: "feed_marks"),
        slot: try row.word("slot", table: "feed_marks"), at: row.instant("at_ms"), by: row.text("fed_by"),
        marking: row.integer("marking"))
    }
  }

  /// The rows of each closed day in a range of dates, sorted by horse name; empty for a day on which the barn had no horses.
  func closedDays(of team: TeamID, from: CivilDate, to: CivilDate) throws(StoreError) -> [CivilDate: [FeedRow]] {
    let days = try rows(
      "SELECT local_date FROM feed_days WHERE team_id = ? AND local_date BETWEEN ? AND ?", .integer(team.number),
      .text(from.description), .text(to.description)
    ) { row throws(StoreError) in try row.date("local_date", table: "feed_days") }
    var closed = Dictionary(days.map { ($0, [FeedRow]()) }, uniquingKeysWith: { first, _ in first })
    guard !days.isEmpty else { return closed }
    for row in try feedHistory(of: team, horse: nil, from: from, to: to, limit: .max) {
      closed[row.date, default: []].append(row)
    }
    return closed
  }

  /// Rows of closed days, newest date first, within a date by horse name.
  func feedHistory(
    of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int
  ) throws(StoreError) -> [FeedRow] {
    // The database cannot sort by `HorseName`, so the last date is read completely before the limit applies.
    let found = try rows(
      """
      SELECT local_date, horse_id, horse, am, pm FROM feed_history
      WHERE team_id = ?1 AND (?2 IS NULL OR horse_id = ?2) AND local_date >= ?3 AND local_date <= ?4
        AND local_date >= coalesce((
          SELECT local_date FROM feed_history
          WHERE team_id = ?1 AND (?2 IS NULL OR horse_id = ?2) AND local_date >= ?3 AND local_date <= ?4
          ORDER BY local_date DESC LIMIT 1 OFFSET ?5), '')
      """, .integer(team.number), .id(horse), .text(from?.description ?? ""),
      .text(to?.description ?? "~"), .integer(max(0, limit - 1))
    ) { row throws(StoreError) in
      FeedRow(
        date: try row.date("local_date", table: "feed_history"),
        horseID: try row.id("horse_id", table: "feed_history"), horse: row.text("horse"),
        am: try row.word("am", table: "feed_history"), pm: try row.word("pm", table: "feed_history"))
    }
    let keyed = found.map { (row: $0, name: HorseName($0.horse)) }.sorted { left, right in
      (right.row.date, left.name, left.row.horseID) < (left.row.date, right.name, right.row.horseID)
    }
    return keyed.prefix(limit).map(\.row)
  }

  /// Writes the differences between two states of a feed day: marks and closed rows.
  func write(_ new: FeedDay, replacing old: FeedDay, of team: TeamID) throws(StoreError) {
    let (before, after) = (Set(old.marks), Set(new.marks))
    for mark in old.marks where !after.contains(mark) {
      try run(
        "DELETE FROM feed_marks WHERE team_id = ? AND local_date = ? AND horse_id = ? AND slot = ?",
        .integer(team.number), .text(mark.date.description), .id(mark.horseID), .text(mark.slot.rawValue))
    }
    try insert(new.marks.filter { !before.contains($0) }, of: team)
    guard let closed = new.closed, new.closed != old.closed else { return }
    if old.closed == nil { try closeFeedDay(new.date, of: team) }
    let known = Set(old.closed ?? [])
    try insert(closed.filter { !known.contains($0) }, of: team)
  }

  /// Records that the date is closed.
  func closeFeedDay(_ date: CivilDate, of team: TeamID) throws(StoreError) {
    try run(
      "INSERT INTO feed_days (team_id, local_date) VALUES (?, ?)", .integer(team.number), .text(date.description))
  }

  func insert(_ marks: [FeedMark], of team: TeamID) throws(StoreError) {
    try insert(marks, as: Self.marks) { (mark, row) throws(StoreError) in
      row.put(team.number)
      row.put(mark.date.description)
      row.put(mark.horseID)
      row.put(mark.slot.rawValue)
      row.put(mark.at)
      row.put(mark.by)
      row.put(mark.marking)
    }
  }

  private static let marks = InsertForm(
    "feed_marks", "team_id, local_date, horse_id, slot, at_ms, fed_by, marking")

  /// Inserts rows of closed days; existing rows of the same horse and date are replaced.
  func insert(_ history: [FeedRow], of team: TeamID) throws(StoreError) {
    try insert(history, as: Self.history) { (line, row) throws(StoreError) in
      row.put(team.number)
      row.put(line.date.description)
      row.put(line.horseID)
      row.put(line.horse)
      row.put(line.am.rawValue)
      row.put(line.pm.rawValue)
    }
  }

  private static let history = InsertForm(
    "feed_history", "team_id, local_date, horse_id, horse, am, pm",
    onConflict: "(team_id, local_date, horse_id) DO UPDATE SET am = excluded.am, pm = excluded.pm")
}
