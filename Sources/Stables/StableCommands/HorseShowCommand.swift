internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl horse show`: shows everything about one horse.
enum HorseShowCommand: Command {
  static let description = CommandDescription(
    "horse show", "show one horse, named by its name, id or the beginning of either", operands: [.init("HORSE")],
    options: [.init("team", "TEAM", "whose horse")],
    examples: ["pfctl horse show juniper --team willow-barn"])

  static let documents: [JSONDocument] = [.init("horse", HorsesCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = HorsesCall.Show(team: team, horse: arguments.operand(0) ?? "")
    guard let reply = try session.ask(call, as: "horse") else { return }
    let console = session.console
    let details = reply.details
    DetailList.show(rows(of: details), on: console)
    if !details.due.isEmpty {
      console.line()
      CareDueCommand.show(details.due, on: console)
    }
    if !details.care.isEmpty {
      console.line()
      CareListCommand.show(details.care, on: console)
    }
    if details.careTotal > details.care.count {
      let name = shellWord(visible(details.horse.name))
      console.note(
        "the newest \(details.care.count) of \(TextFormat.grouped(details.careTotal)): `pfctl care list \(name) --team "
          + "\(visible(details.team))` lists all")
    }
  }

  private static func rows(of details: HorseDetailsView) -> [(String, String)] {
    let horse = details.horse
    return [
      ("horse", horse.name), ("owner", horse.owner.isEmpty ? "-" : horse.owner), ("id", horse.id),
      ("team", details.team), ("clipped", horse.clipped ? "yes" : "no"), ("added", horse.added),
      ("photo", horse.photo ? "yes" : "-"), ("AM feed", FeedText.meal(details.am)),
      ("PM feed", FeedText.meal(details.pm)),
      ("care", "\(TextFormat.count(details.careTotal, "entry", "entries")), \(details.costText)"),
    ]
  }
}
