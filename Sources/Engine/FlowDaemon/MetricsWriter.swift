import FlowAnswers
import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNodes
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork
import Glibc

/// Writes metrics in Prometheus text format, replacing the file atomically.
actor MetricsWriter {
  private let store: any Backups & Epochs & LedgerReport & OutboxAdmin & StoreUpkeep & TeamFailures
  private let reader: StoreReader
  private let zones: SystemZones
  private let dispatcher: Dispatcher
  private let trades: [RunningTrade]
  private let log: DaemonLog
  private let settings: EffectiveSettings
  private let senders: SenderReports
  private let engine: StoreEngine
  /// Nil for a daemon that does not share its store with other nodes.
  private let node: ClusterMember?
  /// The last failure to write; logged only when it changes.
  private var trouble: String?

  init(on context: ServiceContext, dispatcher: Dispatcher, trades: [RunningTrade]) {
    store = context.store
    reader = context.reader
    zones = context.zones
    log = context.log
    settings = context.settings
    senders = context.senders
    engine = context.choice.engine
    node = context.node
    self.dispatcher = dispatcher
    self.trades = trades
  }

  func write(now: Timestamp) async {
    guard let path = await settings.reading.settings.metricsFile else { return }
    do {
      try Self.replace(path, with: try await text(now: now))
      if trouble != nil { log.notice("metrics can be written to '\(path)' again") }
      trouble = nil
    } catch {
      let message = "\(error)"
      if trouble != message { log.warning("\(message); writing the metrics is tried again every minute") }
      trouble = message
    }
  }

  private func text(now: Timestamp) async throws -> String {
    var metrics = MetricsText()
    metrics.gauge(
      "store_info", "Always 1; its label is the engine of the store.", [([("engine", engine.rawValue)], 1)])
    let away = await store.serverAway
    metrics.gauge("store_up", "1 while the store answers; 0 while its server is unreachable.", away == nil ? 1 : 0)
    metrics.gauge("written_timestamp_seconds", "When this file was written.", Self.seconds(now))
    if let node { addNodes(of: node, to: &metrics) }
    addSenders(await senders.read(), now: now, to: &metrics)
    // While the store is away other values are unknown, and old ones would look current.
    guard away == nil else { return metrics.text }
    if let figures = try await reader.figures(limit: Limits.jobsInMetrics, notAfter: now) {
      addJobs(figures, early: try await store.slotsRunEarly(after: now), now: now, to: &metrics)
    }
    let counts = try await store.stateCounts()
    metrics.gauge("teams", "Teams in the store.", Double(counts.teams))
    metrics.gauge("jobs", "Jobs in the store.", Double(counts.jobs))
    let outcomes = try await store.outcomes(since: now.advanced(by: .hours(-24)), notAfter: now)
    metrics.gauge(
      "runs_last_day", "Runs whose slots lie in the last 24 hours, by outcome.",
      RunOutcome.allCases.map { ([("outcome", $0.rawValue)], Double(outcomes[$0] ?? 0)) })
    let troubles = try await store.troubles()
    metrics.gauge(
      "teams_in_trouble", "Teams with records that make some of their work fail.",
      Double(Set(troubles.map(\.team)).count))
    metrics.gauge(
      "team_trouble", "1 while a team's records make this work fail.",
      troubles.prefix(Limits.jobsInMetrics).map { ([("team", $0.team), ("work", $0.work)], 1) })
    let depth = try await store.outboxDepth()
    metrics.gauge(
      "outbox_entries", "Entries of the outbox, by state.",
      EntryState.allCases.map { ([("state", $0.rawValue)], Double(depth[$0] ?? 0)) })
    metrics.gauge(
      "outbox_oldest_age_seconds", "Age of the oldest notice that waits for a sink; 0 for none.",
      try await store.oldestUndelivered().map { max(0, Self.seconds(now.since($0))) } ?? 0)
    metrics.gauge(
      "sink_sick", "1 while a sink fails.",
      await dispatcher.statuses().map { ([("sink", $0.sink)], $0.trouble == nil ? 0 : 1) })
    metrics.gauge(
      "sink_obstacles", "Pages of a sink that cannot be updated while the others can.",
      await dispatcher.statuses().map { ([("sink", $0.sink)], Double($0.obstacles.count)) })
    // A store that was never backed up counts from its first start, so an alarm needs no special case.
    var backup = try await store.backups().first { $0.finding == nil && $0.createdAt <= now }?.createdAt
    if backup == nil { backup = try await store.firstStart() }
    metrics.gauge(
      "backup_age_seconds", "Age of the newest backup that passed a test restore; without one, the age of the store.",
      backup.map { max(0, Self.seconds(now.since($0))) })
    for trade in trades {
      for gauge in await trade.gauges() { metrics.gauge(gauge.name, gauge.help, gauge.value) }
    }
    return metrics.text
  }

  /// Adds the metrics of each node.
  private func addNodes(of node: ClusterMember, to metrics: inout MetricsText) {
    metrics.gauge(
      "node_shares", "How many of the 64 partitions of the teams each node owns.",
      node.known.map { ([("node", $0.node.name)], Double($0.partitions.count)) })
    metrics.gauge(
      "node_up", "1 for a node that sends heartbeats, 0 for one that stopped.",
      node.known.map { ([("node", $0.node.name)], $0.part == .silent ? 0 : 1) })
    metrics.gauge(
      "node_clock_ahead_seconds", "How far a node's clock is ahead of the database server's.",
      node.known.map { ([("node", $0.node.name)], Self.seconds($0.node.clockAhead)) })
  }

  /// Adds the metrics of each job.
  private func addJobs(
    _ figures: [JobFigures], early: [JobID: Set<Timestamp>], now: Timestamp, to metrics: inout MetricsText
  ) {
    func labels(_ figures: JobFigures) -> [(String, String)] {
      [("team", figures.record.teamName), ("job", figures.record.kind.rawValue)]
    }
    func gauge(_ name: String, _ help: String, _ value: (JobFigures) -> Double?) {
      metrics.gauge(name, help, figures.compactMap { one in value(one).map { (labels(one), $0) } })
    }
    var rules = RuleCache()
    // A job whose rule cannot be parsed has no next slot; the scheduler logs the reason.
    let next = figures.reduce(into: [JobID: Timestamp]()) { next, one in
      var job = try? PlannedJob(one.record, zones: zones, rules: &rules)
      job?.ranEarly = early[one.record.id] ?? []
      next[one.record.id] = job?.nextToRun(after: now)?.instant
    }
    gauge("job_last_success_timestamp_seconds", "When a run of the job last succeeded.") {
      $0.lastSuccess.map { Self.seconds($0) }
    }
    gauge("job_next_due_timestamp_seconds", "The job's next slot.") { next[$0.record.id].map { Self.seconds($0) } }
    gauge("job_lateness_seconds", "How late the newest run began.") { $0.lateness.map { Self.seconds($0) } }
    gauge("job_duration_seconds", "How long the newest run took.") { $0.duration.map { Self.seconds($0) } }
    gauge("job_consecutive_failures", "Failed runs since the last successful one.") {
      Double($0.consecutiveFailures)
    }
  }

  /// Adds the metrics of each sender and its channels.
  private func addSenders(_ senders: [SenderReports.Sender], now: Timestamp, to metrics: inout MetricsText) {
    metrics.gauge(
      "sender_up", "1 while the program that sends a sink's notices to people reports; 0 when it does not run.",
      senders.map { ([("sink", $0.sink)], $0.isSilent ? 0 : 1) })
    metrics.gauge(
      "sender_failures", "Faults of a sender that the operator must repair; 0 for none.",
      senders.map { ([("sink", $0.sink)], Double($0.failures.count)) })
    func gauge(_ name: String, _ help: String, _ value: (SenderReport.Channel) -> Double?) {
      let series = senders.flatMap { sender in
        sender.report.channels.compactMap { channel in
          value(channel).map { (labels: [("sink", sender.sink), ("channel", channel.name)], value: $0) }
        }
      }
      metrics.gauge(name, help, series)
    }
    func instant(_ text: String?) -> Timestamp? { text.flatMap { Timestamp(rfc3339: $0) } }
    gauge("channel_failing", "1 while a channel delivers nothing that is due.") { $0.health?.isFailure == true ? 1 : 0 }
    gauge("channel_waiting", "Messages that wait for a channel.") { Double($0.waiting) }
    gauge("channel_overdue", "Messages that have been due for longer than they should wait.") {
      Double($0.overdue ?? 0)
    }
    gauge("channel_due_age_seconds", "How long the oldest overdue message of a channel has been due; 0 for none.") {
      instant($0.dueSince).map { max(0, Self.seconds(now.since($0))) } ?? 0
    }
    gauge("channel_last_delivered_timestamp_seconds", "When a channel last delivered a message.") {
      instant($0.lastDelivered).map { Self.seconds($0) }
    }
  }

  private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMilliseconds) / 1_000 }
  private static func seconds(_ instant: Timestamp) -> Double { Double(instant.milliseconds) / 1_000 }

  /// Writes a new file beside the old one and renames it: a collector never reads half a file.
  private static func replace(_ path: String, with text: String) throws(SystemFailure) {
    let draft = path + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw SystemFailure("cannot write '\(draft)'") }
    // The collector runs as another user.
    fchmod(descriptor, 0o644)
    var text = text
    let isWhole = text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        written += count
      }
      return true
    }
    let code = errno
    close(descriptor)
    guard isWhole else { throw SystemFailure("cannot write '\(draft)'", code: code) }
    guard rename(draft, path) == 0 else { throw SystemFailure("cannot rename '\(draft)'") }
  }
}
