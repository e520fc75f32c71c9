internal import PoolControl
internal import PoolModel
internal import PoolPlatform

/// On a terminal: how far the daemon is with what it was asked for, over a connection of its own.
private final class WorkWatch {
  private let path: String
  private let console: Console
  private let began = ContinuousClock.now
  private var connection: DaemonConnection?
  private var hasShown = false
  private var hasFailed = false

  init(path: String, console: Console) {
    self.path = path
    self.console = console
  }

  /// A daemon that cannot be asked is no reason to stop waiting for its answer.
  func look() {
    guard !hasFailed, began.duration(to: .now) > .seconds(1) else { return }
    do {
      let daemon = try connection ?? DaemonConnection(path: path)
      connection = daemon
      let reply = try daemon.ask(BackupCall.Progress())
      guard let work = reply.work else { return end() }
      hasShown = true
      console.progress(Self.line(visible(work), done: reply.done, of: reply.total))
    } catch {
      hasFailed = true
    }
  }

  func end() {
    if hasShown { console.progress("") }
    hasShown = false
  }

  private static func line(_ work: String, done: Int, of total: Int) -> String {
    guard total > 0 else { return work + (done > 0 ? ", \(Wording.grouped(done)) done …" : " …") }
    let share = min(1, Double(done) / Double(total))
    let filled = Int(share * 20)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
    return "\(work)  [\(bar)]  \(Int(share * 100)) %"
  }
}

extension Session {
  /// The answer to what may take minutes; on a terminal standard error shows how far it is.
  ///
  /// - Parameter interrupted: what somebody who presses Ctrl-C should know of the work, which goes on without him.
  func askLong<M: ControlMethod>(_ call: M, interrupted: String? = nil) throws -> M.Reply {
    let daemon = try runningDaemon()
    let interrupt = interrupted == nil ? nil : try Interrupt()
    guard console.showsProgress || interrupt != nil else {
      return try daemon.ask(call, deadline: Limits.longCallDeadline)
    }
    let watch = console.showsProgress ? WorkWatch(path: socketPath, console: console) : nil
    defer { watch?.end() }
    return try daemon.ask(call, deadline: Limits.longCallDeadline) {
      if let interrupted, interrupt?.hasCome == true {
        throw CommandFailure(name: "interrupted", message: interrupted, exitCode: ExitCode.interrupted)
      }
      watch?.look()
    }
  }
}
