import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowWork
import TradeStores

/// A simulated world with records of its own beside its store.
@Simulation protocol AuditedWorld: AnyObject {
  /// A store of the world that shows all teams.
  var audited: Store { get }
  var now: Timestamp { get }
  /// The earliest instant of a clock rollback since the last audit.
  var tookBackTo: Timestamp? { get set }
  var choices: Choices { get }
  var barns: BarnBook { get }  // Stables
  /// The sizes of the files that the consumer has taken, by notice.
  var delivered: [String: Int] { get }
  var claimsGranted: [String: Int] { get }
  /// The number of power failures of the store.
  var powerCuts: Int { get }
}

extension World: AuditedWorld {
  var audited: Store { store }
}

/// Compares the store with the rules themselves, computed independently of the scheduler.
@Simulation struct Audit {
  private struct Row {
    let outcome: String
    let reason: String
    let attempts: Int
    let settledAt: Timestamp?
  }

  private let place: StoreLocation
  private(set) var connection: Connection
  /// The number of power failures when the audit opened its connection, which is invalid after another one.
  private var powerCuts = 0
  private let zones: SystemZones
  /// The number of slots by verdict.
  private(set) var verdicts: [String: Int] = [:]
  /// Slots up to here were checked and cannot change any more.
  private var checked: [Int64: Timestamp] = [:]

  init(place: StoreLocation, zones: SystemZones) throws {
    self.place = place
    connection = try Connection.opened(place, .readOnly)
    self.zones = zones
  }

  /// - Parameter settledUpTo: a daemon has completed a look at this instant, so no earlier slot may be open.
  mutating func check(_ world: some AuditedWorld, settledUpTo: Timestamp?) async throws {
    if powerCuts != world.powerCuts {
      connection = try Connection.opened(place, .readOnly)
      powerCuts = world.powerCuts
    }
    for job in try await world.audited.jobs() {
      // A clock rollback may have reopened settled slots.
      let known = checked[job.id.number] ?? Timestamp(seconds: 0)
      let from = world.tookBackTo.map { min(known, $0.advanced(by: .hours(-24 * 30))) } ?? known
      let rows = try rows(of: job, after: from)
      for span in try await world.audited.rules(of: job.id) where span.until.map({ $0 > from }) ?? true {
        let end = span.until ?? job.cursor
        guard let schedule = try schedule(of: span) else { continue }
        var slot = schedule.next(after: max(span.since, from))
        while let due = slot?.instant, due <= end {
          try verify(due, job: job, span: span, row: rows[due])
          slot = schedule.next(after: due)
        }
        if span.until == nil, let settledUpTo, let open = schedule.next(after: max(job.cursor, span.since))?.instant,
          open.advanced(by: .hours(1)) < settledUpTo
        {
          throw Violation("slot \(open) of job \(job.id.number) was still open at \(settledUpTo)")
        }
      }
      checked[job.id.number] = min(job.cursor, world.now)
    }
    world.tookBackTo = nil
    try notices(world)
    try tellings(world)
    if settledUpTo != nil { try barns(world) }  // Stables
  }

  /// A bounded reminder is sent exactly its number of times.
  private func tellings(_ world: some AuditedWorld) throws {
    for bound in world.choices.bounded {
      let told = try Choices.Bounded.tellings(of: bound.job, by: connection) - bound.toldBefore
      if told > bound.times {
        throw Violation("the reminder of job \(bound.job.number) was told \(told) of \(bound.times) times")
      }
    }
  }

  /// After a look with a right clock: no job's next slot is later than the calendar says, except for slots that have already
  /// run or are on hold.
  ///
  /// Computed from the calendar and the ledger's rows only, not from the scheduler's state.
  mutating func noJobIsDelayed(_ world: some AuditedWorld) async throws {
    for job in try await world.audited.jobs() {
      if job.cursor > world.now {
        throw Violation("job \(job.id.number) is settled up to \(job.cursor) at \(world.now)")
      }
      let open = try connection.first(
        """
        SELECT count(*) FROM runs WHERE job_id = ? AND slot_ms > ? AND attempts = 0 AND reason <> 'skipped-by-hand'
        """, .integer(job.id.number), .integer(world.now.milliseconds)
      ) { row throws(StoreError) in row.number(0) }
      if let open, open > 0 { throw Violation("\(open) slots to come of job \(job.id.number) are passed over") }
      let rules = try await world.audited.rules(of: job.id)
      if let since = rules.last?.since, since > world.now {
        throw Violation("the rule of job \(job.id.number) begins at \(since)")
      }
    }
    let ahead = try connection.first(
      "SELECT count(*) FROM holds WHERE from_ms > ?1 OR ended_ms > ?1", .integer(world.now.milliseconds)
    ) { row throws(StoreError) in row.number(0) }
    if let ahead, ahead > 0 { throw Violation("\(ahead) holds begin or end in a time to come") }
  }

  private mutating func verify(_ slot: Timestamp, job: JobRecord, span: RuleSpan, row: Row?) throws {
    let inStretch =
      try connection.first(
        "SELECT count(*) FROM missed_stretches WHERE job_id = ? AND first_ms <= ? AND last_ms >= ?",
        .integer(job.id.number), .integer(slot.milliseconds), .integer(slot.milliseconds)
      ) { row throws(StoreError) in row.number(0) } ?? 0
    let swept = span.until != nil && slot > span.settled
    // A slot that ran, perhaps with a clock ahead, or that a user skipped keeps this verdict.
    let stands = row.map { $0.attempts > 0 || $0.reason == "skipped-by-hand" } ?? false
    let found = stands ? 1 : (row == nil ? 0 : 1) + inStretch + (swept ? 1 : 0)
    guard found == 1 else {
      throw Violation(
        "slot \(slot) of job \(job.id.number) (\(job.kind.rawValue)) has \(found) verdicts: row \(row?.outcome ?? "-")"
          + ", \(inStretch) stretches, swept \(swept), settled \(span.settled), until \(span.until as Any)")
    }
    verdicts[
      row.map { "\($0.outcome)\($0.outcome == "missed" ? ":" + $0.reason : "")" } ?? (swept ? "swept" : "stretch"),
      default: 0] += 1
    // The catch-up policy: a missed slot was too old, or coalesced into a newer one.
    guard let row, row.outcome == "missed", let settledAt = row.settledAt else { return }
    switch (row.reason, (span.timing.catchUp ?? job.kind.catchUp).policy(rule: span.rule, deadline: job.deadline)) {
    case ("too-late", .latest(let window)):
      if settledAt.since(slot) <= window {
        throw Violation("slot \(slot) of job \(job.id.number) was missed after \(settledAt.since(slot).inWords)")
      }
    case ("superseded", _):
      guard let newer = try schedule(of: span)?.next(after: slot)?.instant, newer <= settledAt else {
        throw Violation("slot \(slot) of job \(job.id.number) was superseded by nothing")
      }
    default: break
    }
  }

  private func rows(of job: JobRecord, after slot: Timestamp) throws -> [Timestamp: Row] {
    var rows: [Timestamp: Row] = [:]
    let found = try connection.rows(
      """
      SELECT slot_ms, outcome, coalesce(reason, ''), finished_ms, attempts FROM runs
      WHERE job_id = ? AND slot_ms > ? AND cause = 'schedule'
      """, .integer(job.id.number), .integer(slot.milliseconds)
    ) { row throws(StoreError) in
      (
        Timestamp(milliseconds: row.integer(0)),
        Row(
          outcome: row.text(1), reason: row.text(2), attempts: row.number(4),
          settledAt: row.optionalInteger(3).map { Timestamp(milliseconds: $0) })
      )
    }
    for (slot, row) in found { rows[slot] = row }
    return rows
  }

  private func schedule(of span: RuleSpan) throws -> Schedule? {
    switch span.rule {
    case .never: nil
    case .once(let instant): .once(instant)
    case .calendar(let text):
      .calendar(
        CalendarRule(try CalendarExpression(text), zone: try zones.zone(named: span.zone), policy: span.timing.policy))
    }
  }

  /// Every notice has its run and every such run its notice; each sink has one entry; every sent entry was delivered.
  private func notices(_ world: some AuditedWorld) throws {
    func count(_ sql: String) throws -> Int {
      try connection.first(sql) { row throws(StoreError) in row.number(0) } ?? 0
    }
    let orphans = try count(
      """
      SELECT count(*) FROM notices LEFT JOIN runs ON runs.job_id = notices.job_id AND runs.slot_ms = notices.slot_ms
      WHERE coalesce(runs.outcome, '') <> 'notified'
      """)
    let silent = try count(
      """
      SELECT count(*) FROM runs LEFT JOIN notices ON runs.job_id = notices.job_id AND runs.slot_ms = notices.slot_ms
      WHERE runs.outcome = 'notified' AND notices.notice_id IS NULL
      """)
    let unequal = try count(
      """
      SELECT count(*) FROM runs WHERE outcome = 'notified' AND (SELECT count(*) FROM notices
        WHERE notices.job_id = runs.job_id AND notices.slot_ms = runs.slot_ms AND person IS NULL) <> 1
      """)
    // A route or a barn's day is sent to the team and to its people in the same commit, or to none of them.
    let alone = try count(
      """
      SELECT count(*) FROM runs JOIN jobs ON jobs.job_id = runs.job_id JOIN people ON people.team_id = runs.team_id
      WHERE outcome = 'notified' AND kind IN ('morning-summary', 'route-preview',
        'barn-digest', 'feed-am', 'feed-pm', 'care-due', 'blanket') AND (SELECT count(*) FROM notices
        WHERE notices.job_id = runs.job_id AND notices.slot_ms = runs.slot_ms
          AND person = 't' || people.technician_id) <> 1
      """)
    guard unequal == 0, alone == 0 else {
      throw Violation("\(unequal) runs do not have one notice for the team, \(alone) none for their technician")
    }
    let entries = try count("SELECT count(*) - (SELECT count(*) FROM outbox) FROM notices")
    guard orphans == 0, silent == 0, entries == 0 else {
      throw Violation("\(orphans) notices without a run, \(silent) runs without theirs, \(entries) entries too few")
    }
    let sent = try connection.rows("SELECT notice_id FROM outbox WHERE state = 'sent'") { row throws(StoreError) in
      row.text(0)
    }
    for id in sent where world.delivered[id] == nil { throw Violation("notice \(id) is sent and was not delivered") }
    if let twice = world.claimsGranted.first(where: { $0.value > 1 }) {
      throw Violation("slot \(twice.key) was granted \(twice.value) times")
    }
  }
}
