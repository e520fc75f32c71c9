internal import FlowCalendar
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FoundationEssentials

/// `pfctl calendar`: explains a calendar expression and lists its times; needs no daemon.
enum CalendarCommand: Command {
  static let description = CommandDescription(
    "calendar", "explain a calendar expression and show its next times; needs no daemon",
    operands: [.init("EXPRESSION", .any)],
    options: [
      .init("zone", "ZONE", "the time zone, such as Europe/Berlin; default: that of the machine"),
      .init("from", "TIME", "show occurrences after this, such as now or tomorrow; see `pfctl help times`"),
      .init("limit", "N", "how many occurrences; default: 1"),
      .init("dst-forecast", nil, "how the clock changes of the coming year affect the daemon's jobs"),
    ],
    details: [
      "The syntax is that of systemd, plus `every 2 weeks from 2026-11-02`, `until 2027-06-30` and `except 2026-12-25`.",
      "A zone at the end of the expression overrides --zone.",
    ],
    examples: [
      "pfctl calendar 'Mon..Fri 07:00' --zone America/Phoenix --limit 3",
      "pfctl calendar '02:30' --zone America/New_York --from 2026-03-07T12:00:00Z --limit 2",
      "pfctl calendar --dst-forecast",
    ])

  static let documents: [JSONDocument] = [.init("calendar", Answer.self), .init("dst-forecast", ForecastAnswer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    if arguments.has("dst-forecast") { return try forecast(session) }
    let text = arguments.operands.joined(separator: " ")
    guard !arguments.operands.isEmpty else {
      throw CommandFailure.usage("`pfctl calendar` needs an expression, such as 'Mon..Fri 07:00'")
    }
    let expression: CalendarExpression
    do {
      expression = try CalendarExpression(written: text)
    } catch {
      throw CommandFailure.usage("'\(visible(text))' is not a calendar expression: \(error)")
    }
    let zone = try zone(of: expression, arguments)
    let now = SystemWallClock().now()
    let from = try instant(arguments["from"] ?? "now", now: now, zone: zone)
    let count = try arguments.integer("limit", standard: 1, in: 1...100_000)
    let rule = CalendarRule(expression, zone: zone)
    let console = session.console
    let (occurrences, warnings) = console.showingProgress("looking for the next times") {
      (Array(rule.occurrences(after: from).prefix(count)), rule.warnings(after: from).map(\.description))
    }
    if console.isJSON {
      return try console.document(
        "calendar",
        Answer(
          expression: text, normalized: expression.description, zone: zone.name, after: from.description,
          occurrences: occurrences.map { Answer.Item($0, zone: zone) }, warnings: warnings))
    }
    console.line("  Original form: \(visible(text))")
    console.line("Normalized form: \(expression)")
    console.line("           Zone: \(zone.name)")
    show(occurrences, zone: zone, now: now, console)
    for warning in warnings { console.note("note: \(warning)") }
    if let why = ZoneChoice.refusal(of: zone.name) { console.note("note: \(visible(why))") }
  }

  private static func show(_ occurrences: [Occurrence], zone: Zone, now: Timestamp, _ console: Console) {
    if occurrences.isEmpty { console.line("    Next elapse: never") }
    for (index, occurrence) in occurrences.enumerated() {
      let label = index == 0 ? "    Next elapse" : "   Iteration #\(index + 1)"
      let instant = occurrence.instant
      let distance =
        instant > now ? "\(instant.since(now).inWords) left" : "\(now.since(instant).inWords) ago"
      console.line("\(label): \(longText(instant, zone: zone))")
      console.line("       (in UTC): \(longText(instant, zone: .utc))")
      console.line("       From now: \(distance)")
      if let note = occurrence.note(in: zone) { console.line("           Note: \(note)") }
    }
  }

  /// `Mon 2026-03-02 07:00:00 MST`.
  private static func longText(_ instant: Timestamp, zone: Zone) -> String {
    let local = zone.local(at: instant)
    let time = "\(padded(local.time.hour, 2)):\(padded(local.time.minute, 2)):\(padded(local.time.second, 2))"
    return "\(local.date.weekday.abbreviation) \(local.date) \(time) \(zone.abbreviation(at: instant))"
  }

  private static func zone(of expression: CalendarExpression, _ arguments: Arguments) throws -> Zone {
    let environment = ProcessInfo.processInfo.environment
    let name = expression.zoneName ?? arguments["zone"] ?? LocalZone.name(environment: environment)
    do {
      return try SystemZones().zone(named: name)
    } catch {
      throw CommandFailure.usage("\(error)")
    }
  }

  private static func instant(_ text: String, now: Timestamp, zone: Zone) throws(CommandFailure) -> Timestamp {
    guard let time = TypedInstant(text, now: now, zone: zone) else {
      throw .usage("--from must be a time such as \(TypedInstant.forms); not '\(visible(text))'")
    }
    return time.instant
  }

  // MARK: Forecast

  /// The effect of next year's clock changes on each distinct rule of the daemon's jobs.
  private static func forecast(_ session: Session) throws {
    let jobs = try session.daemon().ask(SchedulerCall.List()).jobs
    let zones = SystemZones()
    let now = SystemWallClock().now()
    var items: [ForecastAnswer.Item] = []
    let rules = Dictionary(grouping: jobs) { RuleKey(rule: $0.rule, zone: $0.zone) }
    let line = ProgressLine("looking for clock changes", session.console)
    defer { line.end() }
    for (done, (key, jobs)) in rules.enumerated() {
      line.advance(to: done, of: rules.count, unit: "rules")
      guard let expression = try? CalendarExpression(key.rule), let zone = try? zones.zone(named: key.zone) else {
        continue
      }
      let rule = CalendarRule(expression, zone: zone)
      for effect in rule.daylightForecast(from: now, to: now.advanced(by: .hours(366 * 24))) {
        items.append(
          ForecastAnswer.Item(
            at: effect.transition.instant.description, zone: key.zone, rule: key.rule,
            jobs: jobs.map { "\($0.job)\($0.team.map { "@\($0)" } ?? "")" }.sorted(), note: effect.description))
      }
    }
    line.end()
    items.sort { ($0.at, $0.zone, $0.rule) < ($1.at, $1.zone, $1.rule) }
    let console = session.console
    if console.isJSON { return try console.document("dst-forecast", ForecastAnswer(effects: items)) }
    for item in items {
      console.line("\(item.at)  \(item.zone)  \(visible(item.rule))  \(item.note)")
      let rest = item.jobs.count > 5 ? " and \(item.jobs.count - 5) more" : ""
      console.line("    \(item.jobs.prefix(5).map(visible).joined(separator: ", "))\(rest)")
    }
    if items.isEmpty { console.note("no clock change of the coming year affects a job") }
  }

  /// Identifies equal rules in equal zones.
  private struct RuleKey: Hashable {
    let rule: String
    let zone: String
  }

  /// The JSON document of the forecast of clock changes.
  private struct ForecastAnswer: Codable {
    /// A clock change with a rule that it affects, and the jobs of that rule.
    struct Item: Codable {
      let at: String
      let zone: String
      let rule: String
      let jobs: [String]
      let note: String
    }
    let effects: [Item]
  }

  /// The JSON document of `pfctl calendar`.
  private struct Answer: Codable {
    /// One occurrence.
    struct Item: Codable {
      let epoch: Int64
      let utc: String
      let local: String
      let note: String?

      init(_ occurrence: Occurrence, zone: Zone) {
        epoch = occurrence.instant.seconds
        utc = occurrence.instant.description
        let offset = zone.offset(at: occurrence.instant)
        let local = zone.local(at: occurrence.instant)
        let time = "\(padded(local.time.hour, 2)):\(padded(local.time.minute, 2)):\(padded(local.time.second, 2))"
        let minutes = abs(offset) / 60
        self.local =
          "\(local.date)T\(time)\(offset < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
        note = occurrence.note(in: zone)
      }
    }
    let expression: String
    let normalized: String
    let zone: String
    let after: String
    let occurrences: [Item]
    let warnings: [String]
  }
}
