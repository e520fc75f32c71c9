internal import PoolControl
internal import PoolModel

/// `pfctl report visit`: a report of one visit for the customer.
enum ReportVisitCommand: Command {
  static let description = CommandDescription(
    "report visit", "a visit for its customer: readings, balance, chemicals and their cost, notes, photo",
    operands: [.init("POOL")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("visit", "VISIT", "which visit, as `pfctl visit list` tells it; the last one without it"),
      .init("format", "text|md|html", "as text without it; html prints to one page"),
      .init("output", "FILE", "to a file instead of standard output"),
      .init("send", nil, "by mail to the customer, through poolflow-post"),
      .init("mail", "ADDRESS", "with --send: to this address instead of the one that the customer's profile has"),
    ],
    details: [
      "It has what the chemicals cost, the visit's notes (`pfctl visit log --notes`) and the pool as it is now. The notes of "
        + "the pool and what opens its gate stay out. A photo of up to 5 MiB is on its page; of a larger one its size is "
        + "told.",
      "With --send it is queued for the sinks that say Sensitive=yes, and poolflow-post mails what they write: the report "
        + "without its photo, in the team's language. `pfctl outbox show` tells what became of it. The address is the "
        + "profile's (`pfctl pool set POOL --mail ADDRESS`).",
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
      throw CommandFailure.usage("--send mails the report; leave --\(option) out")
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
      "`pfctl outbox show \(visible(ShownIDs(notices: [reply.noticeId])[reply.noticeId]))` tells what became of it")
  }
}

/// `pfctl report month`: a report of one calendar month with numbers and charts.
enum ReportMonthCommand: Command {
  static let description = CommandDescription(
    "report month", "a month in numbers and charts: visits, chemicals, water, profit",
    options: [
      CommandDescription.team("whose month"),
      .init("month", "MONTH", "which one, such as 2026-02; the last whole month without it"),
      .init("format", "text|md|html|json", "as text without it; html has charts, for phone and paper"),
      .init("output", "FILE", "to a file instead of standard output"),
    ],
    details: [
      "Beside the month before: each technician's visits and the service days on which nobody came, chemicals by kind, "
        + "how the water lay about its balance, the five pools furthest from it, profit by pool, and the pools "
        + "without coordinates or fee."
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
