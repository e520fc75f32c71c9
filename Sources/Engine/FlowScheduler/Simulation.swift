package import FlowCalendar
package import FlowModel
package import FlowWork

/// The predicted outcome of one run.
package struct SimulatedRun: Sendable {
  package let slot: Timestamp
  /// Start of the run: the slot plus the job's jitter.
  package let begins: Timestamp
  package let jobID: JobID
  /// Empty for the server's own jobs.
  package let teamName: String
  package let kind: JobKind
  package let zone: Zone
  package let outcome: Outcome
}

/// Predicts runs on a virtual clock: the real planner and the real decisions, with facts that were read once.
///
/// Nothing is sent or written. Equal facts and bounds give equal runs, ordered by slot.
package struct Simulation: Sendable {
  private let jobs: [PlannedJob]
  private let decisions: [TeamID: RunDecision]
  private let install: String

  /// - Parameter decisions: the decision function of each team, with the facts of all weekdays.
  package init(jobs: [PlannedJob], decisions: [TeamID: RunDecision], install: String) {
    self.jobs = jobs
    self.decisions = decisions
    self.install = install
  }

  /// The runs with a slot after `start` and up to and including `end`, decided lazily.
  ///
  /// - Parameter replaying: true to decide settled slots too: the outcome that the current jobs would have had at that time.
  package func runs(from start: Timestamp, to end: Timestamp, replaying: Bool = false) -> SimulatedRuns {
    SimulatedRuns(jobs: jobs, decisions: decisions, install: install, start: start, end: end, replaying: replaying)
  }
}

/// Iterator over predicted runs; its virtual clock advances as runs are taken.
package struct SimulatedRuns: Sequence, IteratorProtocol {
  /// A simulated job and its team's decision function.
  private struct SimulatedJob {
    let job: PlannedJob
    /// Nil for the server's own jobs, which decide nothing.
    let decision: RunDecision?
  }

  private let subjects: [SimulatedJob]
  private let ranks: [JobID: Int]
  private let install: String
  private let end: Timestamp
  private let isReplay: Bool
  private var state = SchedulerState()
  private var now: Timestamp
  private var nextWakeUp: Timestamp?
  /// Claims due at `now`.
  private var claims: [ClaimRequest] = []
  /// Indexes into `claims` in run order. Plain numbers sort faster than job names.
  private var due: [(slot: Timestamp, rank: Int, claim: Int)] = []
  private var taken = 0

  init(
    jobs: [PlannedJob], decisions: [TeamID: RunDecision], install: String, start: Timestamp, end: Timestamp,
    replaying: Bool
  ) {
    // Jobs are ranked once, so that the thousands of runs of one morning are sorted by number and not by name.
    let ranked = jobs.sorted { ($0.record.teamName, $0.record.kind) < ($1.record.teamName, $1.record.kind) }
    subjects = ranked.compactMap { job in
      let decision = job.record.teamID.flatMap { decisions[$0] }
      guard decision != nil || job.record.teamID == nil else { return nil }
      return SimulatedJob(
        job: PlannedJob(job, record: job.record.movingCursor(to: start, back: replaying)), decision: decision)
    }
    ranks = Dictionary(
      subjects.enumerated().map { ($1.job.record.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.install = install
    self.end = end
    isReplay = replaying
    now = start
    for case .sleep(let until) in state.handle(.loaded(subjects.map(\.job))) { nextWakeUp = until }
  }

  package mutating func next() -> SimulatedRun? {
    while taken == due.count {
      guard step() else { return nil }
    }
    let (slot, rank, claimIndex) = due[taken]
    let claim = claims[claimIndex]
    taken += 1
    let subject = subjects[rank]
    let job = subject.job
    let context = RunContext(
      jobID: job.record.id, kind: job.record.kind, slot: slot, asOf: claim.asOf, now: now, lateness: .zero,
      install: install, timing: job.record.timing)
    return SimulatedRun(
      slot: slot, begins: slot.advanced(by: claim.jitter), jobID: job.record.id, teamName: job.record.teamName,
      kind: job.record.kind, zone: job.zone,
      outcome: subject.decision?(context, job.zone) ?? JobDecision.serverTask(of: job.record.kind))
  }

  /// Advances the virtual clock until claims are due; false at the end of the range.
  private mutating func step() -> Bool {
    due.removeAll(keepingCapacity: true)
    claims.removeAll(keepingCapacity: true)
    taken = 0
    // The clock advances at most 24 hours per tick, because a larger step would be treated as a clock jump.
    guard let next = nextWakeUp else { return false }
    now = Swift.min(Swift.max(next, now), now.advanced(by: .hours(24)))
    guard now <= end else { return false }
    nextWakeUp = nil
    for action in state.handle(.timerFired(now: now)) {
      switch action {
      case .take(let ticks):
        for tick in ticks {
          guard let rank = ranks[tick.jobID] else { continue }
          for claim in tick.claims where isReplay || !subjects[rank].job.ranEarly.contains(claim.slot) {
            due.append((claim.slot, rank, claims.count))
            claims.append(claim)
          }
        }
        due.sort { ($0.slot, $0.rank) < ($1.slot, $1.rank) }
      case .heartbeat, .rollBack: break
      case .sleep(let until): nextWakeUp = until
      }
    }
    return true
  }
}

extension JobRecord {
  /// The record with a cursor of at least `instant`, so that earlier slots are not planned. With `back`, the cursor is set to
  /// `instant` even if it is later.
  func movingCursor(to instant: Timestamp, back: Bool = false) -> JobRecord {
    with(cursor: back ? instant : max(cursor, instant))
  }
}
