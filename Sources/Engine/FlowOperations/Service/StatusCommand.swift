package import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl status`: summarises the daemon on one screen.
package enum StatusCommand: Command {
  package static let description = CommandDescription(
    "status", "the state of the daemon: clock, next jobs, last day, outbox, sinks",
    options: [StatusCheck.option], examples: ["pfctl status", "pfctl status --check"])

  package static let documents: [JSONDocument] = [
    .init("status", SchedulerCall.Status.Reply.self), .init("status-check", StatusCheck.Answer.self),
  ]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    if arguments.has("check") { return try StatusCheck.run(session) }
    let status = try session.daemon().ask(SchedulerCall.Status())
    // Like systemctl for a stopped unit: print the recorded state and exit with its own code.
    if session.isInspecting { session.exitCode = ExitCode.unavailable }
    let console = session.console
    if console.isJSON { return try console.document("status", status) }
    let troubles = troubles(of: status)
    let away = "○ \(DaemonInstance.unit(at: session.socketPath)) is not running"
    console.line(session.isInspecting ? away : heading(of: status, troubles, console))
    let rows = rows(of: status)
    let width = rows.map(\.0.count).max() ?? 0
    for (title, text, isTrouble) in rows {
      let padding = String(repeating: " ", count: width - title.count + 2)
      console.line(
        "  \(console.paint(title, .dim))\(padding)\(console.paint(visible(text), isTrouble ? .yellow : nil))")
    }
    for trouble in troubles { console.note("! \(visible(trouble))") }
  }

  private static func heading(
    of status: SchedulerCall.Status.Reply, _ troubles: [String], _ console: Console
  ) -> String {
    let mark = console.paint("●", troubles.isEmpty ? .green : .yellow)
    var heading = "\(mark) poolflowd \(visible(status.version)), pid \(status.pid)"
    if let age = TextFormat.secondsUntil(status.startedAt) { heading += ", up \(TextFormat.duration(seconds: age))" }
    return heading
  }

  private static func rows(of status: SchedulerCall.Status.Reply) -> [(String, String, Bool)] {
    var rows = status.store?.state == .away ? [] : recorded(in: status)
    for (index, sink) in status.sinks.enumerated() {
      let detail = sink.detail.isEmpty ? "" : ": \(sink.detail)"
      rows.append((index == 0 ? "sinks" : "", "\(sink.name) (\(sink.kind)) \(sink.state)\(detail)", sink.state != .ok))
    }
    rows += (status.senders ?? []).enumerated().map { index, sender in
      (index == 0 ? "people" : "", sender.words, !sender.failures.isEmpty || !sender.slowChannels.isEmpty)
    }
    let clock = status.clockDetail.map { ": \($0)" } ?? ""
    rows.append(("clock", "\(status.clock.rawValue)\(clock)", status.clock != .ok || status.clockDetail != nil))
    if let detail = status.diskDetail { rows.append(("disk", "\(status.disk.rawValue): \(detail)", true)) }
    if let store = status.store, store.engine != .sqlite {
      rows.append(("state", status.stateDir, false))
      let state = store.state == .ok ? "schema \(status.schemaVersion)" : "does not answer"
      rows.append(("store", "\(store.place), \(state)", store.state != .ok))
    } else {
      rows.append(("store", "\(status.stateDir), schema \(status.schemaVersion)", false))
    }
    if let node = status.node { rows.append(("nodes", node, false)) }
    if let config = status.configPath { rows.append(("settings", config, false)) }
    return rows
  }

  /// The rows of the status that come from the store.
  private static func recorded(in status: SchedulerCall.Status.Reply) -> [(String, String, Bool)] {
    var rows: [(String, String, Bool)] = []
    for (index, next) in status.next.enumerated() {
      rows.append((index == 0 ? "next" : "", sentence(about: next), false))
    }
    if status.next.isEmpty { rows.append(("next", "nothing is planned", false)) }
    let teams = TextFormat.count(status.teams, "team")
    let records = TextFormat.count(status.pools, "pool")
    rows.append(("holds", "\(teams), \(records), \(TextFormat.count(status.jobs, "job"))", false))
    let day = status.runsLastDay
    let outcomes = [
      (day.notified, "notified"), (day.done, "done"), (day.skipped, "skipped"), (day.failed, "failed"),
      (day.missed, "missed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    rows.append(
      ("last day", outcomes.isEmpty ? "no runs" : outcomes.joined(separator: ", "), day.failed + day.missed > 0))
    let outbox = status.outbox
    var waiting = "\(outbox.pending + outbox.staged) waiting"
    if let oldest = outbox.oldestPendingS { waiting += " (oldest \(TextFormat.duration(seconds: oldest)))" }
    rows.append(
      ("outbox", "\(waiting), \(outbox.sent) sent, \(outbox.dead) dead, \(outbox.held) held", outbox.dead > 0))
    if let day = status.deliveriesLastDay { rows.append(row(of: day)) }
    return rows
  }

  private static func row(of day: DeliveryCountsView) -> (String, String, Bool) {
    let counts = [
      (day.delivered, "delivered"), (day.waiting, "waiting"), (day.refused, "refused"), (day.expired, "expired"),
      (day.unknown, "may have arrived"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return ("delivered", "\(counts.joined(separator: ", ")) in the last day", day.losses > 0)
  }

  private static func sentence(about next: OccurrenceView) -> String {
    let team = next.team.map { " for \($0)" } ?? ""
    let wait =
      TextFormat.secondsUntil(next.at).map { $0 > 0 ? " (in \(TextFormat.duration(seconds: $0)))" : " (now)" } ?? ""
    return "\(next.job)\(team) \(next.local)\(wait)"
  }

  /// Problems for the operator, each with the command to run next.
  private static func troubles(of status: SchedulerCall.Status.Reply) -> [String] {
    var troubles: [String] = []
    if let store = status.store, store.state == .away {
      // No other fact is available while the store is away.
      return [
        "\(store.detail ?? "the store does not answer"); no job starts until it answers; then missed jobs catch up"
      ]
    }
    if status.clock != .ok { troubles.append("the clock is not trusted, so no job runs: see `timedatectl`") }
    if status.disk != .ok { troubles.append("the disk is full or almost full: `pfctl doctor` shows what to do") }
    if let mended = status.clockMended { troubles.append("the clock was wrong: \(mended)") }
    if status.runsLastDay.failed > 0 { troubles.append("runs failed in the last day: `pfctl history --failed`") }
    if status.outbox.dead > 0 { troubles.append("notices could not be delivered: `pfctl outbox list --state dead`") }
    if let losses = status.deliveriesLastDay?.losses, losses > 0 {
      troubles.append(
        "deliveries were lost in the last day: `pfctl history` and `poolflow-post dead` list them")
    }
    if status.outbox.held > 0 { troubles.append("notices are on hold: `pfctl outbox list --state held`") }
    for (team, found) in Dictionary(grouping: status.troubles ?? [], by: \.team).sorted(by: { $0.key < $1.key }) {
      let words = found.map { "\($0.work): \($0.why)" }.joined(separator: "; ")
      troubles.append("team '\(team)' has a failure, \(words): `pfctl doctor`")
    }
    troubles += status.failedWork ?? []
    for sender in status.senders ?? [] {
      troubles += sender.failures.map { "\($0.title): \($0.detail)" }
      troubles += sender.warnings
    }
    if status.teams == 0 { troubles.append("there is no team yet: `pfctl team add NAME --zone Area/City`") }
    return troubles
  }
}

extension SenderFailureView {
  /// True for a warning about a single team without a way to be notified, which may be intended.
  var isOfTeam: Bool { about.hasPrefix("team ") }
}

extension SenderView {
  /// `[Channel mail] slow, 3 overdue`, for channels that deliver only some of their messages.
  var slowChannels: [String] {
    channels.filter { $0.state == .slow }.map { "[Channel \($0.name)] slow, \($0.overdue) overdue" }
  }

  /// `by post: mail ok, push stuck (12 waiting)`.
  fileprivate var words: String {
    let list = channels.map { channel in
      "\(channel.name) \(channel.state)" + (channel.waiting > 0 ? " (\(channel.waiting) waiting)" : "")
    }
    return "by \(sink): " + (state == .silent ? "poolflow-post does not run; its last report: " : "")
      + list.joined(separator: ", ")
  }
}

extension DeliveryCountsView {
  /// The number of messages that were lost or whose outcome is unknown.
  var losses: Int { refused + expired + unknown }
}
