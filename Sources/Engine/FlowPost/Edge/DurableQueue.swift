import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings

/// The queue of deliveries together with its files. `PostQueue` decides; this type writes each outcome to the disk.
///
/// Outcomes that could not be written, because the disk was full, are kept in order, and nothing is sent until they are written.
final class DurableQueue {
  /// A pending write of a delivery: its state, its end with a receipt, or its removal without one.
  private enum PendingWrite {
    case save(Delivery)
    case finish(Delivery)
    /// A fallback that is no longer needed.
    case remove(Delivery)
  }

  /// The unfinished deliveries.
  private(set) var state = PostQueue()
  /// Outcomes that are not on the disk yet, in order.
  private var unsaved: [PendingWrite] = []
  /// The time of each channel's last success, by its name.
  private(set) var delivered: [String: Timestamp] = [:]
  /// True once the deliveries of an earlier process are loaded, which needs a believed clock.
  private(set) var hasResumed = false
  /// True if the queue or the settings changed after the last survey of waits and health.
  var needsSurvey = true
  private let clock: TrustedClock
  private let folder: PostFolder
  private let receipts: ReceiptWriter
  private let disk: ErrorBackoff
  private let log: PostLog

  init(_ folder: PostFolder, receipts: ReceiptWriter, clock: TrustedClock, disk: ErrorBackoff, _ log: PostLog) {
    (self.folder, self.receipts, self.clock, self.disk, self.log) = (folder, receipts, clock, disk, log)
  }

  /// True if every outcome is on the disk.
  var isSaved: Bool { unsaved.isEmpty }

  /// True if every outcome is on the disk and the disk may be used now, so that a further try may start.
  var isReady: Bool { isSaved && disk.isUsable }

  // MARK: An earlier process

  /// Restores the channels' state from the report of an earlier process.
  func restore(_ report: SenderReport, _ settings: PostSettings) {
    for channel in report.channels {
      delivered[channel.name] = channel.lastDelivered.flatMap { Timestamp(rfc3339: $0) }
      if let why = channel.broken,
        settings.channels.contains(where: { $0.name == channel.name && $0.kind.rawValue == channel.kind })
      {
        let since = channel.health == .broken ? channel.dueSince.flatMap { Timestamp(rfc3339: $0) } : nil
        state.restore(channel.name, channel.kind, broken: why, since: since)
      }
    }
  }

  /// Loads the plans of an earlier process. A try that was running then has an unknown outcome.
  func resume() throws {
    for event in try folder.plannedEvents() {
      let deliveries = try folder.deliveries(of: event)
      var ended: [Delivery] = []
      for var delivery in deliveries {
        // The receipt exists, so the delivery has ended: do the remaining steps now.
        if delivery.end == nil, let receipt = try folder.receipt(of: delivery) {
          receipts.write(receipt, of: delivery)
          try folder.finish(delivery)
          continue
        }
        if delivery.isUnderWay, delivery.end == nil {
          delivery.recordCrash(at: clock.now)
          try folder.save(delivery)
        }
        if delivery.end == nil { state.add(delivery) } else { ended.append(delivery) }
      }
      // After a success some deliveries that it makes unnecessary may still be on the disk.
      for delivery in ended { save(state.ended(delivery, at: clock.now)) }
      if deliveries.isEmpty { try folder.close(event) }
    }
    hasResumed = true
  }

  // MARK: Changes

  /// Adds deliveries whose plan is on the disk. Those that have ended already get their receipts with the next `saveAll`.
  func add(_ deliveries: [Delivery]) {
    for delivery in deliveries {
      if delivery.end == nil { state.add(delivery) } else { unsaved.append(.finish(delivery)) }
    }
  }

  /// Returns the next delivery to try, marked as under way; nil if none may start now.
  func begin() -> Delivery? { state.begin(at: clock.now, quietMinutesLeft: clock.quietMinutesLeft) }

  /// Applies the outcome of a try.
  func applyOutcome(_ delivery: Delivery, _ verdict: SendVerdict) {
    let jitter = Double.random(in: RetryPolicy.jitterFactors)
    save(
      state.applyOutcome(
        delivery, verdict, at: clock.now, jitter: jitter, quietMinutesLeft: clock.quietMinutesLeft))
    needsSurvey = true
  }

  /// Ends the deliveries that have expired.
  func endExpired() {
    let ended = state.expired(at: clock.confirmed, quietMinutesLeft: clock.quietMinutesLeft)
    unsaved += ended.map(PendingWrite.finish)
  }

  /// Makes every broken or paused channel try again, after a reload of the settings.
  func endPauses() {
    state.endPauses()
    needsSurvey = true
  }

  /// Shortens all waits by the time by which the clock was set back.
  func applySetBack() {
    state.shiftWaitsBack(by: clock.takeSetBack())
    delivered = delivered.mapValues { min($0, clock.now) }
    needsSurvey = true
  }

  // MARK: Files

  /// Queues the writes for an outcome. A success is saved before the deliveries that it makes unnecessary are removed, and is
  /// removed last: after a crash in between, the same steps are repeated.
  private func save(_ tryResult: PostQueue.TryResult) {
    let delivery = tryResult.delivery
    guard delivery.end != nil else { return unsaved.append(.save(delivery)) }
    if !tryResult.replaced.isEmpty || !tryResult.unneeded.isEmpty { unsaved.append(.save(delivery)) }
    unsaved +=
      tryResult.replaced.map(PendingWrite.finish) + tryResult.unneeded.map(PendingWrite.remove) + [.finish(delivery)]
  }

  /// Writes all pending outcomes. On an error the rest stays pending.
  func saveAll() {
    while let write = unsaved.first {
      do {
        switch write {
        case .save(let delivery): try folder.save(delivery)
        case .remove(let delivery): try folder.finish(delivery)
        case .finish(let delivery):
          try folder.record(delivery)
          let receipt = delivery.receipt
          receipts.write(receipt.bytes, of: delivery)
          try folder.finish(delivery)
          if receipt.outcome == .delivered { delivered[delivery.channel] = receipt.at }
          log.info("\(delivery.event) by \(delivery.channel) for \(delivery.recipient): \(receipt.words)")
        }
        unsaved.removeFirst()
      } catch {
        return disk.failed(error)
      }
    }
  }
}
