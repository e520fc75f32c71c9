import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings

/// The command line of `poolflowd`.
package struct DaemonOptions: Hashable, Sendable {
  package var configPath: String?
  package var stateDirectory: String?
  package var socketPath: String?
  /// `--inspect`: answer `pfctl`'s questions about the store while no daemon runs.
  package var inspects = false
  package var wantsHelp = false
  package var wantsVersion = false

  /// A recovery command for a store that the daemon cannot start with.
  package enum RecoveryCommand: Hashable, Sendable {
    case retry
    /// Path of a backup folder or of a store file.
    case restore(String)
    case reset
    /// Copy the records to another engine: `sqlite`, `postgresql`, or a libpq connection string.
    case copy(String)
  }
  package var recoveryCommand: RecoveryCommand?

  /// An error on the command line, as a sentence.
  package struct Mistake: Error, CustomStringConvertible {
    package let description: String
  }

  private static let valued = ["--config", "--state-dir", "--socket"]
  private static let plain = ["--inspect", "--recover", "--copy-store", "--help", "--version"]

  /// Parses the command line.
  ///
  /// - Parameter arguments: without the program's name.
  package init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0]
      if Self.valued.contains(name) {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Mistake(description: "\(name) needs a value: \(name) PATH")
        }
        switch name {
        case "--config": configPath = value
        case "--state-dir": stateDirectory = value
        default: socketPath = value
        }
      } else if name == "--recover" {
        recoveryCommand = try Self.recoveryCommand(parts.count == 2 ? parts[1] : rest.popFirst() ?? "", &rest)
      } else if name == "--copy-store" {
        guard let target = parts.count == 2 ? parts[1] : rest.popFirst(), !target.isEmpty else {
          throw Mistake(description: "--copy-store takes sqlite, postgresql, or a connection string of libpq")
        }
        recoveryCommand = .copy(target)
      } else if name == "--help" || name == "-h" {
        wantsHelp = true
      } else if name == "--inspect" {
        inspects = true
      } else if name == "--version" {
        wantsVersion = true
      } else {
        let near = Suggestion.nearest(to: name, among: Self.valued + Self.plain)
        throw Mistake(
          description: "unknown argument '\(argument)'"
            + (near.map { "; did you mean \($0)?" } ?? "; `poolflowd --help` lists the options"))
      }
    }
  }

  private static func recoveryCommand(_ word: String, _ rest: inout ArraySlice<String>) throws(Mistake)
    -> RecoveryCommand
  {
    switch word {
    case "retry": return .retry
    case "reset": return .reset
    case "restore":
      guard let source = rest.popFirst(), !source.hasPrefix("-") else {
        throw Mistake(description: "--recover restore needs a backup: --recover restore /var/lib/poolflow/backups/ID")
      }
      return .restore(source)
    default: throw Mistake(description: "--recover takes retry, restore BACKUP or reset, not '\(word)'")
    }
  }

  package static let help = """
    Usage: poolflowd [--config FILE] [--state-dir DIR] [--socket PATH]

    Notifies pool-service teams of what they need to know, at the right local time and exactly once.

      --config FILE     settings to read (default: $CONFIGURATION_DIRECTORY or /etc/poolflow, poolflow.conf)
      --state-dir DIR   the folder of the store, photos and the drop folder (default: /var/lib/poolflow for root,
                        $XDG_STATE_HOME/poolflow for a user)
      --socket PATH     the control socket (default: /run/poolflow/control.sock for root,
                        $XDG_RUNTIME_DIR/poolflow/control.sock for a user)
      --inspect         for pfctl: answer read-only questions about the store of a stopped daemon, at the listening
                        socket with descriptor 3, until standard input closes
      --recover retry            check whether the store is undamaged again, and exit
      --recover restore BACKUP   replace the store by that of a backup, keep the previous store beside it, and exit
      --recover reset            move the present store aside, create an empty one, and exit
      --copy-store PLACE         for pfctl store copy: copy the records to another engine, report as JSON what was
                                 copied, and exit
      --version         print the version and exit
      --help            print this help and exit

    Control it with pfctl; see: pfctl help
    Exit codes: 0 stopped when asked, 64 usage, 65 bad data, 69 no server, 70 bug, 73 cannot create, 74 I/O, 75 try later,
    77 no permission, 78 settings.

    """
}

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
