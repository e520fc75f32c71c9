internal import Glibc

/// Where a daemon keeps its data and where it is spoken to: the same rule for `poolflowd` and `pfctl`.
package struct RuntimePaths: Hashable, Sendable {
  package let stateDirectory: String
  package let socketPath: String

  package init(stateDirectory: String, socketPath: String) {
    self.stateDirectory = stateDirectory
    self.socketPath = socketPath
  }

  /// Where a daemon with this environment and user puts things.
  ///
  /// Under systemd its directory variables decide (the first of each list); else root and the service's user have
  /// `/var/lib/poolflow` and `/run/poolflow`, as the service has, another user `$XDG_STATE_HOME/poolflow` (`~/.local/state`) and `$XDG_RUNTIME_DIR/poolflow`, or `run`
  /// in the state directory where there is none. Relative paths in variables are ignored, as the XDG rules say.
  /// - Parameter service: the user that the service of this machine runs as; nil where there is none.
  package init(
    environment: [String: String], uid: UInt32, service: UInt32? = ServiceAccount.ofThisMachine()?.user
  ) {
    let isSystems = uid == 0 || uid == service
    func directory(_ name: String) -> String? {
      guard let first = environment[name]?.split(separator: ":").first, first.hasPrefix("/") else { return nil }
      return first.count > 1 && first.hasSuffix("/") ? String(first.dropLast()) : String(first)
    }
    let home = directory("HOME") ?? "/nonexistent"
    if let given = directory("STATE_DIRECTORY") {
      stateDirectory = given
    } else if isSystems {
      stateDirectory = ServiceAccount.stateDirectory
    } else {
      stateDirectory = (directory("XDG_STATE_HOME") ?? home + "/.local/state") + "/poolflow"
    }
    if let given = directory("RUNTIME_DIRECTORY") {
      socketPath = given + "/control.sock"
    } else if isSystems {
      socketPath = Self.systemSocket
    } else if let runtime = directory("XDG_RUNTIME_DIR") {
      socketPath = runtime + "/poolflow/control.sock"
    } else {
      socketPath = stateDirectory + "/run/control.sock"
    }
  }

  package static let systemSocket = "/run/poolflow/control.sock"

  /// Where a client looks: `$POOLFLOW_SOCKET`, else the system's daemon if it is there, else the user's own.
  package static func clientSocket(
    environment: [String: String], uid: UInt32, exists: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> String {
    if let given = environment["POOLFLOW_SOCKET"], !given.isEmpty { return given }
    if uid == 0 || exists(systemSocket) { return systemSocket }
    // A client is nobody's service: variables that systemd set for another unit do not concern it.
    let own = environment.filter { $0.key != "STATE_DIRECTORY" && $0.key != "RUNTIME_DIRECTORY" }
    return RuntimePaths(environment: own, uid: uid).socketPath
  }
}
