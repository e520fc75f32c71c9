internal import PoolControl
internal import PoolPlatform

extension ServiceUnit {
  /// Why the unit failed and how to fix it; nil if it has not failed.
  var failure: (words: String, remedy: String)? {
    guard hasFailed else { return nil }
    let start = "`systemctl start \(name)`, which opens the socket again, too"
    switch (result, exitCode) {
    case ("exit-code", ExitCode.badSettings):
      return ("\(name) failed: its settings have mistakes", "`pfctl config check`, mend them, then \(start)")
    case ("exit-code", ExitCode.badData):
      return (
        "\(name) failed: its store is damaged, or another program's",
        "`journalctl -u \(name) -n 20` names it; restore a backup, then \(start)"
      )
    case ("start-limit-hit", _):
      return (
        "\(name) failed: it was started too often in a short time",
        "mend what `journalctl -u \(name) -n 20` tells, then `systemctl reset-failed \(name)` and \(start)"
      )
    default:
      let why = result == "exit-code" ? "it ended with code \(exitCode)" : result
      return ("\(name) failed: \(why)", "`journalctl -u \(name) -n 20` says why; mend it, then \(start)")
    }
  }
}
