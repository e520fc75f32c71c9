import Glibc
import PoolBackup
import PoolControl
import PoolModel
import PoolPlatform
import PoolSettings
import PoolStore

/// `poolflowd --recover`: the three doors of a daemon that cannot start. It takes the lock, does the one thing and ends.
enum Recovery {
  /// - Returns: the sentence that says what was done.
  /// - Throws: `StateDirectory.Failure` where a daemon runs; `StoreError`, `RestoreRefusal` and `SystemFailure` in words.
  static func run(
    _ door: DaemonOptions.Door, options: DaemonOptions, reading: SettingsReading, environment: [String: String]
  ) throws -> String {
    let paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
    if case .copy(let place) = door {
      return try StoreMove.run(to: place, options: options, reading: reading, environment: environment)
    }
    let choice = try StoreChoice(reading.settings.store, paths, environment: environment)
    try choice.refuse("to recover them", instead: "use pg_restore or pgBackRest, then start the daemon")
    let statePath = paths.state
    // Nobody else may have the store open meanwhile; given up at the end of this function.
    let state = try StateDirectory(path: statePath)
    defer { withExtendedLifetime(state) {} }
    let recovery = StoreRecovery(state: statePath)
    let now = SystemWallClock().now()
    // However it ends, what earlier restores kept does not pile up; what cannot be removed goes at the next start.
    var justMade: String?
    defer { _ = try? KeptStores(state: statePath).prune(now: now, justMade: justMade) }
    switch door {
    case .retry:
      try recovery.finish()
      try recovery.refuseLostStore()
      let snapshot = try StoreSnapshot(path: recovery.storePath, acceptsOlder: true)
      try snapshot.prove()
      return "the store '\(recovery.storePath)' is whole; start the daemon again"
    case .restore(let source):
      // A restore that was decided before comes first: what it kept aside must not be lost sight of.
      try recovery.finish()
      let from = try RestoreSource(at: source)
      let staged = try recovery.stage(from)
      let photos = try recovery.bringPhotos(of: from)
      _ = try recovery.decide(now: now)
      let aside = try recovery.finish() ?? recovery.storePath
      justMade = aside
      let rows = staged.facts.rows
      return
        ([
          "the store is now that of '\(source)', with \(count(rows["teams"], "team")) and \(count(rows["pools"], "pool"))",
          words(aside),
        ] + photos.remarks + staged.strays.map { "team \($0.team.number) has a value that cannot be used: \($0)" }
        + ["start the daemon again"]).joined(separator: "; ")
    case .reset:
      try recovery.finish()
      _ = try recovery.decideReset(now: now)
      let aside = try recovery.finish() ?? recovery.storePath
      justMade = aside
      // Made here and now: a start that finds none beside backups takes it for lost.
      _ = try Store(path: recovery.storePath, now: now, version: Daemon.version)
      return "the store is empty now; \(words(aside)); start the daemon again"
    case .copy: preconditionFailure("a copy touches no file's place")
    }
  }

  private static func count(_ rows: Int?, _ noun: String) -> String { "\(rows ?? 0) \(noun)\(rows == 1 ? "" : "s")" }

  private static func words(_ aside: String) -> String {
    FileFacts.exists(aside) ? "the old one is kept as '\(aside)'" : "there was none before"
  }
}

extension PhotosBrought {
  /// For a person, as parts of a sentence; none where no photo was missing.
  var remarks: [String] {
    func photos(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }
    var remarks: [String] = []
    if brought > 0 { remarks.append("\(photos(brought)) came out of the backup's archives") }
    if missing > 0 {
      remarks.append(
        "\(photos(missing)) are not in the backup, because archives of their teams are not: copy the photo folder")
    }
    return remarks
  }
}
