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

  package func stopping() { send("STOPPING=1\nSTATUS=Stopping") }

  private func send(_ message: String) {
    // A missing or broken socket is not the daemon's trouble: whoever started it without one does not listen.
    _ = sd_notify(0, message)
  }

  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
