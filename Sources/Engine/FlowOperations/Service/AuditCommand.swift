package import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl audit`: lists the changes that users made.
package enum AuditCommand: Command {
  package static let description = CommandDescription(
    "audit", "who changed what, when, and with which result; newest first",
    options: [
      .init("limit", "N", "how many, 50 without it"),
      .init("since", "TIME", "only changes from then on, such as 2d, yesterday or 2026-03-02"),
    ],
    details: ["The user is the one that the kernel reports; the caller cannot fake it."],
    examples: ["pfctl audit", "pfctl audit --since 2026-03-02T00:00:00Z --json"])

  package static let documents: [JSONDocument] = [.init("audit", DaemonCall.Audit.Reply.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 50, in: 1...Limits.rowsPerAnswer)
    let reply = try session.daemon().ask(DaemonCall.Audit(limit: limit, since: arguments["since"]))
    let console = session.console
    if console.isJSON { return try console.document("audit", reply) }
    var table = Table([
      .init("WHEN", minWidth: 14, isKey: true), .init("USER", isKey: true), .init("RESULT", minWidth: 6, rank: 1),
      .init("COMMAND", minWidth: 24, isKey: true),
    ])
    for entry in reply.entries {
      let result = entry.result ?? "cut off"
      table.add([
        .init(entry.local), .init(entry.user ?? "uid \(entry.uid)"), .init(result, result == "done" ? nil : .yellow),
        .init(entry.command),
      ])
    }
    console.table(table)
    console.note(reply.entries.isEmpty ? "no change was asked for" : TextFormat.count(reply.entries.count, "change"))
  }
}
