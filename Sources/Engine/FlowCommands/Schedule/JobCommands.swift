internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// The output of `pfctl job` for one job.
private enum JobTimingText {
  static func show(_ timing: JobTimingView, before: [JobSlotView]?, on console: Console) {
    console.line("\(visible(timing.job)) of \(visible(timing.team)): \(visible(timing.words)), \(visible(timing.zone))")
    var table = Table([.init("VALUE", isKey: true), .init("IS", minWidth: 16, isKey: true), .init("CHOSEN BY")])
    for setting in timing.settings {
      let origin =
        switch setting.origin {
        case .kind: "-"
        case .settings: "the settings"
        case .team: "the team"
        }
      table.add([.init(setting.key), .init(setting.value.isEmpty ? "-" : setting.value), .init(origin)])
    }
    console.table(table)
    let isMoved = before.map { $0.map(\.at) != timing.next.map(\.at) } ?? false
    if let before, isMoved {
      console.line("before  \(slots(before))")
      console.line("next    \(slots(timing.next))")
    } else {
      console.line("next    \(slots(timing.next))")
    }
    for slot in timing.next { if let note = slot.note { console.note("\(visible(slot.local)): \(visible(note))") } }
    for note in timing.notes { console.note("note: \(visible(note))") }
  }

  private static func slots(_ slots: [JobSlotView]) -> String {
    slots.isEmpty ? "never" : slots.map { visible($0.local) }.joined(separator: ", ")
  }
}

/// `pfctl job show`: shows a job's schedule and its origin.
enum JobShowCommand: Command {
  static let description = CommandDescription(
    "job show", "the schedule of a team's job, and where each value comes from", operands: [.init("JOB")],
    options: [.init("team", "TEAM", "whose job")],
    examples: ["pfctl job show weekly-digest --team desert-blue"])

  static let documents: [JSONDocument] = [.init("job", JobsCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      JobsCall.Show(job: arguments.operand(0) ?? "", team: try session.team(arguments)))
    let console = session.console
    if console.isJSON { return try console.document("job", reply) }
    JobTimingText.show(reply.timing, before: nil, on: console)
  }
}

/// `pfctl job set`: changes a team's schedule of a job.
enum JobSetCommand: Command {
  private static let values: [CommandDescription.Option] = [
    .init("rule", "RULE", "when it is due"), .init("catch-up", "TEXT", "which slots run late after downtime"),
    .init("dst-gap", "after|skip", "if a clock change skips the time"),
    .init("dst-fold", "first|second|both", "where the time comes twice"),
    .init("closed", "observe|ignore", "whether it runs on closed days"),
    .init("jitter", "TEXT", "start up to this long after the slot, at random"),
    .init("expires", "TEXT", "how long after its slot the notice may still be sent"),
  ]

  static let description = CommandDescription(
    "job set", "set the schedule of a team's job, all values or none",
    operands: [.init("JOB")],
    options: [
      .init("team", "TEAM", "whose job")
    ] + values + [.init("dry-run", nil, "only show what it would do")],
    details: [
      "rule: a calendar expression in the team's zone, such as 'Mon..Fri 06:30', 'every 2 weeks from 2026-11-02 07:00' "
        + "or 'Sun 17:00 until 2026-12-31 except 2026-12-27'; a cron line after cron: is converted. `pfctl help "
        + "calendar` has the language.",
      "catch-up: which slots that the daemon missed while down run late: 'latest 5h' (the last one, if at most 5 hours "
        + "old), 'all 10' (each one, at most 10) or none.",
      "dst-gap: after or skip, if a clock change skips the time. dst-fold: first, second or both, if the time comes twice.",
      "closed: observe (do not run on the team's closed days, see `pfctl closed`) or ignore. Default: observe for a pool "
        + "service, ignore for a stable.",
      "jitter: start up to this long after the slot, at random. expires: how long after its slot the notice may still "
        + "be sent.",
      "Slots of the old rule that are due run before the change, later ones do not run, and nothing is sent twice. [Job "
        + "NAME] in the settings sets the schedule for all teams.",
    ],
    examples: [
      "pfctl job set weekly-digest --team desert-blue rule='Fri 16:00'",
      "pfctl job set morning-summary --team desert-blue rule='cron: 0 7 * * 1-5' catch-up='latest 3h' --dry-run",
    ])

  static let documents: [JSONDocument] = [.init("job-set", JobsCall.Set.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let changes = values.compactMap { value in
      arguments[value.name].map { JobChangeView(key: value.name, value: $0) }
    }
    guard !changes.isEmpty else {
      throw CommandFailure.usage(
        "`pfctl job set` needs a value, such as rule='Fri 16:00'; `pfctl help job set` lists them")
    }
    let call = JobsCall.Set(
      job: arguments.operand(0) ?? "", team: try session.team(arguments), changes: changes,
      dryRun: arguments.has("dry-run")
    )
    let reply = try (call.dryRun ? session.daemon() : session.runningDaemon()).ask(call)
    let console = session.console
    if console.isJSON { return try console.document("job-set", reply) }
    JobTimingText.show(reply.timing, before: reply.before, on: console)
    if call.dryRun { console.note("nothing was changed") }
  }
}

/// `pfctl job reset`: resets a team's schedule of a job to the defaults.
enum JobResetCommand: Command {
  static let description = CommandDescription(
    "job reset", "reset a team's values of a job to the defaults: the named ones, or all",
    operands: [.init("JOB"), .init("rule|catch-up|dst-gap|dst-fold|jitter|expires|closed", .any)],
    options: [.init("team", "TEAM", "whose job")],
    examples: [
      "pfctl job reset weekly-digest --team desert-blue", "pfctl job reset morning-summary rule --team desert-blue",
    ])

  static let documents: [JSONDocument] = [.init("job-reset", JobsCall.Reset.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.runningDaemon().ask(
      JobsCall.Reset(
        job: arguments.operand(0) ?? "", team: try session.team(arguments), keys: Array(arguments.operands.dropFirst()))
    )
    let console = session.console
    if console.isJSON { return try console.document("job-reset", reply) }
    JobTimingText.show(reply.timing, before: reply.before, on: console)
  }
}
