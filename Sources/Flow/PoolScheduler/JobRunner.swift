package import PoolCalendar
package import PoolJobs
package import PoolModel
package import PoolNotices
package import PoolPlatform
package import PoolStore

/// Takes slots from claim to outcome: claim, read the facts, decide, settle; then tells delivery.
package actor JobRunner {
  private let store: Store
  private let zones: any ZoneSource
  private let clock: any WallClock
  private var routes: [SinkRoute]
  /// Called after every commit that may have made notices.
  private let committed: @Sendable () -> Void
  /// Claimed by this process but not settled, because the store refused: tried again before anything else.
  private var unsettled: [ClaimedRun] = []

  package init(
    store: Store, zones: any ZoneSource, clock: any WallClock, routes: [SinkRoute],
    committed: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.zones = zones
    self.clock = clock
    self.routes = routes
    self.committed = committed
  }

  /// What is settled from now on goes to the sinks that take it by these.
  package func use(routes: [SinkRoute]) {
    self.routes = routes
  }

  /// Runs every slot that the store grants, in batches that share their commits.
  ///
  /// - Throws: `StoreError`; what was claimed stays ours and is settled at the next call.
  package func run(_ looks: [JobLook]) async throws {
    try await settlePending()
    var rest = looks[...]
    while let first = rest.first {
      // Whole jobs only: a job's verdicts and its claims are one commit.
      var count = 1
      var weight = first.weight
      for look in rest.dropFirst().prefix(Limits.runsPerBatch - 1) {
        weight += look.weight
        if weight > Limits.verdictsPerCommit { break }
        count += 1
      }
      let claimed = try await store.take(Array(rest.prefix(count)), now: clock.now())
      rest = rest.dropFirst(count)
      unsettled += claimed
      try await settlePending()
    }
  }

  /// Runs a job because a person asked; its schedule does not move.
  ///
  /// - Parameter asOf: the instant whose local date the work is about.
  /// - Returns: the slot under which the ledger has the run. Rules name whole seconds, so a manual run takes an instant
  ///   between two seconds and can never stand in a rule's place.
  package func runNow(_ job: JobRecord, asOf: Timestamp) async throws -> Timestamp {
    try await settlePending()
    let now = clock.now()
    var slot = now.millisecondOfSecond == 0 ? now.advanced(by: .milliseconds(1)) : now
    for _ in 0..<Limits.manualRunsPerSecond {
      let request = ClaimRequest(job: job, slot: slot, cause: .manual, asOf: asOf)
      let claimed = try await store.claim([request], now: now)
      unsettled += claimed
      try await settlePending()
      if !claimed.isEmpty { return slot }
      // Somebody asked within the same millisecond, or the rule changed while we looked; both are rare.
      slot = slot.advanced(by: .milliseconds(slot.millisecondOfSecond == 999 ? 2 : 1))
    }
    return slot
  }

  /// Takes up what an earlier process left half done. Call once, before anything is planned.
  package func rescueOrphans(crashed: Bool) async throws -> Int {
    let orphans = try await store.reclaimOrphans(now: clock.now(), crashed: crashed)
    unsettled += orphans
    try await settlePending()
    return orphans.count
  }

  /// Settles everything that is claimed. Two calls may overlap at an `await`: a run settles once, by the ledger's state.
  private func settlePending() async throws {
    while !unsettled.isEmpty {
      let batch = Array(unsettled.prefix(Limits.runsPerBatch))
      let requests = batch.map { run in
        FactsRequest(
          team: run.teamID, days: days(for: run), waterSince: run.asOf.advanced(by: .hours(-24)))
      }
      let facts = try await store.facts(requests)
      let now = clock.now()
      let settlements = zip(batch, facts).map { run, facts in
        RunSettlement(run: run, outcome: decide(run, facts: facts, now: now), finishedAt: now)
      }
      try await store.settle(settlements, routes: routes)
      let settled = Set(batch)
      unsettled.removeAll { settled.contains($0) }
      committed()
    }
  }

  private func days(for run: ClaimedRun) -> [Weekday] {
    // A zone that cannot be read is told by the decision; no day is asked for then.
    guard let zone = try? zones.zone(named: run.zone) else { return [] }
    return run.kind.daysLookedAt(on: zone.local(at: run.asOf).date)
  }

  private func decide(_ run: ClaimedRun, facts: TeamFacts?, now: Timestamp) -> Outcome {
    guard let facts else {
      return Outcome(result: .skipped, reason: "team-gone", detail: "the team was removed", notice: nil)
    }
    do {
      let zone = try zones.zone(named: run.zone)
      let context = RunContext(
        jobID: run.jobID, kind: run.kind, slot: run.slot, asOf: run.asOf, now: now, lateness: run.lateness,
        install: store.install)
      return JobDecision.decide(context, facts: facts, zone: zone)
    } catch {
      return Outcome(result: .failed, reason: "zone-unreadable", detail: "\(error)", notice: nil)
    }
  }
}
