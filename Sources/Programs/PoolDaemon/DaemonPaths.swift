import PoolModel
import PoolPlatform
import PoolSettings

/// Where this daemon keeps its things, and where it is spoken to.
struct DaemonPaths: Sendable {
  let state: String
  let socket: String

  var store: String { state + "/poolflow.db" }
  var photos: String { state + "/photos" }
  var uploads: String { state + "/uploads" }
  var backups: String { state + "/backups" }
  /// Which life of the daemon the store beside it has seen.
  var epochMark: String { state + "/life" }
  /// The secret names of published pages.
  var publishedNames: String { state + "/published-names" }
  var crashMark: String { state + "/crashed" }

  init(state: String, socket: String) {
    self.state = state
    self.socket = socket
  }

  init(options: DaemonOptions, settings: Settings, environment: [String: String]) {
    let standard = RuntimePaths(environment: environment, uid: ProcessIdentity.user)
    state = options.stateDirectory ?? settings.stateDirectory ?? standard.stateDirectory
    // With a state directory of its own and no socket named, a daemon is spoken to there.
    socket =
      options.socketPath ?? settings.socketPath
      ?? (options.stateDirectory == nil ? standard.socketPath : state + "/control.sock")
  }
}
