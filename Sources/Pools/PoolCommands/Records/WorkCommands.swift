internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolControl
internal import PoolModel

/// The texts of recurring work.
enum WorkTexts {
  /// `Clean filter: every 3 months, due since 2026-06-01, last done 2026-03-01`.
  static func words(of work: WorkView) -> String {
    let last = work.last.map { ", last done \($0)" } ?? ""
    return "\(visible(work.name)): every \(work.every), \(work.isDue ? "due since" : "due") \(work.due)\(last)"
  }

  /// `Clean filter done, next due 2026-06-01`.
  static func words(of done: WorkDoneView) -> String {
    let what = visible(done.name) + (done.machine ? " service" : "") + " done"
    if let next = done.next { return "\(what), next due \(next)" }
    return "\(what), no next date: `pfctl equipment set --every INTERVAL` sets how often"
  }

  static let naming =
    "WORK is its name or the beginning of it, as `pfctl work list` shows it; upper and lower case are the same."
}

/// `pfctl work list`: lists recurring work.
enum WorkListCommand: Command {
  static let description = CommandDescription(
    "work list", "list the recurring work of a team or of one pool, the earliest date first",
    operands: [.init("POOL", .atMostOne)],
    options: [.init("team", "TEAM", "whose pools")],
    examples: ["pfctl work list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("works", FieldCall.ListWork.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = FieldCall.ListWork(team: team, pool: arguments.operand(0))
    let reply = try session.daemon().ask(call)
    let console = session.console
    if console.isJSON { return try console.document("works", reply) }
    var table = Table([
      .init("CUSTOMER", minWidth: 16, isKey: true), .init("WORK", minWidth: 16, isKey: true), .init("EVERY", rank: 1),
      .init("DUE", isKey: true), .init("LAST DONE", rank: 2),
    ])
    for work in reply.works {
      table.add([
        .init(work.customer), .init(work.name), .init(work.every), .init(work.due, work.isDue ? .yellow : nil),
        .init(work.last ?? "-"),
      ])
    }
    console.table(table)
    let due = reply.works.count(where: \.isDue)
    console.note(TextFormat.count(reply.works.count, "work") + (due > 0 ? ", \(TextFormat.grouped(due)) due" : ""))
  }
}

/// `pfctl work add`: adds recurring work at a pool.
enum WorkAddCommand: Command {
  static let description = CommandDescription(
    "work add", "add work that comes back at a pool, such as cleaning its filter",
    operands: [.init("POOL"), .init("NAME")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("every", "INTERVAL", "the time until it is due again: \(WorkIntervalError.forms)", isRequired: true),
      .init("from", "TIME", "the first date on which it is due, such as 2026-12-01 or +90d; default: today"),
    ],
    details: [
      "The work is shown as a task at the pool's first stop on or after its date, and at each one after it, until `pfctl "
        + "visit log --done NAME` or `pfctl work done` records it. The next date is counted from the day on which it was "
        + "done: three months after 30 November are 28 February, because there is no 30th."
    ],
    examples: ["pfctl work add 'Steve Baird' 'Clean filter' --team desert-blue --every '3 months' --from 2026-12-01"])

  static let documents: [JSONDocument] = [.init("work-add", FieldCall.AddWork.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.AddWork(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", name: arguments.operand(1) ?? "",
      every: try arguments.required("every", such: "'3 months'"), from: arguments["from"])
    guard let work = try session.tell(call, as: "work-add")?.work else { return }
    session.console.line("pool of \(visible(work.customer)): \(WorkTexts.words(of: work))")
  }
}

/// `pfctl work set`: changes recurring work.
enum WorkSetCommand: Command {
  private static let keys: [FieldOptions.Key] = [
    ("name", "TEXT", "another name"), ("every", "INTERVAL", "the time until it is due again"),
    ("from", "TIME", "the next date on which it is due"),
  ]

  static let description = CommandDescription(
    "work set", "change recurring work: its name, its interval or its next date",
    operands: [.init("POOL"), .init("WORK")],
    options: [.init("team", "TEAM", "whose pool")] + FieldOptions.options(keys),
    details: [
      WorkTexts.naming,
      "With a new interval and no --from, the next date is counted again from the day on which it was done last.",
    ],
    examples: ["pfctl work set 'Steve Baird' 'Clean filter' --team desert-blue --every '2 months'"])

  static let documents: [JSONDocument] = [.init("work-set", FieldCall.SetWork.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.SetWork(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", work: arguments.operand(1) ?? "",
      changes: try FieldOptions.requiredChanges(arguments, keys))
    guard let work = try session.tell(call, as: "work-set")?.work else { return }
    session.console.line("pool of \(visible(work.customer)): \(WorkTexts.words(of: work))")
  }
}

/// `pfctl work remove`: removes recurring work.
enum WorkRemoveCommand: Command {
  static let description = CommandDescription(
    "work remove", "remove recurring work from a pool; what was done stays with its visits",
    operands: [.init("POOL"), .init("WORK")],
    options: [.init("team", "TEAM", "whose pool"), Confirmation.option], details: [WorkTexts.naming],
    examples: ["pfctl work remove 'Steve Baird' 'Clean filter' --team desert-blue --yes"])

  static let documents: [JSONDocument] = [.init("work-remove", FieldCall.RemoveWork.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let (pool, name) = (arguments.operand(0) ?? "", arguments.operand(1) ?? "")
    let work = try daemon.ask(FieldCall.RemoveWork(team: team, pool: pool, work: name, dryRun: true)).work
    let shown = "\(visible(work.name)) (every \(work.every)) at the pool of \(visible(work.customer))"
    try Confirmation.ask("Remove \(shown)?", arguments, session.console)
    let reply = try daemon.ask(FieldCall.RemoveWork(team: team, pool: work.pool, work: work.name))
    let console = session.console
    if console.isJSON { return try console.document("work-remove", reply) }
    console.line("\(shown) removed")
  }
}

/// `pfctl work done`: records that work was done without a visit.
enum WorkDoneCommand: Command {
  static let description = CommandDescription(
    "work done", "record recurring work, or a machine's service, that was done without a visit",
    operands: [.init("POOL"), .init("WORK")],
    options: [
      .init("team", "TEAM", "whose pool"),
      .init("at", "TIME", "the day on which it was done: yesterday, -3d or 2026-03-02; default: today"),
    ],
    details: [
      WorkTexts.naming + " For a machine WORK is its name, with or without 'service'.",
      "The next date is counted from that day. With a visit, `pfctl visit log --done` records it at once.",
    ],
    examples: ["pfctl work done 'Steve Baird' 'Clean filter' --team desert-blue --at yesterday"])

  static let documents: [JSONDocument] = [.init("work-done", FieldCall.FinishWork.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.FinishWork(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", work: arguments.operand(1) ?? "",
      at: arguments["at"])
    guard let reply = try session.tell(call, as: "work-done") else { return }
    session.console.line("pool of \(visible(reply.customer)): \(WorkTexts.words(of: reply.done))")
  }
}
