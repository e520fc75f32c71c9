internal import StableControl
internal import FlowCommandKit
internal import FlowControl

/// `pfctl horse list`: lists the horses of a stable.
enum HorseListCommand: Command {
  static let description = CommandDescription(
    "horse list", "the horses of a stable, by name",
    options: [
      .init("team", "TEAM", "whose horses"),
      .init(
        "search", "TEXT", "only horses with this text in the name or the owner's name; case and accents are ignored"),
    ],
    examples: ["pfctl horse list --team willow-barn", "pfctl horse list --team willow-barn --search ada"])

  static let documents: [JSONDocument] = [.init("horses", HorsesCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = HorsesCall.List(team: team, search: arguments["search"])
    guard let reply = try session.ask(call, as: "horses") else { return }
    show(reply.horses, on: session.console)
    session.console.note(TextFormat.count(reply.horses.count, "horse"))
  }

  static func show(_ horses: [HorseView], on console: Console) {
    var table = Table([
      .init("HORSE", minWidth: 12, isKey: true), .init("OWNER", minWidth: 10, rank: 1), .init("CLIPPED"),
      .init("ADDED", rank: 2), .init("PHOTO", rank: 3), .init("ID", isKey: true),
    ])
    let ids = ShownIDs(records: horses.map(\.id))
    for horse in horses {
      table.add([
        .init(horse.name), .init(horse.owner.isEmpty ? "-" : horse.owner), .init(horse.clipped ? "yes" : "no"),
        .init(horse.added), .init(horse.photo ? "yes" : "-"), .init(ids[horse.id]),
      ])
    }
    console.table(table)
  }
}
