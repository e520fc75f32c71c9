internal import FlowCommandKit
internal import FlowControl

/// `pfctl team show`: shows one team and its settings.
enum TeamShowCommand: Command {
  static let description = CommandDescription(
    "team show", "one team with its settings", operands: [.init("TEAM")], examples: ["pfctl team show desert-blue"])

  static let documents: [JSONDocument] = [.init("team", TeamsCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(TeamsCall.Show(name: arguments.operand(0) ?? ""), as: "team") else { return }
    let rows = session.catalogue.trade(of: reply.team)?.teamRows
    DetailList.show(rows?(reply.team) ?? TeamRows.common(of: reply.team, reply.team.others ?? []), on: session.console)
  }
}
