internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl health`: lists problems in a team's data.
enum HealthCommand: Command {
  static let description = CommandDescription(
    "health", "what needs attention: missing data, changed water, overdue service, low stock",
    options: [CommandDescription.team("whose data")], examples: ["pfctl health --team desert-blue"])

  static let documents: [JSONDocument] = [.init("health", WaterCall.Health.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(WaterCall.Health(team: try session.team(arguments)), as: "health") else { return }
    let console = session.console
    let health = reply.health
    let groups: [(String, [PoolNameView])] = [
      ("the water crossed a limit since yesterday", health.crossed), ("not located", health.unlocated),
      ("without a fee", health.unpriced), ("not visited for 35 days", health.stale),
      ("equipment overdue for service", health.overdue),
    ]
    var count = health.low.count
    for (title, pools) in groups where !pools.isEmpty {
      count += pools.count
      console.line(console.paint(title, .bold))
      for pool in pools { console.line("  \(visible(pool.customer)): \(visible(pool.detail))") }
    }
    if !health.low.isEmpty {
      console.line(console.paint("stock low", .bold))
      for name in health.low { console.line("  \(visible(name))") }
    }
    console.note(count == 0 ? "nothing needs attention" : TextFormat.count(count, "finding"))
  }
}
