import PoolCalendar
import PoolJobs
import PoolModel
import PoolNotices
import PoolStore

/// Claimed runs with what their decisions look at.
struct PreparedRuns: Sendable {
  let runs: [ClaimedRun]
  /// One for each run; nil for the server's own work, and for a team that is gone, and why not for a team whose records
  /// cannot be read. Where the store as a whole cannot be read the runs are claimed all the same.
  let facts: Result<[Result<TeamFacts?, StoreError>], any Error>

  private static let none = PreparedRuns(runs: [], facts: .success([]))

  /// Reads the facts of runs that are claimed.
  init(_ runs: [ClaimedRun], in store: any Ledger & Facts, zones: any ZoneSource) async {
    self.runs = runs
    do {
      let requests = runs.map { Self.request(for: $0, zones: zones) }
      var found = try await store.factsApart(requests.compactMap(\.self))[...]
      facts = .success(requests.map { $0 == nil ? .success(nil) : found.popFirst() ?? .success(nil) })
    } catch {
      facts = .failure(error)
    }
  }

  private init(runs: [ClaimedRun], facts: Result<[Result<TeamFacts?, StoreError>], any Error>) {
    self.runs = runs
    self.facts = facts
  }

  /// Claims a batch and reads its facts, away from whoever decides meanwhile.
  ///
  /// - Throws: `StoreError`; nothing is claimed then.
  @concurrent
  static func claiming(
    _ looks: [JobLook]?, in store: any Ledger & Facts, zones: any ZoneSource, now: Timestamp
  ) async throws -> PreparedRuns {
    guard let looks else { return none }
    let runs = try await store.take(looks, now: now)
    return runs.isEmpty ? none : await PreparedRuns(runs, in: store, zones: zones)
  }

  /// Nil for the server's own work, which decides nothing.
  private static func request(for run: ClaimedRun, zones: any ZoneSource) -> FactsRequest? {
    guard let team = run.teamID else { return nil }
    // A zone that cannot be read is told by the attempt; no day is asked for then.
    guard let zone = try? zones.zone(named: run.zone) else { return FactsRequest(team: team, days: []) }
    return FactsRequest(team: team, kind: run.kind, asOf: run.asOf, zone: zone)
  }
}
