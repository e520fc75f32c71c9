import PoolCalendar
package import PoolModel
import PoolNotices
package import PoolWork

/// The scheduler's state machine: events in, actions out, without clock, task or store. The `Scheduler` actor performs the
/// actions.
package struct SchedulerState: Sendable {
  /// Input of the state machine.
  package enum Event: Sendable {
    /// The process has started: downtimes before it, and the clock readings that earlier processes stored.
    case began(absences: [Absence], clock: ClockMemory = ClockMemory())
    /// The store has rolled back what was settled by a clock that was ahead; all jobs are loaded again after this event.
    case tookBack(absences: [Absence])
    /// All jobs, as the store has them.
    case loaded([PlannedJob])
    /// The jobs of one team after its settings changed; nil: the server's jobs.
    case replanned(TeamID?, [PlannedJob])
    /// The jobs of partitions that this node acquired; empty if it released them.
    case handedOver(ShareSet, [PlannedJob])
    /// The rules of a team's jobs are about to change, or of all jobs if nil: due slots begin now, whatever their jitter.
    case hastened(TeamID?, now: Timestamp)
    /// Data of a team, or of the server if nil, is about to change: its due slots are settled first, without waiting for other
    /// teams.
    case called(TeamID?, now: Timestamp, uptime: Duration? = nil)
    /// A regular tick. `uptime` is the machine's running time, sleep included, which cannot be set.
    case woke(now: Timestamp, uptime: Duration? = nil)
  }

  /// Output of the state machine, performed by `Scheduler` in the order given.
  package enum Action: Sendable {
    /// Store a heartbeat, and the downtime that this tick found, if any.
    case beat(Absence?)
    /// The clock is before instants that are already stored: the store must first roll back what was settled by the wrong
    /// clock. `from` is the latest time this process read from that clock; nil if an earlier process ran by it.
    case takeBack(from: Timestamp?)
    /// Due slots to claim and missed slots to record, oldest first. If more slots are due than one tick takes, the next tick
    /// follows at once.
    case take([JobLook])
    /// Nothing to do before `until`; nil if no job is planned.
    case sleep(until: Timestamp?)
  }

  /// A planned job and the newest slot that was settled for it.
  struct Entry: Sendable {
    var job: PlannedJob
    var cursor: Timestamp
    /// True for catch-up work that was postponed to a later tick in favour of other jobs.
    var waitsItsTurn = false
  }

  /// Jobs by index; indexes of removed jobs are reused.
  private var entries: [Entry?] = []
  private var places: [JobID: DueQueue.Place] = [:]
  private var placesOfTeam: [TeamID?: [DueQueue.Place]] = [:]
  private var free: [DueQueue.Place] = []
  private var queue = DueQueue()
  private var watch = ClockWatch()
  private var absences = AbsenceWatch()
  package private(set) var clock: ClockWatch.Finding = .believable
  package private(set) var trust = ClockTrust()
  private var lastLook: (now: Timestamp, uptime: Duration?)?
  /// Stored instants are ahead of the clock and have not been rolled back yet.
  private var isAhead = false
  /// The latest time read before the clock was set back; nil if it was not, or the rollback is done.
  private var cameFrom: Timestamp?
  private let jobsPerLook: Int
  /// Number of planned jobs with jitter.
  private var spread = 0
  /// The latest cursor of all planned jobs: this process has settled no slot after it.
  package private(set) var newestCursor = Timestamp(milliseconds: 0)
  /// Jobs whose last notice was large; they run last among jobs of the same instant.
  private var large: Set<JobID> = []

  /// - Parameter jobsPerLook: the number of due jobs that one tick takes, the most urgent first. It bounds how long the first
  ///   notices, and calls to the scheduler, wait while thousands of jobs are due.
  package init(jobsPerLook: Int = .max) { self.jobsPerLook = jobsPerLook }

  /// The instant at which the next job is due; nil if no job is planned.
  package var nextInstant: Timestamp? { mutating get { queue.first() } }

  /// True if a job is due at `now` and no tick has taken it.
  package mutating func isDue(by now: Timestamp) -> Bool { queue.first().map { $0 <= now } ?? false }

  /// True if the job is planned.
  package func plans(_ job: JobID) -> Bool { places[job] != nil }

  /// Sets the jobs that run last among jobs of the same instant, because their last notice was large.
  package mutating func putLast(_ jobs: Set<JobID>) { large = jobs }

  /// Processes one event.
  ///
  /// - Returns: the actions to perform, in order.
  package mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .began(let absences, let memory):
      self.absences.remember(absences)
      trust = memory.trust
      isAhead = memory.isAhead
      if let asked = memory.asked { lastLook = (asked, nil) }
      return [.sleep(until: queue.first())]
    case .tookBack(let absences):
      self.absences.replace(absences)
      isAhead = false
      cameFrom = nil
      return [.sleep(until: queue.first())]
    case .loaded(let jobs):
      forgetAll(expecting: jobs.count)
      for job in jobs { plan(job, cursor: job.record.cursor) }
      return [.sleep(until: queue.first())]
    case .replanned(let team, let jobs):
      replan([team], jobs)
      return [.sleep(until: queue.first())]
    case .handedOver(let shares, let jobs):
      replan(placesOfTeam.keys.filter { shares.contains(team: $0) }, jobs)
      return [.sleep(until: queue.first())]
    case .hastened(let team, let now):
      guard case .believable = clock, !isAhead else { return [] }
      return [.take(hasten(team, at: now)), .sleep(until: queue.first())]
    case .called(let team, let now, let uptime):
      return look(at: now, uptime: uptime) { [.take($0.due(of: team, at: now)), .sleep(until: $0.queue.first())] }
    case .woke(let now, let uptime): return look(at: now, uptime: uptime) { $0.due(at: now) }
    }
  }

  /// Checks the clock and returns the actions of a tick.
  ///
  /// - Parameter due: returns the due work; called only if the clock is believable and nothing is to be rolled back.
  private mutating func look(at now: Timestamp, uptime: Duration?, due: (inout Self) -> [Action]) -> [Action] {
    clock = watch.look(at: now, isFarBehind: trust.isFarBehind(now))
    switch clock {
    case .believable:
      let beat = absences.look(at: now, uptime: uptime).map { Action.beat($0.absence) }
      remember(now, uptime: uptime)
      guard isAhead else { return [beat].compactMap { $0 } + due(&self) }
      // Cursors moved by a wrong clock are not used: the rollback comes first, the next tick at once after it.
      return [beat].compactMap { $0 } + [.takeBack(from: cameFrom), .sleep(until: now)]
    case .notSet: return [.sleep(until: now.advanced(by: Limits.longestSleep))]
    case .onProbation(let end): return [.sleep(until: end)]
    }
  }

  /// Records this tick's readings and detects a clock that was set back by more than `Limits.clockStep`.
  private mutating func remember(_ now: Timestamp, uptime: Duration?) {
    var elapsed = Duration.zero
    if let last = lastLook {
      if let uptime, let before = last.uptime { elapsed = max(.zero, uptime - before) }
      if last.now.since(now) > Limits.clockStep {
        isAhead = true
        cameFrom = max(last.now, cameFrom ?? last.now)
      }
    }
    trust.look(at: now, elapsed: elapsed)
    lastLook = (now, uptime)
  }

  /// The next job and its instant, for status output; nil if no job is planned.
  package mutating func upcoming() -> (job: JobRecord, at: Timestamp)? {
    queue.peek().flatMap { next in entries[Int(next.place)].map { ($0.job.record, next.instant) } }
  }

  /// The next instant at which jobs are due, and the claims expected then, the most urgent first. The plan does not change.
  ///
  /// - Returns: nil if no job is planned or the clock is not believable.
  package func expected(_ limit: Int) -> (slot: Timestamp, looks: [JobLook])? {
    guard case .believable = clock, !isAhead else { return nil }
    var found: (instant: Timestamp, places: [(turn: Int, place: DueQueue.Place)])?
    queue.forEachInstant { instant, due in
      var places: [(turn: Int, place: DueQueue.Place)] = []
      for place in due {
        guard let entry = entries[Int(place)] else { continue }
        places.append((entry.turn(isLarge: large.contains(entry.job.record.id)), place))
      }
      if !places.isEmpty { found = (instant, places) }
      return places.isEmpty
    }
    guard let (instant, places) = found else { return nil }
    let ordered = places.sorted { ($0.turn, $0.place) < ($1.turn, $1.place) }
    let looks = ordered.prefix(limit).compactMap { turn -> JobLook? in
      var entry = entries[Int(turn.place)]
      return entry?.look(at: instant, absences: absences)?.0
    }
    return (instant, looks)
  }

  /// The next jobs, found in the queue without examining all other jobs.
  package struct ComingJobs: Sendable {
    package let jobs: [PlannedJob]
    /// No other job has a slot before `at`, and none has a slot at `at` with a job number below `job`; nil if there is no
    /// other job.
    package let bound: (at: Timestamp, job: JobID)?
  }

  /// The next `limit` jobs after `now`.
  ///
  /// - Returns: nil if the queue does not show the next slots: before a clock rollback, if jobs have jitter, or if one of the
  ///   next jobs has holds or a cursor in the future.
  package func coming(_ limit: Int, now: Timestamp) -> ComingJobs? {
    guard case .believable = clock, !isAhead, !places.isEmpty, spread == 0 else { return nil }
    var first = FirstSlots(limit: limit + 1)
    queue.forEachInstant { instant, due in
      if first.allCome(before: instant) { return false }
      for place in due {
        guard let entry = entries[Int(place)] else { continue }
        // A slot that is due but not taken yet is already counted; use the slot after `now`.
        let next = instant > now ? instant : entry.job.schedule?.next(after: max(now, entry.cursor))?.instant
        if let next { first.offer((next, entry.job.record.id, place)) }
      }
      return true
    }
    var jobs: [PlannedJob] = []
    for slot in first.slots.prefix(limit) {
      guard let entry = entries[Int(slot.place)] else { continue }
      guard entry.cursor <= now, entry.job.holds.isEmpty else { return nil }
      jobs.append(entry.job)
    }
    let rest = first.slots.dropFirst(limit).first
    return ComingJobs(jobs: jobs, bound: rest.map { ($0.at, $0.job) })
  }

  /// The `limit` smallest slots of a sequence, sorted; larger ones cost one comparison.
  private struct FirstSlots {
    typealias Slot = (at: Timestamp, job: JobID, place: DueQueue.Place)
    let limit: Int
    private(set) var slots: [Slot] = []

    init(limit: Int) { self.limit = limit }

    private var isFull: Bool { slots.count == limit }

    /// True if `limit` slots are found and no slot at or after `instant` is smaller than they are.
    func allCome(before instant: Timestamp) -> Bool {
      guard isFull, let last = slots.last else { return false }
      return last.at < instant
    }

    /// Adds a slot if it is among the `limit` smallest.
    mutating func offer(_ slot: Slot) {
      if isFull, let last = slots.last, (last.at, last.job) <= (slot.at, slot.job) { return }
      let place = slots.firstIndex { (slot.at, slot.job) <= ($0.at, $0.job) } ?? slots.endIndex
      if place < slots.endIndex, slots[place].job == slot.job { return }
      slots.insert(slot, at: place)
      if slots.count > limit { slots.removeLast() }
    }
  }

  private mutating func forgetAll(expecting count: Int) {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(count)
    places.removeAll(keepingCapacity: true)
    places.reserveCapacity(count)
    placesOfTeam.removeAll(keepingCapacity: true)
    free.removeAll()
    queue = DueQueue()
    spread = 0
    newestCursor = Timestamp(milliseconds: 0)
  }

  /// Replaces the jobs of these teams. A job with the same generation keeps the cursor that this process has reached.
  private mutating func replan(_ teams: [TeamID?], _ jobs: [PlannedJob]) {
    let generations = Dictionary(jobs.map { ($0.record.id, $0.record.generation) }, uniquingKeysWith: { $1 })
    var cursors: [JobID: Timestamp] = [:]
    for place in teams.flatMap({ placesOfTeam.removeValue(forKey: $0) ?? [] }) {
      guard let entry = entries[Int(place)] else { continue }
      // Slots that this process has taken under the same rule stay settled, even if the store was read before their commit.
      let record = entry.job.record
      if entry.job.jitter > .zero { spread -= 1 }
      if generations[record.id] == record.generation { cursors[record.id] = entry.cursor }
      entries[Int(place)] = nil
      places[record.id] = nil
      free.append(place)
      queue.remove(place)
    }
    for job in jobs { plan(job, cursor: max(job.record.cursor, cursors[job.record.id] ?? job.record.cursor)) }
  }

  /// Adds a job and queues its next slot after `cursor`.
  private mutating func plan(_ job: PlannedJob, cursor: Timestamp) {
    let place = free.popLast() ?? DueQueue.Place(entries.count)
    if Int(place) == entries.count { entries.append(nil) }
    entries[Int(place)] = Entry(job: job, cursor: cursor)
    places[job.record.id] = place
    placesOfTeam[job.record.teamID, default: []].append(place)
    if job.jitter > .zero { spread += 1 }
    newestCursor = max(newestCursor, cursor)
    guard let next = job.schedule?.next(after: cursor)?.instant else { return }
    queue.set(place, at: next.advanced(by: job.spread(of: next)))
  }

  /// Settles slots that have fallen due but whose run still waits for its jitter.
  private mutating func hasten(_ team: TeamID?, at now: Timestamp) -> [JobLook] {
    var looks: [JobLook] = []
    for place in team.map({ placesOfTeam[$0] ?? [] }) ?? Array(places.values) {
      guard let next = entries[Int(place)]?.nextSpreadSlot, next <= now,
        let (look, later) = entries[Int(place)]?.look(at: now, absences: absences, isSpread: false)
      else { continue }
      looks.append(look)
      queue.remove(place)
      if let later { queue.set(place, at: later) }
    }
    return looks.sorted { $0.comesBefore($1) }
  }

  /// All due slots of one team, or of the server if `team` is nil.
  private mutating func due(of team: TeamID?, at now: Timestamp) -> [JobLook] {
    var looks: [JobLook] = []
    for place in placesOfTeam[team] ?? [] {
      guard let instant = queue[place], instant <= now,
        let (look, next) = entries[Int(place)]?.look(at: now, absences: absences)
      else { continue }
      looks.append(look)
      queue.remove(place)
      if let next { queue.set(place, at: next) }
    }
    for look in looks { newestCursor = max(newestCursor, look.cursor) }
    return looks.sorted { $0.comesBefore($1) }
  }

  /// The due slots of all jobs, at most `jobsPerLook` jobs, with catch-up work spread over later ticks.
  private mutating func due(at now: Timestamp) -> [Action] {
    var looks: [JobLook] = []
    var late = 0
    var verdicts = 0
    var waiting: [(place: DueQueue.Place, until: Timestamp)] = []
    while let first = queue.first(), first <= now, verdicts < Limits.verdictsPerLook, looks.count < jobsPerLook {
      let taken = queue.takeFirst(jobsPerLook - looks.count) { [entries, large] place in
        entries[Int(place)].map { $0.turn(isLarge: large.contains($0.job.record.id)) } ?? .max
      }
      guard let (instant, places) = taken else { break }
      for place in places {
        // Jobs beyond `Limits.verdictsPerLook` return to the queue; the next tick follows at once.
        guard verdicts < Limits.verdictsPerLook else {
          waiting.append((place, instant))
          continue
        }
        // Only a job that waited long can be catch-up work; other jobs are changed in place, without a copy.
        let isBehind = now.since(instant) > Limits.catchUpAfter || entries[Int(place)]?.waitsItsTurn == true
        guard isBehind, var entry = entries[Int(place)] else {
          guard let (look, next) = entries[Int(place)]?.look(at: now, absences: absences) else { continue }
          verdicts += look.passed.count
          looks.append(look)
          if let next { queue.set(place, at: next) }
          continue
        }
        guard let (look, next) = entry.look(at: now, absences: absences) else { continue }
        if let claim = look.claims.first, now.since(claim.slot) - claim.spread > Limits.catchUpAfter {
          late += 1
          if late > Limits.lateRunsPerLook {
            // The catch-up job is postponed with its cursor unchanged, so its slots are found again at its turn.
            let turn = (late - 1) / Limits.lateRunsPerLook
            waiting.append((place, now.advanced(by: .seconds(turn))))
            entries[Int(place)]?.waitsItsTurn = true
            continue
          }
        }
        verdicts += look.passed.count
        looks.append(look)
        entry.waitsItsTurn = false
        entries[Int(place)] = entry
        if let next { queue.set(place, at: next) }
      }
    }
    for (place, until) in waiting { queue.set(place, at: until) }
    looks.sort { $0.comesBefore($1) }
    for look in looks { newestCursor = max(newestCursor, look.cursor) }
    return (looks.isEmpty ? [] : [.take(looks)]) + [.sleep(until: queue.first())]
  }
}

extension JobLook {
  /// Order of decisions: by slot, then the most urgent kind first, so that its notice is sent first.
  fileprivate func comesBefore(_ other: JobLook) -> Bool { turn < other.turn }

  private var turn: (Timestamp, Int, JobID) {
    guard let claim = claims.first else { return (cursor, .max, jobID) }
    return (claim.slot, claim.kind.severity.syslogPriority, jobID)
  }
}

extension SchedulerState.Entry {
  /// Sort key among jobs of one instant, smallest first: by urgency, with large notices after all others.
  func turn(isLarge: Bool) -> Int { (isLarge ? 1_000 : 0) + job.record.kind.severity.syslogPriority }

  /// The first unsettled slot of a job with jitter; nil for jobs without jitter.
  var nextSpreadSlot: Timestamp? { job.jitter > .zero ? job.schedule?.next(after: cursor)?.instant : nil }

  /// Settles the job's slots up to `now`: due slots become claims, all others missed, paused or skipped slots.
  ///
  /// - Parameter isSpread: false: due runs begin at once, whatever their jitter.
  /// - Returns: the verdicts and the instant of the next run; nil if the job has no schedule.
  mutating func look(
    at now: Timestamp, absences: AbsenceWatch, isSpread: Bool = true
  ) -> (JobLook, next: Timestamp?)? {
    guard let schedule = job.schedule else { return nil }
    let record = job.record
    // Without jitter the planner finds the pending slot itself; the lookup is saved.
    let spread =
      job.jitter == .zero || !isSpread
      ? .zero : schedule.next(after: cursor).map { job.spread(of: $0.instant) } ?? .zero
    // The planner gets a time that is earlier by the jitter, so that the slot falls due when its run begins.
    let seen = now.advanced(by: .zero - spread)
    let hasHolds = !job.holds.isEmpty
    let skipped = hasHolds ? job.skippedSlots(after: cursor, upTo: seen) : [:]
    let holding = job
    // The next slot is sought after the last nominal one, never after the clock: a timer that fires early or a clock that is
    // set back cannot make a slot run twice.
    let plan = RunPlanner.plan(schedule: schedule, cursor: cursor, now: seen, policy: job.policy) { slot in
      hasHolds && (skipped[slot] != nil || holding.pause(over: slot) != nil)
    }
    // Consecutive missed slots usually share one downtime, so its sentence is built once.
    var told: (absence: Absence, words: String)?
    let passed =
      plan.missedSlots.map { slot in
        let absence = absences.covering(slot.occurrence.instant)
        if let absence, told?.absence != absence {
          told = (absence, absence.sentence { holding.zone.dateText(at: $0) })
        }
        return missed(slot, now: now, absence: absence == nil ? nil : told?.words)
      }
      + plan.held.compactMap { held($0, skipped: skipped) }
    let claims = plan.due.map { slot in
      ClaimRequest(
        job: record, slot: slot.instant, cause: .schedule, asOf: slot.instant, spread: spread,
        note: slot.note(in: job.zone))
    }
    let stretch = plan.missedBeyond.map { stretch in
      PassedStretch(
        jobID: record.id, generation: record.generation, first: stretch.first, last: stretch.last,
        reason: MissedReason.tooOld.code,
        detail: "nobody looked at the clock in all this time: "
          + "only the newest \(Limits.slotsPerCatchUp) slots are listed one by one")
    }
    // Each list is sorted, so its last slot is the newest.
    for newest in [plan.missedSlots.last?.occurrence, plan.held.last, plan.due.last] {
      if let newest { cursor = max(cursor, newest.instant) }
    }
    for slot in plan.held { if let hold = skipped[slot.instant] { job.useSkip(of: hold.id) } }
    let next = plan.next.map { $0.instant.advanced(by: job.spread(of: $0.instant)) }
    return (
      JobLook(
        job: record, cursor: cursor, claims: claims,
        passed: passed.count > 1 ? passed.sorted { $0.slot < $1.slot } : passed, stretch: stretch),
      next
    )
  }

  /// The verdict of a slot missed by downtime.
  private func missed(_ slot: MissedSlot, now: Timestamp, absence: String?) -> PassedSlot {
    let instant = slot.occurrence.instant
    var detail = slot.reason.sentence(foundAfter: now.since(instant), absence: absence)
    if let note = slot.occurrence.note(in: job.zone) { detail += "; " + note }
    return PassedSlot(
      jobID: job.record.id, generation: job.record.generation, slot: instant, reason: slot.reason.code, detail: detail)
  }

  /// The verdict of a slot that a pause or skip covers.
  private func held(_ slot: Occurrence, skipped: [Timestamp: Hold]) -> PassedSlot? {
    guard let hold = job.pause(over: slot.instant) ?? skipped[slot.instant] else { return nil }
    let isPause = skipped[slot.instant] == nil
    return PassedSlot(
      jobID: job.record.id, generation: job.record.generation, slot: slot.instant,
      outcome: isPause ? .paused : .skipped, reason: isPause ? "paused" : "skipped-by-hand", detail: hold.sentence,
      holdID: hold.id)
  }
}

extension MissedReason {
  /// The reason code stored in the ledger.
  var code: String {
    switch self {
    case .superseded: "superseded"
    case .tooOld: "too-late"
    case .beyondLimit: "beyond-limit"
    case .notCaughtUp: "not-caught-up"
    }
  }

  /// The explanation of a missed slot, shown to people.
  func sentence(foundAfter age: Duration, absence: String?) -> String {
    let passed = absence ?? "nobody looked at the clock at this time"
    return switch self {
    case .superseded: "\(passed); a newer slot of the same job stood in its place"
    case .tooOld: "\(passed); the slot was seen \(age.inWords) late, when it was of no use any more"
    case .beyondLimit: "\(passed), and newer slots of the same job were caught up first"
    case .notCaughtUp: "\(passed); this job runs nothing late"
    }
  }
}
