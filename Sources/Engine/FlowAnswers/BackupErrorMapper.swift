import FlowBackup
import FlowControl
import FlowModel
import FlowServices

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
