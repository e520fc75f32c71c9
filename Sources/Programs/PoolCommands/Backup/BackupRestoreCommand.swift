internal import Glibc
internal import PoolControl
internal import PoolModel

/// `pfctl backup restore`: replaces the whole store, or one team's records, with a backup.
enum BackupRestoreCommand: Command {
  static let description = CommandDescription(
    "backup restore", "put a backup in the place of the whole store, or of one team's records",
    operands: [BackupShowCommand.operand],
    options: [
      .init("team", "TEAM", "only this team's records, out of the backup's archives"),
      .init("technician", "TECHNICIAN", "of the team, only what this technician drives to or owns"),
      .init("dry-run", nil, "say what would change, and change nothing"),
      .init("confirm", "NAME", "the backup's name once more, or the team's; without it the name is asked for"),
    ],
    details: [
      "The backup is read in full and its snapshot proved before anything is touched. The daemon then begins anew with "
        + "it; the store of before is kept beside it. What the backup calls undelivered is held, because it may have been "
        + "delivered long ago. A crash leaves the old store or the new one, never a mixture.",
      "With --team the other teams are left alone and the daemon goes on. The team's archives, photos included, take the "
        + "place of its records in one transaction; what is told first is what would be lost. What the team had not been "
        + "told yet is held. BACKUP may then be an archive's file, too, such as ./desert-blue.zip: one of `pfctl backup "
        + "export` or of the PoolFlow app. It is open on every plan, like `pfctl import --replace`; where PlanLimits = on, a "
        + "file brings the free plan at most five pools, and a backup of this server all that the team had.",
      "BACKUP may be the folder of a backup that the daemon keeps. A backup of another place, and a daemon that cannot start: "
        + "`sudo poolflowd --recover restore FOLDER`, while the daemon is stopped.",
    ],
    examples: [
      "pfctl backup restore latest --dry-run", "pfctl backup restore latest --team desert-blue --dry-run",
      "pfctl backup restore ./backup.zip --team desert-blue --dry-run",
    ])

  static let documents: [JSONDocument] = [
    .init("backup-restore", BackupCall.Restore.Reply.self),
    .init("backup-restore-team", BackupCall.RestoreTeam.Reply.self),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    if let team = arguments["team"] { return try TeamRestore.run(team, arguments, session) }
    guard arguments["technician"] == nil else {
      throw CommandFailure.usage("--technician is one of a team; name the team with --team")
    }
    let source = try BackupFolderOperand.name(of: arguments.operand(0) ?? "", session)
    guard !TeamRestore.isFile(source) else {
      throw CommandFailure.usage(
        "'\(visible(source))' is a file, which holds a team's records and not the store; name the team with --team, or a "
          + "backup that `pfctl backup list` shows")
    }
    let console = session.console
    let isDryRun = arguments.has("dry-run")
    var reply = try session.askLong(BackupCall.Restore(id: source, dryRun: true))
    if isDryRun || !console.isJSON { show(reply, isDryRun: isDryRun, on: console) }
    if isDryRun { return console.isJSON ? try console.document("backup-restore", reply) : () }
    let id = reply.backup.id
    let began = try session.runningDaemon().ask(SchedulerCall.Status()).startedAt
    let confirm = try Confirmation.typed(
      id, "Type the name of the backup to put it in the place of the store", arguments, console)
    // Close the connection at once: the daemon restarts only after its clients have disconnected.
    reply = try session.askLong(BackupCall.Restore(id: id, dryRun: false, confirm: confirm))
    session.disconnect()
    try waitForRestart(after: began, session)
    if console.isJSON { return try console.document("backup-restore", reply) }
    console.line("backup \(visible(id)) is the store now")
    if let keptAs = reply.keptAs { console.note("the store of before is kept as \(visible(keptAs))") }
  }

  /// Polls until the restarted daemon answers from the restored store.
  private static func waitForRestart(after began: String, _ session: Session) throws {
    let end = ContinuousClock.now.advanced(by: Limits.longCallDeadline)
    while ContinuousClock.now < end {
      if let daemon = try? session.runningDaemon(), let status = try? daemon.ask(SchedulerCall.Status()),
        status.startedAt != began
      {
        return
      }
      session.disconnect()
      // Poll every 50 ms: a daemon that is down cannot notify anyone.
      usleep(50_000)
    }
    throw CommandFailure(
      name: "unavailable", message: "the daemon has not come back; see `systemctl status poolflowd`",
      exitCode: ExitCode.unavailable)
  }

  private static func show(_ reply: BackupCall.Restore.Reply, isDryRun: Bool, on console: Console) {
    guard !console.isJSON else { return }
    var table = Table([.init("TABLE"), .init("NOW", isNumber: true), .init("BACKUP", isNumber: true)])
    for row in reply.tables where row.before != row.after {
      table.add([.init(row.table), .init(TextFormat.grouped(row.before)), .init(TextFormat.grouped(row.after))])
    }
    console.table(table)
    for warning in reply.warnings { console.finding("\(console.paint("warning", .yellow)): \(visible(warning))") }
    if isDryRun { console.note("backup \(visible(reply.backup.id)) is whole and would fit; nothing was changed") }
  }
}
