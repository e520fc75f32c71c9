internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl sink list`: the state of every sink and its number of waiting entries.
enum SinkListCommand: Command {
  static let description = CommandDescription(
    "sink list", "the sinks: their health and how many notices wait for each",
    details: ["A sink that is absent has no section in the settings; its notices wait until it has one."],
    examples: ["pfctl sink list"])

  static let documents: [JSONDocument] = [.init("sinks", OutboxCall.Sinks.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(OutboxCall.Sinks(), as: "sinks") else { return }
    let console = session.console
    var table = Table([
      .init("SINK", isKey: true), .init("KIND", rank: 3), .init("STATE"), .init("WAITING", isNumber: true),
      .init("HELD", isNumber: true, rank: 4), .init("DEAD", isNumber: true), .init("SENT", isNumber: true, rank: 5),
      .init("TAKES OR TROUBLE", minWidth: 10, rank: 2),
    ])
    for sink in reply.sinks {
      table.add([
        .init(visible(sink.name)), .init(sink.kind ?? "-"), .init(sink.state.rawValue, style(sink.state)),
        .init(TextFormat.grouped(sink.waiting)), .init(TextFormat.grouped(sink.held)),
        .init(TextFormat.grouped(sink.dead)),
        .init(TextFormat.grouped(sink.sent)), .init(visible(sink.trouble ?? sink.takes ?? "-")),
      ])
    }
    console.table(table)
    console.note(TextFormat.count(reply.sinks.count, "sink"))
  }

  private static func style(_ state: SinkStateView) -> Console.Style {
    switch state {
    case .idle, .working: .green
    case .sick: .red
    case .absent, .degraded: .yellow
    }
  }
}
