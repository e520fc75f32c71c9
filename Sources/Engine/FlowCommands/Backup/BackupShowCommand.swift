internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl backup show`: shows one backup and its contents.
enum BackupShowCommand: Command {
  static let operand = CommandDescription.Operand("BACKUP")

  static let description = CommandDescription(
    "backup show", "one backup and its contents", operands: [operand],
    details: ["BACKUP may be latest."], examples: ["pfctl backup show latest"])

  static let documents: [JSONDocument] = [.init("backup", BackupCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(BackupCall.Show(id: arguments.operand(0) ?? ""), as: "backup") else { return }
    let console = session.console
    let backup = reply.backup
    var rows = [
      ("backup", backup.id), ("made", backup.createdLocal), ("reason", backup.reason),
      ("state", BackupListCommand.word(backup.state)),
    ]
    if let finding = backup.finding { rows.append(("finding", finding)) }
    rows.append(("verified", backup.verifiedLocal ?? "never by this store"))
    if let version = backup.version, let schema = backup.schema {
      rows.append(("made by", "poolflowd \(version), schema \(schema)"))
    }
    if let sum = backup.sha256 { rows.append(("SHA-256", sum)) }
    rows.append(("folder", backup.path))
    for trouble in backup.troubles ?? [] { rows.append(("no archive", "\(trouble.team): \(trouble.why)")) }
    DetailList.show(rows, on: console)
    console.line()
    var files = Table([
      .init("FILE", minWidth: 16, isKey: true), .init("SIZE", isNumber: true), .init("SHA-256", rank: 1, isKey: true),
    ])
    for file in reply.files {
      files.add([.init(file.name), .init(sizeText(file.bytes)), .init(file.sha256)])
    }
    console.table(files)
    guard !reply.archives.isEmpty else { return }
    console.line()
    var archives = Table([
      .init("TEAM", isKey: true), .init("TECHNICIAN", isKey: true), .init("POOLS", isNumber: true),
      .init("VISITS", isNumber: true), .init("PHOTOS", isNumber: true, rank: 1),
    ])
    let records = RecordTable(session.catalogue)
    for archive in reply.archives {
      let cells = records.cells(of: archive)
      archives.add([
        .init(archive.team), .init(archive.technician), .init(cells.records), .init(cells.events),
        .init(TextFormat.grouped(archive.photos)),
      ])
    }
    console.table(archives)
  }
}
