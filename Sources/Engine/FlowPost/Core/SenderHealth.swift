import FlowModel
import FlowNotices
import FlowSettings

/// The health of poolflow-post: its channels, teams without any recipient, and refused settings. It decides which failures are
/// logged, sent to the operator and reported to the daemon.
struct SenderHealth: Sendable {
  private var settings: PostSettings
  private var channels = ChannelHealth()
  private var teams = UnreachedTeams()
  private var alarm = FailureAlarm()
  /// The reason why the settings on disk are not effective, and since when; nil if they are.
  private var settingsFailure: (words: String, since: Timestamp)?
  /// The reason why the clock is not believed, and since when; nil if it is.
  private var clock: (words: String, since: Timestamp)?
  /// All present failures, as of the last check.
  private var failures: [SenderReport.Failure] = []
  /// The subjects of the failures that were logged.
  private var logged: Set<String> = []
  /// The last written report, and the uptime at that moment.
  private var reported: (report: SenderReport, up: Duration)?

  init(_ settings: PostSettings) { self.settings = settings }

  /// True if a message is due and may become overdue soon.
  var isWatching: Bool { channels.isWatching }

  // MARK: Events

  /// Restores failures and sent notices from an earlier process's report.
  mutating func restore(_ report: SenderReport) {
    channels.restore(report)
    teams.restore(report)
    teams.apply(settings)
    for failure in report.failures ?? [] {
      if let told = failure.told.flatMap({ Timestamp(rfc3339: $0) }) { alarm.remember(failure.about, told: told) }
      logged.insert(failure.about)
    }
  }

  /// Uses new settings after a reload.
  mutating func apply(_ settings: PostSettings) {
    (self.settings, settingsFailure) = (settings, nil)
    teams.apply(settings)
  }

  /// Records that a reload refused the settings on disk, so that the previous settings stay effective.
  mutating func rejectReload(_ error: SettingsError, at now: Timestamp) {
    var words = error.summary
    if case .mistakes(let problems) = error, let first = problems.first {
      words += ", such as \(first.file):\(first.line): \(first.message)"
    }
    settingsFailure = (words, settingsFailure?.since ?? now)
  }

  /// The titles of present failures for a status line: `; [Channel mail] delivers nothing`.
  var summary: String { failures.map { "; \($0.title)" }.joined() }

  /// Records whether the clock is believed.
  ///
  /// - Parameter words: the reason why it is not; nil if it is believed.
  mutating func apply(clock words: String?, at now: Timestamp) {
    clock = words.map { ($0, clock?.since ?? now) }
  }

  /// Records the outcome of a try.
  mutating func applyOutcome(_ channel: String, _ verdict: SendVerdict, at now: Timestamp, up: Duration) {
    channels.applyOutcome(channel, verdict, at: now, up: up)
  }

  /// Records the plan of an event.
  ///
  /// - Returns: the plan. An operator notice about a failure is not sent by failing channels, if other channels remain.
  mutating func take(
    _ event: PostEvent, _ plan: [Delivery], in queue: PostQueue, at now: Timestamp
  ) -> [Delivery] {
    teams.take(event, plan, at: now)
    let word = OperatorNotice.identifier(OperatorNotice.senderFailed, sink: "")
    guard event.data.identifier?.hasPrefix(word) == true else { return plan }
    let healthy = plan.filter { !channels.health(of: $0.channel, in: queue).isFailure }
    return healthy.isEmpty ? plan : healthy
  }

  /// Updates all failures from the state of the queue.
  mutating func update(
    at queue: PostQueue, now: Timestamp, up: Duration, quietMinutesLeft: (QuietTime) -> Int
  ) {
    channels.update(
      at: queue, channels: Set(settings.channels.map(\.name)), patience: settings.dueWithin, now: now, up: up,
      quietMinutesLeft: quietMinutesLeft)
    let before = Dictionary(failures.map { ($0.about, $0.since) }, uniquingKeysWith: { first, _ in first })
    failures = channels.failures(
      in: queue, at: now, since: { before[$0].flatMap { Timestamp(rfc3339: $0) } },
      fallback: { name in settings.channels.first { $0.name == name }?.fallback })
    failures += teams.failures(settings)
    if let clock {
      failures.append(
        SenderReport.Failure(
          about: "clock", title: "the clock is not trusted, and nothing is sent", words: "\(clock.words).",
          since: clock.since))
    }
    if let settingsFailure {
      failures.append(
        SenderReport.Failure(
          about: "settings", title: "the settings on disk are not effective",
          words: "A reload refused them, and the previous ones stay effective: \(settingsFailure.words). "
            + "Correct them, check them with "
            + "`poolflow-post --check`, then `systemctl reload poolflow-post`; a new credential needs a restart.",
          since: settingsFailure.since))
    }
  }

  // MARK: Reports

  /// Returns lines for the journal: one when a failure begins, and one when it has ended.
  mutating func newLogLines() -> [(text: String, isFailure: Bool)] {
    let lasting = Set(failures.map(\.about))
    let ended = logged.subtracting(lasting).sorted()
    let began = failures.filter { !logged.contains($0.about) }
    logged = lasting
    return ended.map { (SenderReport.Failure.isOver($0), false) } + began.map { ("\($0.title): \($0.words)", true) }
  }

  /// Returns the channels for operator notices that do not fail.
  func workingOperatorChannels(in queue: PostQueue) -> Set<String> {
    Set(settings.channels.filter { $0.tellsOperator && !channels.health(of: $0.name, in: queue).isFailure }.map(\.name))
  }

  /// Returns the event for the next operator notice; nil if there is none or no working channel for it.
  mutating func news(in queue: PostQueue, at now: Timestamp) -> (id: String, bytes: [UInt8])? {
    guard let news = alarm.news(of: failures, at: now) else { return nil }
    guard !workingOperatorChannels(in: queue).isEmpty else {
      // If the operator could not be notified of a failure, its end needs no notice either.
      alarm.notify(FailureAlarm.News(began: [], ended: news.ended), of: failures, at: now)
      return nil
    }
    alarm.notify(news, of: failures, at: now)
    return Self.event(news, at: now)
  }

  /// Builds the operator notice, in the format of the daemon's events.
  private static func event(_ news: FailureAlarm.News, at now: Timestamp) -> (id: String, bytes: [UInt8]) {
    let over = news.ended.map(SenderReport.Failure.isOver)
    let titles = news.began.map(\.title) + over
    let title = (titles.first ?? "") + (titles.count > 1 ? ", and \(titles.count - 1) more" : "")
    let words = news.began.map { news.began.count == 1 && over.isEmpty ? $0.words : "\($0.title): \($0.words)" }
    let id = "\(Delivery.ownNoticePrefix)\(now.milliseconds)-\(news.began.isEmpty ? "works-again" : "failure")"
    var json = JSONText()
    json.object { event in
      event.member("specversion", "1.0")
      event.member("id", id)
      event.member("source", "/poolflow-post")
      event.member("type", "org.poolflow.operator")
      event.member("time", now.description)
      event.member("expirytime", now.advanced(by: Limits.postDefaultExpiry).description)
      event.member("data") { data in
        data.member("title", "poolflow-post: \(title)")
        data.member("body", (words + over.map { "\($0)." }).joined(separator: " "))
        data.member("job", "operator")
        data.member("severity", news.began.isEmpty ? "notice" : "error")
      }
    }
    return (id, json.bytes)
  }

  /// Returns the report's bytes; nil if it has not changed and the last one is younger than `Limits.senderReportInterval`.
  mutating func report(
    _ queue: PostQueue, delivered: [String: Timestamp], at now: Timestamp, up: Duration
  ) throws -> [UInt8]? {
    let kinds = Dictionary(
      settings.channels.map { ($0.name, $0.kind.rawValue) }, uniquingKeysWith: { first, _ in first })
    let names = Set(kinds.keys).union(queue.lanes.keys.filter { !(queue.lanes[$0]?.all.isEmpty ?? true) })
    let rows = names.sorted().map { name in
      channels.reportRow(
        name, kind: kinds[name] ?? "", in: queue, delivered: delivered[name],
        teams: settings.channels.first { $0.name == name }?.teams ?? [])
    }
    let failures = failures.map { failure in
      var failure = failure
      failure.told = alarm.told(failure.about)?.description
      return failure
    }
    var report = SenderReport(channels: rows, failures: failures, unreached: teams.rows)
    if let reported, reported.report == report, up - reported.up < Limits.senderReportInterval { return nil }
    reported = (report, up)
    report.at = now.description
    return try report.bytes
  }
}
