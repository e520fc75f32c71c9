import FlowCalendar
package import FlowModel
import FlowStore
package import StableModel

/// The days of a stable that a decision reads.
struct BarnRequest: Hashable, Sendable {
  /// The local date of the decision; nil for the newest day.
  let date: CivilDate?

  /// For a decision that may be about any day.
  static let newest = BarnRequest(date: nil)

  private init(date: CivilDate?) { self.date = date }

  init(on date: CivilDate) { self.date = date }

  /// Number of days before the date that are read too: the week that `barn-week` reports on a Sunday and that the boards show.
  static let daysBack = 7
}

extension Store: FactsOfStables {
  package func barnFacts(of team: TeamID, on date: CivilDate) throws -> BarnFacts? {
    try connection.snapshot {
      guard let team = try connection.team(team), team.trade == .stable else { return nil }
      return try connection.facts(BarnRequest(on: date), of: team)
    }
  }
}

extension Connection {
  /// The facts that a stable's decisions read.
  func facts(_ request: BarnRequest, of team: Team) throws(StoreError) -> BarnFacts {
    let id = team.id
    // Without feed marks, 1970-01-01 is used; it has no rows either.
    let newest = request.date == nil ? try newestFeedDate(of: id) : nil
    let last = request.date ?? newest ?? CivilDate(daysSince1970: 0)
    let first = last.adding(days: -BarnRequest.daysBack)
    let people = try people(of: id).map(\.person)
    return BarnFacts(
      team: team, settings: try barnSettings(of: id), horses: try horses(of: id), schedules: try schedules(of: id),
      marks: try feedMarks(of: id, from: first, to: last), closedDays: try closedDays(of: id, from: first, to: last),
      boardStart: try boardStart(of: id),
      care: try care(of: id), forecast: try forecasts(of: id, limit: 1).first,
      lastNight: try lastNight(before: request.date, of: id), daysOff: team.hasDaysOff ? try daysOff(of: id) : .none,
      people: people, staff: people.isEmpty ? [] : try technicians(of: id))
  }

  /// The first feeding ever marked, from the marks or from closed days, because old marks are deleted.
  private func boardStart(of team: TeamID) throws(StoreError) -> BoardStart {
    let first = try first(
      """
      SELECT local_date, slot FROM (
        SELECT * FROM (SELECT local_date, slot FROM feed_marks WHERE team_id = ?1 ORDER BY 1, 2 LIMIT 1) AS mark
        UNION ALL
        SELECT * FROM (SELECT local_date, CASE WHEN am = 'fed' THEN 'am' ELSE 'pm' END AS slot FROM feed_history
          WHERE team_id = ?1 AND (am = 'fed' OR pm = 'fed') ORDER BY 1, 2 LIMIT 1) AS row) AS kept
      ORDER BY 1, 2 LIMIT 1
      """, .integer(team.number)
    ) { row throws(StoreError) in
      BoardStart(try row.date("local_date", table: "feed_marks"), try row.word("slot", table: "feed_marks"))
    }
    return first ?? .never
  }

  /// The newest date with feed marks or closed rows; nil if there is none.
  private func newestFeedDate(of team: TeamID) throws(StoreError) -> CivilDate? {
    let text = try first(
      """
      SELECT max(coalesce((SELECT max(local_date) FROM feed_marks WHERE team_id = ?1), ''),
        coalesce((SELECT max(local_date) FROM feed_days WHERE team_id = ?1), ''))
      """, .integer(team.number)
    ) { row throws(StoreError) in row.text(0) }
    return text.flatMap { CivilDate($0) }
  }
}
