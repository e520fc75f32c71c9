internal import PoolControl
internal import PoolPlatform

/// Why a command ended without doing its work, before the daemon had a say.
struct CommandFailure: Error {
  /// Stable, for `--json`: `usage`, `no-input`, …
  let name: String
  let message: String
  let exitCode: Int32

  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(name: "usage", message: message, exitCode: ExitCode.usage)
  }

  static func noInput(_ message: String) -> CommandFailure {
    CommandFailure(name: "no-input", message: message, exitCode: ExitCode.noInput)
  }

  static func badData(_ message: String) -> CommandFailure {
    CommandFailure(name: "bad-data", message: message, exitCode: ExitCode.badData)
  }

  static func inputOutput(_ message: String) -> CommandFailure {
    CommandFailure(name: "input-output", message: message, exitCode: ExitCode.inputOutput)
  }

  /// No daemon listens where one should.
  var nobodyAnswers = false

  func adding(_ text: String) -> CommandFailure {
    CommandFailure(name: name, message: message + text, exitCode: exitCode)
  }

  /// What a socket's error means to somebody at a terminal.
  init(_ error: SocketError, path: String) {
    switch error {
    case .nobodyAnswers:
      self.init(
        name: "unavailable", message: "\(error); start it with `systemctl start poolflowd` or `poolflowd`",
        exitCode: ExitCode.unavailable)
      nobodyAnswers = true
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
        message: "the daemon at \(path) does not answer in time; see `systemctl status poolflowd`, or try again",
        exitCode: ExitCode.tryAgain)
    case .closed:
      self.init(
        name: "unavailable", message: "the daemon at \(path) closed the connection; see `systemctl status poolflowd`",
        exitCode: ExitCode.unavailable)
    case .failed, .notASocket, .inUse:
      self.init(name: "unavailable", message: error.description, exitCode: ExitCode.unavailable)
    }
  }

  init(name: String, message: String, exitCode: Int32) {
    self.name = name
    self.message = message
    self.exitCode = exitCode
  }

  /// EACCES, the same on every Linux.
  private static let permissionDenied: Int32 = 13
}
