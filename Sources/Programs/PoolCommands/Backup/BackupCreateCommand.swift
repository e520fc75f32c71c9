internal import PoolControl
internal import PoolModel

/// `pfctl backup create`: makes a backup and test-restores it.
enum BackupCreateCommand: Command {
  static let description = CommandDescription(
    "backup create", "back up the store now, and restore the backup for proof",
    options: [.init("notes", "TEXT", "why, for whoever reads the list")],
    details: [
      "The snapshot is opened and read to its last page, its tables are counted, and the notices of the coming week are "
        + "worked out from it and compared with the store's. Archives of each team are read back in full.",
      "A team whose records cannot be written as an archive costs nobody else's: it is named with the reason, and the exit "
        + "code is 1.",
      "Where the records are on a PostgreSQL server it is the archives alone: a copy of the whole is made by pg_dump or "
        + "pgBackRest.",
      "Only a backup that passes all of that gets its name. The daemon goes on with its work meanwhile.",
    ],
    examples: ["pfctl backup create", "pfctl backup create --notes 'before the season'"])

  static let documents: [JSONDocument] = [.init("backup-create", BackupCall.Create.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = BackupCall.Create(reason: arguments["notes"])
    let reply = try session.askLong(
      call,
      interrupted: "the backup goes on in poolflowd: `pfctl backup list` shows it once it is proved; "
        + "`systemctl restart poolflowd` would stop it, and leaves nothing half made")
    let console = session.console
    if reply.backup.troubles?.isEmpty == false { session.exitCode = ExitCode.attention }
    if console.isJSON { return try console.document("backup-create", reply) }
    console.line(visible(reply.backup.id))
    let holder = reply.remark == nil ? "the snapshot" : "the database"
    for trouble in reply.backup.troubles ?? [] {
      console.words(
        "no archive of team '\(visible(trouble.team))': \(visible(trouble.why)); \(holder) holds the team")
    }
    for words in reply.withheld { console.words("\(visible(words)); \(holder) holds the team all the same") }
    if let remark = reply.remark { console.words(visible(remark)) }
    console.note(
      "\(sizeText(reply.backup.bytes)), \(TextFormat.count(reply.backup.archives, "archive")), "
        + "\(reply.remark == nil ? "restored for proof" : "read back"); it lies in \(visible(reply.backup.path))")
  }
}
