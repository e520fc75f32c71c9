import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowWork

/// Claimed runs with their decisions, ready to be settled.
struct DecidedBatch: Sendable {
  /// The decision for one run, before it is settled.
  enum DecidedRun: Sendable {
    case outcome(Outcome)
    /// There is nothing to decide: the run is the server's own work, or its team no longer exists.
    case nothing
    case failed(reason: String, detail: String)
  }

  let runs: [ClaimedRun]
  /// One decision for each run, or the error if the store could not be read; the runs are claimed in both cases.
  let decided: Result<[DecidedRun], any Error>

  private static let none = DecidedBatch(runs: [], decided: .success([]))

  fileprivate init(runs: [ClaimedRun], decided: Result<[DecidedRun], any Error>) {
    self.runs = runs
    self.decided = decided
  }

  /// Reads the facts of claimed runs and decides them. Large batches are decided in two halves in parallel, to use both
  /// processors.
  ///
  /// - Parameter prefetched: prefetched decisions for some of the runs.
  @concurrent
  init(_ runs: [ClaimedRun], by decider: Decider, prefetched: PrefetchedDecisions = PrefetchedDecisions()) async {
    self.runs = runs
    do {
      let known = runs.map { prefetched[$0] }
      var found = try await Self.decide(zip(runs, known).compactMap { $1 == nil ? $0 : nil }, by: decider)[...]
      decided = .success(known.compactMap { $0 ?? found.popFirst() })
    } catch {
      decided = .failure(error)
    }
  }

  private static func decide(_ runs: [ClaimedRun], by decider: Decider) async throws -> [DecidedRun] {
    guard runs.count >= Limits.parallelDecisionThreshold else { return try await decider.decide(runs[...]) }
    async let first = decider.decide(runs[..<(runs.count / 2)])
    let second = try await decider.decide(runs[(runs.count / 2)...])
    return try await first + second
  }

  /// Claims a batch and decides it, in parallel with the settlement of the batch before.
  ///
  /// - Throws: the ledger's error; nothing is claimed then.
  @concurrent
  static func claiming(
    _ ticks: [JobTick]?, by decider: Decider, prefetched: PrefetchedDecisions, now: Timestamp
  ) async throws -> DecidedBatch {
    guard let ticks else { return none }
    let runs = try await decider.store.take(ticks, now: now)
    return runs.isEmpty ? none : await DecidedBatch(runs, by: decider, prefetched: prefetched)
  }
}

/// Decisions prefetched before their slot. A decision is used only for a run that begins in time and equals the run it was
/// made for. Settling it checks, as for any run, that the team's facts have not changed since.
struct PrefetchedDecisions: Sendable {
  /// Location of a prefetched outcome.
  private enum Location: Sendable {
    case inMemory(Outcome)
    case stored(any PrefetchedOutcome)

    var outcome: Outcome? {
      switch self {
      case .inMemory(let outcome): outcome
      case .stored(let stored): stored.outcome()
      }
    }
  }

  /// A prefetched outcome and the run it was decided for.
  private struct Entry: Sendable {
    let run: ClaimedRun
    let location: Location
  }

  /// By team: a notice sent to a team may affect the next decision of that team, so all of them are dropped together.
  private var decided: [TeamID: [RunKey: Entry]] = [:]

  init() {}

  /// - Parameter prefetchStore: stores the outcomes outside of memory; nil: they are kept in memory.
  init(_ prepared: DecidedBatch, on prefetchStore: (any PrefetchStore)? = nil) {
    guard case .success(let all) = prepared.decided else { return }
    for (run, one) in zip(prepared.runs, all) {
      // Skip outcomes without a change mark, which could not be detected as outdated, and failures, which are retried when
      // they are due.
      guard case .outcome(let outcome) = one, outcome.account?.changesSeen != nil, let team = run.teamID else {
        continue
      }
      guard let prefetchStore else {
        decided[team, default: [:]][run.key] = Entry(run: run, location: .inMemory(outcome))
        continue
      }
      guard let stored = prefetchStore.store(outcome) else { continue }
      decided[team, default: [:]][run.key] = Entry(run: run, location: .stored(stored))
    }
  }

  /// Decides future runs and stores their outcomes on `prefetchStore`, outside of the calling actor.
  ///
  /// - Returns: the decisions that could be stored; empty if the store cannot be read.
  @concurrent
  static func prefetching(
    _ runs: [ClaimedRun], by decider: Decider, on prefetchStore: any PrefetchStore
  ) async -> PrefetchedDecisions {
    // Runs are decided sequentially, which leaves the other processor to due work. If the store cannot be read, the runs are
    // decided when they are due.
    guard let decided = try? await decider.decide(runs[...]) else { return PrefetchedDecisions() }
    return PrefetchedDecisions(DecidedBatch(runs: runs, decided: .success(decided)), on: prefetchStore)
  }

  var isEmpty: Bool { decided.isEmpty }

  /// Number of outcomes that are kept in memory instead of on disk.
  var countInMemory: Int {
    decided.values.reduce(0) { sum, runs in
      sum + runs.values.count { if case .inMemory = $0.location { true } else { false } }
    }
  }

  /// The prefetched decision for `run`; nil if there is none, if the run differs, begins too late, or its notice has expired.
  subscript(run: ClaimedRun) -> DecidedBatch.DecidedRun? {
    guard let team = run.teamID, let known = decided[team]?[run.key], run.lateness < Limits.prefetchExpiry,
      known.run.isSameWork(as: run), let outcome = known.location.outcome,
      outcome.notice?.expiresAt.map({ $0 > run.startedAt }) ?? true
    else { return nil }
    return .outcome(outcome.begun(at: run.startedAt, lateness: run.lateness))
  }

  /// True if there is a prefetched decision for the same work.
  func contains(_ run: ClaimedRun) -> Bool {
    run.teamID.flatMap { decided[$0]?[run.key] }?.run.isSameWork(as: run) ?? false
  }

  mutating func add(_ others: PrefetchedDecisions) {
    decided.merge(others.decided) { $0.merging($1) { $1 } }
  }

  /// Removes and returns the decisions for the runs that these ticks claim.
  mutating func take(_ ticks: [JobTick]) -> PrefetchedDecisions {
    var taken = PrefetchedDecisions()
    guard !decided.isEmpty else { return taken }
    for claim in ticks.lazy.flatMap(\.claims) {
      let key = RunKey(jobID: claim.jobID, slot: claim.slot)
      guard let team = claim.teamID, let entry = decided[team]?.removeValue(forKey: key) else { continue }
      taken.decided[team, default: [:]][key] = entry
      if decided[team]?.isEmpty == true { decided[team] = nil }
    }
    return taken
  }

  /// Drops the decisions of these teams: a notice just sent to them may affect their next decision.
  mutating func forget(_ teams: some Sequence<TeamID>) {
    for team in teams { decided[team] = nil }
  }

  /// Drops the decisions of partitions whose facts another node may have changed.
  mutating func forget(_ partitions: PartitionSet) { decided = decided.filter { !partitions.contains(team: $0.key) } }
}

/// Runs of a future slot that are still to be prefetched, and the store for their outcomes.
struct PendingPrefetch {
  let slot: Timestamp
  var rest: ArraySlice<ClaimedRun>
  let prefetchStore: any PrefetchStore
}

extension ClaimedRun {
  /// The run that a claim is expected to become if it begins on time, after its jitter.
  init(expected claim: ClaimRequest) {
    self.init(
      jobID: claim.jobID, teamID: claim.teamID, kind: claim.kind, zone: claim.zone, slot: claim.slot,
      cause: claim.cause,
      asOf: claim.asOf, startedAt: claim.slot.advanced(by: claim.jitter), attempts: 1, jitter: claim.jitter,
      timing: claim.timing)
  }

  /// True if both runs are the same attempt at the same work; slot and start are not compared.
  fileprivate func isSameWork(as other: ClaimedRun) -> Bool {
    kind == other.kind && zone == other.zone && cause == other.cause && asOf == other.asOf && jitter == other.jitter
      && attempts == other.attempts && timing == other.timing
  }
}

/// Reads facts and decides runs, outside of the calling actor.
struct Decider: Sendable {
  let store: any Ledger & Facts
  let zones: any ZoneSource
  let clock: any WallClock
  /// The future instant to decide for; nil to decide for the current time.
  var instant: Timestamp?

  /// Reads the facts of the runs and decides each.
  ///
  /// - Throws: an error if the store cannot be read. Unreadable records of one team fail only that team's runs.
  @concurrent
  func decide(_ runs: ArraySlice<ClaimedRun>) async throws -> [DecidedBatch.DecidedRun] {
    let decisions = try await store.decisions(of: Array(runs), zones: zones)
    return zip(runs, decisions).map { decide($0, $1) }
  }

  private func decide(_ run: ClaimedRun, _ prepared: Result<RunDecision?, any Error>) -> DecidedBatch.DecidedRun {
    let decision: RunDecision?
    do {
      decision = try prepared.get()
    } catch {
      // Unreadable records of one team must not fail the other runs of the batch.
      return .failed(reason: FailureCode.unreadableRecord, detail: "\(error)")
    }
    guard let decision else { return .nothing }
    do {
      let zone = try zones.zone(named: run.zone)
      let context = RunContext(
        jobID: run.jobID, kind: run.kind, slot: run.slot, asOf: run.asOf, now: instant ?? clock.now(),
        lateness: run.lateness,
        install: store.install, timing: run.timing)
      return .outcome(decision(context, zone))
    } catch {
      // Zone files are missing for a moment while their package is upgraded.
      return .failed(reason: FailureCode.unreadableZone, detail: "\(error)")
    }
  }
}
