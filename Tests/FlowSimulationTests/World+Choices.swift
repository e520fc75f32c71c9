import StableModel  // Stables
import PoolModel
import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolStore
import TradeStores

/// The world's own records of people's choices, apart from the store, for the audit.
struct Choices {
  /// A reminder with a limited count.
  struct Bounded {
    let job: JobID
    /// The count in the ledger when the limit was set: no clock here can order events reliably.
    let toldBefore: Int
    let times: Int

    static func tellings(of job: JobID, by connection: Connection) throws(StoreError) -> Int {
      try connection.first(
        "SELECT count(*) FROM runs WHERE job_id = ? AND outcome = 'notified' AND cause = 'schedule'",
        .integer(job.number)
      ) { row throws(StoreError) in row.number(0) } ?? 0
    }
  }

  /// The closed days of each team, by entry id.
  var closed: [TeamID: [Int64: ClosedRange<CivilDate>]] = [:]
  var bounded: [Bounded] = []
  /// All names ever used, including those of removed reminders.
  var reminders: [TeamID: Set<ReminderName>] = [:]

  func isClosed(_ team: TeamID, on date: CivilDate) -> Bool {
    closed[team]?.values.contains { $0.contains(date) } == true
  }
}

// People set rules, reminders and days off at any moment, also during faults.
extension World {
  private static let rules = [
    "Mon..Fri 06:30", "Fri 16:00", "*-*-* 07:00,19:00", "Sat 00/6:00", "*-*-1 02:30",
    "every 2 weeks from 2024-01-01 09:00",
    "*-*~1 23:59", "daily until 2031-06-30 except *-12-25", "Sun 02:30", "Wed *-*-* 00/2:15",
  ]

  /// The jobs whose times people choose, by trade.
  private static let kinds: [Trade: [JobKind]] = [
    .poolService: [.morningSummary, .lowStock, .weeklyDigest],
    .stable: barnKinds,  // Stables
  ]

  func choose() async throws {
    let team = random.pick(teams)
    // A daemon settles due slots before it changes a rule; sometimes the change comes first.
    if !random.chance(4) { try await look() }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: try await chooseTiming(team)
    case 2: try await setReminder(team)
    case 3: try await removeReminder(team)
    case 4: try await close(team)
    default: try await open(team)
    }
    try point()
    try await replan(team.id)
  }

  var plan: @Sendable (Team) throws -> [JobPlan] {
    let zones = zones
    return { JobPlan.all(of: $0, in: JobCatalogues.all.of($0.trade), zone: try zones.zone(named: $0.zone)) }
  }

  private func chooseTiming(_ team: Team) async throws {
    guard let kinds = Self.kinds[team.trade] else { throw Violation("\(team.name) has no jobs to choose from") }
    let kind = random.pick(kinds)
    var timing = JobTiming()
    if !random.chance(4) {
      timing.rule = try CalendarExpression(random.pick(Self.rules)).description
      timing.catchUp = random.pick([nil, CatchUp.none, .all(limit: 3), .latest(within: .hours(1))])
      timing.gap = random.pick([nil, .skip])
      timing.fold = random.pick([nil, .second, .both])
      timing.closed = random.pick([nil, nil, .ignore])
      timing.expiry = random.pick([nil, .hours(1)])
    }
    note("\(team.name) has \(kind.rawValue) by \(timing.rule ?? "its own rule"); \(timing.optionsText)")
    _ = try await store.chooseTiming(
      of: kind, team: team.name, now: now, change: { [timing] _, _ in timing }, plan: plan)
  }

  private func setReminder(_ team: Team) async throws {
    guard let name = ReminderName(random.pick(["filters", "call", "salt"])) else { return }
    let isOnce = random.chance(3)
    let rule: JobRule =
      isOnce
      ? .once(now.advanced(by: .seconds(Int.random(in: 1...400_000, using: &random))))
      : .calendar(try CalendarExpression(random.pick(Self.rules)).description)
    let times = isOnce || random.chance(2) ? nil : Int.random(in: 1...4, using: &random)
    let reminder = Reminder(
      name: name, title: try ReminderText(random.pick(["", "{weekday}"])),
      text: try ReminderText("{pools.today} pools on {date}, low: {low-stock}"), technicianID: nil,
      severity: random.pick([.info, .warning]), condition: random.pick(Reminder.Condition.allCases), timesLeft: times)
    note("\(team.name) is reminded of \(name) by \(rule), \(times.map(String.init) ?? "any number of") times")
    _ = try await store.changeReminder(
      name, of: team.name, now: now,
      change: { _, _, _ in TeamReminder(reminder, rule: rule, setBy: "anna") }, plan: plan)
    choices.reminders[team.id, default: []].insert(name)
    guard let job = try await store.jobs(of: team.id).first(where: { $0.kind == .reminder(name) }) else {
      throw Violation("reminder \(name) of \(team.name) has no job")
    }
    // A later limit replaces an earlier one.
    choices.bounded.removeAll { $0.job == job.id }
    if let times {
      let told = try Choices.Bounded.tellings(of: job.id, by: try Connection.opened(place, .readOnly))
      choices.bounded.append(.init(job: job.id, toldBefore: told, times: times))
    }
  }

  private func removeReminder(_ team: Team) async throws {
    guard let name = choices.reminders[team.id]?.min() else { return }
    note("\(team.name) is reminded of \(name) no more")
    _ = try await store.changeReminder(name, of: team.name, now: now, change: { _, _, _ in nil }, plan: plan)
    choices.reminders[team.id]?.remove(name)
    if try await store.jobs(of: team.id).contains(where: { $0.kind == .reminder(name) }) {
      throw Violation("reminder \(name) of \(team.name) was removed and still has its job")
    }
  }

  private func close(_ team: Team) async throws {
    let first = (try zones.zone(named: "UTC")).local(at: now).date.adding(
      days: Int.random(in: 0...9, using: &random))
    let days = first...first.adding(days: Int.random(in: 0...4, using: &random))
    note("\(team.name) is closed from \(days.lowerBound) to \(days.upperBound)")
    let off = DayOff(
      id: 0, technicianID: nil, span: try DaySpan(first: days.lowerBound, last: days.upperBound), note: "",
      setBy: "anna")
    let added = try await store.addDaysOff([off], to: team.name, now: now, check: { _ in }, plan: plan)
    for day in added { choices.closed[team.id, default: [:]][day.id] = days }
  }

  private func open(_ team: Team) async throws {
    guard let id = choices.closed[team.id]?.keys.min() else { return }
    note("\(team.name) is not closed \(id)")
    _ = try await store.removeDaysOff([id], of: team.name, now: now, plan: plan)
    choices.closed[team.id]?[id] = nil
  }

  /// A team's route is never sent for a closed day, by the world's own records.
  func verify(_ run: ClaimedRun, _ outcome: Outcome, _ zone: Zone) throws {
    guard let team = run.teamID, outcome.result == .notified, run.timing.closed != .ignore else { return }
    let date = zone.local(at: run.asOf).date
    if run.kind == .morningSummary, choices.isClosed(team, on: date) {
      throw Violation("\(run.kind.rawValue) of team \(team.number) spoke on \(date), which is closed")
    }
    if run.kind == .routePreview, choices.isClosed(team, on: date.adding(days: 1)) {
      throw Violation("\(run.kind.rawValue) of team \(team.number) told of the day after \(date), which is closed")
    }
  }
}
