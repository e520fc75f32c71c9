internal import PoolControl
internal import PoolModel

/// `pfctl team clear`: a team begins anew.
enum TeamClearCommand: Command {
  static let description = CommandDescription(
    "team clear", "remove a team's pools, visits, stock and equipment", operands: [.init("NAME")],
    options: [
      .init("dry-run", nil, "say what would go, and remove nothing"),
      .init("without-archive", nil, "also where no archive of it can be made; the backup's snapshot holds it"),
      .init("confirm", "TEAM", "the team's name once more, for scripts; without it the name is asked for"),
    ],
    details: [
      "Settings, plan and technicians stay, their addresses go, and the usual chemicals are put in stock again. A backup with the team's "
        + "archives is made and proved first, whatever the plan; the answer tells how to put it back. What the team had not "
        + "been told yet is held.",
      "Where its records cannot be written as an archive nothing is cleared, and the answer says why; with "
        + "--without-archive the snapshot of the whole store is enough.",
      "`pfctl backup prune` lets that backup go one day like every other: `pfctl backup export` keeps a copy elsewhere.",
    ],
    examples: ["pfctl team clear desert-blue --dry-run"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let daemon = try session.runningDaemon()
    var reply = try daemon.ask(TeamsCall.Clear(name: arguments.operand(0) ?? "", dryRun: true))
    if !console.isJSON { RecordTable.show(before: reply.before, after: reply.after, on: console) }
    if arguments.has("dry-run") {
      guard console.isJSON else {
        return console.legend("\(held(reply)) would be held; nothing was changed")
      }
      return try console.document("team-clear", reply)
    }
    let confirm = try Question.typed(reply.team, "Type the name of the team to clear it", arguments, console)
    reply = try session.askLong(
      TeamsCall.Clear(
        name: reply.team, dryRun: false, confirm: confirm, withoutArchive: arguments.has("without-archive") ? true : nil
      ))
    if console.isJSON { return try console.document("team-clear", reply) }
    console.line("team \(visible(reply.team)) is cleared; \(held(reply)) held")
    for archive in reply.archives { console.line(visible(archive)) }
    if let backup = reply.backup, reply.archives.isEmpty, arguments.has("without-archive") {
      console.words(
        "no archive of it could be made: the snapshot of backup \(visible(backup)) alone holds what was there")
    } else if let backup = reply.backup {
      console.legend("to put it back: pfctl backup restore \(visible(backup)) --team \(visible(reply.team))")
    }
  }

  private static func held(_ reply: TeamsCall.Clear.Reply) -> String { Wording.count(reply.held, "notice") }
}
