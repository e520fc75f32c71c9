internal import FlowControl
internal import FlowPlatform

/// The reason why a command failed in `pfctl` itself, as opposed to a `ControlError` from the daemon.
package struct CommandFailure: Error {
  /// A stable name for `--json`: `usage`, `no-input`, …
  package let name: String
  package let message: String
  package let exitCode: Int32

  package static func usage(_ message: String) -> CommandFailure {
    CommandFailure(name: "usage", message: message, exitCode: ExitCode.usage)
  }

  package static func noInput(_ message: String) -> CommandFailure {
    CommandFailure(name: "no-input", message: message, exitCode: ExitCode.noInput)
  }

  package static func badData(_ message: String) -> CommandFailure {
    CommandFailure(name: "bad-data", message: message, exitCode: ExitCode.badData)
  }

  package static func inputOutput(_ message: String) -> CommandFailure {
    CommandFailure(name: "input-output", message: message, exitCode: ExitCode.inputOutput)
  }

  /// Every failure name with its meaning and exit code.
  package static let names: [(name: String, meaning: String, exitCode: Int32)] = [
    ("usage", "wrong command line, or a wrong value in it", ExitCode.usage),
    ("no-input", "a file does not exist or cannot be read", ExitCode.noInput),
    ("bad-data", "a file was refused because of its contents; nothing was changed", ExitCode.badData),
    ("cannot-create", "a file cannot be created, or exists already", ExitCode.cannotCreate),
    ("input-output", "reading or writing failed", ExitCode.inputOutput),
    ("bad-settings", "the settings on disk have mistakes", ExitCode.badSettings),
    ("unavailable", "no daemon answers, or a program that is needed is missing", ExitCode.unavailable),
    ("try-again", "no answer in time", ExitCode.tryAgain),
    ("not-permitted", "this user may not use the daemon's socket", ExitCode.notPermitted),
    ("declined", "you were asked for confirmation and declined", ExitCode.declined),
    ("interrupted", "interrupted at the terminal; the daemon continues the work", ExitCode.interrupted),
    ("run-failed", "the requested run failed", ExitCode.internalFault),
    ("run-unfinished", "the daemon stopped before the run had a result", ExitCode.tryAgain),
    ("not-delivered", "a test notice has not arrived yet", ExitCode.tryAgain),
    ("delivery-failed", "a test notice was lost: refused, expired or of unknown outcome", ExitCode.attention),
    ("command-failed", "a program that setup runs failed", ExitCode.attention),
    ("internal", "an internal error of pfctl, or an answer that it cannot read", ExitCode.internalFault),
  ]

  /// True if no daemon listens on the expected socket.
  var noDaemonAnswers = false
  /// A second failure, printed on a line of its own.
  var secondMessage: String?

  package func adding(_ text: String) -> CommandFailure {
    CommandFailure(name: name, message: message + text, exitCode: exitCode)
  }

  package func adding(line: String) -> CommandFailure {
    var whole = self
    whole.secondMessage = line
    return whole
  }

  /// Describes a socket error for a person at a terminal.
  init(_ error: SocketError, path: String) {
    let unit = DaemonInstance.unit(at: path)
    switch error {
    case .noDaemonAnswers:
      self.init(
        name: "unavailable", message: "\(error); \(DaemonInstance.startHint(at: path))", exitCode: ExitCode.unavailable)
      noDaemonAnswers = true
    case .failed(_, _, errno: Self.permissionDenied):
      self.init(
        name: "not-permitted",
        message: "\(error); only root, the daemon's own user and members of the group poolflow may use it",
        exitCode: ExitCode.notPermitted)
    case .pathTooLong:
      self.init(name: "usage", message: error.description, exitCode: ExitCode.usage)
    case .timedOut:
      self.init(
        name: "try-again",
        message: "the daemon at \(path) does not answer in time; see `systemctl status \(unit)`, or try again",
        exitCode: ExitCode.tryAgain)
    case .closed:
      self.init(
        name: "unavailable", message: "the daemon at \(path) closed the connection; see `systemctl status \(unit)`",
        exitCode: ExitCode.unavailable)
    case .failed, .notASocket, .inUse:
      self.init(name: "unavailable", message: error.description, exitCode: ExitCode.unavailable)
    }
  }

  package init(name: String, message: String, exitCode: Int32) {
    self.name = name
    self.message = message
    self.exitCode = exitCode
  }

  /// EACCES; the number is the same on every Linux architecture.
  private static let permissionDenied: Int32 = 13
}
