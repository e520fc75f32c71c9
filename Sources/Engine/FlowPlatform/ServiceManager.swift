import CSystemd
import Glibc

/// Reports the daemon's state to systemd (sd_notify(3)). Does nothing without systemd.
package struct ServiceManager: Sendable {
  package init() {}

  /// Reports that the start, or a reload, has finished.
  package func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }
  /// Sets the status line of `systemctl status`.
  package func status(_ text: String) { send("STATUS=\(oneLine(text))") }
  /// Announces a reload; `ready` ends it. systemd 253 and later require the time stamp.
  package func reloading() {
    send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.microseconds)\nSTATUS=Reading the settings again")
  }

  /// Extends the timeout of the current start or stop by `time`.
  package func extendTimeout(by time: Duration, status: String) {
    send("EXTEND_TIMEOUT_USEC=\(time.components.seconds * 1_000_000)\nSTATUS=\(oneLine(status))")
  }

  /// Feeds the watchdog: must be called at least once per `watchdogInterval`.
  package func alive(status: String) { send("WATCHDOG=1\nSTATUS=\(oneLine(status))") }

  /// The interval after which systemd considers a silent daemon hung; nil if the watchdog is off.
  package var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// The first passed descriptor: SD_LISTEN_FDS_START, a macro that Swift cannot import.
  static let firstPassedDescriptor: Int32 = 3

  /// The number of sockets that systemd passed to this process. Call it once: it removes the variables from the
  /// environment, so that children do not read them.
  static func passedSocketCount() -> Int { Int(sd_listen_fds(1)) }

  static func isListeningUnixStream(_ descriptor: Int32) -> Bool {
    sd_is_socket(descriptor, AF_UNIX, UnixSocket.streamKind, 1) > 0
  }

  package func stopping() { send("STOPPING=1\nSTATUS=Stopping") }

  private func send(_ message: String) {
    // A missing or broken notification socket is ignored: then systemd is not listening. A message that the full socket
    // buffer refused is retried, because systemd would end a start without READY=1.
    for _ in 1...3 where sd_notify(0, message) >= 0 { return }
  }

  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
