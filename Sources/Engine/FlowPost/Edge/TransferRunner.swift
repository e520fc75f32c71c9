import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings

/// Runs the transfers: starts one for each delivery that may start now, and applies their results.
final class TransferRunner {
  private var transfers: [Transfer] = []
  private var moves: ChatIDChanges
  private let maker: TransferMaker
  private let folder: PostFolder
  private let clock: TrustedClock
  private let queue: DurableQueue
  private let reporter: HealthReporter
  private let disk: ErrorBackoff
  private let log: PostLog

  init(
    _ maker: TransferMaker, _ folder: PostFolder, clock: TrustedClock, queue: DurableQueue, reporter: HealthReporter,
    disk: ErrorBackoff, _ log: PostLog
  ) {
    (self.maker, self.folder, self.clock, self.queue) = (maker, folder, clock, queue)
    (self.reporter, self.disk, self.log) = (reporter, disk, log)
    moves = folder.moves()
  }

  /// True if no transfer is running.
  var isIdle: Bool { transfers.isEmpty }

  /// The descriptors to poll: output and end of each transfer.
  var watched: [Int32] { transfers.flatMap(\.watched) }

  /// Starts transfers for all deliveries that may start now.
  func begin() {
    guard queue.isReady else { return }
    while let delivery = queue.begin() {
      disk.perform {
        do {
          // Save the delivery before curl starts: without that, a crash during the try could not be detected.
          try folder.save(delivery)
          transfers.append(try maker.transfer(delivery, chat: moves[delivery.address]))
        } catch is Transfer.NoProgram {
          applyOutcome(delivery, .broken("the Program does not exist or cannot be run"))
        } catch {
          let words =
            error is SystemFailure
            ? "\(error)" : (error as? TransferMaker.NoRequest)?.words ?? TransferMaker.invalidMessage
          applyOutcome(
            delivery, error is SystemFailure ? .later(words, affectsWholeServer: true) : .noSuchAddress(words))
          if error is SystemFailure { throw error }
        }
      }
      guard queue.isReady else { return }
    }
  }

  /// Applies the results of ended transfers.
  func collectResults() {
    let up = MachineUptime.now()
    for transfer in transfers { transfer.update(at: up) }
    for transfer in transfers where transfer.isOver {
      let kind = PostSettings.Kind(rawValue: transfer.delivery.kind) ?? .webhook
      let result = transfer.result()
      var delivery = transfer.delivery
      delivery.code = result.status > 0 ? result.status : nil
      let verdict = SendVerdict.judge(result, kind: kind, at: clock.now, isOnce: delivery.isOnce)
      if case .moved(let chat) = verdict {
        // Save the new chat id before the delivery, so that it survives a crash.
        moves.add(delivery.address, to: chat)
        disk.perform { try folder.save(moves) }
        log.notice(
          "[Channel \(delivery.channel)] a group has a new number; enter it with `pfctl technician set`")
      } else if kind == .telegram, moves[delivery.address] != nil {
        delivery.hasMoved = true
      }
      applyOutcome(delivery, verdict)
    }
    transfers.removeAll { $0.isOver }
  }

  /// Stops the transfers that had enough time to end since a stop was requested. The outcome of a stopped one is unknown.
  ///
  /// - Parameter waited: the time since the request.
  func stopSlow(after waited: Duration) {
    for transfer in transfers {
      // A mail whose answer is lost would be sent again, so wait longer for it.
      if waited >= (transfer.awaitsAnswer ? Limits.postStopAnswerTime : Limits.postStopTime) { transfer.cancel() }
    }
  }

  /// Applies the outcome of a try to the queue and the health.
  private func applyOutcome(_ delivery: Delivery, _ verdict: SendVerdict) {
    queue.applyOutcome(delivery, verdict)
    reporter.health.applyOutcome(delivery.channel, verdict, at: clock.now, up: MachineUptime.now())
  }
}

/// Starts the transfer of a delivery: from its event, the present settings of its channel, and the recipient's zone.
struct TransferMaker {
  let effective: EffectiveSettings
  /// The details of all trades' notices.
  let detailTypes: NoticeDetailTypes
  let zones: any ZoneSource
  let folder: PostFolder
  let clock: TrustedClock

  static let invalidMessage = "no message can be made from it"

  /// The reason why a delivery has no request, without its address.
  struct NoRequest: Error {
    let words: String
  }

  /// - Parameter chat: the present id of the delivery's chat; nil if it is the address.
  /// - Throws: `NoRequest`; the errors of a file of the event and of `Transfer`.
  func transfer(_ delivery: Delivery, chat: String?) throws -> Transfer {
    let settings = effective.settings
    guard
      let channel = settings.channels.first(where: { $0.name == delivery.channel && $0.kind.rawValue == delivery.kind }
      ),
      let secret = effective.secrets[channel.name]
    else {
      throw NoRequest(words: "post.conf has no [Channel \(delivery.channel)] of Type=\(delivery.kind) any more")
    }
    let whole = try folder.event(delivery.event)
    let event = try PostEvent(whole, name: delivery.event).withDetails(in: whole, detailTypes)
    guard
      let request = PostRequest(
        delivery, event, whole: whole, calendar: try folder.calendar(delivery.event), channel, secret, zones,
        at: clock.now, chat: chat)
    else { throw NoRequest(words: Self.invalidMessage) }
    return try Transfer(
      request, for: delivery, timeout: settings.timeout, answerTimeout: settings.answerTimeout, at: MachineUptime.now())
  }
}
