internal import FlowModel
internal import FlowPlatform

/// One of several daemons on a machine: the unit `poolflowd@NAME` with its own settings, state and socket.
package struct DaemonInstance {
  package let name: String

  /// - Throws: `CommandFailure` if no unit could have this name.
  package init(_ name: String) throws(CommandFailure) {
    let isName =
      !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
    guard isName else {
      throw .usage(
        "--instance takes the NAME of poolflowd@NAME: lower-case letters, digits, '-' and '_', not '\(visible(name))'")
    }
    // The state folder of poolflowd@post would be the one of poolflow-post.
    guard name != "post" else {
      throw .usage(
        "an instance cannot be called post: poolflowd@post would use the folders of poolflow-post; choose another name")
    }
    self.name = name
  }

  /// The unit that listens on `socket`; `poolflowd` if the path belongs to no instance.
  package static func unit(at socket: String) -> String {
    let parts = socket.split(separator: "/", omittingEmptySubsequences: false)
    let prefix = "poolflow-"
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "run", parts[2].hasPrefix(prefix),
      parts[3] == "control.sock", let instance = try? DaemonInstance(String(parts[2].dropFirst(prefix.count)))
    else { return "poolflowd" }
    return "poolflowd@\(instance.name)"
  }

  /// The command that starts the daemon of `socket`. Without systemd that is the program itself; an instance always is a unit.
  static func startHint(at socket: String) -> String {
    let unit = unit(at: socket)
    return "start it with `systemctl start \(unit)`\(unit == "poolflowd" ? " or `poolflowd`" : "")"
  }

  /// The commands, as typed by a person, that restore an exported backup as the store of `socket`'s daemon.
  package static func restoreCommands(_ backup: String, at socket: String) -> String {
    let unit = unit(at: socket)
    let name = unit.split(separator: "@").dropFirst().first.map { "-\($0)" } ?? ""
    let recover = ServiceAccount.recoverCommand(
      "restore '\(backup)'",
      state: socket.hasPrefix("/run/poolflow") ? ServiceAccount.stateDirectory + name : folder(of: socket))
    return "`sudo systemctl stop \(unit).socket \(unit)`, `\(recover)`, `sudo systemctl start \(unit).socket \(unit)`"
  }

  private static func folder(of socket: String) -> String {
    socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
  }

  /// The environment variables that `units/poolflowd@.service` sets for an instance: its settings, state and socket.
  package func environment(over environment: [String: String]) -> [String: String] {
    environment.merging([
      "CONFIGURATION_DIRECTORY": "/etc/poolflow/\(name)", "STATE_DIRECTORY": "/var/lib/poolflow-\(name)",
      "POOLFLOW_SOCKET": "/run/poolflow-\(name)/control.sock",
    ]) { $1 }
  }
}
