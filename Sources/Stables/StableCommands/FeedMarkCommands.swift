internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl feed mark`: marks a horse, or all unfed horses, as fed.
enum FeedMarkCommand: Command {
  static let description = CommandDescription(
    "feed mark", "mark a horse as fed, or all horses whose slot is open",
    operands: [.init("HORSE", .atMostOne), .init("am|pm")],
    options: [
      .init("team", "TEAM", "whose board"), .init("all", nil, "every horse whose slot is open"),
      .init("date", "DATE", "yesterday; today without it"), .init("by", "TEXT", "who fed"),
    ],
    details: [
      "The first mark of a slot counts: a second mark changes nothing, and a message says so. A mark for yesterday "
        + "corrects the history: missed becomes fed.",
      "`pfctl feed undo` removes the last mark; after --all it removes all marks of that command.",
    ],
    examples: [
      "pfctl feed mark juniper am --team willow-barn --by Ann", "pfctl feed mark --all pm --team willow-barn",
      "pfctl feed mark juniper pm --team willow-barn --date yesterday",
    ])

  static let documents: [JSONDocument] = [.init("feed-mark", FeedCall.Marked.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let slot = try FeedSlotView(asked: arguments.operands.last ?? "", field: "slot")
    let horse = arguments.operands.count > 1 ? arguments.operand(0) : nil
    guard arguments.has("all") == (horse == nil) else {
      throw CommandFailure.usage("`pfctl feed mark` needs one HORSE before am or pm, or --all")
    }
    let reply = try session.daemon().ask(
      FeedCall.Mark(
        team: try session.team(arguments), horse: horse, slot: slot, date: arguments["date"],
        by: arguments["by"]))
    try tell(reply, "feed-mark", on: session.console)
  }

  static func tell(_ reply: FeedCall.Marked, _ name: String, on console: Console) throws {
    if console.isJSON { return try console.document(name, reply) }
    let outcome = reply.outcome
    let slot = "\(outcome.slot.rawValue.uppercased()) of \(outcome.date)"
    let horses = outcome.horses.map { visible($0) }
    switch outcome.outcome {
    case "already-fed":
      let when = FeedText.fed(outcome.atLocal, by: outcome.by, on: outcome.date)
      console.line("\(TextFormat.list(horses, "and")) was already fed, \(slot): \(visible(when)); nothing was changed")
    case "nothing-open": console.line("no slot is open, \(slot); nothing was changed")
    case "undone":
      console.line("taken back, \(slot): \(named(horses))")
    case "corrected": console.line("fed, not missed, \(slot): \(named(horses))")
    default: console.line("fed, \(slot): \(named(horses))")
    }
  }

  /// The names as text: all of up to 12, else the first eight.
  private static func named(_ horses: [String]) -> String {
    guard horses.count > 12 else { return TextFormat.list(horses, "and") }
    let some = horses.prefix(8)
    return
      "\(TextFormat.count(horses.count, "horse")), \(some.joined(separator: ", ")) and \(horses.count - some.count) more"
  }
}

/// `pfctl feed undo`: reverts the last marking.
enum FeedUndoCommand: Command {
  static let description = CommandDescription(
    "feed undo", "undo the last mark command of a day",
    options: [.init("team", "TEAM", "whose board"), .init("date", "DATE", "yesterday; today without it")],
    details: [
      "Repeat it to undo earlier mark commands; a mark with --all is undone for every horse. On a past day, fed becomes "
        + "missed."
    ],
    examples: ["pfctl feed undo --team willow-barn"])

  static let documents: [JSONDocument] = [.init("feed-undo", FeedCall.Marked.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      FeedCall.Undo(team: try session.team(arguments), date: arguments["date"]))
    try FeedMarkCommand.tell(reply, "feed-undo", on: session.console)
  }
}
