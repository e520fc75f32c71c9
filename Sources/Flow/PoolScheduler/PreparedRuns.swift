import PoolCalendar
import PoolModel
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

  private init(runs: [ClaimedRun], decided: Result<[Decided], any Error>) {
    self.runs = runs
    self.decided = decided
  }

  /// Reads the facts of runs that are claimed, and decides: the two halves of many beside each other, since a morning that
  /// thousands share is to have both processors.
  @concurrent
  init(_ runs: [ClaimedRun], by desk: DecisionDesk) async {
    self.runs = runs
    do {
      guard runs.count >= Limits.runsDecidedAlone else {
        decided = .success(try await desk.decide(runs[...]))
        return
      }
      async let first = desk.decide(runs[..<(runs.count / 2)])
      let second = try await desk.decide(runs[(runs.count / 2)...])
      decided = .success(try await first + second)
    } catch {
      decided = .failure(error)
    }
  }

  /// Claims a batch and decides it, away from whoever settles the one before.
  ///
  /// - Throws: the ledger's error; nothing is claimed then.
  @concurrent
  static func claiming(_ looks: [JobLook]?, by desk: DecisionDesk, now: Timestamp) async throws -> PreparedRuns {
    guard let looks else { return none }
    let runs = try await desk.store.take(looks, now: now)
    return runs.isEmpty ? none : await PreparedRuns(runs, by: desk)
  }
}

/// Has facts read and decisions taken; nobody waits for it but who asked.
struct DecisionDesk: Sendable {
  let store: any Ledger & Facts
  let zones: any ZoneSource
  let clock: any WallClock

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
        jobID: run.jobID, kind: run.kind, slot: run.slot, asOf: run.asOf, now: clock.now(), lateness: run.lateness,
        install: store.install, timing: run.timing)
      return .outcome(decision(context, zone))
    } catch {
      // While a package is replaced its files are missing for a moment.
      return .failed(reason: TroubledWork.unreadableZone, detail: "\(error)")
    }
  }
}
