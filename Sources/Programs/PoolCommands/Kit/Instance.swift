internal import PoolModel
internal import PoolPlatform

/// One of several daemons on a machine: the unit `poolflowd@NAME`, with its own settings, state and socket.
struct Instance {
  let name: String

  /// - Throws: `CommandFailure` where no unit could have this name.
  init(_ name: String) throws(CommandFailure) {
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
        "--instance takes the NAME of poolflowd@NAME, in small letters, digits, '-' and '_', not '\(visible(name))'")
    }
    // The state folder of poolflowd@post would be that of poolflow-post.
    guard name != "post" else {
      throw .usage(
        "there is no poolflowd@post: its folders would be those of poolflow-post; give the instance another name")
    }
    self.name = name
  }

  /// The unit that answers at a socket, `poolflowd` where the path is of no instance.
  static func unit(at socket: String) -> String {
    let parts = socket.split(separator: "/", omittingEmptySubsequences: false)
    let prefix = "poolflow-"
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "run", parts[2].hasPrefix(prefix),
      parts[3] == "control.sock", let instance = try? Instance(String(parts[2].dropFirst(prefix.count)))
    else { return "poolflowd" }
    return "poolflowd@\(instance.name)"
  }

  /// What starts the daemon of a socket. Without systemd the program itself is started; an instance is a unit.
  static func start(at socket: String) -> String {
    let unit = unit(at: socket)
    return "start it with `systemctl start \(unit)`\(unit == "poolflowd" ? " or `poolflowd`" : "")"
  }

  /// The commands that restore a backup of another place as the store of a socket's daemon, as a person types them.
  static func restore(_ backup: String, at socket: String) -> String {
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

  /// Where `units/poolflowd@.service` puts an instance's settings, state and socket.
  func environment(over environment: [String: String]) -> [String: String] {
    environment.merging([
      "CONFIGURATION_DIRECTORY": "/etc/poolflow/\(name)", "STATE_DIRECTORY": "/var/lib/poolflow-\(name)",
      "POOLFLOW_SOCKET": "/run/poolflow-\(name)/control.sock",
    ]) { $1 }
  }
}
