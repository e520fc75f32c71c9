internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import Glibc

/// `pfctl pool trend`: pH, saturation index, free chlorine and salt of the last visits.
enum PoolTrendCommand: Command {
  static let description = CommandDescription(
    "pool trend", "show pH, saturation index, free chlorine and salt of the last fifteen visits",
    operands: [.init("POOL")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init(
        "format", "text|html|svg",
        "the output format; default: text; html is a page with charts and figures, svg a picture"),
      .init("output", "FILE", "write to this file instead of standard output; needs --format"),
    ],
    examples: [
      "pfctl pool trend 'Steve Baird' --team desert-blue",
      "pfctl pool trend 'Steve Baird' --team desert-blue --format svg --output trend.svg",
      "pfctl pool trend 'Steve Baird' --team desert-blue --format html --output trend.html",
    ])

  static let documents: [JSONDocument] = [
    .init("pool-trend", WaterCall.Trend.Reply.self), .init("report", ReportOutput.Answer.self),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let pool = arguments.operand(0) ?? ""
    let format = try arguments.choice("format", among: ["text", "html", "svg"])
    if format != "text" {
      let call = ReportsCall.Trend(team: team, pool: pool, format: try arguments.word("format", standard: .html))
      return try ReportOutput.show(
        try session.daemon().ask(call).text, named: "report", asked: arguments, on: session.console)
    }
    try ReportOutput.refuseFile(of: arguments)
    let reply = try session.daemon().ask(WaterCall.Trend(team: team, pool: pool))
    let console = session.console
    if console.isJSON { return try console.document("pool-trend", reply) }
    guard let last = reply.points.last, let first = reply.points.first else {
      return console.note("\(visible(reply.customer)) has no visits")
    }
    console.line(visible(reply.customer))
    console.line("pH   \(Sparkline.text(reply.points.map(\.ph)))  \(TextFormat.decimal(last.ph, places: 1))")
    console.line("LSI  \(Sparkline.text(reply.points.map(\.lsi)))  \(TextFormat.index(last.lsi))")
    for (name, values, places) in [
      ("FC  ", reply.points.compactMap(\.freeChlorine), 1), ("salt", reply.points.compactMap(\.salt), 0),
    ] {
      guard let last = values.last else { continue }
      console.line("\(name) \(Sparkline.text(values))  \(TextFormat.decimal(last, places: places)) ppm")
    }
    console.note(
      "\(TextFormat.count(reply.points.count, "visit")), \(visible(first.local)) to \(visible(last.local))")
  }
}

/// Numbers as a row of bar characters.
enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// The minimum maps to the lowest bar and the maximum to the highest; equal values map to the middle.
  static func text(_ values: [Double]) -> String {
    guard let low = values.min(), let high = values.max() else { return "" }
    return String(
      values.map { value in
        // Stores from before the range checks may hold two numbers whose difference overflows to infinity.
        guard high > low, (high - low).isFinite else { return bars[3] }
        return bars[Int(((value - low) / (high - low) * Double(bars.count - 1)).rounded())]
      })
  }
}
