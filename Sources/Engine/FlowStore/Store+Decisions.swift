package import FlowCalendar
import FlowModel
package import FlowWork
import PoolJobs

extension Store: Facts {
  /// Days and zones are computed before the store's queue is used.
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
  private static func request(for run: ClaimedRun, zones: any ZoneSource) -> DecisionRequest? {
    guard let team = run.teamID else { return nil }
    // An unreadable zone is reported when the run is decided; until then no days can be computed.
    guard let zone = try? zones.zone(named: run.zone) else { return .nothing(of: team) }
    return DecisionRequest(team: team, kind: run.kind, asOf: run.asOf, now: run.startedAt, zone: zone)
  }
}

/// The facts to read for one decision, prepared for every trade: the team's trade is known only when its record is read.
struct DecisionRequest: Sendable {
  let team: TeamID
  private let pools: FactsRequest
  private let barn: BarnRequest
  /// Reminders read the same facts in every trade.
  private let isReminder: Bool

  init(team: TeamID, kind: JobKind, asOf: Timestamp, now: Timestamp, zone: Zone) {
    self.init(
      team: team, pools: FactsRequest(team: team, kind: kind, asOf: asOf, now: now, zone: zone),
      barn: BarnRequest(on: zone.local(at: asOf).date), isReminder: kind.reminderName != nil)
  }

  private init(team: TeamID, pools: FactsRequest, barn: BarnRequest, isReminder: Bool = false) {
    self.team = team
    self.isReminder = isReminder
    self.pools = pools
    self.barn = barn
  }

  /// Reads only the team itself.
  static func nothing(of team: TeamID) -> DecisionRequest {
    DecisionRequest(team: team, pools: FactsRequest(team: team, days: []), barn: .newest)
  }

  /// Reads everything that any decision may need.
  static func everything(of team: TeamID, now: Timestamp? = nil) -> DecisionRequest {
    DecisionRequest(team: team, pools: .everyDay(of: team, now: now), barn: .newest)
  }

  /// Reads the facts; nil if the team no longer exists.
  func read(on connection: Connection) throws(StoreError) -> (any DecisionFacts)? {
    guard let team = try connection.team(team) else { return nil }
    switch team.trade {
    case .poolService: return try connection.facts(pools, of: team)
    case .stable where isReminder: return try connection.facts(pools, of: team)
    case .stable: return try connection.facts(barn, of: team)
    }
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
