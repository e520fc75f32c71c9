internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl backup create`: makes a backup and test-restores it.
enum BackupCreateCommand: Command {
  static let description = CommandDescription(
    "backup create", "back up the store now, and check the backup by a test restore",
    options: [.init("notes", "TEXT", "a note that `pfctl backup list` shows")],
    details: [
      "The snapshot is opened and read to its last page, its tables are counted, and the notices of the coming week are "
        + "computed from it and compared with the store's. The archives of each team are read back in full.",
      "If the records of a team cannot be written as an archive, the other teams still get theirs: the team is named "
        + "with the reason, and the exit code is 1.",
      "With a PostgreSQL store the backup consists of the archives alone: a copy of the whole database is made by "
        + "pg_dump or pgBackRest.",
      "Only a backup that passes all these checks gets its name. The daemon keeps working meanwhile.",
    ],
    examples: ["pfctl backup create", "pfctl backup create --notes 'before the season'"])

  static let documents: [JSONDocument] = [.init("backup-create", BackupCall.Create.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = BackupCall.Create(reason: arguments["notes"])
    let reply = try session.askLong(
      call,
      interrupted: "the backup continues in poolflowd: `pfctl backup list` shows it once it is verified; `systemctl "
        + "restart poolflowd` would stop it and leave no incomplete backup")
    let console = session.console
    if reply.backup.troubles?.isEmpty == false { session.exitCode = ExitCode.attention }
    if console.isJSON { return try console.document("backup-create", reply) }
    console.line(visible(reply.backup.id))
    let holder = reply.remark == nil ? "the snapshot" : "the database"
    for trouble in reply.backup.troubles ?? [] {
      console.words(
        "no archive of team '\(visible(trouble.team))': \(visible(trouble.why)); \(holder) has the team's records")
    }
    for words in reply.withheld { console.words("\(visible(words)); \(holder) has the team's records anyway") }
    if let note = reply.remark { console.words(visible(note)) }
    console.note(
      "\(sizeText(reply.backup.bytes)), \(TextFormat.count(reply.backup.archives, "archive")), "
        + "\(reply.remark == nil ? "restored for proof" : "read back"); stored in \(visible(reply.backup.path))")
  }
}
