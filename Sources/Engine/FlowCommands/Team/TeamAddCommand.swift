internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl team add`: creates a team.
enum TeamAddCommand: Command {
  static let description = CommandDescription(
    "team add", "add a team; its jobs are scheduled at once", operands: [.init("NAME")],
    options: [
      .init("zone", "ZONE", "its time zone, such as America/Phoenix", isRequired: true),
      .init("language", "LANGUAGE", "the language of its notices: en, es, fr, pt-BR or de; default: en"),
      .init(
        "units", "UNITS",
        "the units: imperial or metric; default: imperial in the United States, metric elsewhere"),
      .init("trade", "TRADE", "the trade: pool-service or stable; default: pool-service"),
    ],
    details: [
      "A name has up to 64 letters, digits, '-', '_' and '.', and begins with a letter or digit.",
      "A new team is on trial for seven days. A pool service has the seven usual chemicals in stock; an imported backup "
        + "replaces the stock by its own.",
    ],
    examples: ["pfctl team add desert-blue --zone America/Phoenix"])

  static let documents: [JSONDocument] = [.init("team", TeamsCall.Add.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let zone = try arguments.required("zone", such: "America/Phoenix")
    let call = TeamsCall.Add(
      name: arguments.operand(0) ?? "", zone: zone, language: arguments["language"],
      units: try arguments["units"].map { try UnitsView(asked: $0, field: "units") },
      trade: arguments["trade"])
    guard let reply = try session.tell(call, as: "team") else { return }
    let console = session.console
    let name = visible(reply.team.name)
    console.line("created team \(name) (\(visible(reply.team.zone)))")
    let records = session.catalogue.trade(of: reply.team)?.records.many ?? "records"
    console.note(
      "`pfctl import FILE --team \(name)` imports its \(records); `pfctl team show \(name)` shows its settings")
  }
}
