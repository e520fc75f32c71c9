internal import PoolControl
internal import PoolModel
internal import StableModel

/// `pfctl team set`: changes settings of a team, all or none.
enum TeamSetCommand: Command {
  private static let keys: [(name: String, value: String, summary: String)] =
    [
      ("zone", "ZONE", "time zone, such as America/Phoenix"),
      ("language", "LANGUAGE", "what it is told in: en, es, fr, pt-BR or de"),
      ("units", "UNITS", "what it measures in: imperial or metric"),
      (
        "show-both-units", "ON|OFF",
        "figures of water, temperatures and chemicals in both systems: 13,209 gal (50,001 L)"
      ),
      ("objective", "OBJECTIVE", "what routes are good at: time, distance or balanced"),
      ("notifications", "ON|OFF", "the master switch of all notices"),
      ("morning-summary", "ON|OFF", "the morning's route; while it is on, low-stock waits in it"),
      ("morning-time", "HH:MM", "when the morning's route is told, in the team's zone"),
      ("route-preview", "ON|OFF", "the next day's route, the evening before; it carries the low stock then"),
      (
        "route-order", "kept|best",
        "whose order holds; kept: the one that was set, a better one is proposed; best: the night applies it"
      ),
      ("day-start", "HH:MM|auto", "when the first stop is reached; auto: an hour after the morning's notice"),
      ("stop-minutes", "N", "what a stop takes, 5 to 240; 20 where nothing is set"),
      (
        "windows", "ignore|warn|respect",
        "customers' arrival times: warn tells a planned time outside, respect plans by them"
      ),
      (
        "dose-units", "app|by-kind",
        "amounts in imperial units: app has pounds up to a gallon; by-kind has liquids by volume, others by weight"
      ),
      (
        "default-volume", "VOLUME|auto",
        "how much water a new pool has where nothing says it, such as 15000, 15000gal or 56m3; auto: the region's"
      ),
      ("low-stock", "ON|OFF", "the evening's warning of missing chemicals"),
      ("weekly-digest", "ON|OFF", "the week in numbers, Sundays"),
      ("clock", "CLOCK", "how times are read out: 12h, 24h, or auto, by language"),
      ("currency", "CURRENCY", "of fees and costs, such as EUR; auto: by language and zone"),
      ("barn-digest", "ON|OFF", "of a stable: the barn's morning; while it is on, care that is due waits in it"),
      ("care-due", "ON|OFF", "of a stable: care that is due"),
      ("feed-am", "ON|OFF", "of a stable: who is not fed in the morning"),
      ("feed-pm", "ON|OFF", "of a stable: who is not fed in the evening"),
      ("blanket", "ON|OFF", "of a stable: what the horses wear tonight"),
      ("barn-week", "ON|OFF", "of a stable: the week, Sundays"),
      (
        "blanket-limits", "C,C,C,C,C",
        "of a stable: below which felt °C a clipped horse wears a sheet, light, medium, heavy, heavy with liner; usual: "
          + "15,10,5,0,-7"
      ),
    ]
    + CareType.allCases.map {
      ("interval-\($0.rawValue)", "DAYS|none|usual", "of a stable: when the next \($0.rawValue) is proposed")
    }

  /// The settings as options, for completion.
  static var settings: [CommandDescription.Option] { keys.map { .init($0.name, $0.value, $0.summary) } }

  static let description = CommandDescription(
    "team set", "change settings of a team, all or none", operands: [.init("TEAM")],
    options: keys.map { .init($0.name, $0.value, $0.summary) },
    details: ["The jobs are planned anew at once."],
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
  }

  /// Prints how the change affected the schedule.
  static func showPlanned(_ jobs: [ReplannedView], on console: Console) {
    for job in jobs {
      console.note("\(visible(job.job)): next \(visible(job.nextLocal ?? job.next ?? "never"))")
    }
  }
}
