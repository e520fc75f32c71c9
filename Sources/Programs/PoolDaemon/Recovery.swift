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
    try OtherPlace.refuse(door, paths: paths, options: options, reading: reading, environment: environment)
    if case .copy(let place) = door {
      return try StoreMove.run(to: place, options: options, reading: reading, environment: environment)
    }
    let choice = try StoreChoice(reading.settings.store, paths, environment: environment)
    try choice.refuse("to recover them", instead: "use pg_restore or pgBackRest, then start the daemon")
    let statePath = paths.state
    // Nobody else may have the store open meanwhile; given up at the end of this function.
    let owner = ServiceAccount.owner(of: statePath)
    let state = try StateDirectory(path: statePath)
    defer { withExtendedLifetime(state) {} }
    let recovery = StoreRecovery(state: statePath)
    // However it ends, root leaves no file that the service cannot open.
    defer { try? owner?.adopt(state: statePath) }
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
      // Before the store has its name, so that a crash leaves none that its service cannot open.
      try owner?.adopt(state: statePath)
      _ = try recovery.decide(now: now)
      // No store has seen that life. So the next start knows it for a copy, also on a machine that never had a daemon, and
      // holds what the backup calls undelivered.
      try EpochMark(epoch: .max, hasEnded: false).write(to: paths.epochMark)
      let aside = try recovery.finish() ?? recovery.storePath
      justMade = aside
      return words(of: staged, from: source, photos, aside)
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

  private static func words(
    of staged: StoreRecovery.Staged, from source: String, _ photos: PhotosBrought, _ aside: String
  ) -> String {
    let rows = staged.facts.rows
    let strays = staged.strays.map { "team \($0.team.number) has a value that cannot be used: \($0)" }
    let parts =
      [
        "the store is now that of '\(source)', with \(rows["teams"] ?? 0) teams and \(rows["pools"] ?? 0) pools",
        words(aside),
      ] + photos.remarks + strays
    return (parts + ["start the daemon again"]).joined(separator: "; ")
  }

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
