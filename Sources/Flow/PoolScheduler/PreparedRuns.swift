import PoolCalendar
import PoolModel
import PoolNotices
import PoolPlatform
import PoolWork

/// Claimed runs with their decisions, ready to be settled.
struct PreparedRuns: Sendable {
  /// The decision for one run, before it is settled.
  enum Decided: Sendable {
    case outcome(Outcome)
    /// There is nothing to decide: the run is the server's own work, or its team no longer exists.
    case nothing
    case failed(reason: String, detail: String)
  }

  let runs: [ClaimedRun]
  /// One decision for each run, or the error if the store could not be read; the runs are claimed in both cases.
  let decided: Result<[Decided], any Error>

  private static let none = PreparedRuns(runs: [], decided: .success([]))

  fileprivate init(runs: [ClaimedRun], decided: Result<[Decided], any Error>) {
    self.runs = runs
    self.decided = decided
  }

  /// Reads the facts of claimed runs and decides them. Large batches are decided in two halves in parallel, to use both
  /// processors.
  ///
  /// - Parameter ahead: prefetched decisions for some of the runs.
  @concurrent
  init(_ runs: [ClaimedRun], by desk: DecisionDesk, ahead: RunsAhead = RunsAhead()) async {
    self.runs = runs
    do {
      let known = runs.map { ahead[$0] }
      var found = try await Self.decide(zip(runs, known).compactMap { $1 == nil ? $0 : nil }, by: desk)[...]
      decided = .success(known.compactMap { $0 ?? found.popFirst() })
    } catch {
      decided = .failure(error)
    }
  }

  private static func decide(_ runs: [ClaimedRun], by desk: DecisionDesk) async throws -> [Decided] {
    guard runs.count >= Limits.runsDecidedAlone else { return try await desk.decide(runs[...]) }
    async let first = desk.decide(runs[..<(runs.count / 2)])
    let second = try await desk.decide(runs[(runs.count / 2)...])
    return try await first + second
  }

  /// Claims a batch and decides it, in parallel with the settlement of the batch before.
  ///
  /// - Throws: the ledger's error; nothing is claimed then.
  @concurrent
  static func claiming(
    _ looks: [JobLook]?, by desk: DecisionDesk, ahead: RunsAhead, now: Timestamp
  ) async throws -> PreparedRuns {
    guard let looks else { return none }
    let runs = try await desk.store.take(looks, now: now)
    return runs.isEmpty ? none : await PreparedRuns(runs, by: desk, ahead: ahead)
  }
}

/// Decisions prefetched before their slot. A decision is used only for a run that begins in time and equals the run it was
/// made for. Settling it checks, as for any run, that the team's facts have not changed since.
struct RunsAhead: Sendable {
  /// Location of a prefetched outcome.
  private enum Kept: Sendable {
    case here(Outcome)
    case laid(any LaidOutcome)

    var outcome: Outcome? {
      switch self {
      case .here(let outcome): outcome
      case .laid(let laid): laid.outcome()
      }
    }
  }

  /// A prefetched outcome and the run it was decided for.
  private struct Entry: Sendable {
    let run: ClaimedRun
    let kept: Kept
  }

  /// By team: a notice sent to a team may affect the next decision of that team, so all of them are dropped together.
  private var decided: [TeamID: [RunKey: Entry]] = [:]

  init() {}

  /// - Parameter shelf: stores the outcomes outside of memory; nil: they are kept in memory.
  init(_ prepared: PreparedRuns, on shelf: (any OutcomeShelf)? = nil) {
    guard case .success(let all) = prepared.decided else { return }
    for (run, one) in zip(prepared.runs, all) {
      // Skip outcomes without a change mark, which could not be detected as outdated, and failures, which are retried when
      // they are due.
      guard case .outcome(let outcome) = one, outcome.account?.changesSeen != nil, let team = run.teamID else {
        continue
      }
      guard let shelf else {
        decided[team, default: [:]][run.key] = Entry(run: run, kept: .here(outcome))
        continue
      }
      guard let laid = shelf.lay(outcome) else { continue }
      decided[team, default: [:]][run.key] = Entry(run: run, kept: .laid(laid))
    }
  }

  /// Decides future runs and stores their outcomes on `shelf`, outside of the calling actor.
  ///
  /// - Returns: the decisions that could be stored; empty if the store cannot be read.
  @concurrent
  static func laying(
    _ runs: [ClaimedRun], by desk: DecisionDesk, on shelf: any OutcomeShelf
  ) async -> RunsAhead {
    // Runs are decided sequentially, which leaves the other processor to due work. If the store cannot be read, the runs are
    // decided when they are due.
    guard let decided = try? await desk.decide(runs[...]) else { return RunsAhead() }
    return RunsAhead(PreparedRuns(runs: runs, decided: .success(decided)), on: shelf)
  }

  var isEmpty: Bool { decided.isEmpty }

  /// Number of outcomes that are kept in memory instead of on disk.
  var countInMemory: Int {
    decided.values.reduce(0) { sum, runs in
      sum + runs.values.count { if case .here = $0.kept { true } else { false } }
    }
  }

  /// The prefetched decision for `run`; nil if there is none, if the run differs, begins too late, or its notice has expired.
  subscript(run: ClaimedRun) -> PreparedRuns.Decided? {
    guard let team = run.teamID, let known = decided[team]?[run.key], run.lateness < Limits.lateForPrepared,
      known.run.isSameWork(as: run), let outcome = known.kept.outcome,
      outcome.notice?.expiresAt.map({ $0 > run.startedAt }) ?? true
    else { return nil }
    return .outcome(outcome.begun(at: run.startedAt, lateness: run.lateness))
  }

  /// True if there is a prefetched decision for the same work.
  func knows(_ run: ClaimedRun) -> Bool {
    run.teamID.flatMap { decided[$0]?[run.key] }?.run.isSameWork(as: run) ?? false
  }

  mutating func add(_ others: RunsAhead) {
    decided.merge(others.decided) { $0.merging($1) { $1 } }
  }

  /// Removes and returns the decisions for the runs that these ticks claim.
  mutating func take(_ looks: [JobLook]) -> RunsAhead {
    var taken = RunsAhead()
    guard !decided.isEmpty else { return taken }
    for claim in looks.lazy.flatMap(\.claims) {
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
  mutating func forget(_ shares: ShareSet) { decided = decided.filter { !shares.contains(team: $0.key) } }
}

/// Runs of a future slot that are still to be prefetched, and the store for their outcomes.
struct RunsToLay {
  let slot: Timestamp
  var rest: ArraySlice<ClaimedRun>
  let shelf: any OutcomeShelf
}

extension ClaimedRun {
  /// The run that a claim is expected to become if it begins on time, after its jitter.
  init(expected claim: ClaimRequest) {
    self.init(
      jobID: claim.jobID, teamID: claim.teamID, kind: claim.kind, zone: claim.zone, slot: claim.slot,
      cause: claim.cause,
      asOf: claim.asOf, startedAt: claim.slot.advanced(by: claim.spread), attempts: 1, spread: claim.spread,
      timing: claim.timing)
  }

  /// True if both runs are the same attempt at the same work; slot and start are not compared.
  fileprivate func isSameWork(as other: ClaimedRun) -> Bool {
    kind == other.kind && zone == other.zone && cause == other.cause && asOf == other.asOf && spread == other.spread
      && attempts == other.attempts && timing == other.timing
  }
}

/// Reads facts and decides runs, outside of the calling actor.
struct DecisionDesk: Sendable {
  let store: any Ledger & Facts
  let zones: any ZoneSource
  let clock: any WallClock
  /// The future instant to decide for; nil to decide for the current time.
  var instant: Timestamp?

  /// Reads the facts of the runs and decides each.
  ///
  /// - Throws: an error if the store cannot be read. Unreadable records of one team fail only that team's runs.
  @concurrent
  func decide(_ runs: ArraySlice<ClaimedRun>) async throws -> [PreparedRuns.Decided] {
    let decisions = try await store.decisions(of: Array(runs), zones: zones)
    return zip(runs, decisions).map { decide($0, $1) }
  }

  private func decide(_ run: ClaimedRun, _ prepared: Result<RunDecision?, any Error>) -> PreparedRuns.Decided {
    let decision: RunDecision?
    do {
      decision = try prepared.get()
    } catch {
      // Unreadable records of one team must not fail the other runs of the batch.
      return .failed(reason: TroubledWork.unreadableRecord, detail: "\(error)")
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
      return .failed(reason: TroubledWork.unreadableZone, detail: "\(error)")
    }
  }
}
