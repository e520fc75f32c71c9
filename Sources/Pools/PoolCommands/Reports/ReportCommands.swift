internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl report visit`: a report of one visit for the customer.
enum ReportVisitCommand: Command {
  static let description = CommandDescription(
    "report visit", "a visit report for the customer: readings, balance, chemicals, cost, notes, photo",
    operands: [.init("POOL")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("visit", "VISIT", "the visit's id from `pfctl visit list`; default: the last visit"),
      .init("format", "text|md|html", "the output format; default: text; html prints on one page"),
      .init("output", "FILE", "write to this file instead of standard output"),
      .init("send", nil, "mail the report to the customer, through poolflow-post"),
      .init("mail", "ADDRESS", "with --send: mail to this address instead of the one in the customer's profile"),
    ],
    details: [
      "The report shows the cost of the chemicals, the visit's notes (`pfctl visit log --notes`) and the present state "
        + "of the pool. It leaves out the pool's notes and the gate code. Photos up to 5 MiB are embedded; for larger "
        + "ones the size is shown.",
      "With --send the report, without its photo and in the team's language, is queued for the sinks with Sensitive=yes, "
        + "and poolflow-post mails it. `pfctl outbox show` shows whether it arrived. The address is the profile's "
        + "(`pfctl pool set POOL --mail ADDRESS`).",
    ],
    examples: [
      "pfctl report visit 'Steve Baird' --team desert-blue",
      "pfctl report visit 'Steve Baird' --team desert-blue --format html --output visit.html",
      "pfctl report visit 'Steve Baird' --team desert-blue --send",
    ])

  static let documents: [JSONDocument] = [
    .init("report", ReportOutput.Answer.self), .init("report-send", ReportsCall.SendVisit.Reply.self),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    if arguments.has("send") { return try send(arguments, session) }
    guard arguments["mail"] == nil else { throw CommandFailure.usage("--mail goes with --send") }
    let reply = try session.daemon().ask(
      ReportsCall.Visit(
        team: try session.team(arguments), pool: arguments.operand(0) ?? "",
        visit: arguments["visit"], format: try arguments.word("format", standard: .text)),
      deadline: Limits.reportDeadline)
    try ReportOutput.show(reply.text, named: "report", asked: arguments, on: session.console)
  }

  private static func send(_ arguments: Arguments, _ session: Session) throws {
    for option in ["format", "output"] where arguments[option] != nil {
      throw CommandFailure.usage("--send mails the report and cannot be combined with --\(option)")
    }
    let call = ReportsCall.SendVisit(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", visit: arguments["visit"],
      to: arguments["mail"])
    guard let reply = try session.tell(call, as: "report-send") else { return }
    let console = session.console
    console.line(
      "the report of \(visible(reply.visitLocal)) for \(visible(reply.customer)) is queued for "
        + visible(reply.sinks.joined(separator: ", ")))
    console.note(
      "`pfctl outbox show \(visible(ShownIDs(notices: [reply.noticeId])[reply.noticeId]))` shows whether it arrived")
  }
}

/// `pfctl report month`: a report of one calendar month with numbers and charts.
enum ReportMonthCommand: Command {
  static let description = CommandDescription(
    "report month", "a month in numbers and charts: visits, chemicals, water, profit",
    options: [
      CommandDescription.team("whose month"),
      .init("month", "MONTH", "which month, such as 2026-02; default: the last complete month"),
      .init("format", "text|md|html|json", "the output format; default: text; html has charts, for phone and paper"),
      .init("output", "FILE", "write to this file instead of standard output"),
    ],
    details: [
      "Compared with the month before: each technician's visits and the missed service days, chemicals by kind, how "
        + "often the water was balanced, the five pools furthest from balance, profit by pool, and the pools without "
        + "coordinates or fee."
    ],
    examples: [
      "pfctl report month --team desert-blue --month 2026-02",
      "pfctl report month --team desert-blue --format html --output month.html",
    ])

  static let documents: [JSONDocument] = [.init("report", ReportOutput.Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      ReportsCall.Month(
        team: try session.team(arguments), month: arguments["month"],
        format: try arguments.word("format", standard: .text)))
    try ReportOutput.show(reply.text, named: "report", asked: arguments, on: session.console)
  }
}
