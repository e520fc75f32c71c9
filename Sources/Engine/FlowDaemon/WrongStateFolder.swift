import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings

/// A recovery command was run by a user without poolflow records, on a machine where poolflow is a service.
///
/// The command would work on an empty folder of that user, and the service would not see the result.
struct WrongStateFolder: Error, CustomStringConvertible {
  let own: String
  /// The right command to run.
  let command: String

  var description: String {
    "poolflow runs as a service on this machine with its records in '\(ServiceAccount.stateDirectory)'; your own folder "
      + "yours would be, is not there; nothing was changed. Run `\(command)`; for a daemon of your own name its folder with "
      + "--state-dir"
  }

  /// Refuses a recovery command that would work on the wrong folder.
  ///
  /// - Throws: `WrongStateFolder` if only the user's own default names the folder, and the folder does not exist.
  static func refuse(
    _ recoveryCommand: DaemonOptions.RecoveryCommand, paths: DaemonPaths, options: DaemonOptions,
    reading: SettingsReading,
    environment: [String: String], user: UInt32 = ProcessIdentity.user
  ) throws(WrongStateFolder) {
    let isNamed =
      options.stateDirectory != nil || reading.settings.stateDirectory != nil || environment["STATE_DIRECTORY"] != nil
    guard !isNamed, user != 0, let service = ServiceAccount.ofThisMachine(), service.user != user,
      FileKind(at: ServiceAccount.stateDirectory) != nil, !FileFacts.exists(paths.state)
    else { return }
    throw WrongStateFolder(own: paths.state, command: recoveryCommand.command)
  }
}

extension DaemonOptions.RecoveryCommand {
  /// The command as root types it for the service.
  fileprivate var command: String {
    func recover(_ arguments: String) -> String {
      ServiceAccount.recoverCommand(arguments, state: ServiceAccount.stateDirectory)
    }
    return switch self {
    case .retry: recover("retry")
    case .restore(let source): recover("restore \(source)")
    case .reset: recover("reset")
    case .copy(let target): "sudo -u \(ServiceAccount.name) pfctl store copy --to \(shellWord(target))"
    }
  }
}
