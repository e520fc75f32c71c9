internal import Glibc
internal import PoolControl
internal import PoolModel

/// `pfctl pool trend`: pH and saturation index of the last visits.
enum PoolTrendCommand: Command {
  static let description = CommandDescription(
    "pool trend", "pH and saturation index of the last fifteen visits", operands: [.init("POOL")],
    options: [
      .init("team", "TEAM", "whose pool", isRequired: true), .init("svg", "FILE", "a picture of it, to a file"),
    ],
    examples: [
      "pfctl pool trend 'Steve Baird' --team desert-blue",
      "pfctl pool trend 'Steve Baird' --team desert-blue --svg trend.svg",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let reply = try session.daemon().ask(WaterCall.Trend(team: team, pool: arguments.operand(0) ?? ""))
    let console = session.console
    if let path = arguments["svg"] {
      try OutputFile.write(TrendPicture.svg(reply), to: path)
      console.legend("written to '\(visible(path))'")
    }
    if console.isJSON { return try console.document("pool-trend", reply) }
    guard let last = reply.points.last, let first = reply.points.first else {
      return console.legend("\(visible(reply.customer)) has no visits")
    }
    console.line(visible(reply.customer))
    console.line("pH   \(Sparkline.text(reply.points.map(\.ph)))  \(Wording.decimal(last.ph, places: 1))")
    console.line("LSI  \(Sparkline.text(reply.points.map(\.lsi)))  \(Wording.decimal(last.lsi, places: 2))")
    console.legend(
      "\(Wording.count(reply.points.count, "visit")), \(visible(first.local)) to \(visible(last.local))")
  }
}

/// Numbers as a row of bars.
enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// The lowest value is the lowest bar, the highest the highest; equal ones stand in the middle.
  static func text(_ values: [Double]) -> String {
    guard let low = values.min(), let high = values.max() else { return "" }
    return String(
      values.map { value in
        // A store of before there were bounds may hold two numbers that are further apart than any number is large.
        guard high > low, (high - low).isFinite else { return bars[3] }
        return bars[Int(((value - low) / (high - low) * Double(bars.count - 1)).rounded())]
      })
  }
}

/// The trend as an SVG document: two small charts, readable in light and dark.
enum TrendPicture {
  private static let width = 640.0
  private static let height = 150.0

  static func svg(_ trend: WaterCall.Trend.Reply) -> String {
    let charts = [
      chart("pH", trend.points.map(\.ph), band: 7.2...7.8, top: 30),
      chart("LSI", trend.points.map(\.lsi), band: -0.3...0.3, top: 30 + height + 30),
    ]
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(width)) \(text(2 * height + 90))" role="img">
        <style>text { font: 14px sans-serif; fill: #555 } polyline { fill: none; stroke: #0a6ebd; stroke-width: 2 }
        circle { fill: #0a6ebd } rect { fill: #2a9d3f; opacity: .15 }</style>
        <title>\(escaped(trend.customer))</title>
      \(charts.joined(separator: "\n"))
      </svg>

      """
  }

  private static func chart(_ name: String, _ values: [Double], band: ClosedRange<Double>, top: Double) -> String {
    let low = min(values.min() ?? 0, band.lowerBound)
    let high = max(values.max() ?? 0, band.upperBound)
    func y(_ value: Double) -> Double { top + (high - value) / (high - low) * height }
    func x(_ index: Int) -> Double { 60 + Double(index) * (width - 80) / Double(max(1, values.count - 1)) }
    let points = values.enumerated().map { "\(text(x($0))),\(text(y($1)))" }
    let dots = values.enumerated().map { "<circle cx=\"\(text(x($0)))\" cy=\"\(text(y($1)))\" r=\"3\"/>" }
    return """
        <text x="0" y="\(text(top + height / 2))">\(name)</text>
        <rect x="60" y="\(text(y(band.upperBound)))" width="\(text(width - 80))" height="\(text(y(band.lowerBound) - y(band.upperBound)))"/>
        <polyline points="\(points.joined(separator: " "))"/>
        \(dots.joined())
      """
  }

  private static func text(_ value: Double) -> String {
    Wording.decimal(value, places: 1).replacing(",", with: "")
  }

  private static func escaped(_ text: String) -> String {
    visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
