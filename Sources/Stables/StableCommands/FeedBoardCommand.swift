internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl feed board`: shows which horses were fed.
enum FeedBoardCommand: Command {
  static let description = CommandDescription(
    "feed board", "the feed board of a day: which horses were fed, which are still open, and what they get",
    options: [
      .init("team", "TEAM", "whose board"),
      .init("date", "DATE", "the day: yesterday or 2026-03-02; default: today"),
    ],
    details: [
      "A slot (am or pm) of a horse is open until it is marked; a slot with nothing to feed has no schedule. At midnight "
        + "in the stable's zone the board of the day is closed, and open slots count as missed.",
      "Medications stand in square brackets.",
    ],
    examples: ["pfctl feed board --team willow-barn", "pfctl feed board --team willow-barn --date yesterday"])

  static let documents: [JSONDocument] = [.init("feed-board", FeedCall.Board.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FeedCall.Board(team: try session.team(arguments), date: arguments["date"])
    guard let reply = try session.ask(call, as: "feed-board") else { return }
    let console = session.console
    var table = Table([
      .init("HORSE", minWidth: 12, isKey: true), .init("AM", isKey: true), .init("PM", isKey: true),
      .init("AM FEED", minWidth: 12, rank: 1), .init("PM FEED", minWidth: 12, rank: 2),
    ])
    for row in reply.horses {
      table.add([
        .init(row.horse), cell(row.am, reply.date), cell(row.pm, reply.date), .init(FeedText.meal(row.am.meal)),
        .init(FeedText.meal(row.pm.meal)),
      ])
    }
    console.table(table)
    let verb = reply.closed ? "missed" : "open"
    console.note(
      "\(reply.date)\(reply.closed ? ", closed" : ""): \(TextFormat.count(reply.horses.count, "horse")), "
        + "\(reply.openAm) \(verb) in the morning, \(reply.openPm) in the evening")
  }

  private static func cell(_ cell: FeedCellView, _ date: String) -> Table.Cell {
    switch cell.state {
    case "fed": .init(FeedText.fed(cell.atLocal, by: cell.by, on: date), .green)
    case "open": .init("open", .yellow)
    case "missed": .init("missed", .red)
    default: .init("-")
    }
  }
}

/// Feeding as text.
enum FeedText {
  /// `2 qt oats, MSM, [Previcoxx]`; a dash if there is nothing to feed.
  static func meal(_ meal: FeedMealView) -> String {
    let parts = [meal.grain].filter { !$0.isEmpty } + meal.supplements + meal.medications.map { "[\($0)]" }
    return parts.isEmpty ? "-" : parts.joined(separator: ", ")
  }

  /// `07:12 by Ann`; with the date if it differs from the board's.
  ///
  /// - Parameter local: the daemon's local time, `Mon 2026-03-02 07:12 MST`.
  static func fed(_ local: String?, by: String?, on date: String) -> String {
    let words = (local ?? "").split(separator: " ")
    var time = local ?? "fed"
    if words.count > 2 {
      // Seconds are dropped.
      let clock = words[2].prefix("07:12".count)
      time = words[1] == date ? String(clock) : "\(words[1]) \(clock)"
    }
    return by.map { $0.isEmpty ? time : "\(time) by \($0)" } ?? time
  }
}
