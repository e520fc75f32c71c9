package import PoolCalendar
import PoolDigests
import PoolJobs
import PoolModel
package import PoolWork

extension Store: Facts {
  /// The days and zones are worked out before the store's queue is asked for anything.
  package nonisolated func decisions(
    of runs: [ClaimedRun], zones: any ZoneSource
  ) async throws -> [Result<RunDecision?, any Error>] {
    let requests = runs.map { Self.request(for: $0, zones: zones) }
    var found = try await readFacts(requests.compactMap(\.self))[...]
    return requests.map { request in
      guard request != nil, let facts = found.popFirst() else { return .success(nil) }
      return facts.map { $0?.decision }.mapError { $0 }
    }
  }

  /// Few are read where they lie; many beside the store, whose queue is then free for what is written and asked meanwhile.
  private nonisolated func readFacts(
    _ requests: [FactsRequest]
  ) async throws -> [Result<TeamFacts?, StoreError>] {
    guard requests.count >= Limits.factsReadBeside else { return try await factsApart(requests) }
    return try await factsReaders.free().factsApart(requests)
  }

  /// Nil for the server's own work, which decides nothing.
  private static func request(for run: ClaimedRun, zones: any ZoneSource) -> FactsRequest? {
    guard let team = run.teamID else { return nil }
    // A zone that cannot be read is told by the attempt; no day is asked for then.
    guard let zone = try? zones.zone(named: run.zone) else { return FactsRequest(team: team, days: []) }
    return FactsRequest(team: team, kind: run.kind, asOf: run.asOf, zone: zone)
  }
}
