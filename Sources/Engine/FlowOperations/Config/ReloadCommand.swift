package import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl reload`: makes the daemon re-read its settings; it applies all of them or none.
package enum ReloadCommand: Command {
  package static let description = CommandDescription(
    "reload", "let the daemon reload its settings, all or nothing, and list the changes",
    details: [
      "Returns once the settings are effective, as `systemctl reload poolflowd` does. On any mistake it exits",
      "with 78 and shows every mistake, and the daemon keeps its present settings.",
    ], examples: ["pfctl reload", "pfctl reload --json"])

  package static let documents: [JSONDocument] = [.init("reload", DaemonCall.Reload.Reply.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let reply: DaemonCall.Reload.Reply
    do {
      // The deadline is longer than usual: delivery lanes finish their current batch before the daemon answers.
      reply = try session.runningDaemon().ask(DaemonCall.Reload(), deadline: Limits.reloadDeadline)
    } catch let error as ControlError where error.kind == .badSettings {
      ConfigFiles.tell(error.facts["problems"] ?? "", console)
      throw error
    }
    if console.isJSON { return try console.document("reload", reply) }
    ConfigDiffCommand.show(reply.changes, on: console)
    for warning in reply.remarks { console.words("! \(visible(warning))") }
    console.note(
      reply.changes.isEmpty
        ? "the settings were reloaded: nothing has changed"
        : "the settings were reloaded: \(TextFormat.count(reply.changes.count, "value")) changed")
  }
}
