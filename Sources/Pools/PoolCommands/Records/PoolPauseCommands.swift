internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// The texts of pauses and dates of service.
enum ServiceTexts {
  /// `Sun 2026-12-20 to Tue 2027-01-05 (family away)`.
  static func words(of pause: PauseView) -> String {
    visible(pause.words) + (pause.reason.isEmpty ? "" : " (\(visible(pause.reason)))")
  }

  /// A rule as it is best read: `Mon,Thu` instead of `Mon,Thu *-*-*`.
  static func rule(_ text: String) -> String {
    let everyDate = " *-*-*"
    return text.hasSuffix(everyDate) ? String(text.dropLast(everyDate.count)) : text
  }

  /// `next service 2027-01-11`, or a sentence that there is none.
  static func next(_ date: String?) -> String {
    date.map { date in
      let weekday = CivilDate(date).map { $0.weekday.abbreviation + " " } ?? ""
      return "next service \(weekday)\(date)"
    } ?? "no date of service is left"
  }
}

/// `pfctl pool pause`: stops a pool's service on some days.
enum PoolPauseCommand: Command {
  static let description = CommandDescription(
    "pool pause", "do not serve a pool on some days, such as while a family is away",
    operands: [.init("POOL"), .init("DAYS")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("reason", "TEXT", "the reason; shown by `pfctl pool show` and `pfctl service list`"),
    ],
    details: [
      "DAYS is a day, such as 2026-12-24 or tomorrow; a range FIRST..LAST, both days included; or the date part of a calendar "
        + "expression for days of every year, such as '*-12-20..31'.",
      "On these days the pool is on no route, and it does not count as missed. `pfctl pool resume` ends a pause.",
    ],
    examples: ["pfctl pool pause 'Steve Baird' 2026-12-20..2027-01-05 --team desert-blue --reason 'family away'"])

  static let documents: [JSONDocument] = [.init("pool-pause", FieldCall.PausePool.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.PausePool(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", days: arguments.operand(1) ?? "",
      reason: arguments["reason"])
    guard let reply = try session.tell(call, as: "pool-pause") else { return }
    session.console.line(
      "pool of \(visible(reply.customer)) paused \(ServiceTexts.words(of: reply.pause)); \(ServiceTexts.next(reply.next))"
    )
    for warning in reply.warnings ?? [] { session.console.words(visible(warning)) }
  }
}

/// `pfctl pool resume`: ends a pause of a pool.
enum PoolResumeCommand: Command {
  static let description = CommandDescription(
    "pool resume", "end a pause of a pool", operands: [.init("POOL"), .init("ID", .atMostOne)],
    options: [.init("team", "TEAM", "whose pool")],
    details: [
      "ID is the number of the pause, as `pfctl service list` shows it; without it, the pool's only pause that is not over. Days "
        + "of the pause before today stay without service."
    ],
    examples: ["pfctl pool resume 'Steve Baird' --team desert-blue"])

  static let documents: [JSONDocument] = [.init("pool-resume", FieldCall.ResumePool.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let number = try arguments.operand(1).map { (text) throws(CommandFailure) in
      guard let number = Int(text) else {
        throw .usage("'\(visible(text))' is not the number of a pause; `pfctl service list` shows the numbers")
      }
      return number
    }
    let call = FieldCall.ResumePool(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", pause: number)
    guard let reply = try session.tell(call, as: "pool-resume") else { return }
    session.console.line(
      "pool of \(visible(reply.customer)): no longer paused \(ServiceTexts.words(of: reply.pause)); "
        + ServiceTexts.next(reply.next))
  }
}

/// `pfctl service list`: lists pools with dates of service of their own.
enum ServiceListCommand: Command {
  static let description = CommandDescription(
    "service list", "pools that are not served every week, with their dates and pauses",
    options: [.init("team", "TEAM", "whose pools")],
    details: [
      "Every other pool is served each week on its weekday. `pfctl pool set POOL --service RULE` changes the dates, "
        + "`pfctl pool pause` and `pfctl pool resume` the pauses."
    ],
    examples: ["pfctl service list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("services", PoolsCall.ListServices.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PoolsCall.ListServices(team: try session.team(arguments))
    guard let reply = try session.ask(call, as: "services") else { return }
    let console = session.console
    guard !reply.services.isEmpty else { return console.note("every pool is served each week on its weekday") }
    var table = Table([
      .init("CUSTOMER", minWidth: 12, isKey: true), .init("SERVICE", minWidth: 12, isKey: true), .init("NEXT"),
      .init("PAUSE", isNumber: true, isKey: true), .init("PAUSED", minWidth: 10, isKey: true),
      .init("REASON", minWidth: 8, rank: 1),
    ])
    for service in reply.services {
      let pauses = service.pauses.isEmpty ? [nil] : service.pauses.map(Optional.some)
      for (index, pause) in pauses.enumerated() {
        table.add([
          .init(service.customer), .init(ServiceTexts.rule(service.rule)), .init(index == 0 ? service.next ?? "-" : ""),
          .init(pause.map { "\($0.id)" } ?? "-"), .init(pause?.days ?? "-"), .init(pause?.reason ?? ""),
        ])
      }
    }
    console.table(table)
  }
}
