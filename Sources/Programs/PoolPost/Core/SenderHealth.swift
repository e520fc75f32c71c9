import PoolModel
import PoolNotices
import PoolSettings

/// All that poolflow-post knows of its own health: its channels, teams that it reaches nowhere, settings that it could not
/// take. It decides what is logged, what the operator is told, and what is reported to the daemon.
struct SenderHealth: Sendable {
  private var settings: PostSettings
  private var channels = ChannelHealth()
  private var teams = UnreachedTeams()
  private var alarm = FailureAlarm()
  /// Why the settings on disk are not those that are effective, and since when.
  private var refused: (words: String, since: Timestamp)?
  /// Why the clock is not believed, and since when.
  private var clock: (words: String, since: Timestamp)?
  /// All that lasts, as of the last look.
  private var failures: [SenderReport.Failure] = []
  /// What the failures are about that were logged.
  private var logged: Set<String> = []
  private var reported: (report: SenderReport, up: Duration)?

  init(_ settings: PostSettings) { self.settings = settings }

  /// Something is due and may be overdue soon.
  var isWatching: Bool { channels.isWatching }

  // MARK: What happens

  /// What an earlier process knew and told.
  mutating func recall(_ report: SenderReport) {
    channels.recall(report)
    teams.recall(report)
    teams.use(settings)
    for failure in report.failures ?? [] {
      if let told = failure.told.flatMap({ Timestamp(rfc3339: $0) }) { alarm.remember(failure.about, told: told) }
      logged.insert(failure.about)
    }
  }

  /// Other settings are effective.
  mutating func use(_ settings: PostSettings) {
    (self.settings, refused) = (settings, nil)
    teams.use(settings)
  }

  /// Settings on disk were not taken, and those of before stay effective.
  mutating func refuse(_ error: SettingsError, at now: Timestamp) {
    var words = error.summary
    if case .mistakes(let problems) = error, let first = problems.first {
      words += ", such as \(first.file):\(first.line): \(first.message)"
    }
    refused = (words, refused?.since ?? now)
  }

  /// Titles of what lasts, for one line: `; [Channel mail] delivers nothing`.
  var summary: String { failures.map { "; \($0.title)" }.joined() }

  /// - Parameter words: why the clock is not believed; nil where it is.
  mutating func use(clock words: String?, at now: Timestamp) {
    clock = words.map { ($0, clock?.since ?? now) }
  }

  mutating func settle(_ channel: String, _ verdict: Verdict, at now: Timestamp, up: Duration) {
    channels.settle(channel, verdict, at: now, up: up)
  }

  /// Takes the plan of an event.
  ///
  /// - Returns: the plan, without deliveries that would tell of a failure by the channel that fails, where others remain.
  mutating func take(
    _ event: PostEvent, _ plan: [Delivery], in queue: PostQueue, at now: Timestamp
  ) -> [Delivery] {
    teams.take(event, plan, at: now)
    let word = OperatorNotice.identifier(OperatorNotice.senderFailed, sink: "")
    guard event.data.identifier?.hasPrefix(word) == true else { return plan }
    let healthy = plan.filter { !channels.health(of: $0.channel, in: queue).isFailure }
    return healthy.isEmpty ? plan : healthy
  }

  mutating func look(
    at queue: PostQueue, now: Timestamp, up: Duration, quietLeft: (QuietTime) -> Int
  ) {
    channels.look(
      at: queue, channels: Set(settings.channels.map(\.name)), patience: settings.dueWithin, now: now, up: up,
      quietLeft: quietLeft)
    let before = Dictionary(failures.map { ($0.about, $0.since) }, uniquingKeysWith: { first, _ in first })
    failures = channels.failures(
      in: queue, at: now, since: { before[$0].flatMap { Timestamp(rfc3339: $0) } },
      fallback: { name in settings.channels.first { $0.name == name }?.fallback })
    failures += teams.failures(settings)
    if let clock {
      failures.append(
        SenderReport.Failure(
          about: "clock", title: "the clock is not believed, and nothing is sent", words: "\(clock.words).",
          since: clock.since))
    }
    if let refused {
      failures.append(
        SenderReport.Failure(
          about: "settings", title: "the settings on disk are not effective",
          words: "A reload refused them, and those of before stay: \(refused.words). Repair them, check them with "
            + "`poolflow-post --check`, then `systemctl reload poolflow-post`; a new credential takes a restart.",
          since: refused.since))
    }
  }

  // MARK: What is said

  /// Lines for the journal: each failure once when it begins, and once when it is over.
  mutating func newLines() -> [(text: String, isFailure: Bool)] {
    let lasting = Set(failures.map(\.about))
    let ended = logged.subtracting(lasting).sorted()
    let began = failures.filter { !logged.contains($0.about) }
    logged = lasting
    return ended.map { (SenderReport.Failure.isOver($0), false) } + began.map { ("\($0.title): \($0.words)", true) }
  }

  /// Channels that tell the operator and do not fail themselves.
  func operatorWays(in queue: PostQueue) -> Set<String> {
    Set(settings.channels.filter { $0.tellsOperator && !channels.health(of: $0.name, in: queue).isFailure }.map(\.name))
  }

  /// What the operator is told now; nil for nothing, or where no channel can tell it.
  mutating func news(in queue: PostQueue, at now: Timestamp) -> (id: String, bytes: [UInt8])? {
    guard let news = alarm.news(of: failures, at: now) else { return nil }
    guard !operatorWays(in: queue).isEmpty else {
      // What is over need not be told to an operator who could not be told of it.
      alarm.tell(FailureAlarm.News(began: [], ended: news.ended), of: failures, at: now)
      return nil
    }
    alarm.tell(news, of: failures, at: now)
    return Self.event(news, at: now)
  }

  private static func event(_ news: FailureAlarm.News, at now: Timestamp) -> (id: String, bytes: [UInt8]) {
    let over = news.ended.map(SenderReport.Failure.isOver)
    let titles = news.began.map(\.title) + over
    let title = (titles.first ?? "") + (titles.count > 1 ? ", and \(titles.count - 1) more" : "")
    let words = news.began.map { news.began.count == 1 && over.isEmpty ? $0.words : "\($0.title): \($0.words)" }
    let id = "\(Delivery.newsPrefix)\(now.milliseconds)-\(news.began.isEmpty ? "works-again" : "failure")"
    var json = JSONText()
    json.object { event in
      event.member("specversion", "1.0")
      event.member("id", id)
      event.member("source", "/poolflow-post")
      event.member("type", "org.poolflow.operator")
      event.member("time", now.description)
      event.member("expirytime", now.advanced(by: Limits.postUntil).description)
      event.member("data") { data in
        data.member("title", "poolflow-post: \(title)")
        data.member("body", (words + over.map { "\($0)." }).joined(separator: " "))
        data.member("job", "operator")
        data.member("severity", news.began.isEmpty ? "notice" : "error")
      }
    }
    return (id, json.bytes)
  }

  /// The report's bytes, where it is to be written: it says something new, or the last one is old.
  mutating func report(
    _ queue: PostQueue, delivered: [String: Timestamp], at now: Timestamp, up: Duration
  ) throws -> [UInt8]? {
    let kinds = Dictionary(
      settings.channels.map { ($0.name, $0.kind.rawValue) }, uniquingKeysWith: { first, _ in first })
    let names = Set(kinds.keys).union(queue.lanes.keys.filter { !(queue.lanes[$0]?.all.isEmpty ?? true) })
    let rows = names.sorted().map { name in
      channels.row(
        name, kind: kinds[name] ?? "", in: queue, delivered: delivered[name],
        teams: settings.channels.first { $0.name == name }?.teams ?? [])
    }
    let failures = failures.map { failure in
      var failure = failure
      failure.told = alarm.told(failure.about)?.description
      return failure
    }
    var report = SenderReport(channels: rows, failures: failures, unreached: teams.rows)
    if let reported, reported.report == report, up - reported.up < Limits.senderReportEvery { return nil }
    reported = (report, up)
    report.at = now.description
    return try report.bytes
  }
}
