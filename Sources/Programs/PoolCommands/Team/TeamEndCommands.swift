internal import PoolControl
internal import PoolModel

/// `pfctl team clear`: removes a team's records but keeps the team.
enum TeamClearCommand: Command {
  static let description = CommandDescription(
    "team clear", "remove a team's pools, visits, stock and equipment", operands: [.init("TEAM")],
    options: [
      .init("dry-run", nil, "say what would go, and remove nothing"),
      .init("without-archive", nil, "also where no archive of it can be made; the backup's snapshot holds it"),
      .init("confirm", "NAME", "the team's name once more, for scripts; without it the name is asked for"),
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

  static let documents: [JSONDocument] = [.init("team-clear", TeamsCall.Clear.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let daemon = try session.runningDaemon()
    var reply = try daemon.ask(TeamsCall.Clear(name: arguments.operand(0) ?? "", dryRun: true))
    if !console.isJSON { RecordTable.show(before: reply.before, after: reply.after, on: console) }
    if arguments.has("dry-run") {
      guard console.isJSON else {
        return console.note("\(held(reply)) would be held; nothing was changed")
      }
      return try console.document("team-clear", reply)
    }
    let confirm = try Confirmation.typed(reply.team, "Type the name of the team to clear it", arguments, console)
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
      console.note("to put it back: pfctl backup restore \(visible(backup)) --team \(visible(reply.team))")
    }
  }

  private static func held(_ reply: TeamsCall.Clear.Reply) -> String { TextFormat.count(reply.held, "notice") }
}

/// `pfctl team remove`: removes a team.
enum TeamRemoveCommand: Command {
  static let description = CommandDescription(
    "team remove", "remove a team with everything of it", operands: [.init("TEAM")],
    options: [
      .init("dry-run", nil, "say what would go, and remove nothing"),
      .init("without-archive", nil, "also where no archive of it can be made; the backup's snapshot holds it"),
      .init("confirm", "NAME", "the team's name once more, for scripts; without it the name is asked for"),
    ],
    details: [
      "A backup with the team's archives is made and proved first, whatever the plan. Then its records, settings, people, "
        + "rules, runs and notices go; what it had not been told yet is never told.",
      "To have it back: `pfctl team add` with the same name, then `pfctl backup restore ID --team NAME`. Settings, people "
        + "and rules are in the backup's snapshot alone.",
    ],
    examples: ["pfctl team remove desert-blue --dry-run"])

  static let documents: [JSONDocument] = [.init("team-remove", TeamsCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let name = arguments.operand(0) ?? ""
    var reply = try session.runningDaemon().ask(TeamsCall.Remove(name: name, dryRun: true))
    if arguments.has("dry-run") {
      if console.isJSON { return try console.document("team-remove", reply) }
      show(reply, on: console)
      return console.note("nothing was changed")
    }
    if !console.isJSON { show(reply, on: console) }
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
        "to have it back: pfctl team add \(visible(reply.team)), then pfctl backup restore \(visible(backup)) --team "
          + "\(visible(reply.team))")
    }
  }

  private static func show(_ reply: TeamsCall.Remove.Reply, on console: Console) {
    console.line(
      "team \(visible(reply.team)): \(RecordTable.summary(reply.before)); "
        + "\(TextFormat.count(reply.undelivered, "notice")) that it was not told yet")
    for remark in reply.remarks { console.words(visible(remark)) }
  }
}

/// `pfctl team rename`: renames a team.
enum TeamRenameCommand: Command {
  static let description = CommandDescription(
    "team rename", "give a team another name", operands: [.init("TEAM"), .init("NEW")],
    details: [
      "Its records, rules, people and history stay. Notices from now on carry the new name; settings and folders that say "
        + "the old one are named.",
      "Backups that were made before know the team by the old one.",
    ],
    examples: ["pfctl team rename desert-red mesa-red"])

  static let documents: [JSONDocument] = [.init("team-rename", TeamsCall.Rename.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = TeamsCall.Rename(name: arguments.operand(0) ?? "", to: arguments.operand(1) ?? "")
    guard let reply = try session.tell(call, as: "team-rename") else { return }
    session.console.line("team \(visible(call.name)) is \(visible(reply.team.name)) now")
    for remark in reply.remarks { session.console.words(visible(remark)) }
  }
}
