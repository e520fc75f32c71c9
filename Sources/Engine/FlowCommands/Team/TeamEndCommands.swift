internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// The options of the commands that remove a team's records.
private enum RemovalOptions {
  static let all: [CommandDescription.Option] = [
    .init("dry-run", nil, "show what would be removed, and remove nothing"),
    .init(
      "without-archive", nil,
      "continue even if no archive of the team can be made; the backup's snapshot has its records"),
    .init("confirm", "NAME", "the team's name, to confirm in scripts; pfctl asks for it if it is not given"),
  ]
}

/// `pfctl team clear`: removes a team's records but keeps the team.
enum TeamClearCommand: Command {
  static let description = CommandDescription(
    "team clear", "remove a team's records and its people's addresses; keep the team", operands: [.init("TEAM")],
    options: RemovalOptions.all,
    details: [
      "Pools, visits, stock and equipment (of a stable: horses, feed and care) are removed, and so are the addresses, "
        + "quiet hours and chosen notices of the technicians and the office. Settings, plan and technicians stay, and "
        + "the usual chemicals are put in stock again.",
      "First a backup with the team's archives is made and verified, on every plan; the answer shows how to restore it. "
        + "Archives contain no addresses: enter them again with `pfctl technician set`. Undelivered notices of the team "
        + "are put on hold.",
      "If its records cannot be written as an archive, nothing is cleared, and the answer gives the reason; with "
        + "--without-archive the snapshot of the whole store is enough.",
      "`pfctl backup prune` removes this backup in time, like every other; `pfctl backup export` makes a copy elsewhere.",
    ],
    examples: ["pfctl team clear desert-blue --dry-run"])

  static let documents: [JSONDocument] = [.init("team-clear", TeamsCall.Clear.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let daemon = try session.runningDaemon()
    var reply = try daemon.ask(TeamsCall.Clear(name: arguments.operand(0) ?? "", dryRun: true))
    if !console.isJSON { RecordTable(session.catalogue).show(before: reply.before, after: reply.after, on: console) }
    if arguments.has("dry-run") {
      guard console.isJSON else {
        return console.note("\(held(reply)) would be put on hold; nothing was changed")
      }
      return try console.document("team-clear", reply)
    }
    let confirm = try Confirmation.typed(reply.team, "Type the name of the team to clear it", arguments, console)
    reply = try session.askLong(
      TeamsCall.Clear(
        name: reply.team, dryRun: false, confirm: confirm, withoutArchive: arguments.has("without-archive") ? true : nil
      ))
    if console.isJSON { return try console.document("team-clear", reply) }
    console.line("team \(visible(reply.team)) is cleared; \(held(reply)) put on hold")
    for archive in reply.archives { console.line(visible(archive)) }
    if let backup = reply.backup, reply.archives.isEmpty, arguments.has("without-archive") {
      console.words(
        "no archive of it could be made: only the snapshot of backup \(visible(backup)) has the removed records")
    } else if let backup = reply.backup {
      console.note("to restore it: pfctl backup restore \(visible(backup)) --team \(visible(reply.team))")
    }
  }

  private static func held(_ reply: TeamsCall.Clear.Reply) -> String { TextFormat.count(reply.held, "notice") }
}

/// `pfctl team remove`: removes a team.
enum TeamRemoveCommand: Command {
  static let description = CommandDescription(
    "team remove", "remove a team with all its records", operands: [.init("TEAM")],
    options: RemovalOptions.all,
    details: [
      "First a backup with the team's archives is made and verified, on every plan. Then the team's records, settings, "
        + "people, rules, runs and notices are removed; undelivered notices are never sent.",
      "To restore it: `pfctl team add` with the same name, then `pfctl backup restore ID --team NAME`. Settings, people "
        + "and rules are only in the backup's snapshot.",
    ],
    examples: ["pfctl team remove desert-blue --dry-run"])

  static let documents: [JSONDocument] = [.init("team-remove", TeamsCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let name = arguments.operand(0) ?? ""
    var reply = try session.runningDaemon().ask(TeamsCall.Remove(name: name, dryRun: true))
    if arguments.has("dry-run") {
      if console.isJSON { return try console.document("team-remove", reply) }
      show(reply, session)
      return console.note("nothing was changed")
    }
    if !console.isJSON { show(reply, session) }
    let confirm = try Confirmation.typed(reply.team, "Type the name of the team to remove it", arguments, console)
    reply = try session.askLong(
      TeamsCall.Remove(
        name: reply.team, dryRun: false, confirm: confirm, withoutArchive: arguments.has("without-archive") ? true : nil
      ))
    if console.isJSON { return try console.document("team-remove", reply) }
    console.line("team \(visible(reply.team)) is removed")
    for archive in reply.archives { console.line(visible(archive)) }
    if let backup = reply.backup {
      console.note(
        "to restore it: pfctl team add \(visible(reply.team)), then pfctl backup restore \(visible(backup)) --team "
          + "\(visible(reply.team))")
    }
  }

  private static func show(_ reply: TeamsCall.Remove.Reply, _ session: Session) {
    let console = session.console
    let records = RecordTable(session.catalogue).summary(reply.before)
    console.line(
      "team \(visible(reply.team)): \(records); \(TextFormat.count(reply.undelivered, "notice")) "
        + "that were not delivered yet")
    for warning in reply.remarks { console.words(visible(warning)) }
  }
}

/// `pfctl team rename`: renames a team.
enum TeamRenameCommand: Command {
  static let description = CommandDescription(
    "team rename", "give a team another name", operands: [.init("TEAM"), .init("NEW")],
    details: [
      "Its records, rules, people and history stay. New notices have the new name; settings and folders that still have "
        + "the old name are listed.",
      "Earlier backups have the team under the old name.",
    ],
    examples: ["pfctl team rename desert-red mesa-red"])

  static let documents: [JSONDocument] = [.init("team-rename", TeamsCall.Rename.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = TeamsCall.Rename(name: arguments.operand(0) ?? "", to: arguments.operand(1) ?? "")
    guard let reply = try session.tell(call, as: "team-rename") else { return }
    session.console.line("team \(visible(call.name)) is \(visible(reply.team.name)) now")
    for warning in reply.remarks { session.console.words(visible(warning)) }
  }
}
