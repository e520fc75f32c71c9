import FlowBackup
import FlowControl
import FlowModel
import FlowStore

/// Runs store operations and turns a `StoreError` into an error for the caller.
struct StoreErrorMapper: Sendable {
  let log: DaemonLog

  func callAsFunction<Value>(_ body: () async throws -> Value) async throws -> Value {
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

/// Runs backup operations and turns their errors into errors for the caller.
struct BackupErrorMapper: Sendable {
  let log: DaemonLog

  func callAsFunction<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await StoreErrorMapper(log: log)(body)
    } catch let error as ControlError {
      throw error
    } catch {
      throw answer(to: error)
    }
  }

  private func answer(to error: any Error) -> ControlError {
    switch error {
    case let missing as BackupKeeper.NoSuchBackup:
      return ControlError.noSuchBackup(
        missing.id, suggestion: Suggestion.nearest(to: missing.id, among: missing.known))
    case let busy as BackupKeeper.Busy: return ControlError(.busy, "\(busy)")
    case let second as SecondCopyFailure:
      log.error("\(second)")
      return ControlError(.backupFailed, "\(second)")
    default:
      log.error("a backup failed: \(error)")
      return ControlError(
        .backupFailed, "the backup failed: \(error); the store and the other backups are as they were")
    }
  }
}
