package import FlowControl
internal import FlowModel
internal import FlowPlatform

/// Shows on a terminal how far the daemon is with a long call, over a second connection.
private final class DaemonProgressWatch {
  private let path: String
  private let line: ProgressLine
  private let began = ContinuousClock.now
  private var connection: DaemonConnection?
  private var hasFailed = false

  init(path: String, _ line: ProgressLine) {
    self.path = path
    self.line = line
  }

  /// Polls the progress. If the poll fails, the wait for the reply continues.
  func update() {
    guard began.duration(to: .now) > .seconds(1) else { return }
    guard !hasFailed else { return line.tick() }
    do {
      let daemon = try connection ?? DaemonConnection(path: path)
      connection = daemon
      let reply = try daemon.ask(BackupCall.Progress())
      guard let work = reply.work else { return line.tick() }
      line.report(work, done: reply.done, of: reply.total)
    } catch {
      hasFailed = true
    }
  }
}

extension Session {
  /// The reply to a call that may take minutes; standard error shows progress on a terminal.
  ///
  /// - Parameter interrupted: the message after Ctrl-C; the daemon continues the work.
  package func askLong<M: ControlMethod>(_ call: M, interrupted: String? = nil) throws -> M.Reply {
    let daemon = try runningDaemon()
    let interrupt = interrupted == nil ? nil : try Interrupt()
    guard console.showsProgress || interrupt != nil else {
      return try daemon.ask(call, deadline: Limits.longCallDeadline)
    }
    let line = ProgressLine("waiting for the daemon", console)
    let watch = console.showsProgress ? DaemonProgressWatch(path: socketPath, line) : nil
    defer { line.end() }
    return try daemon.ask(call, deadline: Limits.longCallDeadline) {
      if let interrupted, interrupt?.hasCome == true {
        throw CommandFailure(name: "interrupted", message: interrupted, exitCode: ExitCode.interrupted)
      }
      watch?.update()
    }
  }
}
