internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl backup list`: lists all backups, newest first.
enum BackupListCommand: Command {
  static let description = CommandDescription(
    "backup list", "every backup, the newest first", examples: ["pfctl backup list", "pfctl backup list --json"])

  static let documents: [JSONDocument] = [.init("backups", BackupCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(BackupCall.List(), as: "backups") else { return }
    let console = session.console
    show(reply.backups, on: console)
    console.note(reply.backups.isEmpty ? "there is no backup yet" : TextFormat.count(reply.backups.count, "backup"))
  }

  static func show(_ backups: [BackupView], on console: Console) {
    var table = Table([
      .init("BACKUP", isKey: true), .init("MADE", minWidth: 14, rank: 2, isKey: true), .init("STATE"),
      .init("SIZE", isNumber: true, rank: 3), .init("ARCHIVES", isNumber: true, rank: 4),
      .init("REASON OR FINDING", minWidth: 16, rank: 1),
    ])
    for backup in backups {
      table.add([
        .init(backup.id), .init(backup.createdLocal), .init(word(backup.state), style(backup.state)),
        .init(sizeText(backup.bytes)), .init("\(backup.archives)"),
        .init(backup.finding ?? archiveFailures(backup) ?? backup.reason),
      ])
    }
    console.table(table)
  }

  private static func archiveFailures(_ backup: BackupView) -> String? {
    guard let troubles = backup.troubles, !troubles.isEmpty else { return nil }
    return "\(backup.reason); no archives of " + troubles.map { "\($0.team) (\($0.why))" }.joined(separator: ", ")
  }

  static func word(_ state: BackupStateView) -> String {
    switch state {
    case .tested: "restore-tested"
    case .damaged: "damaged"
    }
  }

  private static func style(_ state: BackupStateView) -> Console.Style? {
    switch state {
    case .tested: .green
    case .damaged: .red
    }
  }
}
