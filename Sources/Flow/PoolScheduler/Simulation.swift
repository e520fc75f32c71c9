package import PoolCalendar
package import PoolModel
package import PoolWork

/// What a run would do.
package struct SimulatedRun: Sendable {
  package let slot: Timestamp
  /// When it would begin: later than its slot where its kind is spread.
  package let begins: Timestamp
  package let jobID: JobID
  /// Empty for the server's own.
  package let teamName: String
  package let kind: JobKind
  package let zone: Zone
  package let outcome: Outcome
}

/// The coming days on a virtual clock: the real planner and the real decisions, over facts that were read once.
///
/// Nothing is sent and nothing written. Equal facts and bounds give equal runs, in the order of their slots.
package struct Simulation: Sendable {
  private let jobs: [PlannedJob]
  private let decisions: [TeamID: RunDecision]
  private let install: String

  /// - Parameter decisions: what decides for each team, by facts of all seven days.
  package init(jobs: [PlannedJob], decisions: [TeamID: RunDecision], install: String) {
    self.jobs = jobs
    self.decisions = decisions
    self.install = install
  }

  /// Every run whose slot lies after `start` and not after `end`, decided as it is asked for.
  ///
  /// - Parameter replaying: decides slots that are settled, too: what the jobs of now would have done then.
  package func runs(from start: Timestamp, to end: Timestamp, replaying: Bool = false) -> SimulatedRuns {
    SimulatedRuns(jobs: jobs, decisions: decisions, install: install, start: start, end: end, replaying: replaying)
  }
}

/// A simulation under way: days go by as their runs are taken.
package struct SimulatedRuns: Sequence, IteratorProtocol {
  private struct Subject {
    let job: PlannedJob
    /// Nil for the server's own, which decide nothing.
    let decision: RunDecision?
  }

  private let subjects: [Subject]
  private let ranks: [JobID: Int]
  private let install: String
  private let end: Timestamp
  private let isReplay: Bool
  private var state = SchedulerState()
  private var now: Timestamp
  private var wake: Timestamp?
  /// What is due at `now`.
  private var claims: [ClaimRequest] = []
  /// Places in `claims`, in order: sorted as plain numbers.
  private var due: [(slot: Timestamp, rank: Int, claim: Int)] = []
  private var taken = 0

  init(
    jobs: [PlannedJob], decisions: [TeamID: RunDecision], install: String, start: Timestamp, end: Timestamp,
    replaying: Bool
  ) {
    // Ranked once, so that a morning which thousands share is put in order by numbers and not by names.
    let ranked = jobs.sorted { ($0.record.teamName, $0.record.kind) < ($1.record.teamName, $1.record.kind) }
    subjects = ranked.compactMap { job in
      let decision = job.record.teamID.flatMap { decisions[$0] }
      guard decision != nil || job.record.teamID == nil else { return nil }
      return Subject(
        job: PlannedJob(job, record: job.record.movingCursor(to: start, back: replaying)), decision: decision)
    }
    ranks = Dictionary(
      subjects.enumerated().map { ($1.job.record.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.install = install
    self.end = end
    isReplay = replaying
    now = start
    for case .sleep(let until) in state.handle(.loaded(subjects.map(\.job))) { wake = until }
  }

  package mutating func next() -> SimulatedRun? {
    while taken == due.count {
      guard step() else { return nil }
    }
    let (slot, rank, place) = due[taken]
    let claim = claims[place]
    taken += 1
    let subject = subjects[rank]
    let job = subject.job
    let context = RunContext(
      jobID: job.record.id, kind: job.record.kind, slot: slot, asOf: claim.asOf, now: now, lateness: .zero,
      install: install, timing: job.record.timing)
    return SimulatedRun(
      slot: slot, begins: slot.advanced(by: claim.spread), jobID: job.record.id, teamName: job.record.teamName,
      kind: job.record.kind, zone: job.zone,
      outcome: subject.decision?(context, job.zone) ?? JobDecision.effect(of: job.record.kind))
  }

  /// Lets time pass until something may be due; false at the end.
  private mutating func step() -> Bool {
    due.removeAll(keepingCapacity: true)
    claims.removeAll(keepingCapacity: true)
    taken = 0
    // A virtual night of more than a day would look like a jumping clock, so the world looks up once a day.
    guard let next = wake else { return false }
    now = Swift.min(Swift.max(next, now), now.advanced(by: .hours(24)))
    guard now <= end else { return false }
    wake = nil
    for action in state.handle(.woke(now: now)) {
      switch action {
      case .take(let looks):
        for look in looks {
          guard let rank = ranks[look.jobID] else { continue }
          for claim in look.claims where isReplay || !subjects[rank].job.ranEarly.contains(claim.slot) {
            due.append((claim.slot, rank, claims.count))
            claims.append(claim)
          }
        }
        due.sort { ($0.slot, $0.rank) < ($1.slot, $1.rank) }
      case .beat, .takeBack: break
      case .sleep(let until): wake = until
      }
    }
    return true
  }
}

extension JobRecord {
  /// A cursor that lies before `instant` moved there: slots before it are not asked about. With `back`, any cursor.
  func movingCursor(to instant: Timestamp, back: Bool = false) -> JobRecord {
    with(cursor: back ? instant : max(cursor, instant))
  }
}
