import CLinux
import FoundationEssentials
import Glibc
import PoolCalendar
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings

/// Takes events from the drop folder and sends them. One thread waits for the next thing to do and never blocks on a server.
///
/// `PostQueue` makes the decisions. State that must survive a crash is written to the disk before it takes effect.
final class Poster {
  private var settings: PostSettings
  private var secrets: [String: ChannelSecret]
  private let folder: PostFolder
  private let log: PostLog
  private let machineZone: String
  private let zones = SystemZones()
  private var queue = PostQueue()
  private var transfers: [Transfer] = []
  /// Outcomes of tries that are not on the disk yet, because it was full, in order. Nothing is sent until they are written.
  private var unsaved: [Record] = []

  /// A pending write of a delivery: its state, its end with a receipt, or its removal without one.
  private enum Record {
    case save(Delivery)
    case finish(Delivery)
    /// A fallback that is no longer needed.
    case remove(Delivery)
  }
  /// Operator notices that are not planned yet.
  private var news: [(event: String, bytes: [UInt8])] = []
  /// The uptime before which a failing disk is not used again.
  private var lookAgain: Duration = .zero
  /// The uptime before which a failing drop folder is not read again.
  private var takeAgain: Duration = .zero
  /// Names of files in the drop that cannot be read or removed, each of which was logged once.
  private var stuck: Set<String> = []
  private var lookedAtStuck: Duration = .zero
  private var clock = SenderClock(nil)
  private var savedClock: Duration?
  /// The total by which the clock was set back and that has not been applied to the queue yet.
  private var setBack: Duration = .zero
  /// True once the deliveries of an earlier process are loaded, which needs a believed clock.
  private var hasResumed = false
  private var prunedAt: Duration?
  private var receipts: ReceiptDrop
  private var waits = WaitWatch()
  private var moves = ChatMoves()
  /// The time of each channel's last success, by its name.
  private var delivered: [String: Timestamp] = [:]
  private var lookedAtWaits: Duration = .zero
  private var health: SenderHealth
  /// True if the queue changed after the last check of waits and health.
  private var hasNews = true
  /// The last logged error of the disk, which is not logged again.
  private var saidOfDisk: String?
  /// The last logged error of the drop folder, which is not logged again.
  private var saidOfDrop: String?
  private let manager = ServiceManager()
  private var saidAlive: Duration = .zero

  /// The interval between tries after a failure of the disk or the drop folder.
  private static let rest: Duration = .seconds(5)
  /// The interval between tries to take an unreadable file of the drop.
  private static let stuckRest: Duration = .minutes(1)
  /// The interval between writes of the clock's state.
  private static let clockSaving: Duration = .minutes(1)
  /// The interval between checks of waits and health.
  private static let survey: Duration = .seconds(2)

  init(
    _ settings: PostSettings, secrets: [String: ChannelSecret], _ folder: PostFolder, machineZone: String,
    _ log: PostLog
  ) {
    (self.settings, self.secrets, self.folder, self.log) = (settings, secrets, folder, log)
    self.machineZone = machineZone
    receipts = ReceiptDrop(path: settings.receiptFolder)
    health = SenderHealth(settings)
  }

  private var now: Timestamp { SystemWallClock().now() }

  // MARK: The loop

  /// Runs until SIGTERM; SIGHUP reloads the settings.
  ///
  /// - Parameters:
  ///   - signals: a descriptor with one byte per received signal.
  ///   - reread: reads and checks the settings again.
  /// - Throws: an error if the state of an earlier process cannot be read.
  func run(
    signals: Int32, reread: () throws(SettingsError) -> (PostSettings, [String: ChannelSecret])
  ) throws {
    moves = folder.moves()
    clock = SenderClock(folder.clock(), newest: folder.newestChange(notAfter: now))
    lookAtClock()
    if clock.isBelieved { try resume() }
    if let report = try PostState(folder.state).report() { recall(report) }
    let arrivals = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    watch(arrivals)
    defer { if arrivals >= 0 { close(arrivals) } }
    manager.ready(status: "Ready")
    log.info("ready: \(settings.channels.count) channels, \(queue.count) deliveries on their way")
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
          let (settings, secrets) = try reread()
          takeOver(settings, secrets)
        } catch {
          refuse(error)
        }
        manager.ready(status: status)
      }
    }
  }

  /// Restores the channels' state from the report of an earlier process.
  private func recall(_ report: SenderReport) {
    health.recall(report)
    for channel in report.channels {
      delivered[channel.name] = channel.lastDelivered.flatMap { Timestamp(rfc3339: $0) }
      if let why = channel.broken,
        settings.channels.contains(where: { $0.name == channel.name && $0.kind.rawValue == channel.kind })
      {
        let since = channel.health == .broken ? channel.dueSince.flatMap { Timestamp(rfc3339: $0) } : nil
        queue.recall(channel.name, channel.kind, broken: why, since: since)
      }
    }
  }

  /// Applies reloaded settings. Present plans and the watched folders stay the same until the next start.
  private func takeOver(_ settings: PostSettings, _ secrets: [String: ChannelSecret]) {
    let state = settings.stateDirectory ?? folder.state
    if settings.folder != folder.drop || state != folder.state {
      log.warning("another Folder= or StateDirectory= is taken over at the next start: systemctl restart poolflow-post")
    }
    (self.settings, self.secrets) = (settings, secrets)
    self.settings.folder = folder.drop
    receipts = ReceiptDrop(path: self.settings.receiptFolder)
    health.use(self.settings)
    queue.mended()
    hasNews = true
  }

  /// Keeps the previous settings after a failed reload, and reports the failure.
  private func refuse(_ error: SettingsError) {
    log.block(error.description)
    health.refuse(error, at: now)
    hasNews = true
  }

  /// The status line shown by `systemctl status`.
  private var status: String { "\(queue.count) deliveries on their way" + health.summary }

  /// Gives running transfers a short time to end, then stops them. The outcome of a stopped transfer is unknown.
  private func stop() {
    manager.stopping()
    let begin = MachineUptime.now()
    while !transfers.isEmpty {
      collect()
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
  private func lookAtClock() {
    let (now, up) = (now, MachineUptime.now())
    let look = clock.look(at: now, uptime: up)
    if look.isNews {
      if let words = clock.words { log.error(words) } else { log.notice("the clock is believed again") }
    }
    if let back = look.setBack {
      setBack += back
      log.notice("the clock was set back by \(back.inWords)")
    }
    guard clock.isBelieved, unsaved.isEmpty else { return }
    if hasResumed, setBack > .zero { undoClock() }
    guard look.setBack != nil || savedClock.map({ up - $0 >= Self.clockSaving }) ?? true else { return }
    savedClock = up
    guarded { if let memory = clock.memory { try folder.keep(memory) } }
  }

  /// Corrects the state after the clock was set back.
  private func undoClock() {
    queue.clockWentBack(by: setBack)
    setBack = .zero
    delivered = delivered.mapValues { min($0, now) }
    hasNews = true
    guarded {
      let names = try folder.reopen(endedAfter: now)
      guard !names.isEmpty else { return }
      let count = names.count
      log.notice(
        "a wrong clock ended \(count == 1 ? "1 message too early: it is" : "\(count) messages too early: they are") open again"
      )
      try takeWishes()
    }
  }

  /// Does all work that is due now.
  private func step() throws {
    lookAtClock()
    collect()
    saveAll()
    sayAlive()
    health.use(clock: clock.words, at: now)
    guard clock.isBelieved else { return lookAtWaits() }
    if !hasResumed { try resume() }
    guard unsaved.isEmpty, MachineUptime.now() >= lookAgain else { return }
    guarded {
      try tellNews()
      try takeWishes()
      let ended = queue.expired(at: clock.confirmed(now)) { quietLeft($0, now) }
      unsaved += ended.map(Record.finish)
    }
    saveAll()
    lookIntoDrop()
    begin()
    lookAtWaits()
    housekeeping()
  }

  /// Returns the time until the next scheduled work, in milliseconds.
  private func wait() -> Int32 {
    let now = now
    // Changes of the clock are noticed within 30 s, a curl that hangs within 1 s.
    var wait: Int64 = transfers.isEmpty ? 30_000 : 1_000
    if !clock.isBelieved { return 1_000 }
    if hasNews || waits.hasUntold || health.isWatching { wait = min(wait, Self.survey.wholeMilliseconds) }
    if !unsaved.isEmpty || MachineUptime.now() < max(lookAgain, takeAgain) {
      wait = min(wait, 1_000)
    } else if let wake = queue.wake(after: now, quietLeft: { quietLeft($0, now) }) {
      wait = min(wait, wake.milliseconds - now.milliseconds)
    }
    return Int32(max(wait, 1))
  }

  /// The remaining minutes of a person's quiet hours.
  private func quietLeft(_ quiet: QuietTime, _ now: Timestamp) -> Int {
    // An unknown time zone has no quiet hours.
    guard let zone = try? zones.zone(named: quiet.zone) else { return 0 }
    let seconds = now.seconds + Int64(zone.offset(at: now))
    return quiet.left(at: Int((seconds % 86_400 + 86_400) % 86_400 / 60))
  }

  /// Runs `body`. After an error no further write is attempted for `rest`, and the error is logged once.
  private func guarded(_ body: () throws -> Void) {
    do {
      try body()
      saidOfDisk = nil
    } catch {
      lookAgain = MachineUptime.now() + Self.rest
      guard saidOfDisk != "\(error)" else { return }
      saidOfDisk = "\(error)"
      log.error("\(error), trying again every \(Self.rest.components.seconds) s")
    }
  }

  // MARK: Taking

  /// Loads the plans of an earlier process and requested retries. A try that was running then has an unknown outcome.
  private func resume() throws {
    try resumePlans()
    hasResumed = true
    undoClock()
    guarded { try takeWishes() }
  }

  /// Loads the plans of an earlier process.
  private func resumePlans() throws {
    for event in try folder.atWork() {
      let deliveries = try folder.deliveries(of: event)
      var ended: [Delivery] = []
      for var delivery in deliveries {
        // The receipt exists, so the delivery has ended: do the remaining steps now.
        if delivery.end == nil, let receipt = try folder.receipt(of: delivery) {
          handOver(receipt, of: delivery)
          try folder.finish(delivery)
          continue
        }
        if delivery.isUnderWay, delivery.end == nil {
          delivery.crashed(at: now)
          try folder.save(delivery)
        }
        if delivery.end == nil { queue.add(delivery) } else { ended.append(delivery) }
      }
      // After a success some deliveries that it makes unnecessary may still be on the disk.
      for delivery in ended { keep(queue.ended(delivery, at: now)) }
      if deliveries.isEmpty { try folder.close(event) }
    }
  }

  /// Takes new events from the drop. The daemon owns that folder, so its errors do not delay planned deliveries.
  private func lookIntoDrop() {
    guard unsaved.isEmpty, MachineUptime.now() >= max(lookAgain, takeAgain) else { return }
    do {
      try takeAll()
      saidOfDrop = nil
    } catch {
      takeAgain = MachineUptime.now() + Self.rest
      guard saidOfDrop != "\(error)", saidOfDisk != "\(error)" else { return }
      saidOfDrop = "\(error)"
      log.error("\(error), trying again every \(Self.rest.components.seconds) s")
    }
    saveAll()
  }

  /// Takes all new events, up to the limit of unfinished deliveries.
  private func takeAll() throws {
    let names = try folder.waiting()
    let up = MachineUptime.now()
    let areStuckDue = !stuck.isEmpty && up - lookedAtStuck >= Self.stuckRest
    if areStuckDue { (lookedAtStuck, stuck) = (up, stuck.filter(Set(names).contains)) }
    for name in names where areStuckDue || !stuck.contains(name) {
      guard queue.count < Limits.postEvents else { return }
      do { try take(name) } catch let error as StuckFile {
        if stuck.isEmpty { lookedAtStuck = up }
        guard stuck.insert(name).inserted else { continue }
        log.error("\(error.failure), trying again every minute; what else is in the drop is taken")
        continue
      }
      // Taking a thousand events takes long, so keep the transfers running in between.
      collect()
      saveAll()
      begin()
    }
  }

  /// An error with one file of the drop folder, which does not prevent taking the others.
  private struct StuckFile: Error {
    let failure: SystemFailure
  }

  /// Throws `StuckFile` for an error that concerns one file only.
  private func ofOneFile<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SystemFailure where !error.isEverybodys {
      throw StuckFile(failure: error)
    }
  }

  /// Takes one event from the drop: plans its deliveries, then removes it there.
  private func take(_ name: String) throws {
    do { _ = try PathComponent(identity: name) } catch {
      // The daemon, the only other writer to this folder, does not use such names.
      return
    }
    guard !folder.wasTaken(name) else { return try ofOneFile { try folder.clear(fromDrop: name) } }
    let bytes: [UInt8]
    do { bytes = try folder.event(inDrop: name) } catch let error as SystemFailure {
      switch error.code {
      case ENOENT: return
      case EFBIG, ELOOP, EINVAL: return try putAside(name, "it is larger than 1 MiB, or no file")
      default: return try ofOneFile { throw error }
      }
    }
    let event: PostEvent
    do throws(PostEvent.Fault) { event = try PostEvent(bytes, name: name) } catch {
      return try putAside(name, error.description)
    }
    try plan(event, bytes, calendar: try ofOneFile { try folder.calendar(inDrop: name) })
    try ofOneFile { try folder.clear(fromDrop: name) }
  }

  /// Plans an event and writes the plan to the disk.
  private func plan(_ event: PostEvent, _ bytes: [UInt8], calendar: [UInt8]) throws {
    let now = now
    let planned = PostPlan.deliveries(of: event, settings, machineZone: machineZone, taken: now) {
      quietLeft($0, now)
    }
    let deliveries = health.take(event, planned, in: queue, at: now)
    try folder.plan(event.id, bytes, calendar: calendar, deliveries)
    if deliveries.isEmpty { try folder.close(event.id) }
    hasNews = true
    for delivery in deliveries {
      if delivery.end == nil { queue.add(delivery) } else { unsaved.append(.finish(delivery)) }
    }
  }

  /// Moves an invalid file of the drop to `bad/`.
  private func putAside(_ name: String, _ reason: String) throws {
    if !stuck.contains(name) { log.warning("a file of the drop is put aside as bad/\(visible(name)): \(reason)") }
    try folder.putAside(name, reason: reason)
    try ofOneFile { try folder.clear(fromDrop: name) }
  }

  // MARK: Sending

  /// Starts transfers for all deliveries that may start now.
  private func begin() {
    guard unsaved.isEmpty, MachineUptime.now() >= lookAgain else { return }
    while true {
      let now = now
      guard let delivery = queue.begin(at: now, quietLeft: { quietLeft($0, now) }) else { return }
      guarded {
        do {
          // Save the delivery before curl starts: without that, a crash during the try could not be detected.
          try folder.save(delivery)
          transfers.append(try transfer(delivery, now))
        } catch is Transfer.NoProgram {
          settle(delivery, .broken("there is no such Program, or it may not be run"))
        } catch {
          let words = error is SystemFailure ? "\(error)" : (error as? NoRequest)?.words ?? Self.unfit
          settle(delivery, error is SystemFailure ? .later(words, isEverybodys: true) : .noSuchAddress(words))
          if error is SystemFailure { throw error }
        }
      }
      guard unsaved.isEmpty, MachineUptime.now() >= lookAgain else { return }
    }
  }

  private static let unfit = "it cannot be made into a message"

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
    let event = try PostEvent(whole, name: delivery.event)
    guard
      let request = PostRequest(
        delivery, event, whole: whole, calendar: try folder.calendar(delivery.event), channel, secret, zones, at: now,
        chat: moves[delivery.address])
    else { throw NoRequest(words: Self.unfit) }
    return try Transfer(
      request, for: delivery, timeout: settings.timeout, answerTimeout: settings.answerTimeout, at: MachineUptime.now())
  }

  /// Collects the results of ended transfers.
  private func collect() {
    let up = MachineUptime.now()
    for transfer in transfers { transfer.look(at: up) }
    for transfer in transfers where transfer.isOver {
      let kind = PostSettings.Kind(rawValue: transfer.delivery.kind) ?? .webhook
      let result = transfer.result()
      var delivery = transfer.delivery
      delivery.code = result.status > 0 ? result.status : nil
      let verdict = Verdict.judge(result, kind: kind, at: now, isOnce: delivery.isOnce)
      if case .moved(let chat) = verdict {
        // Save the new chat id before the delivery, so that it survives a crash.
        moves.add(delivery.address, to: chat)
        guarded { try folder.keep(moves) }
        log.notice(
          "[Channel \(delivery.channel)] a group has a new number, which `pfctl technician set` should be given")
      } else if kind == .telegram, moves[delivery.address] != nil {
        delivery.hasMoved = true
      }
      settle(delivery, verdict)
    }
    transfers.removeAll { $0.isOver }
  }

  /// Applies the outcome of a try to the queue and the health.
  private func settle(_ delivery: Delivery, _ verdict: Verdict) {
    let now = now
    let settled = queue.settle(delivery, verdict, at: now, spread: Double.random(in: 0.8...1.2)) {
      quietLeft($0, now)
    }
    keep(settled)
    hasNews = true
    health.settle(delivery.channel, verdict, at: now, up: MachineUptime.now())
  }

  /// Queues the writes for an outcome. A success is saved before the deliveries that it makes unnecessary are removed, and is
  /// removed last: after a crash in between, the same steps are repeated.
  private func keep(_ settled: PostQueue.Settled) {
    let delivery = settled.delivery
    guard delivery.end != nil else { return unsaved.append(.save(delivery)) }
    if !settled.replaced.isEmpty || !settled.unneeded.isEmpty { unsaved.append(.save(delivery)) }
    unsaved += settled.replaced.map(Record.finish) + settled.unneeded.map(Record.remove) + [.finish(delivery)]
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
          handOver(receipt.bytes, of: delivery)
          try folder.finish(delivery)
          if receipt.outcome == .delivered { delivered[delivery.channel] = receipt.at }
          log.info("\(delivery.event) by \(delivery.channel) for \(delivery.recipient): \(receipt.words)")
        }
        unsaved.removeFirst()
      } catch {
        return guarded { throw error }
      }
    }
  }

  // MARK: Receipts

  /// Writes a receipt to the daemon's folder. A failure never delays a delivery.
  ///
  /// - Parameter isFinal: true to keep the receipt if the daemon's folder has no space.
  private func handOver(_ bytes: [UInt8], of delivery: Delivery, isFinal: Bool = true) {
    guard !delivery.isOwnNews else { return }
    let name = Receipt.fileName(of: delivery.key, sum: SHA256.hex(of: bytes))
    guard receipts.put(name, bytes) == .noRoom, isFinal else { return }
    do {
      guard try !folder.keepUntold(name, bytes) else { return }
      sayOnce("nobody reads '\(receipts.path)', and \(Limits.postReceipts) receipts are kept: no more of them are")
    } catch {
      sayOnce("a receipt could not be kept: \(error)")
    }
  }

  /// Logs a warning, unless it was the last one logged.
  private func sayOnce(_ text: String) {
    guard saidOfDisk != text else { return }
    saidOfDisk = text
    log.warning(text)
  }

  /// Every `survey` interval: reports long waits to the daemon, moves kept receipts to its folder, and updates the health
  /// report.
  private func lookAtWaits() {
    let up = MachineUptime.now()
    guard up - lookedAtWaits >= Self.survey else { return }
    (lookedAtWaits, hasNews) = (up, false)
    let now = now
    // The daemon stores these receipts with their time, so they need a confirmed clock.
    let waiting = clock.isConfirmed(now) ? waits.look(at: queue, now: now, quietLeft: { quietLeft($0, now) }) : []
    for (delivery, why) in waiting {
      handOver(delivery.waiting(why, at: now).bytes, of: delivery, isFinal: false)
    }
    lookAtHealth(now, up)
    guarded {
      for name in try folder.untold() {
        guard receipts.put(name, try folder.untold(name)) == .handedOver else { break }
        try folder.forgetUntold(name)
      }
    }
  }

  /// Checks the health of all channels: logs changes, notifies the operator and writes the report.
  private func lookAtHealth(_ now: Timestamp, _ up: Duration) {
    health.look(at: queue, now: now, up: up) { quietLeft($0, now) }
    for line in health.newLines() {
      if line.isFailure { log.error(line.text) } else { log.notice(line.text) }
    }
    if let event = health.news(in: queue, at: now) { news.append((event.id, event.bytes)) }
    guarded {
      // Plan the notice before the report says that the operator was notified.
      if clock.isBelieved { try tellNews() }
      guard let report = try health.report(queue, delivered: delivered, at: now, up: up) else { return }
      try folder.say(report)
      _ = receipts.say(report)
    }
  }

  /// Restarts the dead letters that an operator wants retried.
  private func takeWishes() throws {
    for name in try folder.wished() {
      do {
        let revived = try folder.revive(name, settings, at: now) { event in
          PostPlan.deliveries(of: event, settings, machineZone: machineZone, taken: now)
        }
        for delivery in revived {
          log.notice("\(delivery.event) by \(delivery.channel) for \(delivery.recipient): tried again")
          if delivery.end == nil { queue.add(delivery) } else { unsaved.append(.finish(delivery)) }
        }
        hasNews = true
      } catch let error as SystemFailure where error.code != EINVAL && error.code != ENOENT {
        throw error
      } catch {
        log.warning("the dead letter '\(visible(name))' cannot be begun anew: \(error)")
        folder.giveUp(wish: name)
      }
    }
  }

  // MARK: News

  /// Plans the pending operator notices.
  private func tellNews() throws {
    while let (id, bytes) = news.first {
      let event = try PostEvent(bytes, name: id)
      let ways = health.operatorWays(in: queue)
      let deliveries = PostPlan.deliveries(of: event, settings, machineZone: machineZone, taken: now)
        .filter { ways.contains($0.channel) }
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
  private func sayAlive() {
    let up = MachineUptime.now()
    guard let interval = manager.watchdogInterval, up - saidAlive >= interval / 4 else { return }
    saidAlive = up
    manager.alive(status: status)
  }

  /// Removes old files from the state folder, once an hour.
  private func housekeeping() {
    let up = MachineUptime.now()
    guard prunedAt.map({ up - $0 >= .hours(1) }) ?? true else { return }
    prunedAt = up
    guarded { try folder.prune(before: clock.confirmed(now).advanced(by: .zero - Limits.postKept), now: now) }
  }

  // MARK: The drop

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
