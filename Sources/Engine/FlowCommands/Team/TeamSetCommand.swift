internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl team set`: changes settings of a team, all or none.
enum TeamSetCommand: Command {
  private static let keys: [(name: String, value: String, summary: String)] =
    [
      ("zone", "ZONE", "time zone, such as America/Phoenix"),
      ("language", "LANGUAGE", "the language of its notices: en, es, fr, pt-BR or de"),
      ("units", "UNITS", "the units: imperial or metric"),
      (
        "show-both-units", "ON|OFF",
        "show amounts of water, temperatures and chemicals in both systems: 13,209 gal (50,001 L)"
      ),
      ("objective", "OBJECTIVE", "what routes minimise: time, distance or balanced"),
      ("notifications", "ON|OFF", "the main switch for all notices"),
      ("morning-summary", "ON|OFF", "the morning's route; while it is on, it includes low stock"),
      ("morning-time", "HH:MM", "when the morning's route is sent, in the team's zone"),
      ("route-preview", "ON|OFF", "send the next day's route the evening before; then it includes low stock"),
      (
        "route-order", "kept|best",
        "which order is used; kept: the one that was set, a better one is proposed; best: the best one is applied every night"
      ),
      ("day-start", "HH:MM|auto", "when the first stop starts; auto: an hour after the morning's notice"),
      ("stop-minutes", "N", "the minutes per stop, 5 to 240; default: 20"),
      (
        "windows", "ignore|warn|respect",
        "customers' arrival windows: warn shows planned times outside, respect plans within them"
      ),
      (
        "dose-units", "app|by-kind",
        "amounts in imperial units: by-kind shows liquids by volume, others by weight; app shows pounds below a gallon"
      ),
      (
        "dosing", "app|carbonate",
        "what decides how much acid or soda ash a pH needs: app is the app's rule, carbonate the water's alkalinity and "
          + "stabiliser"
      ),
      (
        "lsi-method", "app|ph-corrected",
        "the saturation index: app takes a third of the stabiliser from the alkalinity, ph-corrected 0.23 of it at pH 7.0 to "
          + "0.36 at 8.0"
      ),
      (
        "freeze-warning", "TEMP|off",
        "the air temperature from which on the evening before warns of frost, such as 32F or 0C; it needs a forecast"
      ),
      (
        "rain-hint", "RAIN|off",
        "the rain in a day of service from which on the evening before proposes to move it, such as 0.4in or 10mm"
      ),
      (
        "default-volume", "VOLUME|auto",
        "the volume of a new pool if it is not given, such as 15000, 15000gal or 56m3; auto: the region's"
      ),
      ("low-stock", "ON|OFF", "the evening's warning of missing chemicals"),
      ("weekly-digest", "ON|OFF", "the week in numbers, Sundays"),
      ("clock", "CLOCK", "how times are shown: 12h, 24h, or auto (by language)"),
      ("currency", "CURRENCY", "the currency of fees and costs, such as EUR; auto: by language and zone"),
      ("barn-digest", "ON|OFF", "for a stable: the morning digest; while it is on, it includes care that is due"),
      ("care-due", "ON|OFF", "for a stable: care that is due"),
      ("feed-am", "ON|OFF", "for a stable: horses not fed in the morning"),
      ("feed-pm", "ON|OFF", "for a stable: horses not fed in the evening"),
      ("blanket", "ON|OFF", "for a stable: tonight's blankets"),
      ("barn-week", "ON|OFF", "for a stable: the week, on Sundays"),
      (
        "blanket-limits", "C,C,C,C,C",
        "for a stable: the felt °C below which a clipped horse wears a sheet, light, medium, heavy, heavy with liner; "
          + "usual: 15,10,5,0,-7"
      ),
    ]
    + careTypes.map { ("interval-\($0)", "DAYS|none|usual", "for a stable: days until the next \($0) is due") }

  /// The types of a stable's care; `HelpOfTradesTests` compares them with the trade's.
  static let careTypes = [
    "vet", "farrier", "dental", "vaccination", "deworming", "medication", "injury", "other",
  ]

  /// The settings as options, for completion.
  static var settings: [CommandDescription.Option] { keys.map { .init($0.name, $0.value, $0.summary) } }

  static let description = CommandDescription(
    "team set", "change settings of a team, all or none", operands: [.init("TEAM")],
    options: keys.map { .init($0.name, $0.value, $0.summary) },
    details: ["The jobs are rescheduled at once."],
    examples: [
      "pfctl team set desert-blue morning-time=06:30 language=es", "pfctl team set desert-blue --low-stock off",
    ])

  static let documents: [JSONDocument] = [.init("team-set", TeamsCall.Set.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let changes = FieldOptions.changes(arguments, keys)
    guard !changes.isEmpty else {
      throw CommandFailure.usage(
        "`pfctl team set` needs a setting, such as morning-time=07:30; `pfctl help team set` lists them")
    }
    let reply = try session.runningDaemon().ask(TeamsCall.Set(name: arguments.operand(0) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("team-set", reply) }
    let changeText = changes.map { "\($0.key)=\(visible($0.value))" }.joined(separator: ", ")
    console.line("team \(visible(reply.team.name)): \(changeText)")
    showPlanned(reply.replanned, on: console)
    for warning in reply.warnings ?? [] { console.note("! \(visible(warning))") }
  }

  /// Prints how the change affected the schedule.
  static func showPlanned(_ jobs: [ReplannedView], on console: Console) {
    for job in jobs {
      console.note("\(visible(job.job)): next \(visible(job.nextLocal ?? job.next ?? "never"))")
    }
  }
}
