import FlowCalendar
import FlowModel
import FlowStore
import FlowWork
import PoolJobs
import PoolModel

// Notices that the route of today or tomorrow has changed since it was sent.

extension Connection {
  /// Plans a notice if changes affect a route that was sent already: today's, or tomorrow's. Changes of the next 15 minutes are
  /// in the same notice.
  ///
  /// - Parameter dates: the dates whose stops changed.
  func planChangeNotice(of dates: [CivilDate], team id: TeamID, _ today: ServiceToday) throws(StoreError) {
    guard dates.contains(where: [today.date, today.tomorrow].contains), let team = try team(id) else { return }
    var isTold = false
    for date in [today.date, today.tomorrow] where dates.contains(date) && !isTold {
      isTold = try isSent(date, today, team)
    }
    guard isTold else { return }
    let last = try changeNotice(of: id)
    if let last, last > today.now { return }
    // A slot is after the change that makes it due.
    let soon = today.now.advanced(by: .seconds(1))
    let due = last.map { max(soon, $0.advanced(by: .minutes(Limits.changeNoticeMinutes))) } ?? soon
    try run(
      """
      INSERT INTO change_notices (team_id, due_ms) VALUES (?, ?)
      ON CONFLICT (team_id) DO UPDATE SET due_ms = excluded.due_ms
      """, .integer(id.number), .at(due))
    try planJobs(of: id, zone: team.zone, [], now: today.now)
  }

  /// Plans a notice if a pool is served today or tomorrow by another rule, pause or technician than before.
  ///
  /// - Parameters:
  ///   - before: the pool's service before the change.
  ///   - technician: the pool's own technician before the change.
  func planChangeNotice(
    of pool: PoolID, since before: PoolService, technician: TechnicianID, team: TeamID, _ today: ServiceToday
  ) throws(StoreError) {
    guard let state = try poolState(pool, team: team) else { return }
    let service = try services(of: team)[pool] ?? PoolService(weekday: state.pool.serviceDay)
    let isOther = state.technician != technician
    try planChangeNotice(
      of: [today.date, today.tomorrow].filter { date in
        before.isServed(on: date) != service.isServed(on: date) || (isOther && service.isServed(on: date))
      }, team: team, today)
  }

  /// Plans a notice if a pool that will be removed is served today or tomorrow.
  func planChangeNotice(withoutPool pool: PoolID, team: TeamID, _ today: ServiceToday) throws(StoreError) {
    guard let state = try poolState(pool, team: team) else { return }
    let service = try services(of: team)[pool] ?? PoolService(weekday: state.pool.serviceDay)
    try planChangeNotice(of: [today.date, today.tomorrow].filter(service.isServed), team: team, today)
  }

  /// Whether the route of today or tomorrow was sent. For today this means in the morning, or the evening before to a team
  /// without a morning notice.
  private func isSent(_ date: CivilDate, _ today: ServiceToday, _ team: Team) throws(StoreError) -> Bool {
    try first(
      "SELECT 1 FROM told_routes WHERE team_id = ? AND service_day = ? AND local_date = ? AND slot_ms >= ?",
      .integer(team.id.number), .integer(date.weekday.rawValue), .text(date.description),
      .at(date == today.date && team.settings.morningNotice ? today.start : Timestamp(milliseconds: 0))
    ) { _ throws(StoreError) in true } ?? false
  }

  /// When the newest notice of a team's changes is or was due; nil if there never was one.
  private func changeNotice(of team: TeamID) throws(StoreError) -> Timestamp? {
    try first("SELECT due_ms FROM change_notices WHERE team_id = ?", .integer(team.number)) { row throws(StoreError) in
      row.instant("due_ms")
    }
  }

  /// The plan of the notice of a team's changes; empty if there never was one.
  func changeNoticePlans(of team: TeamID) throws(StoreError) -> [JobPlan] {
    try changeNotice(of: team).map { [JobPlan(kind: .changedToday, rule: .once($0))] } ?? []
  }
}
