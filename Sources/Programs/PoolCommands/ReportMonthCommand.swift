internal import PoolControl

/// `pfctl report month`: a calendar month in numbers.
enum ReportMonthCommand: Command {
  static let description = CommandDescription(
    "report month", "a month in numbers: revenue, chemicals, profit, the ten worst money losers",
    operands: [.init("TEAM")],
    options: [
      .init("month", "MONTH", "such as 2026-02; the last whole month without it"),
      .init("format", "text|md|html", "text without it; html prints to one page"),
      .init("output", "FILE", "to a file instead of standard output"),
    ],
    examples: [
      "pfctl report month desert-blue --month 2026-02",
      "pfctl report month desert-blue --format html --output month.html",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      ReportsCall.Month(
        team: arguments.operand(0) ?? "", month: arguments["month"], format: arguments["format"] ?? "text"))
    try Page.show(reply.text, named: "report", asked: arguments, on: session.console)
  }
}
