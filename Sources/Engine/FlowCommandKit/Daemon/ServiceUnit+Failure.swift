internal import FlowControl
internal import FlowPlatform

extension ServiceUnit {
  /// Why the unit failed and how to fix it; nil if it has not failed.
  package var failure: (words: String, remedy: String)? {
    guard hasFailed else { return nil }
    let start = "`systemctl start \(name)`, which also opens the socket again"
    switch (result, exitCode) {
    case ("exit-code", ExitCode.badSettings):
      return ("\(name) failed: its settings have mistakes", "`pfctl config check`, correct them, then \(start)")
    case ("exit-code", ExitCode.badData):
      return (
        "\(name) failed: its store is damaged, or belongs to another program",
        "`journalctl -u \(name) -n 20` shows the cause; restore a backup, then \(start)"
      )
    case ("start-limit-hit", _):
      return (
        "\(name) failed: it restarted too often in a short time",
        "fix the cause that `journalctl -u \(name) -n 20` shows, then `systemctl reset-failed \(name)` and \(start)"
      )
    default:
      let why = result == "exit-code" ? "it ended with code \(exitCode)" : result
      return ("\(name) failed: \(why)", "`journalctl -u \(name) -n 20` shows the cause; fix it, then \(start)")
    }
  }
}
