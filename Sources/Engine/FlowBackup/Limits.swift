import FlowModel

extension Limits {
  /// Maximum backups dated in the future that are kept in addition to the retention rule; each start with a wrong clock may
  /// create one.
  static let futureBackupsKept = 8
  /// Maximum bytes of a backup's manifest: about 400 for each of 100,000 archives.
  static let backupManifestBytes = 64 << 20
  /// An unfinished backup in the second folder that is older than this is abandoned and deleted.
  static let partialBackupAge: Duration = .hours(24)
  /// Maximum folders of teams and technicians that one inbox scan opens: one for each team of a large host.
  static let inboxFolders = 1_000
  /// Maximum names of one folder that an inbox scan reads; more are the mistake of a script, and the next scan continues.
  static let inboxFiles = 10_000
  /// Maximum bytes of an inbox file's name: a file system allows 255, of which temporary names need 45.
  static let inboxNameBytes = 200
  /// The time for which a file must stay unchanged before it counts as complete: a copy over a network may pause for some
  /// seconds, and scans are a minute apart.
  static let inboxUnchangedTime: Duration = .seconds(20)
}
