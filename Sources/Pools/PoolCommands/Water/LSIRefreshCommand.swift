internal import PoolControl
internal import FlowCommandKit
internal import FlowControl

/// `pfctl lsi refresh`: recomputes saturation indexes.
enum LSIRefreshCommand: Command {
  static let description = CommandDescription(
    "lsi refresh", "compute the saturation indexes again that are stale, or all",
    options: [.init("all", nil, "for every pool, not only those whose readings changed")],
    details: ["The daemon does this every night and after each import; doing it again is harmless."],
    examples: ["pfctl lsi refresh --all"])

  static let documents: [JSONDocument] = [.init("lsi-refresh", RefreshView.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let all = arguments.has("all")
    let daemon = try session.daemon()
    var sum = RefreshView(row: 0, pools: 0, changed: 0, crossed: 0, total: 0, done: false)
    let bar = ProgressLine("refresh", console)
    defer { bar.end() }
    while !sum.done {
      let next = try daemon.ask(WaterCall.Refresh(all: all, row: sum.row)).progress
      // Without `--all` only stale pools are counted, so each call leaves fewer.
      let total = max(sum.total, all ? next.total : sum.pools + next.total)
      sum = RefreshView(
        row: next.row, pools: sum.pools + next.pools, changed: sum.changed + next.changed,
        crossed: sum.crossed + next.crossed, total: total, done: next.done)
      bar.advance(to: sum.pools, of: total, unit: "pools")
    }
    bar.end()
    if console.isJSON { return try console.document("lsi-refresh", sum) }
    console.line(
      "\(TextFormat.count(sum.pools, "pool")) checked, \(TextFormat.grouped(sum.changed)) changed, "
        + "\(TextFormat.grouped(sum.crossed)) crossed a limit since the last computation")
  }
}
