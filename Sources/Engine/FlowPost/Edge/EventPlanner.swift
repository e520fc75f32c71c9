import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import Glibc

/// The settings in effect and the channels' secrets, both replaced by a reload.
final class EffectiveSettings {
  private(set) var settings: PostSettings
  private(set) var secrets: [String: ChannelSecret]

  init(_ settings: PostSettings, secrets: [String: ChannelSecret]) {
    (self.settings, self.secrets) = (settings, secrets)
  }

  /// Uses reloaded settings with the drop folder of this process, which changes at the next start only.
  func apply(_ settings: PostSettings, secrets: [String: ChannelSecret], drop: String) {
    (self.settings, self.secrets) = (settings, secrets)
    self.settings.folder = drop
  }
}

/// Plans events by the settings in effect, and writes each plan to the disk before anything is sent.
final class EventPlanner {
  private let effective: EffectiveSettings
  private let machineZone: String
  private let folder: PostFolder
  private let clock: TrustedClock
  private let queue: DurableQueue
  private let reporter: HealthReporter
  private let log: PostLog
  /// Operator notices that are not planned yet.
  private var operatorNotices: [(event: String, bytes: [UInt8])] = []

  /// - Parameter machineZone: the time zone for recipients without one.
  init(
    _ effective: EffectiveSettings, machineZone: String, _ folder: PostFolder, clock: TrustedClock, queue: DurableQueue,
    reporter: HealthReporter, _ log: PostLog
  ) {
    (self.effective, self.machineZone, self.folder, self.clock) = (effective, machineZone, folder, clock)
    (self.queue, self.reporter, self.log) = (queue, reporter, log)
  }

  /// Plans an event of the daemon.
  func plan(_ event: PostEvent, _ bytes: [UInt8], calendar: [UInt8]) throws {
    let planned = PostPlan.deliveries(
      of: event, effective.settings, machineZone: machineZone, takenAt: clock.now,
      quietMinutesLeft: clock.quietMinutesLeft)
    let deliveries = reporter.health.take(event, planned, in: queue.state, at: clock.now)
    try folder.plan(event.id, bytes, calendar: calendar, deliveries)
    if deliveries.isEmpty { try folder.close(event.id) }
    queue.needsSurvey = true
    queue.add(deliveries)
  }

  // MARK: Operator notices

  /// Adds an operator notice of poolflow-post itself, to be planned by `planOperatorNotices`.
  func addOperatorNotice(_ event: String, _ bytes: [UInt8]) { operatorNotices.append((event, bytes)) }

  /// Plans the pending operator notices, for the channels that work.
  func planOperatorNotices() throws {
    while let (id, bytes) = operatorNotices.first {
      let event = try PostEvent(bytes, name: id)
      let workingChannels = reporter.health.workingOperatorChannels(in: queue.state)
      let deliveries = newPlan(event).filter { workingChannels.contains($0.channel) }
      guard !deliveries.isEmpty else {
        operatorNotices.removeFirst()
        continue
      }
      try folder.plan(id, bytes, calendar: [], deliveries)
      operatorNotices.removeFirst()
      queue.add(deliveries)
    }
  }

  // MARK: Dead letters

  /// Restarts the dead letters that an operator wants retried.
  func startRequestedRetries() throws {
    for name in try folder.retryRequests() {
      do {
        let revived = try folder.revive(name, effective.settings, at: clock.now, plan: newPlan)
        for delivery in revived {
          log.notice("\(delivery.event) by \(delivery.channel) for \(delivery.recipient): tried again")
        }
        queue.add(revived)
        queue.needsSurvey = true
      } catch let error as SystemFailure where error.code != EINVAL && error.code != ENOENT {
        throw error
      } catch {
        log.warning("the dead letter '\(visible(name))' cannot be retried: \(error)")
        folder.abandonRetry(request: name)
      }
    }
  }

  /// Requests a retry of the dead letters that expired too early because the clock was ahead, and restarts them.
  func reopenExpiredByWrongClock() throws {
    let count = try folder.reopen(endedAfter: clock.now).count
    guard count > 0 else { return }
    log.notice(
      "a wrong clock ended \(count == 1 ? "1 message too early: it is" : "\(count) messages too early: they are") open again"
    )
    try startRequestedRetries()
  }

  /// Returns the deliveries of an event as of now, without regard to quiet hours.
  private func newPlan(_ event: PostEvent) -> [Delivery] {
    PostPlan.deliveries(of: event, effective.settings, machineZone: machineZone, takenAt: clock.now)
  }
}
