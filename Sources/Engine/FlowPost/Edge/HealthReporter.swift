import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings

/// Surveys the queue every few seconds: sends the daemon the reasons of long waits, logs failures that begin or end, asks for
/// operator notices and writes the report.
final class HealthReporter {
  /// The interval between surveys.
  static let surveyInterval: Duration = .seconds(2)

  var health: SenderHealth
  private var longWaits = LongWaitDetector()
  /// The uptime of the last survey.
  private var surveyedAt: Duration = .zero
  private let queue: DurableQueue
  private let receipts: ReceiptWriter
  private let clock: TrustedClock
  private let disk: ErrorBackoff
  private let log: PostLog

  init(
    _ health: SenderHealth, of queue: DurableQueue, receipts: ReceiptWriter, clock: TrustedClock, disk: ErrorBackoff,
    _ log: PostLog
  ) {
    (self.health, self.queue, self.receipts, self.clock) = (health, queue, receipts, clock)
    (self.disk, self.log) = (disk, log)
  }

  /// Uses reloaded settings.
  func apply(_ settings: PostSettings) {
    receipts.use(path: settings.receiptFolder)
    health.apply(settings)
  }

  /// True if a survey is needed within `surveyInterval`, without another event.
  var isSurveyDueSoon: Bool { queue.needsSurvey || longWaits.hasUnreported || health.isWatching }

  /// Surveys the queue if the last survey is `surveyInterval` ago.
  ///
  /// - Parameter planner: plans operator notices.
  func survey(_ planner: EventPlanner) {
    let up = MachineUptime.now()
    guard up - surveyedAt >= Self.surveyInterval else { return }
    (surveyedAt, queue.needsSurvey) = (up, false)
    reportLongWaits()
    checkHealth(planner, up)
    receipts.writeKeptReceipts()
  }

  /// Writes a receipt with the reason for each delivery that waits for long.
  private func reportLongWaits() {
    // The daemon stores these receipts with their time, so they need a confirmed clock.
    guard clock.isConfirmed else { return }
    let waiting = longWaits.update(at: queue.state, now: clock.now, quietMinutesLeft: clock.quietMinutesLeft)
    for (delivery, why) in waiting {
      receipts.write(delivery.waiting(why, at: clock.now).bytes, of: delivery, isFinal: false)
    }
  }

  /// Checks the health of all channels: logs changes, notifies the operator and writes the report.
  private func checkHealth(_ planner: EventPlanner, _ up: Duration) {
    let now = clock.now
    health.update(at: queue.state, now: now, up: up, quietMinutesLeft: clock.quietMinutesLeft)
    for line in health.newLogLines() {
      if line.isFailure { log.error(line.text) } else { log.notice(line.text) }
    }
    if let notice = health.news(in: queue.state, at: now) { planner.addOperatorNotice(notice.id, notice.bytes) }
    disk.perform {
      // Plan the notice before the report says that the operator was notified.
      if clock.isBelieved { try planner.planOperatorNotices() }
      if let report = try health.report(queue.state, delivered: queue.delivered, at: now, up: up) {
        try receipts.writeReport(report)
      }
    }
  }
}
