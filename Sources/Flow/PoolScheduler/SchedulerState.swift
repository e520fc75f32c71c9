import PoolCalendar
package import PoolModel
import PoolNotices
package import PoolWork

/// The scheduler's mind: events in, actions out, no clock, no task, no store. The actor around it only obeys.
package struct SchedulerState: Sendable {
  package enum Event: Sendable {
    /// When nobody looked at the clock before this life began, and what the lives before knew of it.
    case began(absences: [Absence], clock: ClockMemory = ClockMemory())
    /// What a clock that stood ahead had settled is taken back; the jobs are loaded anew after it.
    case tookBack(absences: [Absence])
    /// All jobs, as the store has them.
    case loaded([PlannedJob])
    /// One team's jobs, or the server's, after its settings changed.
    case replanned(TeamID?, [PlannedJob])
    /// The jobs of shares that have come or are gone.
    case handedOver(ShareSet, [PlannedJob])
    /// The rules of a team's jobs, or with nil of all, are about to change: slots that have come begin now, however far their
    /// runs are spread.
    case hastened(TeamID?, now: Timestamp)
    /// Something of a team, or with nil of the server, is about to change: what has come of it is settled before, whatever
    /// else is due.
    case called(TeamID?, now: Timestamp, uptime: Duration? = nil)
    /// Somebody looked at the clock. `uptime` is the machine's own running time, sleep included, which nobody can set.
    case woke(now: Timestamp, uptime: Duration? = nil)
  }

  package enum Action: Sendable {
    /// The daemon is alive; and perhaps it found a time in which nobody looked.
    case beat(Absence?)
    /// The clock stands before instants that were written down: before anything else the store must take back what a
    /// wrong clock settled. `from` is what this life saw the clock say last, nil for an earlier life's.
    case takeBack(from: Timestamp?)
    /// What is due and what has passed, the oldest work first. Where more is due than one look takes, the next is to come
    /// at once.
    case take([JobLook])
    /// Nothing to do before then; nil where nothing is planned at all.
    case sleep(until: Timestamp?)
  }

  struct Entry: Sendable {
    var job: PlannedJob
    var cursor: Timestamp
    /// Late work that others were let before.
    var waitsItsTurn = false
  }

  /// By place; a place that its job has left is used again.
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
  /// Something lies ahead of the clock and was not taken back yet.
  private var isAhead = false
  /// The newest instant of a clock that was set back since.
  private var cameFrom: Timestamp?
  private let jobsPerLook: Int
  /// How many jobs have their runs spread after their slots.
  private var spread = 0
  /// No job is settled beyond it, as far as this process has planned it.
  package private(set) var newestCursor = Timestamp(milliseconds: 0)
  /// Of one instant these are looked at last: what they told last was large.
  private var large: Set<JobID> = []

  /// - Parameter jobsPerLook: of what is due no more is taken by one look, the urgent first: what is told first, and whoever
  ///   asks meanwhile, need not wait until thousands are planned.
  package init(jobsPerLook: Int = .max) { self.jobsPerLook = jobsPerLook }

  /// When anything is due next.
  package var nextInstant: Timestamp? { mutating get { queue.first() } }

  /// Whether anything is due by now that no look has taken.
  package mutating func isDue(by now: Timestamp) -> Bool { queue.first().map { $0 <= now } ?? false }

  package func plans(_ job: JobID) -> Bool { places[job] != nil }

  package mutating func putLast(_ jobs: Set<JobID>) { large = jobs }

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

  /// - Parameter due: what is to be done, where the clock is believed.
  private mutating func look(at now: Timestamp, uptime: Duration?, due: (inout Self) -> [Action]) -> [Action] {
    clock = watch.look(at: now, isFarBehind: trust.isFarBehind(now))
    switch clock {
    case .believable:
      let beat = absences.look(at: now, uptime: uptime).map { Action.beat($0.absence) }
      remember(now, uptime: uptime)
      guard isAhead else { return [beat].compactMap { $0 } + due(&self) }
      // Nothing is due by cursors that a wrong clock moved: the next look comes at once.
      return [beat].compactMap { $0 } + [.takeBack(from: cameFrom), .sleep(until: now)]
    case .notSet: return [.sleep(until: now.advanced(by: Limits.longestSleep))]
    case .onProbation(let end): return [.sleep(until: end)]
    }
  }

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

  /// What comes next, for whoever looks at the daemon from outside; nil where nothing is planned.
  package mutating func upcoming() -> (job: JobRecord, at: Timestamp)? {
    queue.peek().flatMap { next in entries[Int(next.place)].map { ($0.job.record, next.instant) } }
  }

  /// What will be due first, and what is then to be claimed of it if nothing changes until then, the urgent first; nil where
  /// nothing comes, or the clock is not believed. Nothing is planned by it.
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

  /// The jobs that come first, told without a look at all the others.
  package struct ComingJobs: Sendable {
    package let jobs: [PlannedJob]
    /// No other job's slot comes before this instant, nor at it where the job's number is lower; nil where there is no other.
    package let bound: (at: Timestamp, job: JobID)?
  }

  /// - Returns: nil where what is queued is not what comes: while a wrong clock is mended, where runs are spread after their
  ///   slots, and where people hold one of these jobs.
  package func coming(_ limit: Int, now: Timestamp) -> ComingJobs? {
    guard case .believable = clock, !isAhead, !places.isEmpty, spread == 0 else { return nil }
    var first = FirstSlots(limit: limit + 1)
    queue.forEachInstant { instant, due in
      if first.allCome(before: instant) { return false }
      for place in due {
        guard let entry = entries[Int(place)] else { continue }
        // Whatever is due and not taken yet comes after that once more.
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

  /// The least of many, in order, at no cost for those that are none of them.
  private struct FirstSlots {
    typealias Slot = (at: Timestamp, job: JobID, place: DueQueue.Place)
    let limit: Int
    private(set) var slots: [Slot] = []

    init(limit: Int) { self.limit = limit }

    private var isFull: Bool { slots.count == limit }

    /// Whether there are as many as are wanted, and nothing that comes then could be one of them.
    func allCome(before instant: Timestamp) -> Bool {
      guard isFull, let last = slots.last else { return false }
      return last.at < instant
    }

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

  private mutating func replan(_ teams: [TeamID?], _ jobs: [PlannedJob]) {
    let generations = Dictionary(jobs.map { ($0.record.id, $0.record.generation) }, uniquingKeysWith: { $1 })
    var cursors: [JobID: Timestamp] = [:]
    for place in teams.flatMap({ placesOfTeam.removeValue(forKey: $0) ?? [] }) {
      guard let entry = entries[Int(place)] else { continue }
      // What this process has taken up under the same rule stays so, whatever the store had committed when it was read.
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

  /// All of a team's that has come.
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
        // What passes the bound goes back to the queue, and the next look comes at once.
        guard verdicts < Limits.verdictsPerLook else {
          waiting.append((place, instant))
          continue
        }
        // Only what waited for long can be late work; all others are looked at where they lie.
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
            // Nothing of this job is settled yet: it is found again at its turn, whatever happens meanwhile.
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
  /// Of what is due in one instant the urgent first: it is decided first, and so on its way first.
  fileprivate func comesBefore(_ other: JobLook) -> Bool { turn < other.turn }

  private var turn: (Timestamp, Int, JobID) {
    guard let claim = claims.first else { return (cursor, .max, jobID) }
    return (claim.slot, claim.kind.severity.syslogPriority, jobID)
  }
}

extension SchedulerState.Entry {
  /// Of one instant the lesser comes first: the urgent, and large ones after all others, so that nobody waits for them.
  func turn(isLarge: Bool) -> Int { (isLarge ? 1_000 : 0) + job.record.kind.severity.syslogPriority }

  /// The first slot that is not settled, of a job whose runs are spread; nil for others.
  var nextSpreadSlot: Timestamp? { job.jitter > .zero ? job.schedule?.next(after: cursor)?.instant : nil }

  /// Settles all of the job's slots up to `now`; nil where there is nothing to settle and nothing ever will be.
  ///
  /// - Parameter isSpread: false where what has come begins at once.
  mutating func look(
    at now: Timestamp, absences: AbsenceWatch, isSpread: Bool = true
  ) -> (JobLook, next: Timestamp?)? {
    guard let schedule = job.schedule else { return nil }
    let record = job.record
    // Where nothing is spread, as is usual, the planner finds the pending slot by itself.
    let spread =
      job.jitter == .zero || !isSpread
      ? .zero : schedule.next(after: cursor).map { job.spread(of: $0.instant) } ?? .zero
    // A spread run is planned by a clock that is as much behind.
    let seen = now.advanced(by: .zero - spread)
    let hasHolds = !job.holds.isEmpty
    let skipped = hasHolds ? job.skippedSlots(after: cursor, upTo: seen) : [:]
    let holding = job
    // The next slot is sought after the last nominal one, never after the clock: a timer that fires early or a clock
    // that goes back cannot make a slot come twice.
    let plan = RunPlanner.plan(schedule: schedule, cursor: cursor, now: seen, policy: job.policy) { slot in
      hasHolds && (skipped[slot] != nil || holding.pause(over: slot) != nil)
    }
    // Slots that were missed together were missed for the same reason: its words are found once.
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
    // Each list is in order: its last slot is its newest.
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

  private func missed(_ slot: MissedSlot, now: Timestamp, absence: String?) -> PassedSlot {
    let instant = slot.occurrence.instant
    var detail = slot.reason.sentence(foundAfter: now.since(instant), absence: absence)
    if let note = slot.occurrence.note(in: job.zone) { detail += "; " + note }
    return PassedSlot(
      jobID: job.record.id, generation: job.record.generation, slot: instant, reason: slot.reason.code, detail: detail)
  }

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
  /// What the ledger keeps.
  var code: String {
    switch self {
    case .superseded: "superseded"
    case .tooOld: "too-late"
    case .beyondLimit: "beyond-limit"
    case .notCaughtUp: "not-caught-up"
    }
  }

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
