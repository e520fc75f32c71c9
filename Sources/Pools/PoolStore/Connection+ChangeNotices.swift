import FlowCalendar
import FlowModel
import FlowStore
import FlowWork
import PoolJobs
import PoolModel

// Notices that today's route has changed since its morning notice.

extension Connection {
  /// Plans a notice if changes affect today's route and this route was sent already. Changes of the next 15 minutes are in
  /// the same notice.
  func planChangeNotice(
    of changes: [ServiceDateChange], team id: TeamID, _ today: ServiceToday
  ) throws(StoreError) {
    guard changes.contains(where: { $0.from == today.date || $0.to == today.date }), let team = try team(id),
      try isSent(today, team)
    else { return }
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

  /// Whether today's route was sent: in the morning, or the evening before to a team without a morning notice.
  private func isSent(_ today: ServiceToday, _ team: Team) throws(StoreError) -> Bool {
    try first(
      "SELECT 1 FROM told_routes WHERE team_id = ? AND service_day = ? AND local_date = ? AND slot_ms >= ?",
      .integer(team.id.number), .integer(today.date.weekday.rawValue), .text(today.date.description),
      .at(team.settings.morningNotice ? today.start : Timestamp(milliseconds: 0))
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
