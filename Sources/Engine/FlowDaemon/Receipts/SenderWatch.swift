import FlowAnswers
import FlowModel
import FlowNotices
import FlowServices
import FlowSettings

/// Notifies the operator of failing senders, once when a failure begins and once when it ends. The sender itself notifies its
/// channels with `Operator = yes`; this actor notifies all other sinks, and persons who subscribed to the server's notices.
actor SenderWatch {
  private let reports: SenderReports
  private let notices: OperatorNotices
  private var alarms: [String: FailureAlarm] = [:]
  private var faults: [String: String] = [:]

  init(reports: SenderReports, notices: OperatorNotices) { (self.reports, self.notices) = (reports, notices) }

  /// Reads all sender reports and sends the notices that are due.
  func scan(now: Timestamp) async {
    for sender in await reports.read() {
      do { try await scan(at: sender, now: now) } catch {
        notices.log.error(
          "the operator could not be notified about the sender of sink '\(sender.sink)': \(error); trying again within a minute"
        )
      }
    }
    let found = await reports.faults
    for (sink, fault) in found where faults[sink] != fault { notices.log.warning(fault) }
    faults = found
  }

  private func scan(at sender: SenderReports.Sender, now: Timestamp) async throws {
    let failures = sender.failures
    var alarm = try await alarm(of: sender, failures)
    if let news = alarm.news(of: failures, at: now) {
      try await notify(news, of: sender, now: now)
      alarm.notify(news, of: failures, at: now)
    }
    alarms[sender.sink] = alarm
  }

  private func notify(_ news: FailureAlarm.News, of sender: SenderReports.Sender, now: Timestamp) async throws {
    let sink = sender.sink
    // A failing channel may have a working alternative for the same person, so personal notices still go through this sink. The
    // sender itself notifies its boards.
    let routes = await notices.settings.reading.settings.sinks.map {
      $0.name == sink ? $0.route.onlyPersonal : $0.route
    }
    if !news.began.isEmpty {
      let lines = news.began.map { "\($0.title): \($0.words)" }
      for line in lines { notices.log.error("sink '\(sink)': \(line)") }
      try await notices.notify(
        .senderFailed(sink: sink, lines: lines), by: routes.filter { $0.sink != sink || !sender.isSilent }, now: now)
    }
    if !news.ended.isEmpty {
      let titles = news.ended.map(SenderReport.Failure.isOver)
      for title in titles { notices.log.notice("sink '\(sink)': \(title)") }
      try await notices.notify(.senderWorks(sink: sink, titles: titles), by: routes, now: now)
    }
  }

  /// The alarm state of a sender. After a restart it is rebuilt from the last notices on record: failures that began before
  /// them count as reported.
  private func alarm(
    of sender: SenderReports.Sender, _ failures: [SenderReport.Failure]
  ) async throws -> FailureAlarm {
    if let alarm = alarms[sender.sink] { return alarm }
    var alarm = FailureAlarm()
    guard let began = try await notices.lastNoticeTime(.senderFailed(sink: sender.sink, lines: [])) else {
      return alarm
    }
    for failure in failures where Timestamp(rfc3339: failure.since).map({ $0 <= began }) ?? false {
      alarm.remember(failure.about, told: began)
    }
    // The failure ended while the daemon was down; its end is still to be reported.
    let ended = try await notices.lastNoticeTime(.senderWorks(sink: sender.sink, titles: []))
    if failures.isEmpty, ended.map({ $0 < began }) ?? true { alarm.remember("sender", told: began) }
    return alarm
  }
}
