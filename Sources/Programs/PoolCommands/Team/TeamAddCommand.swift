internal import PoolControl
internal import PoolModel

/// `pfctl team add`: creates a team.
enum TeamAddCommand: Command {
  static let description = CommandDescription(
    "team add", "make a team; its jobs are planned at once", operands: [.init("NAME")],
    options: [
      .init("zone", "ZONE", "its time zone, such as America/Phoenix", isRequired: true),
      .init("language", "LANGUAGE", "what it is told in: en, es, fr, pt-BR or de; en without it"),
      .init(
        "units", "UNITS",
        "what it measures in, imperial or metric; without it imperial in the United States, metric elsewhere"),
      .init("trade", "TRADE", "what it lives on: pool-service or stable; pool-service without it"),
    ],
    details: [
      "A name has up to 64 letters, digits, '-', '_' and '.', and begins with a letter or digit.",
      "A new team is on trial for seven days. A pool service has the seven usual chemicals in stock; a backup that is imported "
        + "brings its own stock.",
    ],
    examples: [
      "pfctl team add desert-blue --zone America/Phoenix",
      "pfctl team add hill-barn --zone Europe/Berlin --trade stable",
    ])

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
    console.line("team \(name) is there, in \(visible(reply.team.zone))")
    let records = reply.team.trade == Trade.stable.rawValue ? "horses" : "pools"
    console.note("`pfctl import FILE --team \(name)` brings its \(records); `pfctl team show \(name)` its settings")
  }
}
