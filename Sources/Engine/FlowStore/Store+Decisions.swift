package import FlowCalendar
import FlowModel
package import FlowWork

extension Store: Facts {
  /// Zones are computed before the store's queue is used.
  package nonisolated func decisions(
    of runs: [ClaimedRun], zones: any ZoneSource
  ) async throws -> [Result<RunDecision?, any Error>] {
    let requests = runs.map { request(for: $0, zones: zones) }
    var found = try await readFacts(requests.compactMap(\.self))[...]
    return requests.map { request in
      guard request != nil, let facts = found.popFirst() else { return .success(nil) }
      return facts.map { $0?.decision }.mapError { $0 }
    }
  }

  /// Reads few requests on the store's queue, many on a second connection, so that the queue stays free for writes and
  /// queries.
  private nonisolated func readFacts(
    _ requests: [DecisionRequest]
  ) async throws -> [Result<(any DecisionFacts)?, StoreError>] {
    guard requests.count >= Limits.parallelReadThreshold else { return try await decisionFactsPerTeam(requests) }
    return try await factsReaders.nextReader().decisionFactsPerTeam(requests)
  }

  private func decisionFactsPerTeam(
    _ requests: [DecisionRequest]
  ) throws -> [Result<(any DecisionFacts)?, StoreError>] {
    try connection.decisionFactsPerTeam(requests, changesSeen: connection.changes.count)
  }

  /// The facts to read for a run; nil for the server's own work, which decides nothing.
  private nonisolated func request(for run: ClaimedRun, zones: any ZoneSource) -> DecisionRequest? {
    guard let team = run.teamID else { return nil }
    // An unreadable zone is reported when the run is decided; until then no days can be computed.
    guard let zone = try? zones.zone(named: run.zone) else { return DecisionRequest(of: team, for: .none) }
    return DecisionRequest(of: team, for: .decision(run.kind, asOf: run.asOf, now: run.startedAt, zone: zone))
  }
}

/// A team's facts to read for one purpose. Its trade, which decides what they are, is known once the team's record is read.
struct DecisionRequest: Sendable {
  let team: TeamID
  let purpose: FactsPurpose

  init(of team: TeamID, for purpose: FactsPurpose) {
    (self.team, self.purpose) = (team, purpose)
  }

  /// Reads the facts; nil if the team no longer exists.
  func read(on connection: Connection) throws(StoreError) -> (any DecisionFacts)? {
    guard let team = try connection.team(team),
      let store = connection.trades.stores.first(where: { $0.trade == team.trade })
    else { return nil }
    return try store.factsPlan(for: purpose, of: team.id).read(of: team, on: connection)
  }
}

extension Connection {
  /// Facts for each request, in one consistent snapshot.
  ///
  /// - Parameter changesSeen: the change count before the read; settling compares it to find outdated decisions.
  func decisionFactsPerTeam(
    _ requests: [DecisionRequest], changesSeen: Int
  ) throws -> [Result<(any DecisionFacts)?, StoreError>] {
    try snapshot(of: requests.map(\.team)) { next in
      try requests.map { request in
        defer { next() }
        return try decisionFactsPerTeam(request).map { facts in
          var facts = facts
          facts?.changesSeen = changesSeen
          return facts
        }
      }
    }
  }

  /// Facts for one request; errors in the team's records become a failed result.
  ///
  /// - Throws: `StoreError` that concerns the whole store.
  func decisionFactsPerTeam(_ request: DecisionRequest) throws(StoreError) -> Result<(any DecisionFacts)?, StoreError> {
    do throws(StoreError) {
      return .success(try request.read(on: self))
    } catch {
      guard error.isAboutData else { throw error }
      return .failure(error)
    }
  }
}
