internal import PoolControl
internal import PoolModel

/// `pfctl nodes`: the daemons that share a store.
enum NodesCommand: Command {
  static let description = CommandDescription(
    "nodes", "the daemons that share a PostgreSQL store: who serves, who stands by",
    details: [
      "One of them serves. Another takes over within two seconds of its end, and within ten where it is stopped or cut "
        + "off.",
      "CLOCK is how far a node's clock is ahead of the server's; further than \(Limits.clocksApart.inWords) apart it takes "
        + "nothing.",
    ],
    examples: ["pfctl nodes"])

  static let documents: [JSONDocument] = [.init("nodes", DaemonCall.Nodes.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(DaemonCall.Nodes())
    let console = session.console
    if console.isJSON { return try console.document("nodes", reply) }
    var table = Table([
      .init("NODE", isKey: true), .init("PART", isKey: true), .init("SINCE", least: 14, rank: 1),
      .init("VERSION", rank: 2),
      .init("CLOCK", rank: 1), .init("FROM", least: 8, rank: 3),
    ])
    for node in reply.nodes {
      let isApart = abs(node.clockAheadS) > Double(Limits.clocksApartTold.wholeMilliseconds) / 1_000
      let ahead = decimalText(node.clockAheadS, places: 1)
      table.add([
        .init(node.name + (node.name == reply.own ? " *" : "")),
        .init(words(of: node.part), node.part == .silent ? .yellow : nil), .init(node.local), .init(node.version),
        .init("\(node.clockAheadS < 0 ? "" : "+")\(ahead) s", isApart ? .yellow : nil),
        .init(node.address ?? "the server's machine"),
      ])
    }
    console.table(table)
    console.legend(
      reply.own == nil
        ? "this daemon is alone with its store: Node = in its settings would make it one of several"
        : Wording.count(reply.nodes.count, "node"))
  }

  private static func words(of part: NodePartView) -> String {
    switch part {
    case .serves: "serves"
    case .standby: "stands by"
    case .silent: "says nothing"
    }
  }
}
