internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import Glibc

/// `pfctl backup restore`: replaces the whole store, or one team's records, with a backup.
enum BackupRestoreCommand: Command {
  static let description = CommandDescription(
    "backup restore", "replace the whole store, or one team's records, by a backup",
    operands: [BackupShowCommand.operand],
    options: [
      .init("team", "TEAM", "only this team's records, from the backup's archives"),
      .init("technician", "TECHNICIAN", "only this technician's pools and data; needs --team"),
      .init("dry-run", nil, "show what would change, and change nothing"),
      .init(
        "confirm", "NAME", "the name of the backup or team again, to confirm; pfctl asks for it if it is not given"),
    ],
    details: [
      "The backup is read in full and its snapshot is verified before anything is changed. The daemon then restarts with "
        + "it; the previous store is kept beside it. Notices that the backup lists as undelivered are put on hold, "
        + "because they may have been delivered since. A crash leaves the old store or the new one, never a mixture.",
      "With --team, the other teams are not changed and the daemon keeps running. The team's archives, photos included, "
        + "replace its records in one transaction; first the command lists what would be lost. Notices that the team has "
        + "not received yet are put on hold. With --team, BACKUP may also be an archive file such as ./desert-blue.zip, "
        + "made by `pfctl backup export` or the PoolFlow app. Every plan allows it, like `pfctl import --replace`. With "
        + "PlanLimits = on, a team on the free plan gets at most five pools from a file, but all its pools from a backup "
        + "of this server.",
      "BACKUP may be the folder of a backup that the daemon keeps. For a backup from elsewhere, or if the daemon cannot "
        + "start, stop the daemon and run `sudo poolflowd --recover restore FOLDER`.",
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
      throw CommandFailure.usage("--technician needs the technician's team: add --team TEAM")
    }
    let source = try BackupFolderOperand.name(of: arguments.operand(0) ?? "", session)
    guard !TeamRestore.isFile(source) else {
      throw CommandFailure.usage(
        "'\(visible(source))' is a file with a team's records, not with the store; name the team with --team, or a "
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
      id, "Type the name of the backup to replace the store by it", arguments, console)
    // Close the connection at once: the daemon restarts only after its clients have disconnected.
    reply = try session.askLong(BackupCall.Restore(id: id, dryRun: false, confirm: confirm))
    session.disconnect()
    try waitForRestart(after: began, session)
    if console.isJSON { return try console.document("backup-restore", reply) }
    console.line("restored: the store is now that of backup \(visible(id))")
    if let keptAs = reply.keptAs { console.note("the previous store is kept as \(visible(keptAs))") }
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
      name: "unavailable", message: "the daemon has not restarted; see `systemctl status poolflowd`",
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
    if isDryRun {
      console.note("backup \(visible(reply.backup.id)) is complete and can be restored; nothing was changed")
    }
  }
}
