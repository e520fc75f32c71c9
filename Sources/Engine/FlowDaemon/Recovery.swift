import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import Glibc

/// `poolflowd --recover`: commands for a daemon that cannot start. Takes the lock, does one thing and exits.
enum Recovery {
  /// Runs one recovery command.
  ///
  /// - Returns: a sentence about the result.
  /// - Throws: `StateDirectory.Failure` if a daemon runs; `StoreError`, `RestoreRefusal` and `SystemFailure` with a message for
  ///   the operator.
  static func run(
    _ recoveryCommand: DaemonOptions.RecoveryCommand, options: DaemonOptions, reading: SettingsReading,
    environment: [String: String], modules: DaemonModules
  ) throws -> String {
    let paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
    try WrongStateFolder.refuse(
      recoveryCommand, paths: paths, options: options, reading: reading, environment: environment)
    if case .copy(let target) = recoveryCommand {
      return try StoreCopyCommand.run(
        to: target, options: options, reading: reading, environment: environment, modules: modules)
    }
    let choice = try StoreChoice(reading.settings.store, paths, modules, environment: environment)
    try choice.refuse("to recover them", instead: "use pg_restore or pgBackRest, then start the daemon")
    let statePath = paths.state
    // Locks out other processes; the lock is released at the end of this function.
    let owner = ServiceAccount.owner(of: statePath)
    let state = try StateDirectory(path: statePath)
    defer { withExtendedLifetime(state) {} }
    let recovery = StoreRecovery(state: statePath, trades: modules.backups)
    // Whatever the result, root leaves no file that the service cannot open.
    defer { try? owner?.adopt(state: statePath) }
    let now = SystemWallClock().now()
    // Prune the stores that earlier restores kept, whatever the result; failures are retried at the next start.
    var justMade: String?
    defer { _ = try? SetAsideStores(state: statePath).prune(now: now, justMade: justMade) }
    switch recoveryCommand {
    case .retry:
      try recovery.finish()
      try recovery.refuseLostStore()
      let snapshot = try StoreSnapshot(path: recovery.storePath, trades: modules.trades, acceptsOlder: true)
      try snapshot.verify()
      return "the store '\(recovery.storePath)' is undamaged; start the daemon again"
    case .restore(let source):
      // Finish an earlier restore first, so that the store it kept aside is not lost.
      try recovery.finish()
      let from = try RestoreSource(at: source)
      let staged = try recovery.stage(from)
      let photos = try recovery.restoreMissingPhotos(of: from)
      // Before the store gets its final name: a crash must not leave a store that the service cannot open.
      try owner?.adopt(state: statePath)
      _ = try recovery.decideRestore(now: now)
      // No store has this epoch, so the next start treats the store as a copy and puts undelivered notices on hold, even on a
      // machine that never had a daemon.
      try EpochMark(epoch: .max, hasEnded: false).write(to: paths.epochMark)
      let aside = try recovery.finish() ?? recovery.storePath
      justMade = aside
      return resultText(of: staged, from: source, photos, aside)
    case .reset:
      try recovery.finish()
      _ = try recovery.decideReset(now: now)
      let aside = try recovery.finish() ?? recovery.storePath
      justMade = aside
      // Create the empty store now: a start that finds backups but no store takes the store for lost.
      _ = try Store(
        place: .file(recovery.storePath), now: now, version: Daemon.version, trades: modules.trades)
      return "the store is empty now; \(resultText(aside)); start the daemon again"
    case .copy: preconditionFailure("copying a store neither moves nor replaces a file")
    }
  }

  private static func resultText(
    of staged: StoreRecovery.Staged, from source: String, _ photos: PhotoRestoreCounts, _ aside: String
  ) -> String {
    let rows = staged.facts.rows
    let unusableValues = staged.unusableValues.map { "team \($0.team.number) has a value that cannot be used: \($0)" }
    let parts =
      [
        "the store was replaced by that of '\(source)', with \(countText(rows["teams"] ?? 0, "team")) and "
          + countText(rows["pools"] ?? 0, "pool"),
        resultText(aside),
      ] + photos.sentences + unusableValues
    return (parts + ["start the daemon again"]).joined(separator: "; ")
  }

  private static func resultText(_ aside: String) -> String {
    FileFacts.exists(aside) ? "the old one is kept as '\(aside)'" : "there was none before"
  }
}
