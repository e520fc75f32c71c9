package import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl nodes`: lists the daemons that share a store.
package enum NodesCommand: Command {
  package static let description = CommandDescription(
    "nodes", "the daemons (nodes) of a PostgreSQL store and the partitions of each",
    details: [
      "The teams are divided into 64 partitions; each node owns some of them. If a node exits, the others acquire its "
        + "partitions within two seconds; if it hangs or loses its connection, within ten.",
      "CLOCK shows how far a node's clock is ahead of the server's; a node whose clock differs by more than "
        + "\(Limits.maxClockSkew.inWords) gets no partitions.",
    ],
    examples: ["pfctl nodes"])

  package static let documents: [JSONDocument] = [.init("nodes", DaemonCall.Nodes.Reply.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(DaemonCall.Nodes())
    let console = session.console
    if console.isJSON { return try console.document("nodes", reply) }
    var table = Table([
      .init("NODE", isKey: true), .init("PART", isKey: true), .init("PARTITIONS", rank: 1),
      .init("SINCE", minWidth: 14, rank: 1),
      .init("VERSION", rank: 2),
      .init("CLOCK", rank: 1), .init("FROM", minWidth: 8, rank: 3),
    ])
    for node in reply.nodes {
      let isApart = abs(node.clockAheadS) > Double(Limits.clockSkewLogged.wholeMilliseconds) / 1_000
      let ahead = decimalText(node.clockAheadS, places: 1)
      table.add([
        .init(node.name + (node.name == reply.own ? " *" : "")),
        .init(words(of: node.part), node.part == .silent ? .yellow : nil), .init("\(node.shares)"), .init(node.local),
        .init(node.version),
        .init("\(node.clockAheadS < 0 ? "" : "+")\(ahead) s", isApart ? .yellow : nil),
        .init(node.address ?? "the server's machine"),
      ])
    }
    console.table(table)
    console.note(
      reply.own == nil
        ? "this daemon is the only one of its store; to run several, set Node = in its settings"
        : TextFormat.count(reply.nodes.count, "node"))
  }

  private static func words(of part: NodePartView) -> String {
    switch part {
    case .serves: "serves"
    case .standby: "standby"
    case .drained: "drained"
    case .silent: "no heartbeat"
    }
  }
}

/// `pfctl nodes drain`: moves all work off a node before maintenance.
package enum NodesDrainCommand: Command {
  package static let description = CommandDescription(
    "nodes drain", "move all work off a node before maintenance", operands: [.init("NODE")],
    details: [
      "The node hands off its partitions and gets no new ones, also after a restart, until `pfctl nodes resume`. Any "
        + "node accepts this command."
    ],
    examples: ["pfctl nodes drain south"])

  package static let documents: [JSONDocument] = [.init("nodes-drain", DaemonCall.Drain.Reply.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let name = arguments.operand(0) ?? ""
    let reply = try session.runningDaemon().ask(DaemonCall.Drain(name: name))
    if session.console.isJSON { return try session.console.document("nodes-drain", reply) }
    session.console.line(
      "node \(name) hands off all its partitions and gets no new ones; `pfctl nodes resume \(name)` ends that")
  }
}

/// `pfctl nodes resume`: ends a drain.
package enum NodesResumeCommand: Command {
  package static let description = CommandDescription(
    "nodes resume", "let a drained node acquire partitions again", operands: [.init("NODE")],
    examples: ["pfctl nodes resume south"])

  package static let documents: [JSONDocument] = [.init("nodes-resume", DaemonCall.Undrain.Reply.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let name = arguments.operand(0) ?? ""
    let reply = try session.runningDaemon().ask(DaemonCall.Undrain(name: name))
    if session.console.isJSON { return try session.console.document("nodes-resume", reply) }
    session.console.line("node \(name) acquires partitions again")
  }
}
