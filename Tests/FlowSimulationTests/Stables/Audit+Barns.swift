import FlowCalendar
import FlowModel
import FlowStore
import StableModel

extension Audit {
  /// Compares with the world's own records: every mark is stored; a closed day has a row for each horse, with marked meals as
  /// fed and all others as missed.
  ///
  /// Reads the barns' complete history, so the audit calls it only after a completed look, not every day.
  func barns(_ world: some AuditedWorld) throws {
    let marks = Set(
      try connection.rows("SELECT team_id, local_date, horse_id, slot FROM feed_marks") { row throws(StoreError) in
        "\(row.integer(0)) \(row.text(1)) \(row.text(2)) \(row.text(3))"
      })
    for (day, markings) in world.barns.markings {
      for marking in markings {
        for horse in marking.horses {
          let mark = "\(day.team.number) \(day.date) \(horse) \(marking.slot.rawValue)"
          if !marks.contains(mark) { throw Violation("the mark \(mark) is lost") }
        }
      }
    }
    let count = world.barns.markings.values.joined().reduce(0) { $0 + $1.horses.count }
    guard count == marks.count else { throw Violation("\(marks.count) marks are kept of \(count)") }
    let rows = try connection.rows("SELECT team_id, local_date, horse_id, am, pm FROM feed_history") {
      row throws(StoreError) in
      (team: TeamID(row.integer(0)), date: row.text(1), horse: row.text(2), am: row.text(3), pm: row.text(4))
    }
    for row in rows {
      guard let date = CivilDate(row.date), let horse = HorseID(row.horse) else {
        throw Violation("the history has a row of \(row.horse) on \(row.date)")
      }
      let day = BarnBook.Day(team: row.team, date: date)
      for (slot, word) in [(FeedSlot.am, row.am), (.pm, row.pm)] where word != "no-schedule" {
        guard (word == "fed") == world.barns.isFed(horse, slot, on: day) else {
          throw Violation("\(slot.rawValue) of \(row.horse) on \(row.date) is \(word) in the history")
        }
      }
    }
    let unequal = try connection.first(
      """
      SELECT count(*) FROM feed_days WHERE (SELECT count(*) FROM feed_history
        WHERE feed_history.team_id = feed_days.team_id AND feed_history.local_date = feed_days.local_date) NOT IN (0, 3)
      """
    ) { row throws(StoreError) in row.number(0) }
    guard unequal == 0 else { throw Violation("\(unequal ?? 0) closed days lack horses") }
  }
}
