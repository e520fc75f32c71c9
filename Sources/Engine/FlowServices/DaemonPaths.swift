/// Paths of the daemon's state and of its control socket.
package struct DaemonPaths: Sendable {
  package let state: String
  package let socket: String

  package var store: String { state + "/poolflow.db" }
  package var photos: String { state + "/photos" }
  package var uploads: String { state + "/uploads" }
  package var backups: String { state + "/backups" }
  /// File with the last epoch that the store in the same folder has seen.
  package var epochMark: String { state + "/life" }
  /// File with the secret names of published pages.
  package var publishedNames: String { state + "/published-names" }
  package var crashMark: String { state + "/crashed" }

  package init(state: String, socket: String) {
    self.state = state
    self.socket = socket
  }
}
