internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl backup prune`: removes the backups that the retention settings no longer keep.
enum BackupPruneCommand: Command {
  static let description = CommandDescription(
    "backup prune", "remove the backups that the settings no longer keep",
    options: [.init("dry-run", nil, "show what would be removed, and remove nothing"), Confirmation.option],
    details: [
      "[Backup] Keep sets for how many days, weeks and months the newest backup is kept. A damaged backup does not "
        + "count; the newest undamaged one always stays."
    ],
    examples: ["pfctl backup prune --dry-run", "pfctl backup prune --yes"])

  static let documents: [JSONDocument] = [.init("backup-prune", BackupCall.Prune.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let daemon = try session.runningDaemon()
    let console = session.console
    var reply = try daemon.ask(BackupCall.Prune(dryRun: true), deadline: Limits.longCallDeadline)
    if !arguments.has("dry-run") {
      if !reply.removed.isEmpty {
        try Confirmation.ask("Remove \(TextFormat.count(reply.removed.count, "backup"))?", arguments, console)
      }
      reply = try daemon.ask(BackupCall.Prune(dryRun: false), deadline: Limits.longCallDeadline)
    }
    if console.isJSON { return try console.document("backup-prune", reply) }
    BackupListCommand.show(reply.removed, on: console)
    let verb = arguments.has("dry-run") ? "would go" : "removed"
    console.note(
      "\(TextFormat.count(reply.removed.count, "backup")) \(verb), \(TextFormat.grouped(reply.kept.count)) kept by the rule: "
        + visible(reply.rule))
  }
}
