import FlowModel
import FlowPlatform
import FlowSettings

/// Paths of the daemon's state and of its control socket.
struct DaemonPaths: Sendable {
  let state: String
  let socket: String

  var store: String { state + "/poolflow.db" }
  var photos: String { state + "/photos" }
  var uploads: String { state + "/uploads" }
  var backups: String { state + "/backups" }
  /// File with the last epoch that the store in the same folder has seen.
  var epochMark: String { state + "/life" }
  /// File with the secret names of published pages.
  var publishedNames: String { state + "/published-names" }
  var crashMark: String { state + "/crashed" }

  init(state: String, socket: String) {
    self.state = state
    self.socket = socket
  }

  init(options: DaemonOptions, settings: Settings, environment: [String: String]) {
    let standard = RuntimePaths(environment: environment, uid: ProcessIdentity.user)
    state = options.stateDirectory ?? settings.stateDirectory ?? standard.stateDirectory
    // A daemon with its own state folder and no named socket has its socket in that folder.
    socket =
      options.socketPath ?? settings.socketPath
      ?? (options.stateDirectory == nil ? standard.socketPath : state + "/control.sock")
  }
}
