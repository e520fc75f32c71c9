internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl blanket`: shows which blanket each horse needs.
enum BlanketCommand: Command {
  static let description = CommandDescription(
    "blanket", "show which blanket each horse needs, by day and by night",
    options: [
      CommandDescription.team("whose horses"),
      .init("date", "DATE", "the day, such as tomorrow or 2026-03-02; default: today"),
    ],
    details: [
      "The advice uses the lowest felt temperature between 06:00 and 20:00, and from 20:00 to 06:00; it includes wind "
        + "and rain. For clipped horses every limit is 5 °C higher. To set the team's limits: `pfctl team set TEAM "
        + "blanket-limits=15,10,5,0,-7`.",
      "This command sends and records nothing.",
    ],
    examples: ["pfctl blanket --team willow-barn", "pfctl blanket --team willow-barn --date tomorrow"])

  static let documents: [JSONDocument] = [.init("blanket", WeatherCall.Blankets.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = WeatherCall.Blankets(team: team, date: arguments["date"])
    guard let reply = try session.ask(call, as: "blanket") else { return }
    let console = session.console
    for window in [reply.day, reply.night] { console.line(heading(of: window)) }
    let night = Dictionary(reply.night.horses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let day = Dictionary(reply.day.horses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let all = reply.night.horses.isEmpty ? reply.day.horses : reply.night.horses
    if !all.isEmpty {
      console.line()
      var table = Table([
        .init("HORSE", minWidth: 12, isKey: true), .init("CLIPPED", rank: 1), .init("DAY", isKey: true),
        .init("NIGHT", isKey: true),
      ])
      for horse in all {
        table.add([
          .init(horse.horse), .init(horse.clipped ? "yes" : "no"), .init(day[horse.id]?.text ?? "-"),
          .init(night[horse.id]?.text ?? "-"),
        ])
      }
      console.table(table)
    }
    if !reply.takeOff.isEmpty {
      console.line()
      console.line(
        "too warm for last night's blanket, take it off: \(reply.takeOff.map { visible($0) }.joined(separator: ", "))")
    }
  }

  /// `night of 2026-03-02: feels like −4 °C at the minWidth, wet`.
  private static func heading(of window: BlanketWindowView) -> String {
    let when = "\(window.window) of \(window.date)"
    guard let felt = window.feltText else {
      let why =
        window.reason == "forecast-stale"
        ? "the forecast is older than 36 hours" : "no forecast covers half of this time"
      return "\(when): no advice, \(why)"
    }
    return "\(when): feels like \(visible(felt)) at the least" + (window.wet == true ? ", wet" : "")
      + (window.old ? "; the forecast is older than twelve hours" : "")
  }
}
