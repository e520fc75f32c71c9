internal import Glibc

/// The state directory and the control socket of a daemon. `poolflowd` and `pfctl` use the same rules.
package struct RuntimePaths: Hashable, Sendable {
  package let stateDirectory: String
  package let socketPath: String

  package init(stateDirectory: String, socketPath: String) {
    self.stateDirectory = stateDirectory
    self.socketPath = socketPath
  }

  /// The default paths for an environment and user.
  ///
  /// Under systemd, `$STATE_DIRECTORY` and `$RUNTIME_DIRECTORY` decide (the first entry of each list). Otherwise root
  /// and the service's user use `/var/lib/poolflow` and `/run/poolflow`, as the service does. Other users use
  /// `$XDG_STATE_HOME/poolflow` (default `~/.local/state`) and `$XDG_RUNTIME_DIR/poolflow`, or `run` in the state
  /// directory if that variable is not set. Relative paths in variables are ignored, as the XDG specification demands.
  ///
  /// - Parameter service: the user that runs the machine's poolflow service; nil if there is none.
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

  /// The socket that a client connects to: `$POOLFLOW_SOCKET`, else the system daemon's socket if it exists, else the
  /// user's own.
  package static func clientSocket(
    environment: [String: String], uid: UInt32, exists: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> String {
    if let given = environment["POOLFLOW_SOCKET"], !given.isEmpty { return given }
    if uid == 0 || exists(systemSocket) { return systemSocket }
    // A client is not a service: systemd may have set these variables for the unit that started it.
    let own = environment.filter { $0.key != "STATE_DIRECTORY" && $0.key != "RUNTIME_DIRECTORY" }
    return RuntimePaths(environment: own, uid: uid).socketPath
  }
}
