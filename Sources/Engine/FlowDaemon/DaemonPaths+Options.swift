import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings

extension DaemonPaths {
  /// The paths that the command line, the settings or the environment choose, in this order.
  init(options: DaemonOptions, settings: Settings, environment: [String: String]) {
    let standard = RuntimePaths(environment: environment, uid: ProcessIdentity.user)
    let state = options.stateDirectory ?? settings.stateDirectory ?? standard.stateDirectory
    // A daemon with its own state folder and no named socket has its socket in that folder.
    self.init(
      state: state,
      socket: options.socketPath ?? settings.socketPath
        ?? (options.stateDirectory == nil ? standard.socketPath : state + "/control.sock"))
  }
}
