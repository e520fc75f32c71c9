import PoolCalendar
import PoolModel
import PoolNotices
import PoolPlatform
import PoolWork

/// Claimed runs with what was decided of them.
struct PreparedRuns: Sendable {
  /// What became of one before it is settled.
  enum Decided: Sendable {
    case outcome(Outcome)
    /// The server's own work, which decides nothing, or a team that is gone.
    case nothing
    case failed(reason: String, detail: String)
  }

  let runs: [ClaimedRun]
  /// One for each run. Where the store as a whole cannot be read the runs are claimed all the same.
  let decided: Result<[Decided], any Error>

  private static let none = PreparedRuns(runs: [], decided: .success([]))

  fileprivate init(runs: [ClaimedRun], decided: Result<[Decided], any Error>) {
    self.runs = runs
    self.decided = decided
  }

  /// Reads the facts of runs that are claimed, and decides: the two halves of many beside each other, since a morning that
  /// thousands share is to have both processors.
  ///
  /// - Parameter ahead: what was decided of some of them before they were due.
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

  /// Claims a batch and decides it, away from whoever settles the one before.
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

/// What was decided of runs before their slot came. It is told only of a run that begins in time and is just the one it was
/// decided for; whether the team's records are still those that were looked at is asked where it is settled, as of any other.
struct RunsAhead: Sendable {
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

  private struct Entry: Sendable {
    let run: ClaimedRun
    let kept: Kept
  }

  /// By their teams: what is told of one may be what its next decision looks at.
  private var decided: [TeamID: [RunKey: Entry]] = [:]

  init() {}

  /// - Parameter shelf: keeps what is decided; nil to keep it in memory.
  init(_ prepared: PreparedRuns, on shelf: (any OutcomeShelf)? = nil) {
    guard case .success(let all) = prepared.decided else { return }
    for (run, one) in zip(prepared.runs, all) {
      // Nothing of what cannot be known to be outdated, nor what failed: that is tried again when it is due.
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

  /// Decides runs that are still to come, away from whoever keeps what is decided.
  @concurrent
  static func laying(
    _ runs: [ClaimedRun], by desk: DecisionDesk, on shelf: any OutcomeShelf
  ) async -> RunsAhead {
    // One after the other: the other processor is for what is due meanwhile.
    // Where the store cannot be read nothing is laid, and what is due is decided, or told of, when it is.
    guard let decided = try? await desk.decide(runs[...]) else { return RunsAhead() }
    return RunsAhead(PreparedRuns(runs: runs, decided: .success(decided)), on: shelf)
  }

  var isEmpty: Bool { decided.isEmpty }

  var countInMemory: Int {
    decided.values.reduce(0) { sum, runs in
      sum + runs.values.count { if case .here = $0.kept { true } else { false } }
    }
  }

  subscript(run: ClaimedRun) -> PreparedRuns.Decided? {
    guard let team = run.teamID, let known = decided[team]?[run.key], run.lateness < Limits.lateForPrepared,
      known.run.isSameWork(as: run), let outcome = known.kept.outcome,
      outcome.notice?.expiresAt.map({ $0 > run.startedAt }) ?? true
    else { return nil }
    return .outcome(outcome.begun(at: run.startedAt, lateness: run.lateness))
  }

  func knows(_ run: ClaimedRun) -> Bool {
    run.teamID.flatMap { decided[$0]?[run.key] }?.run.isSameWork(as: run) ?? false
  }

  mutating func add(_ others: RunsAhead) {
    decided.merge(others.decided) { $0.merging($1) { $1 } }
  }

  /// What is known of the runs that these looks claim: it is theirs now.
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

  /// What was told of these teams just now may be what the next decision looks at.
  mutating func forget(_ teams: some Sequence<TeamID>) {
    for team in teams { decided[team] = nil }
  }

  /// What others may have changed since.
  mutating func forget(_ shares: ShareSet) { decided = decided.filter { !shares.contains(team: $0.key) } }
}

/// What of a slot is still to be decided ahead, and where it is laid.
struct RunsToLay {
  let slot: Timestamp
  var rest: ArraySlice<ClaimedRun>
  let shelf: any OutcomeShelf
}

extension ClaimedRun {
  /// The run as it will be claimed, where it begins with its slot.
  init(expected claim: ClaimRequest) {
    self.init(
      jobID: claim.jobID, teamID: claim.teamID, kind: claim.kind, zone: claim.zone, slot: claim.slot,
      cause: claim.cause,
      asOf: claim.asOf, startedAt: claim.slot.advanced(by: claim.spread), attempts: 1, spread: claim.spread,
      timing: claim.timing)
  }

  fileprivate func isSameWork(as other: ClaimedRun) -> Bool {
    kind == other.kind && zone == other.zone && cause == other.cause && asOf == other.asOf && spread == other.spread
      && attempts == other.attempts && timing == other.timing
  }
}

/// Has facts read and decisions taken; nobody waits for it but who asked.
struct DecisionDesk: Sendable {
  let store: any Ledger & Facts
  let zones: any ZoneSource
  let clock: any WallClock
  /// The instant for which it is decided, where that is still to come.
  var instant: Timestamp?

  /// - Throws: where the store as a whole cannot be read.
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
      // What one team's records hold is that team's trouble; whoever else is in the batch goes on.
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
      // While a package is replaced its files are missing for a moment.
      return .failed(reason: TroubledWork.unreadableZone, detail: "\(error)")
    }
  }
}
