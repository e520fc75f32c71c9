import FlowControl
import FlowModel
import FlowStore

/// Runs store operations and turns a `StoreError` into an error for the caller.
package struct StoreErrorMapper: Sendable {
  private let log: DaemonLog

  package init(log: DaemonLog) { self.log = log }

  package func callAsFunction<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as StoreError {
      throw answer(to: error)
    }
  }

  private func answer(to error: StoreError) -> ControlError {
    switch error {
    case .freePlanFull(let team, _, let limit):
      return ControlError(
        .planLimit, "\(error); run: pfctl team plan \(team) trial (or paid)",
        facts: ["plan": "free", "limit": String(limit)])
    case .ownedElsewhere:
      return ControlError.badFile(
        "\(error); import it with the same --technician as before, or remove it there first")
    case .teamExists(let name): return ControlError.teamExists(name)
    case .noSuchTeam(let name): return ControlError.noSuchTeam(name)
    case .gone, .nameTaken, .full: return ControlError.badFile("\(error)")
    case .refused(_, .takenOver):
      return ControlError(
        .busy, "another node has taken over the work of this node, which restarts: try again in a moment")
    case .failed, .cannotOpen, .corrupt, .noFile, .damaged, .newerSchema, .olderSchema, .notOurs,
      .developmentVersion, .migrationFailed, .server, .refused, .isOnServer:
      log.error("\(error)")
      return ControlError(.storage, "\(error); nothing was changed")
    }
  }
}
