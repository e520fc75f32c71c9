import CSystemd
import Glibc

/// Tells the service manager how the daemon fares (sd_notify(3)). Silent where there is no manager.
package struct ServiceManager: Sendable {
  package init() {}

  package func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }
  package func status(_ text: String) { send("STATUS=\(oneLine(text))") }
  /// Before a reload; `ready` ends it. Names the moment, as systemd from version 253 on wants it.
  package func reloading() {
    send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.microseconds)\nSTATUS=Reading the settings again")
  }

  /// Asks for `time` more before the manager gives up on a start or a stop.
  package func extendTimeout(by time: Duration, status: String) {
    send("EXTEND_TIMEOUT_USEC=\(time.components.seconds * 1_000_000)\nSTATUS=\(oneLine(status))")
  }

  /// The daemon is well: to be said at least once in `watchdogInterval`.
  package func alive(status: String) { send("WATCHDOG=1\nSTATUS=\(oneLine(status))") }

  /// How long the manager waits for `alive` before it takes the daemon for hung; nil where it does not watch.
  package var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  /// SD_LISTEN_FDS_START, a macro.
  static let firstHandedOver: Int32 = 3

  /// How many sockets the manager handed over to this very process; asked once, because it takes the variables away, so
  /// that no child believes them.
  static func handedOver() -> Int { Int(sd_listen_fds(1)) }

  static func isListeningUnixStream(_ descriptor: Int32) -> Bool {
    sd_is_socket(descriptor, AF_UNIX, UnixSocket.streamKind, 1) > 0
  }

  package func stopping() { send("STOPPING=1\nSTATUS=Stopping") }

  private func send(_ message: String) {
    // A missing or broken socket is not the daemon's trouble: whoever started it without one does not listen.
    // A message that found no room is said again: without READY=1 a start that went well is ended.
    for _ in 1...3 where sd_notify(0, message) >= 0 { return }
  }

  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
