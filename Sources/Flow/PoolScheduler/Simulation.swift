package import PoolCalendar
package import PoolJobs
package import PoolModel
package import PoolNotices

/// What a run would do.
package struct SimulatedRun: Sendable {
  package let slot: Timestamp
  package let teamName: String
  package let kind: JobKind
  package let zone: Zone
  package let outcome: Outcome
}

/// The coming days on a virtual clock: the real planner and the real decisions over facts that were read once.
///
/// Nothing is sent and nothing written. Equal facts and bounds give equal runs, in the order of their slots.
package struct Simulation: Sendable {
  private let jobs: [PlannedJob]
  private let facts: [TeamID: TeamFacts]
  private let install: String

  /// - Parameter facts: of every team, all seven days.
  package init(jobs: [PlannedJob], facts: [TeamID: TeamFacts], install: String) {
    self.jobs = jobs
    self.facts = facts
    self.install = install
  }

  /// Every run whose slot lies after `start` and not after `end`.
  package func runs(from start: Timestamp, to end: Timestamp) -> [SimulatedRun] {
    var runs: [SimulatedRun] = []
    let virtual = jobs.map { job in
      PlannedJob(job, record: job.record.movingCursor(to: start))
    }
    // Ranked once, so that a morning which thousands share is put in order by numbers and not by names.
    let ranked = virtual.sorted { ($0.record.teamName, $0.record.kind) < ($1.record.teamName, $1.record.kind) }
    let byID = Dictionary(
      ranked.enumerated().map { ($1.record.id, (rank: $0, job: $1)) }, uniquingKeysWith: { first, _ in first })
    var state = SchedulerState()
    var now = start
    var actions = state.handle(.loaded(virtual))
    while now <= end {
      var wake: Timestamp?
      for action in actions {
        switch action {
        case .take(let looks): runs += simulated(looks.flatMap(\.claims), byID: byID, now: now)
        case .beat: break
        case .sleep(let until): wake = until
        }
      }
      // A virtual night of more than a day would look like a jumping clock, so the world looks up once a day.
      guard let next = wake else { return runs }
      now = min(max(next, now), now.advanced(by: .hours(24)))
      if now > end { return runs }
      actions = state.handle(.woke(now: now))
    }
    return runs
  }

  private func simulated(
    _ requests: [ClaimRequest], byID: [JobID: (rank: Int, job: PlannedJob)], now: Timestamp
  ) -> [SimulatedRun] {
    var runs: [SimulatedRun] = []
    runs.reserveCapacity(requests.count)
    let ordered = requests.compactMap { request in byID[request.jobID].map { (request, $0.rank, $0.job) } }
      .sorted { ($0.0.slot, $0.1) < ($1.0.slot, $1.1) }
    for (request, _, planned) in ordered {
      guard let facts = facts[request.teamID] else { continue }
      let (job, zone) = (planned.record, planned.zone)
      let context = RunContext(
        jobID: job.id, kind: job.kind, slot: request.slot, asOf: request.asOf, now: now, lateness: .zero,
        install: install)
      runs.append(
        SimulatedRun(
          slot: request.slot, teamName: job.teamName, kind: job.kind, zone: zone,
          outcome: JobDecision.decide(context, facts: facts, zone: zone)))
    }
    return runs
  }
}

extension JobRecord {
  /// A cursor that lies before `instant` moved there: slots before it are not asked about.
  func movingCursor(to instant: Timestamp) -> JobRecord {
    JobRecord(
      id: id, teamID: teamID, teamName: teamName, kind: kind, rule: rule, zone: zone, generation: generation,
      cursor: max(cursor, instant), trialExpires: trialExpires)
  }
}
