internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// Restores one team's records from a backup's archives or from an archive file.
enum TeamRestore {
  static func run(_ team: String, _ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let daemon = try session.runningDaemon()
    let source = try BackupFolderOperand.name(of: arguments.operand(0) ?? "", team: team, session)
    let technician = arguments["technician"]
    var (id, upload): (String?, String?) = (source, nil)
    if isFile(source) {
      let file = try ImportFile(path: source, wanted: "expected the archive of a team (ZIP)")
      upload = try file.send(to: daemon, team: team, technician: technician, console: console)
      id = nil
    }
    func call(dryRun: Bool, confirm: String? = nil) -> BackupCall.RestoreTeam {
      BackupCall.RestoreTeam(
        id: id, upload: upload, team: team, technician: technician, dryRun: dryRun, confirm: confirm)
    }
    var reply = try session.askLong(call(dryRun: true))
    let isDryRun = arguments.has("dry-run")
    if !console.isJSON { show(reply, session) }
    if isDryRun {
      guard console.isJSON else {
        return console.note("everything was read and can be restored; nothing was changed")
      }
      return try console.document("backup-restore-team", reply)
    }
    let confirm = try Confirmation.typed(
      reply.team, "Type the name of the team to replace its records", arguments, console)
    reply = try session.askLong(call(dryRun: false, confirm: confirm))
    if console.isJSON { return try console.document("backup-restore-team", reply) }
    console.line("team \(visible(reply.team)) now has the records of \(visible(source))")
  }

  /// True for a path or a `.zip` file; a backup's name has neither a slash nor an extension.
  static func isFile(_ source: String) -> Bool { source.contains("/") || source.lowercased().hasSuffix(".zip") }

  private static func show(_ reply: BackupCall.RestoreTeam.Reply, _ session: Session) {
    let console = session.console
    let records = RecordTable(session.catalogue)
    var archives = Table([
      .init("ARCHIVE", minWidth: 16, isKey: true), .init("TECHNICIAN", isKey: true),
      .init("SCHEMA", isNumber: true, rank: 2),
      .init("MADE BY", rank: 3), .init("MADE", rank: 1), .init("POOLS", isNumber: true),
      .init("VISITS", isNumber: true),
      .init("PHOTOS", isNumber: true, rank: 4),
    ])
    for archive in reply.archives {
      let cells = records.cells(of: archive)
      archives.add([
        .init(archive.name), .init(archive.technician ?? cells.withoutTechnician),
        .init("\(archive.schema)"), .init(archive.madeBy), .init(archive.madeLocal),
        .init(cells.records), .init(cells.events), .init(TextFormat.grouped(archive.photos)),
      ])
    }
    console.table(archives)
    console.line()
    records.show(before: reply.before, after: reply.after, lost: reply.lost, on: console)
    if !reply.lostCustomers.isEmpty {
      let more = records.main(reply.lost) - reply.lostCustomers.count
      console.line(
        "pools that are not in it: " + reply.lostCustomers.map { visible($0) }.joined(separator: ", ")
          + (more > 0 ? " and \(TextFormat.grouped(more)) more" : ""))
    }
    for warning in reply.warnings { console.finding("\(console.paint("warning", .yellow)): \(visible(warning))") }
  }
}

extension ImportFile {
  /// Uploads a file with the records of one technician, or of the team if `technician` is nil.
  func send(
    to daemon: DaemonConnection, team: String, technician: String?, console: Console
  ) throws -> String {
    let opening = ImportCall.Open(team: team, technician: technician, fileName: name, bytes: size)
    return try send(to: daemon, as: opening, console: console)
  }
}
