internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl horse add`: adds a horse.
enum HorseAddCommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("owner", "TEXT", "whose horse it is"),
    ("clipped", "yes|no", "whether it is clipped and needs its blanket earlier"),
    ("added", "DATE", "the first day on which it is on the feed board; default: today"),
  ]

  static let description = CommandDescription(
    "horse add", "add a horse to a stable", operands: [.init("NAME")],
    options: [.init("team", "TEAM", "whose horse")] + FieldOptions.options(keys),
    details: [
      "Names that differ only in case or repeated spaces are equal, and each name can exist once in a stable. On the day "
        + "of adding, both slots of the feed board are open as soon as the horse has a schedule: see `pfctl feed set`."
    ],
    examples: [
      "pfctl horse add Juniper --team willow-barn --owner 'Ada Field' --clipped yes",
      "pfctl horse add 'Old Bob' --team willow-barn --added 2026-03-01",
    ])

  static let documents: [JSONDocument] = [.init("horse-add", HorsesCall.Add.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let reply = try session.daemon().ask(
      HorsesCall.Add(
        team: team, name: arguments.operand(0) ?? "", changes: FieldOptions.changes(arguments, keys)))
    let console = session.console
    if console.isJSON { return try console.document("horse-add", reply) }
    HorseListCommand.show([reply.horse], on: console)
    let name = shellWord(visible(reply.horse.name))
    console.note("set its feed schedule: pfctl feed set \(name) --team \(visible(team)) --am-grain TEXT")
  }
}

/// `pfctl horse set`: changes a horse's name, owner, clip or photo.
enum HorseSetCommand: Command {
  private static let keys: [FieldOptions.Key] = [("name", "TEXT", "another name")] + HorseAddCommand.keys
  private static let photo = CommandDescription.Option(
    "photo", "FILE", "a picture (JPEG, PNG, HEIC, WebP, GIF), stored by the daemon; none removes it")

  static let description = CommandDescription(
    "horse set", "change a horse, named by its name, id or the beginning of either", operands: [.init("HORSE")],
    options: [.init("team", "TEAM", "whose horse")] + FieldOptions.options(keys) + [photo],
    examples: ["pfctl horse set juniper --team willow-barn clipped=no owner='Ada Field'"])

  static let documents: [JSONDocument] = [.init("horse-set", HorsesCall.Set.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let changes = FieldOptions.changes(arguments, keys)
    guard !changes.isEmpty || arguments[photo.name] != nil else {
      throw CommandFailure.usage(
        "`pfctl horse set` needs a value to set: "
          + (keys.map { "--\($0.name)" } + ["--photo"]).joined(separator: ", "))
    }
    let file = try arguments[photo.name].flatMap { path in
      path == "none" || path.isEmpty
        ? nil
        : try ImportFile(
          path: path, wanted: "expected a photo (JPEG, PNG, HEIC, WebP or GIF)", mostBytes: Limits.photoBytes)
    }
    let daemon = try session.runningDaemon()
    let upload = try file.map { try $0.send(to: daemon, team: team, console: session.console) }
    let reply = try daemon.ask(
      HorsesCall.Set(
        team: team, horse: arguments.operand(0) ?? "", changes: changes,
        photo: upload ?? arguments[photo.name].map { _ in "" }))
    let console = session.console
    if console.isJSON { return try console.document("horse-set", reply) }
    HorseListCommand.show([reply.horse], on: console)
  }
}

/// `pfctl horse remove`: removes a horse.
enum HorseRemoveCommand: Command {
  static let description = CommandDescription(
    "horse remove", "remove a horse with its care, its schedule and its open feed marks", operands: [.init("HORSE")],
    options: [
      .init("team", "TEAM", "whose horse"),
      .init("dry-run", nil, "show what would be removed, and remove nothing"),
      .init("confirm", "NAME", "the horse's full name, to confirm in scripts; pfctl asks for it if it is not given"),
    ],
    details: [
      "Past days of the feed board keep its row; all its other records are removed. A horse of the same name that is "
        + "added later is another horse."
    ],
    examples: [
      "pfctl horse remove 'Old Bob' --team willow-barn --dry-run",
      "pfctl horse remove 'Old Bob' --team willow-barn --confirm 'Old Bob'",
    ])

  static let documents: [JSONDocument] = [.init("horse-remove", HorsesCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let console = session.console
    var reply = try daemon.ask(
      HorsesCall.Remove(team: team, horse: arguments.operand(0) ?? "", dryRun: true))
    if !arguments.has("dry-run") {
      let name = try Confirmation.typed(
        reply.horse.name, "Type the full name of the horse to remove it with \(belongings(reply))", arguments, console)
      reply = try daemon.ask(
        HorsesCall.Remove(team: team, horse: reply.horse.name, dryRun: false, confirm: name))
    }
    if console.isJSON { return try console.document("horse-remove", reply) }
    console.line(
      "\(visible(reply.horse.name)) \(reply.dryRun ? "would be removed" : "removed") with \(belongings(reply))")
  }

  /// `12 entries of care and its feed schedule`.
  private static func belongings(_ reply: HorsesCall.Remove.Reply) -> String {
    TextFormat.count(reply.care, "entry", "entries") + " of care" + (reply.hasSchedule ? " and its feed schedule" : "")
  }
}
