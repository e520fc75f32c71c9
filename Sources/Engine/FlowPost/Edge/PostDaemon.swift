import CLinux
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import Glibc

/// Takes events from the drop folder and sends them. One thread waits for the next thing to do and never blocks on a server.
///
/// Each part owns its state: `DropIntake` the new files, `EventPlanner` the plans, `DurableQueue` the deliveries and their
/// files, `TransferRunner` the tries that are running, `HealthReporter` the health and its report. This type calls them in order.
/// State that must survive a crash is written to the disk before it takes effect.
final class PostDaemon {
  private let effective: EffectiveSettings
  private let folder: PostFolder
  private let log: PostLog
  /// The state folder's disk.
  private let disk: ErrorBackoff
  private let clock: TrustedClock
  private let queue: DurableQueue
  private let reporter: HealthReporter
  private let planner: EventPlanner
  private let intake: DropIntake
  private let runner: TransferRunner
  private var watchdog = Watchdog()
  /// The uptime at which old files were last removed.
  private var prunedAt: Duration?

  /// - Parameters:
  ///   - machineZone: the time zone for recipients without one.
  ///   - detailTypes: the details of all trades' notices.
  init(
    _ settings: PostSettings, secrets: [String: ChannelSecret], _ folder: PostFolder, machineZone: String,
    detailTypes: NoticeDetailTypes, _ log: PostLog
  ) {
    let zones = SystemZones()
    (self.folder, self.log) = (folder, log)
    effective = EffectiveSettings(settings, secrets: secrets)
    disk = ErrorBackoff(log)
    clock = TrustedClock(folder, zones: zones, disk: disk, log)
    let receipts = ReceiptWriter(path: settings.receiptFolder, folder, disk: disk)
    queue = DurableQueue(folder, receipts: receipts, clock: clock, disk: disk, log)
    reporter = HealthReporter(SenderHealth(settings), of: queue, receipts: receipts, clock: clock, disk: disk, log)
    planner = EventPlanner(
      effective, machineZone: machineZone, folder, clock: clock, queue: queue, reporter: reporter, log)
    intake = DropIntake(folder, queue: queue, planner: planner, disk: disk, log)
    let maker = TransferMaker(
      effective: effective, detailTypes: detailTypes, zones: zones, folder: folder, clock: clock)
    runner = TransferRunner(maker, folder, clock: clock, queue: queue, reporter: reporter, disk: disk, log)
  }

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
    checkClock()
    if clock.isBelieved { try resume() }
    if let report = try StateFolderView(folder.state).report() {
      reporter.health.restore(report)
      queue.restore(report, effective.settings)
    }
    let arrivals = FolderWatch(folder)
    watchdog.manager.ready(status: "Ready")
    log.info(
      "ready: \(effective.settings.channels.count) channels, \(queue.state.count) deliveries in progress")
    while true {
      try step()
      let wait = wait()
      var polled = ([signals, arrivals.descriptor] + runner.watched).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&polled, nfds_t(polled.count), wait)
      if polled[1].revents != 0 { arrivals.renew() }
      if polled[0].revents != 0 {
        var number: UInt8 = 0
        guard read(signals, &number, 1) == 1 else { continue }
        if Int32(number) != SIGHUP { return stop() }
        watchdog.manager.reloading()
        do throws(SettingsError) {
          let (settings, secrets) = try reloadSettings()
          applySettings(settings, secrets)
        } catch {
          rejectReload(error)
        }
        watchdog.manager.ready(status: status)
      }
    }
  }

  /// Does all work that is due now.
  private func step() throws {
    checkClock()
    runner.collectResults()
    queue.saveAll()
    watchdog.notify(status: status)
    reporter.health.apply(clock: clock.words, at: clock.now)
    guard clock.isBelieved else { return reporter.survey(planner) }
    if !queue.hasResumed { try resume() }
    guard queue.isReady else { return }
    disk.perform {
      try planner.planOperatorNotices()
      try planner.startRequestedRetries()
      queue.endExpired()
    }
    queue.saveAll()
    intake.takeAll {
      runner.collectResults()
      queue.saveAll()
      runner.begin()
    }
    runner.begin()
    reporter.survey(planner)
    removeOldFiles()
  }

  /// Returns the time until the next scheduled work, in milliseconds.
  private func wait() -> Int32 {
    // The step may have taken long. If the clock was changed meanwhile, the next step judges it.
    let now = SystemWallClock().now()
    // Changes of the clock are noticed within 30 s, a curl that hangs within 1 s.
    var wait: Int64 = runner.isIdle ? 30_000 : 1_000
    if !clock.isBelieved { return 1_000 }
    if reporter.isSurveyDueSoon { wait = min(wait, HealthReporter.surveyInterval.wholeMilliseconds) }
    if !queue.isReady || !intake.isReady {
      wait = min(wait, 1_000)
    } else if let next = queue.state.nextWakeUp(
      after: now, quietMinutesLeft: { clock.quietMinutesLeft($0, at: now) })
    {
      wait = min(wait, next.milliseconds - now.milliseconds)
    }
    return Int32(max(wait, 1))
  }

  /// Gives running transfers a short time to end, then stops them.
  private func stop() {
    watchdog.manager.stopping()
    let begin = MachineUptime.now()
    while !runner.isIdle {
      checkClock()
      runner.collectResults()
      runner.stopSlow(after: MachineUptime.now() - begin)
      if !runner.isIdle { poll(nil, 0, 20) }
    }
    queue.saveAll()
  }

  /// The status line shown by `systemctl status`.
  private var status: String { "\(queue.state.count) deliveries in progress" + reporter.health.summary }

  // MARK: The clock

  /// Reads the clock. If it was set back, waits do not grow, and messages that expired while it was ahead are reopened.
  private func checkClock() {
    let wasSetBack = clock.read()
    guard clock.isBelieved, queue.isSaved else { return }
    if queue.hasResumed, clock.setBack > .zero { applyClockCorrection() }
    clock.save(isDue: wasSetBack)
  }

  /// Corrects the state after the clock was set back.
  private func applyClockCorrection() {
    queue.applySetBack()
    disk.perform { try planner.reopenExpiredByWrongClock() }
  }

  /// Loads the plans of an earlier process and requested retries.
  private func resume() throws {
    try queue.resume()
    applyClockCorrection()
    disk.perform { try planner.startRequestedRetries() }
  }

  // MARK: Settings

  /// Applies reloaded settings. Present plans and the watched folders stay the same until the next start.
  private func applySettings(_ settings: PostSettings, _ secrets: [String: ChannelSecret]) {
    let state = settings.stateDirectory ?? folder.state
    if settings.folder != folder.drop || state != folder.state {
      log.warning("a new Folder= or StateDirectory= takes effect at the next start: systemctl restart poolflow-post")
    }
    effective.apply(settings, secrets: secrets, drop: folder.drop)
    reporter.apply(effective.settings)
    queue.endPauses()
  }

  /// Keeps the previous settings after a failed reload, and reports the failure.
  private func rejectReload(_ error: SettingsError) {
    log.block(error.description)
    reporter.health.rejectReload(error, at: clock.now)
    queue.needsSurvey = true
  }

  // MARK: Old files

  /// Removes old files from the state folder, once an hour.
  private func removeOldFiles() {
    let up = MachineUptime.now()
    guard prunedAt.map({ up - $0 >= .hours(1) }) ?? true else { return }
    prunedAt = up
    disk.perform {
      try folder.prune(before: clock.confirmed.advanced(by: .zero - Limits.postRetention), now: clock.now)
    }
  }
}

/// Notifies systemd of the service's state, and its watchdog four times per interval.
private struct Watchdog {
  let manager = ServiceManager()
  private var notifiedAt: Duration = .zero

  /// Notifies the watchdog if a quarter of its interval has passed.
  mutating func notify(status: @autoclosure () -> String) {
    let up = MachineUptime.now()
    guard let interval = manager.watchdogInterval, up - notifiedAt >= interval / 4 else { return }
    notifiedAt = up
    manager.alive(status: status())
  }
}
