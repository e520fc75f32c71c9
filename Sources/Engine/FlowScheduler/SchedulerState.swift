import FlowCalendar
package import FlowModel
import FlowNotices
package import FlowWork

/// The scheduler's state machine: events in, actions out, without clock, task or store. The `Scheduler` actor performs the
/// actions.
package struct SchedulerState: Sendable {
  /// Input of the state machine.
  package enum Event: Sendable {
    /// The process has started: downtimes before it, and the clock readings that earlier processes stored.
    case began(downtimes: [Downtime], clock: StoredClockState = StoredClockState())
    /// The store has rolled back what was settled by a clock that was ahead; all jobs are loaded again after this event.
    case rolledBack(downtimes: [Downtime])
    /// All jobs, as the store has them.
    case loaded([PlannedJob])
    /// The jobs of one team after its settings changed; nil: the server's jobs.
    case replanned(TeamID?, [PlannedJob])
    /// The jobs of partitions that this node acquired; empty if it released them.
    case partitionsChanged(PartitionSet, [PlannedJob])
    /// The rules of a team's jobs are about to change, or of all jobs if nil: due slots begin now, whatever their jitter.
    case jitterFlushed(TeamID?, now: Timestamp)
    /// Data of a team, or of the server if nil, is about to change: its due slots are settled first, without waiting for other
    /// teams.
    case teamChanging(TeamID?, now: Timestamp, uptime: Duration? = nil)
    /// A regular tick. `uptime` is the machine's running time, sleep included, which cannot be set.
    case timerFired(now: Timestamp, uptime: Duration? = nil)
  }

  /// Output of the state machine, performed by `Scheduler` in the order given.
  package enum Action: Sendable {
    /// Store a heartbeat, and the downtime that this tick found, if any.
    case heartbeat(Downtime?)
    /// The clock is before instants that are already stored: the store must first roll back what was settled by the wrong
    /// clock. `from` is the latest time this process read from that clock; nil if an earlier process ran by it.
    case rollBack(from: Timestamp?)
    /// Due slots to claim and missed slots to record, oldest first. If more slots are due than one tick takes, the next tick
    /// follows at once.
    case take([JobTick])
    /// Nothing to do before `until`; nil if no job is planned.
    case sleep(until: Timestamp?)
  }

  /// Jobs by index; indexes of removed jobs are reused.
  private var entries: [Entry?] = []
  private var indexes: [JobID: DueQueue.Index] = [:]
  private var indexesOfTeam: [TeamID?: [DueQueue.Index]] = [:]
  private var freeIndexes: [DueQueue.Index] = []
  private var queue = DueQueue()
  private var watch = ClockWatch()
  private var downtimes = DowntimeDetector()
  package private(set) var clock: ClockWatch.Finding = .believable
  package private(set) var trust = ClockTrust()
  private var lastTick: (now: Timestamp, uptime: Duration?)?
  /// Stored instants are ahead of the clock and have not been rolled back yet.
  private var isAhead = false
  /// The latest time read before the clock was set back; nil if it was not, or the rollback is done.
  private var timeBeforeSetBack: Timestamp?
  private let jobsPerTick: Int
  /// Number of planned jobs with jitter.
  private var jitter = 0
  /// The latest cursor of all planned jobs: this process has settled no slot after it.
  package private(set) var newestCursor = Timestamp(milliseconds: 0)
  /// Jobs whose last notice was large; they run last among jobs of the same instant.
  private var largeNoticeJobs: Set<JobID> = []

  /// - Parameter jobsPerTick: the number of due jobs that one tick takes, the most urgent first. It bounds how long the first
  ///   notices, and calls to the scheduler, wait while thousands of jobs are due.
  package init(jobsPerTick: Int = .max) { self.jobsPerTick = jobsPerTick }

  /// The instant at which the next job is due; nil if no job is planned.
  package var nextInstant: Timestamp? { mutating get { queue.first() } }

  /// True if a job is due at `now` and no tick has taken it.
  package mutating func isDue(by now: Timestamp) -> Bool { queue.first().map { $0 <= now } ?? false }

  /// True if the job is planned.
  package func isPlanned(_ job: JobID) -> Bool { indexes[job] != nil }

  /// Sets the jobs that run last among jobs of the same instant, because their last notice was large.
  package mutating func setLargeJobs(_ jobs: Set<JobID>) { largeNoticeJobs = jobs }

  /// Processes one event.
  ///
  /// - Returns: the actions to perform, in order.
  package mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .began(let downtimes, let memory):
      self.downtimes.remember(downtimes)
      trust = memory.trust
      isAhead = memory.isAhead
      if let readAt = memory.readAt { lastTick = (readAt, nil) }
      return [.sleep(until: queue.first())]
    case .rolledBack(let downtimes):
      self.downtimes.replace(downtimes)
      isAhead = false
      timeBeforeSetBack = nil
      return [.sleep(until: queue.first())]
    case .loaded(let jobs):
      removeAllJobs(expecting: jobs.count)
      for job in jobs { plan(job, cursor: job.record.cursor) }
      return [.sleep(until: queue.first())]
    case .replanned(let team, let jobs):
      replan([team], jobs)
      return [.sleep(until: queue.first())]
    case .partitionsChanged(let partitions, let jobs):
      replan(indexesOfTeam.keys.filter { partitions.contains(team: $0) }, jobs)
      return [.sleep(until: queue.first())]
    case .jitterFlushed(let team, let now):
      guard case .believable = clock, !isAhead else { return [] }
      return [.take(flushJitter(team, at: now)), .sleep(until: queue.first())]
    case .teamChanging(let team, let now, let uptime):
      return tick(at: now, uptime: uptime) { [.take($0.due(of: team, at: now)), .sleep(until: $0.queue.first())] }
    case .timerFired(let now, let uptime): return tick(at: now, uptime: uptime) { $0.due(at: now) }
    }
  }

  /// Checks the clock and returns the actions of a tick.
  ///
  /// - Parameter due: returns the due work; called only if the clock is believable and nothing is to be rolled back.
  private mutating func tick(at now: Timestamp, uptime: Duration?, due: (inout Self) -> [Action]) -> [Action] {
    clock = watch.tick(at: now, isFarBehind: trust.isFarBehind(now))
    switch clock {
    case .believable:
      let heartbeat = downtimes.tick(at: now, uptime: uptime).map { Action.heartbeat($0.downtime) }
      remember(now, uptime: uptime)
      guard isAhead else { return [heartbeat].compactMap { $0 } + due(&self) }
      // Cursors moved by a wrong clock are not used: the rollback comes first, the next tick at once after it.
      return [heartbeat].compactMap { $0 } + [.rollBack(from: timeBeforeSetBack), .sleep(until: now)]
    case .notSet: return [.sleep(until: now.advanced(by: Limits.longestSleep))]
    case .onProbation(let end): return [.sleep(until: end)]
    }
  }

  /// Records this tick's readings and detects a clock that was set back by more than `Limits.clockStep`.
  private mutating func remember(_ now: Timestamp, uptime: Duration?) {
    var elapsed = Duration.zero
    if let last = lastTick {
      if let uptime, let before = last.uptime { elapsed = max(.zero, uptime - before) }
      if last.now.since(now) > Limits.clockStep {
        isAhead = true
        timeBeforeSetBack = max(last.now, timeBeforeSetBack ?? last.now)
      }
    }
    trust.tick(at: now, elapsed: elapsed)
    lastTick = (now, uptime)
  }

  /// The next job and its instant, for status output; nil if no job is planned.
  package mutating func nextJob() -> (job: JobRecord, at: Timestamp)? {
    queue.peek().flatMap { next in entries[Int(next.index)].map { ($0.job.record, next.instant) } }
  }

  /// The next instant at which jobs are due, and the claims expected then, the most urgent first. The plan does not change.
  ///
  /// - Returns: nil if no job is planned or the clock is not believable.
  package func expected(_ limit: Int) -> (slot: Timestamp, ticks: [JobTick])? {
    guard case .believable = clock, !isAhead else { return nil }
    var found: (instant: Timestamp, indexes: [(turn: Int, index: DueQueue.Index)])?
    queue.forEachInstant { instant, due in
      var indexes: [(turn: Int, index: DueQueue.Index)] = []
      for index in due {
        guard let entry = entries[Int(index)] else { continue }
        indexes.append((entry.turn(isLarge: largeNoticeJobs.contains(entry.job.record.id)), index))
      }
      if !indexes.isEmpty { found = (instant, indexes) }
      return indexes.isEmpty
    }
    guard let (instant, indexes) = found else { return nil }
    let ordered = indexes.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }
    let ticks = ordered.prefix(limit).compactMap { turn -> JobTick? in
      var entry = entries[Int(turn.index)]
      return entry?.tick(at: instant, downtimes: downtimes)?.0
    }
    return (instant, ticks)
  }

  /// The next jobs, found in the queue without examining all other jobs.
  package struct UpcomingJobs: Sendable {
    package let jobs: [PlannedJob]
    /// No other job has a slot before `at`, and none has a slot at `at` with a job number below `job`; nil if there is no
    /// other job.
    package let bound: (at: Timestamp, job: JobID)?
  }

  /// The next `limit` jobs after `now`.
  ///
  /// - Returns: nil if the queue does not show the next slots: before a clock rollback, if jobs have jitter, or if one of the
  ///   next jobs has holds or a cursor in the future.
  package func upcomingJobs(_ limit: Int, now: Timestamp) -> UpcomingJobs? {
    guard case .believable = clock, !isAhead, !indexes.isEmpty, jitter == 0 else { return nil }
    var first = FirstSlots(limit: limit + 1)
    queue.forEachInstant { instant, due in
      if first.isComplete(before: instant) { return false }
      for index in due {
        guard let entry = entries[Int(index)] else { continue }
        // A slot that is due but not taken yet is already counted; use the slot after `now`.
        let next = instant > now ? instant : entry.job.schedule?.next(after: max(now, entry.cursor))?.instant
        if let next { first.insertIfSmall((next, entry.job.record.id, index)) }
      }
      return true
    }
    var jobs: [PlannedJob] = []
    for slot in first.slots.prefix(limit) {
      guard let entry = entries[Int(slot.index)] else { continue }
      guard entry.cursor <= now, entry.job.holds.isEmpty else { return nil }
      jobs.append(entry.job)
    }
    let rest = first.slots.dropFirst(limit).first
    return UpcomingJobs(jobs: jobs, bound: rest.map { ($0.at, $0.job) })
  }

  /// The `limit` smallest slots of a sequence, sorted; larger ones cost one comparison.
  private struct FirstSlots {
    typealias Slot = (at: Timestamp, job: JobID, index: DueQueue.Index)
    let limit: Int
    private(set) var slots: [Slot] = []

    init(limit: Int) { self.limit = limit }

    private var isFull: Bool { slots.count == limit }

    /// True if `limit` slots are found and no slot at or after `instant` is smaller than they are.
    func isComplete(before instant: Timestamp) -> Bool {
      guard isFull, let last = slots.last else { return false }
      return last.at < instant
    }

    /// Adds a slot if it is among the `limit` smallest.
    mutating func insertIfSmall(_ slot: Slot) {
      if isFull, let last = slots.last, (last.at, last.job) <= (slot.at, slot.job) { return }
      let index = slots.firstIndex { (slot.at, slot.job) <= ($0.at, $0.job) } ?? slots.endIndex
      if index < slots.endIndex, slots[index].job == slot.job { return }
      slots.insert(slot, at: index)
      if slots.count > limit { slots.removeLast() }
    }
  }

  private mutating func removeAllJobs(expecting count: Int) {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(count)
    indexes.removeAll(keepingCapacity: true)
    indexes.reserveCapacity(count)
    indexesOfTeam.removeAll(keepingCapacity: true)
    freeIndexes.removeAll()
    queue = DueQueue()
    jitter = 0
    newestCursor = Timestamp(milliseconds: 0)
  }

  /// Replaces the jobs of these teams. A job with the same generation keeps the cursor that this process has reached.
  private mutating func replan(_ teams: [TeamID?], _ jobs: [PlannedJob]) {
    let generations = Dictionary(jobs.map { ($0.record.id, $0.record.generation) }, uniquingKeysWith: { $1 })
    var cursors: [JobID: Timestamp] = [:]
    for index in teams.flatMap({ indexesOfTeam.removeValue(forKey: $0) ?? [] }) {
      guard let entry = entries[Int(index)] else { continue }
      // Slots that this process has taken under the same rule stay settled, even if the store was read before their commit.
      let record = entry.job.record
      if entry.job.jitter > .zero { jitter -= 1 }
      if generations[record.id] == record.generation { cursors[record.id] = entry.cursor }
      entries[Int(index)] = nil
      indexes[record.id] = nil
      freeIndexes.append(index)
      queue.remove(index)
    }
    for job in jobs { plan(job, cursor: max(job.record.cursor, cursors[job.record.id] ?? job.record.cursor)) }
  }

  /// Adds a job and queues its next slot after `cursor`.
  private mutating func plan(_ job: PlannedJob, cursor: Timestamp) {
    let index = freeIndexes.popLast() ?? DueQueue.Index(entries.count)
    if Int(index) == entries.count { entries.append(nil) }
    entries[Int(index)] = Entry(job: job, cursor: cursor)
    indexes[job.record.id] = index
    indexesOfTeam[job.record.teamID, default: []].append(index)
    if job.jitter > .zero { jitter += 1 }
    newestCursor = max(newestCursor, cursor)
    guard let next = job.schedule?.next(after: cursor)?.instant else { return }
    queue.set(index, at: next.advanced(by: job.jitter(of: next)))
  }

  /// Settles slots that have fallen due but whose run still waits for its jitter.
  private mutating func flushJitter(_ team: TeamID?, at now: Timestamp) -> [JobTick] {
    var ticks: [JobTick] = []
    for index in team.map({ indexesOfTeam[$0] ?? [] }) ?? Array(indexes.values) {
      guard let next = entries[Int(index)]?.nextJitteredSlot, next <= now,
        let (tick, later) = entries[Int(index)]?.tick(at: now, downtimes: downtimes, appliesJitter: false)
      else { continue }
      ticks.append(tick)
      queue.remove(index)
      if let later { queue.set(index, at: later) }
    }
    return ticks.sorted { $0.comesBefore($1) }
  }

  /// All due slots of one team, or of the server if `team` is nil.
  private mutating func due(of team: TeamID?, at now: Timestamp) -> [JobTick] {
    var ticks: [JobTick] = []
    for index in indexesOfTeam[team] ?? [] {
      guard let instant = queue[index], instant <= now,
        let (tick, next) = entries[Int(index)]?.tick(at: now, downtimes: downtimes)
      else { continue }
      ticks.append(tick)
      queue.remove(index)
      if let next { queue.set(index, at: next) }
    }
    for tick in ticks { newestCursor = max(newestCursor, tick.cursor) }
    return ticks.sorted { $0.comesBefore($1) }
  }

  /// The due slots of all jobs, at most `jobsPerTick` jobs, with catch-up work spread over later ticks.
  private mutating func due(at now: Timestamp) -> [Action] {
    var ticks: [JobTick] = []
    var late = 0
    var verdicts = 0
    var waiting: [(index: DueQueue.Index, until: Timestamp)] = []
    while let first = queue.first(), first <= now, verdicts < Limits.verdictsPerTick, ticks.count < jobsPerTick {
      let taken = queue.takeFirst(jobsPerTick - ticks.count) { [entries, largeNoticeJobs] index in
        entries[Int(index)].map { $0.turn(isLarge: largeNoticeJobs.contains($0.job.record.id)) } ?? .max
      }
      guard let (instant, indexes) = taken else { break }
      for index in indexes {
        // Jobs beyond `Limits.verdictsPerTick` return to the queue; the next tick follows at once.
        guard verdicts < Limits.verdictsPerTick else {
          waiting.append((index, instant))
          continue
        }
        // Only a job that waited long can be catch-up work; other jobs are changed in place, without a copy.
        let isBehind = now.since(instant) > Limits.catchUpAfter || entries[Int(index)]?.isPostponed == true
        guard isBehind, var entry = entries[Int(index)] else {
          guard let (tick, next) = entries[Int(index)]?.tick(at: now, downtimes: downtimes) else { continue }
          verdicts += tick.passed.count
          ticks.append(tick)
          if let next { queue.set(index, at: next) }
          continue
        }
        guard let (tick, next) = entry.tick(at: now, downtimes: downtimes) else { continue }
        if let claim = tick.claims.first, now.since(claim.slot) - claim.jitter > Limits.catchUpAfter {
          late += 1
          if late > Limits.lateRunsPerTick {
            // The catch-up job is postponed with its cursor unchanged, so its slots are found again at its turn.
            let turn = (late - 1) / Limits.lateRunsPerTick
            waiting.append((index, now.advanced(by: .seconds(turn))))
            entries[Int(index)]?.isPostponed = true
            continue
          }
        }
        verdicts += tick.passed.count
        ticks.append(tick)
        entry.isPostponed = false
        entries[Int(index)] = entry
        if let next { queue.set(index, at: next) }
      }
    }
    for (index, until) in waiting { queue.set(index, at: until) }
    ticks.sort { $0.comesBefore($1) }
    for tick in ticks { newestCursor = max(newestCursor, tick.cursor) }
    return (ticks.isEmpty ? [] : [.take(ticks)]) + [.sleep(until: queue.first())]
  }
}

extension JobTick {
  /// Order of decisions: by slot, then the most urgent kind first, so that its notice is sent first.
  fileprivate func comesBefore(_ other: JobTick) -> Bool { turn < other.turn }

  private var turn: (Timestamp, Int, JobID) {
    guard let claim = claims.first else { return (cursor, .max, jobID) }
    return (claim.slot, claim.kind.severity.syslogPriority, jobID)
  }
}
