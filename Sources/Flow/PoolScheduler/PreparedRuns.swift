import PoolCalendar
import PoolModel
import PoolWork

/// Claimed runs with what decides them.
struct PreparedRuns: Sendable {
  let runs: [ClaimedRun]
  /// One for each run; nil for the server's own work, and for a team that is gone, and why not for a team whose records
  /// cannot be read. Where the store as a whole cannot be read the runs are claimed all the same.
  let decisions: Result<[Result<RunDecision?, any Error>], any Error>

  private static let none = PreparedRuns(runs: [], decisions: .success([]))

  /// Reads the facts of runs that are claimed.
  init(_ runs: [ClaimedRun], in store: any Ledger & Facts, zones: any ZoneSource) async {
    self.runs = runs
    do {
      decisions = .success(try await store.decisions(of: runs, zones: zones))
    } catch {
      decisions = .failure(error)
    }
  }

  private init(runs: [ClaimedRun], decisions: Result<[Result<RunDecision?, any Error>], any Error>) {
    self.runs = runs
    self.decisions = decisions
  }

  /// Claims a batch and reads its facts, away from whoever decides meanwhile.
  ///
  /// - Throws: the ledger's error; nothing is claimed then.
  @concurrent
  static func claiming(
    _ looks: [JobLook]?, in store: any Ledger & Facts, zones: any ZoneSource, now: Timestamp
  ) async throws -> PreparedRuns {
    guard let looks else { return none }
    let runs = try await store.take(looks, now: now)
    return runs.isEmpty ? none : await PreparedRuns(runs, in: store, zones: zones)
  }
}
