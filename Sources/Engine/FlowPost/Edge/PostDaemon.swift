import CLinux
import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FoundationEssentials
import Glibc

/// Takes events from the drop folder and sends them. One thread waits for the next thing to do and never blocks on a server.
///
/// `PostQueue` makes the decisions. State that must survive a crash is written to the disk before it takes effect.
final class PostDaemon {
  private var settings: PostSettings
  private var secrets: [String: ChannelSecret]
  private let folder: PostFolder
  private let log: PostLog
  private let machineZone: String
  private let zones = SystemZones()
  /// The details of all trades' notices.
  private let detailTypes: NoticeDetailTypes
  private var queue = PostQueue()
  private var transfers: [Transfer] = []
  /// Outcomes of tries that are not on the disk yet, because it was full, in order. Nothing is sent until they are written.
  private var unsaved: [PendingWrite] = []

  /// A pending write of a delivery: its state, its end with a receipt, or its removal without one.
  private enum PendingWrite {
    case save(Delivery)
    case finish(Delivery)
    /// A fallback that is no longer needed.
    case remove(Delivery)
  }
  /// Operator notices that are not planned yet.
  private var news: [(event: String, bytes: [UInt8])] = []
  /// The uptime before which a failing disk is not used again.
  private var diskRetryTime: Duration = .zero
  /// The uptime before which a failing drop folder is not read again.
  private var dropRetryTime: Duration = .zero
  /// Names of files in the drop that cannot be read or removed, each of which was logged once.
  private var unreadableFiles: Set<String> = []
  private var unreadableTriedAt: Duration = .zero
  private var clock = SenderClock(nil)
  private var clockSavedAt: Duration?
  /// The total by which the clock was set back and that has not been applied to the queue yet.
  private var setBack: Duration = .zero
  /// True once the deliveries of an earlier process are loaded, which needs a believed clock.
  private var hasResumed = false
  private var prunedAt: Duration?
  private var receipts: ReceiptDrop
  private var longWaits = LongWaitDetector()
  private var moves = ChatIDChanges()
  /// The time of each channel's last success, by its name.
  private var delivered: [String: Timestamp] = [:]
  private var surveyedAt: Duration = .zero
  private var health: SenderHealth
  /// True if the queue changed after the last check of waits and health.
  private var hasQueueChanged = true
  /// The last logged error of the disk, which is not logged again.
  private var lastDiskError: String?
  /// The last logged error of the drop folder, which is not logged again.
  private var lastDropError: String?
  private let manager = ServiceManager()
  private var watchdogNotifiedAt: Duration = .zero

  /// The interval between tries after a failure of the disk or the drop folder.
  private static let retryInterval: Duration = .seconds(5)
  /// The interval between tries to take an unreadable file of the drop.
  private static let unreadableRetryInterval: Duration = .minutes(1)
  /// The interval between writes of the clock's state.
  private static let clockSaveInterval: Duration = .minutes(1)
  /// The interval between checks of waits and health.
  private static let surveyInterval: Duration = .seconds(2)

  init(
    _ settings: PostSettings, secrets: [String: ChannelSecret], _ folder: PostFolder, machineZone: String,
    detailTypes: NoticeDetailTypes, _ log: PostLog
  ) {
    (self.settings, self.secrets, self.folder, self.log) = (settings, secrets, folder, log)
    self.detailTypes = detailTypes
    self.machineZone = machineZone
    receipts = ReceiptDrop(path: settings.receiptFolder)
    health = SenderHealth(settings)
  }

  /// The last reading of the clock that `clock` has judged. All work of a step uses it: with a second reading a message could
  /// expire by a jump that `clock` never sees, and whose correction it would not notice.
  private var now = SystemWallClock().now()

  // MARK: The loop

  /// Runs until SIGTERM; SIGHUP reloads the settings.
  ///
  /// - Parameters:
  ///   - signals: a descriptor with one byte per received signal.
  ///   - reloadSettings: reads and checks the settings again.
  /// - Throws: an error if the state of an earlier process cannot be read.
  func run(
    signals: Int32, reloadSettings: () throws(SettingsError) -> (PostSettings, [String: ChannelSecret])
  ) throws {
    moves = folder.moves()
    clock = SenderClock(folder.clock(), newest: folder.newestChange(notAfter: now))
    checkClock()
    if clock.isBelieved { try resume() }
    if let report = try StateFolderView(folder.state).report() { restore(report) }
    let arrivals = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    watch(arrivals)
    defer { if arrivals >= 0 { close(arrivals) } }
    manager.ready(status: "Ready")
    log.info("ready: \(settings.channels.count) channels, \(queue.count) deliveries in progress")
    while true {
      try step()
      let wait = wait()
      var polled = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0), pollfd(fd: arrivals, events: Int16(POLLIN), revents: 0),
      ]
      for transfer in transfers {
        for descriptor in transfer.watched {
          polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
      }
      poll(&polled, nfds_t(polled.count), wait)
      if polled[1].revents != 0 {
        Self.drain(arrivals)
        watch(arrivals)
      }
      if polled[0].revents != 0 {
        var number: UInt8 = 0
        guard read(signals, &number, 1) == 1 else { continue }
        if Int32(number) != SIGHUP { return stop() }
        manager.reloading()
        do throws(SettingsError) {
          let (settings, secrets) = try reloadSettings()
          applySettings(settings, secrets)
        } catch {
          rejectReload(error)
        }
        manager.ready(status: status)
      }
    }
  }

  /// Restores the channels' state from the report of an earlier process.
  private func restore(_ report: SenderReport) {
    health.restore(report)
    for channel in report.channels {
      delivered[channel.name] = channel.lastDelivered.flatMap { Timestamp(rfc3339: $0) }
      if let why = channel.broken,
        settings.channels.contains(where: { $0.name == channel.name && $0.kind.rawValue == channel.kind })
      {
        let since = channel.health == .broken ? channel.dueSince.flatMap { Timestamp(rfc3339: $0) } : nil
        queue.restore(channel.name, channel.kind, broken: why, since: since)
      }
    }
  }

  /// Applies reloaded settings. Present plans and the watched folders stay the same until the next start.
  private func applySettings(_ settings: PostSettings, _ secrets: [String: ChannelSecret]) {
    let state = settings.stateDirectory ?? folder.state
    if settings.folder != folder.drop || state != folder.state {
      log.warning("a new Folder= or StateDirectory= takes effect at the next start: systemctl restart poolflow-post")
    }
    (self.settings, self.secrets) = (settings, secrets)
    self.settings.folder = folder.drop
    receipts = ReceiptDrop(path: self.settings.receiptFolder)
    health.apply(self.settings)
    queue.endPauses()
    hasQueueChanged = true
  }

  /// Keeps the previous settings after a failed reload, and reports the failure.
  private func rejectReload(_ error: SettingsError) {
    log.block(error.description)
    health.rejectReload(error, at: now)
    hasQueueChanged = true
  }

  /// The status line shown by `systemctl status`.
  private var status: String { "\(queue.count) deliveries in progress" + health.summary }

  /// Gives running transfers a short time to end, then stops them. The outcome of a stopped transfer is unknown.
  private func stop() {
    manager.stopping()
    let begin = MachineUptime.now()
    while !transfers.isEmpty {
      checkClock()
      collectResults()
      for transfer in transfers {
        // A mail whose answer is lost would be sent again, so wait longer for it.
        let time = transfer.awaitsAnswer ? Limits.postStopAnswerTime : Limits.postStopTime
        if MachineUptime.now() - begin >= time { transfer.cancel() }
      }
      if !transfers.isEmpty { poll(nil, 0, 20) }
    }
    saveAll()
  }

  /// Reads the clock. If it was set back, waits do not grow, and messages that expired while it was ahead are reopened.
  private func checkClock() {
    now = SystemWallClock().now()
    let up = MachineUptime.now()
    let update = clock.update(at: now, uptime: up)
    if update.hasTrustChanged {
      if let words = clock.words { log.error(words) } else { log.notice("the clock is believed again") }
    }
    if let setBackBy = update.setBack {
      setBack += setBackBy
      log.notice("the clock was set back by \(setBackBy.inWords)")
    }
    guard clock.isBelieved, unsaved.isEmpty else { return }
    if hasResumed, setBack > .zero { applyClockCorrection() }
    guard update.setBack != nil || clockSavedAt.map({ up - $0 >= Self.clockSaveInterval }) ?? true else { return }
    clockSavedAt = up
    catchingDiskErrors { if let savedState = clock.savedState { try folder.save(savedState) } }
  }

  /// Corrects the state after the clock was set back.
  private func applyClockCorrection() {
    queue.shiftWaitsBack(by: setBack)
    setBack = .zero
    delivered = delivered.mapValues { min($0, now) }
    hasQueueChanged = true
    catchingDiskErrors {
      let names = try folder.reopen(endedAfter: now)
      guard !names.isEmpty else { return }
      let count = names.count
      log.notice(
        "a wrong clock ended \(count == 1 ? "1 message too early: it is" : "\(count) messages too early: they are") open again"
      )
      try startRequestedRetries()
    }
  }

  /// Does all work that is due now.
  private func step() throws {
    checkClock()
    collectResults()
    saveAll()
    notifyWatchdog()
    health.apply(clock: clock.words, at: now)
    guard clock.isBelieved else { return surveyQueue() }
    if !hasResumed { try resume() }
    guard unsaved.isEmpty, MachineUptime.now() >= diskRetryTime else { return }
    catchingDiskErrors {
      try planOperatorNotices()
      try startRequestedRetries()
      let ended = queue.expired(at: clock.confirmed(now)) { quietMinutesLeft($0, now) }
      unsaved += ended.map(PendingWrite.finish)
    }
    saveAll()
    takeNewEvents()
    begin()
    surveyQueue()
    housekeeping()
  }

  /// Returns the time until the next scheduled work, in milliseconds.
  private func wait() -> Int32 {
    // The step may have taken long. If the clock was changed meanwhile, the next step judges it.
    let now = SystemWallClock().now()
    // Changes of the clock are noticed within 30 s, a curl that hangs within 1 s.
    var wait: Int64 = transfers.isEmpty ? 30_000 : 1_000
    if !clock.isBelieved { return 1_000 }
    if hasQueueChanged || longWaits.hasUnreported || health.isWatching {
      wait = min(wait, Self.surveyInterval.wholeMilliseconds)
    }
    if !unsaved.isEmpty || MachineUptime.now() < max(diskRetryTime, dropRetryTime) {
      wait = min(wait, 1_000)
    } else if let nextWakeUp = queue.nextWakeUp(after: now, quietMinutesLeft: { quietMinutesLeft($0, now) }) {
      wait = min(wait, nextWakeUp.milliseconds - now.milliseconds)
    }
    return Int32(max(wait, 1))
  }

  /// The remaining minutes of a person's quiet hours.
  private func quietMinutesLeft(_ quiet: QuietTime, _ now: Timestamp) -> Int {
    // An unknown time zone has no quiet hours.
    guard let zone = try? zones.zone(named: quiet.zone) else { return 0 }
    let seconds = now.seconds + Int64(zone.offset(at: now))
    return quiet.minutesLeft(at: Int((seconds % 86_400 + 86_400) % 86_400 / 60))
  }

  /// Runs `body`. After an error no further write is attempted for `retryInterval`, and the error is logged once.
  private func catchingDiskErrors(_ body: () throws -> Void) {
    do {
      try body()
      lastDiskError = nil
    } catch {
      diskRetryTime = MachineUptime.now() + Self.retryInterval
      guard lastDiskError != "\(error)" else { return }
      lastDiskError = "\(error)"
      log.error("\(error), trying again every \(Self.retryInterval.components.seconds) s")
    }
  }

  // MARK: Claiming events

  /// Loads the plans of an earlier process and requested retries. A try that was running then has an unknown outcome.
  private func resume() throws {
    try resumePlans()
    hasResumed = true
    applyClockCorrection()
    catchingDiskErrors { try startRequestedRetries() }
  }

  /// Loads the plans of an earlier process.
  private func resumePlans() throws {
    for event in try folder.plannedEvents() {
      let deliveries = try folder.deliveries(of: event)
      var ended: [Delivery] = []
      for var delivery in deliveries {
        // The receipt exists, so the delivery has ended: do the remaining steps now.
        if delivery.end == nil, let receipt = try folder.receipt(of: delivery) {
          writeReceipt(receipt, of: delivery)
          try folder.finish(delivery)
          continue
        }
        if delivery.isUnderWay, delivery.end == nil {
          delivery.recordCrash(at: now)
          try folder.save(delivery)
        }
        if delivery.end == nil { queue.add(delivery) } else { ended.append(delivery) }
      }
      // After a success some deliveries that it makes unnecessary may still be on the disk.
      for delivery in ended { save(queue.ended(delivery, at: now)) }
      if deliveries.isEmpty { try folder.close(event) }
    }
  }

  /// Takes new events from the drop. The daemon owns that folder, so its errors do not delay planned deliveries.
  private func takeNewEvents() {
    guard unsaved.isEmpty, MachineUptime.now() >= max(diskRetryTime, dropRetryTime) else { return }
    do {
      try takeAll()
      lastDropError = nil
    } catch {
      dropRetryTime = MachineUptime.now() + Self.retryInterval
      guard lastDropError != "\(error)", lastDiskError != "\(error)" else { return }
      lastDropError = "\(error)"
      log.error("\(error), trying again every \(Self.retryInterval.components.seconds) s")
    }
    saveAll()
  }

  /// Takes all new events, up to the limit of unfinished deliveries.
  private func takeAll() throws {
    let names = try folder.waiting()
    let up = MachineUptime.now()
    let isRetryDue = !unreadableFiles.isEmpty && up - unreadableTriedAt >= Self.unreadableRetryInterval
    if isRetryDue { (unreadableTriedAt, unreadableFiles) = (up, unreadableFiles.filter(Set(names).contains)) }
    for name in names where isRetryDue || !unreadableFiles.contains(name) {
      guard queue.count < Limits.postEvents else { return }
      do { try take(name) } catch let error as UnreadableFile {
        if unreadableFiles.isEmpty { unreadableTriedAt = up }
        guard unreadableFiles.insert(name).inserted else { continue }
        log.error("\(error.failure), trying again every minute; the other files in the drop folder are processed")
        continue
      }
      // Taking a thousand events takes long, so keep the transfers running in between.
      collectResults()
      saveAll()
      begin()
    }
  }

  /// An error with one file of the drop folder, which does not prevent taking the others.
  private struct UnreadableFile: Error {
    let failure: SystemFailure
  }

  /// Throws `UnreadableFile` for an error that concerns one file only.
  private func asUnreadableFile<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SystemFailure where !error.affectsWholeMachine {
      throw UnreadableFile(failure: error)
    }
  }

  /// Takes one event from the drop: plans its deliveries, then removes it there.
  private func take(_ name: String) throws {
    do { _ = try PathComponent(identity: name) } catch {
      // The daemon, the only other writer to this folder, does not use such names.
      return
    }
    guard !folder.wasTaken(name) else { return try asUnreadableFile { try folder.clear(fromDrop: name) } }
    let bytes: [UInt8]
    do { bytes = try folder.event(inDrop: name) } catch let error as SystemFailure {
      switch error.code {
      case ENOENT: return
      case EFBIG, ELOOP, EINVAL: return try quarantine(name, "it is larger than 1 MiB or not a regular file")
      default: return try asUnreadableFile { throw error }
      }
    }
    let event: PostEvent
    do throws(PostEvent.Fault) { event = try PostEvent(bytes, name: name) } catch {
      return try quarantine(name, error.description)
    }
    try plan(event, bytes, calendar: try asUnreadableFile { try folder.calendar(inDrop: name) })
    try asUnreadableFile { try folder.clear(fromDrop: name) }
  }

  /// Plans an event and writes the plan to the disk.
  private func plan(_ event: PostEvent, _ bytes: [UInt8], calendar: [UInt8]) throws {
    let planned = PostPlan.deliveries(of: event, settings, machineZone: machineZone, takenAt: now) {
      quietMinutesLeft($0, now)
    }
    let deliveries = health.take(event, planned, in: queue, at: now)
    try folder.plan(event.id, bytes, calendar: calendar, deliveries)
    if deliveries.isEmpty { try folder.close(event.id) }
    hasQueueChanged = true
    for delivery in deliveries {
      if delivery.end == nil { queue.add(delivery) } else { unsaved.append(.finish(delivery)) }
    }
  }

  /// Moves an invalid file of the drop to `bad/`.
  private func quarantine(_ name: String, _ reason: String) throws {
    if !unreadableFiles.contains(name) {
      log.warning("a file of the drop folder is moved to bad/\(visible(name)): \(reason)")
    }
    try folder.quarantine(name, reason: reason)
    try asUnreadableFile { try folder.clear(fromDrop: name) }
  }

  // MARK: Sending

  /// Starts transfers for all deliveries that may start now.
  private func begin() {
    guard unsaved.isEmpty, MachineUptime.now() >= diskRetryTime else { return }
    while true {
      guard let delivery = queue.begin(at: now, quietMinutesLeft: { quietMinutesLeft($0, now) }) else { return }
      catchingDiskErrors {
        do {
          // Save the delivery before curl starts: without that, a crash during the try could not be detected.
          try folder.save(delivery)
          transfers.append(try transfer(delivery, now))
        } catch is Transfer.NoProgram {
          applyOutcome(delivery, .broken("the Program does not exist or cannot be run"))
        } catch {
          let words = error is SystemFailure ? "\(error)" : (error as? NoRequest)?.words ?? Self.invalidMessage
          applyOutcome(
            delivery, error is SystemFailure ? .later(words, affectsWholeServer: true) : .noSuchAddress(words))
          if error is SystemFailure { throw error }
        }
      }
      guard unsaved.isEmpty, MachineUptime.now() >= diskRetryTime else { return }
    }
  }

  private static let invalidMessage = "no message can be made from it"

  /// The reason why a delivery has no request, without its address.
  private struct NoRequest: Error {
    let words: String
  }

  /// Builds the request of a delivery and starts its transfer.
  private func transfer(_ delivery: Delivery, _ now: Timestamp) throws -> Transfer {
    guard
      let channel = settings.channels.first(where: { $0.name == delivery.channel && $0.kind.rawValue == delivery.kind }
      ),
      let secret = secrets[channel.name]
    else {
      throw NoRequest(words: "post.conf has no [Channel \(delivery.channel)] of Type=\(delivery.kind) any more")
    }
    let whole = try folder.event(delivery.event)
    let event = try PostEvent(whole, name: delivery.event).withDetails(in: whole, detailTypes)
    guard
      let request = PostRequest(
        delivery, event, whole: whole, calendar: try folder.calendar(delivery.event), channel, secret, zones, at: now,
        chat: moves[delivery.address])
    else { throw NoRequest(words: Self.invalidMessage) }
    return try Transfer(
      request, for: delivery, timeout: settings.timeout, answerTimeout: settings.answerTimeout, at: MachineUptime.now())
  }

  /// Collects the results of ended transfers.
  private func collectResults() {
    let up = MachineUptime.now()
    for transfer in transfers { transfer.update(at: up) }
    for transfer in transfers where transfer.isOver {
      let kind = PostSettings.Kind(rawValue: transfer.delivery.kind) ?? .webhook
      let result = transfer.result()
      var delivery = transfer.delivery
      delivery.code = result.status > 0 ? result.status : nil
      let verdict = SendVerdict.judge(result, kind: kind, at: now, isOnce: delivery.isOnce)
      if case .moved(let chat) = verdict {
        // Save the new chat id before the delivery, so that it survives a crash.
        moves.add(delivery.address, to: chat)
        catchingDiskErrors { try folder.save(moves) }
        log.notice(
          "[Channel \(delivery.channel)] a group has a new number; enter it with `pfctl technician set`")
      } else if kind == .telegram, moves[delivery.address] != nil {
        delivery.hasMoved = true
      }
      applyOutcome(delivery, verdict)
    }
    transfers.removeAll { $0.isOver }
  }

  /// Applies the outcome of a try to the queue and the health.
  private func applyOutcome(_ delivery: Delivery, _ verdict: SendVerdict) {
    let jitter = Double.random(in: RetryPolicy.jitterFactors)
    let tryResult = queue.applyOutcome(delivery, verdict, at: now, jitter: jitter) { quietMinutesLeft($0, now) }
    save(tryResult)
    hasQueueChanged = true
    health.applyOutcome(delivery.channel, verdict, at: now, up: MachineUptime.now())
  }

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
  private func saveAll() {
    while let record = unsaved.first {
      do {
        switch record {
        case .save(let delivery): try folder.save(delivery)
        case .remove(let delivery): try folder.finish(delivery)
        case .finish(let delivery):
          try folder.record(delivery)
          let receipt = delivery.receipt
          writeReceipt(receipt.bytes, of: delivery)
          try folder.finish(delivery)
          if receipt.outcome == .delivered { delivered[delivery.channel] = receipt.at }
          log.info("\(delivery.event) by \(delivery.channel) for \(delivery.recipient): \(receipt.words)")
        }
        unsaved.removeFirst()
      } catch {
        return catchingDiskErrors { throw error }
      }
    }
  }

  // MARK: Receipts

  /// Writes a receipt to the daemon's folder. A failure never delays a delivery.
  ///
  /// - Parameter isFinal: true to keep the receipt if the daemon's folder has no space.
  private func writeReceipt(_ bytes: [UInt8], of delivery: Delivery, isFinal: Bool = true) {
    guard !delivery.isOwnNotice else { return }
    let name = Receipt.fileName(of: delivery.key, sum: SHA256.hex(of: bytes))
    guard receipts.write(name, bytes) == .folderFull, isFinal else { return }
    do {
      guard try !folder.keepPendingReceipt(name, bytes) else { return }
      warnOnce(
        "the daemon does not read '\(receipts.path)', and \(Limits.postReceipts) receipts "
          + "wait: new ones are dropped")
    } catch {
      warnOnce("a receipt could not be kept: \(error)")
    }
  }

  /// Logs a warning, unless it was the last one logged.
  private func warnOnce(_ text: String) {
    guard lastDiskError != text else { return }
    lastDiskError = text
    log.warning(text)
  }

  /// Every `surveyInterval` interval: reports long waits to the daemon, moves kept receipts to its folder, and updates the health
  /// report.
  private func surveyQueue() {
    let up = MachineUptime.now()
    guard up - surveyedAt >= Self.surveyInterval else { return }
    (surveyedAt, hasQueueChanged) = (up, false)
    // The daemon stores these receipts with their time, so they need a confirmed clock.
    let waiting =
      clock.isConfirmed(now)
      ? longWaits.update(at: queue, now: now, quietMinutesLeft: { quietMinutesLeft($0, now) }) : []
    for (delivery, why) in waiting {
      writeReceipt(delivery.waiting(why, at: now).bytes, of: delivery, isFinal: false)
    }
    checkHealth(now, up)
    catchingDiskErrors {
      for name in try folder.pendingReceipts() {
        guard receipts.write(name, try folder.pendingReceipts(name)) == .written else { break }
        try folder.removePendingReceipt(name)
      }
    }
  }

  /// Checks the health of all channels: logs changes, notifies the operator and writes the report.
  private func checkHealth(_ now: Timestamp, _ up: Duration) {
    health.update(at: queue, now: now, up: up) { quietMinutesLeft($0, now) }
    for line in health.newLogLines() {
      if line.isFailure { log.error(line.text) } else { log.notice(line.text) }
    }
    if let event = health.news(in: queue, at: now) { news.append((event.id, event.bytes)) }
    catchingDiskErrors {
      // Plan the notice before the report says that the operator was notified.
      if clock.isBelieved { try planOperatorNotices() }
      guard let report = try health.report(queue, delivered: delivered, at: now, up: up) else { return }
      try folder.writeReport(report)
      _ = receipts.writeReport(report)
    }
  }

  /// Restarts the dead letters that an operator wants retried.
  private func startRequestedRetries() throws {
    for name in try folder.retryRequests() {
      do {
        let revived = try folder.revive(name, settings, at: now) { event in
          PostPlan.deliveries(of: event, settings, machineZone: machineZone, takenAt: now)
        }
        for delivery in revived {
          log.notice("\(delivery.event) by \(delivery.channel) for \(delivery.recipient): tried again")
          if delivery.end == nil { queue.add(delivery) } else { unsaved.append(.finish(delivery)) }
        }
        hasQueueChanged = true
      } catch let error as SystemFailure where error.code != EINVAL && error.code != ENOENT {
        throw error
      } catch {
        log.warning("the dead letter '\(visible(name))' cannot be retried: \(error)")
        folder.abandonRetry(request: name)
      }
    }
  }

  // MARK: Failure reports

  /// Plans the pending operator notices.
  private func planOperatorNotices() throws {
    while let (id, bytes) = news.first {
      let event = try PostEvent(bytes, name: id)
      let workingChannels = health.workingOperatorChannels(in: queue)
      let deliveries = PostPlan.deliveries(of: event, settings, machineZone: machineZone, takenAt: now)
        .filter { workingChannels.contains($0.channel) }
      guard !deliveries.isEmpty else {
        news.removeFirst()
        continue
      }
      try folder.plan(id, bytes, calendar: [], deliveries)
      news.removeFirst()
      for delivery in deliveries { queue.add(delivery) }
    }
  }

  /// Notifies systemd's watchdog, four times per interval.
  private func notifyWatchdog() {
    let up = MachineUptime.now()
    guard let interval = manager.watchdogInterval, up - watchdogNotifiedAt >= interval / 4 else { return }
    watchdogNotifiedAt = up
    manager.alive(status: status)
  }

  /// Removes old files from the state folder, once an hour.
  private func housekeeping() {
    let up = MachineUptime.now()
    guard prunedAt.map({ up - $0 >= .hours(1) }) ?? true else { return }
    prunedAt = up
    catchingDiskErrors {
      try folder.prune(before: clock.confirmed(now).advanced(by: .zero - Limits.postRetention), now: now)
    }
  }

  // MARK: The drop folder

  /// Wakes the loop for new files in the drop, for the creation of `new/` by the daemon's first notice, and for requested
  /// retries. Without inotify the drop is checked every 30 s.
  private func watch(_ descriptor: Int32) {
    // Adding an existing watch again changes nothing.
    _ = inotify_add_watch(descriptor, folder.drop, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    _ = inotify_add_watch(descriptor, "\(folder.drop)/new", UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE))
    _ = inotify_add_watch(descriptor, folder.path("retry"), UInt32(IN_MOVED_TO))
  }

  private static func drain(_ descriptor: Int32) {
    var events = [UInt8](repeating: 0, count: 8 << 10)
    // The inotify events only wake the loop; their contents are not used.
    while read(descriptor, &events, events.count) > 0 {}
  }
}
