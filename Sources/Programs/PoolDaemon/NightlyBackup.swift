import PoolBackup
import PoolCalendar
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

/// Backs the store up each night, by default at a quarter past two by the machine's clock, and lets old backups go.
///
/// It is the server's work, not a team's: no slot, no notice to a team. A night that was slept through is made up for at
/// the next start; one that fails is tried again every hour, and the operator is told. A backup that is whole and only its
/// copy in the second place is not counts as made: the operator is told, and the next night copies the next one.
struct NightlyBackup: Sendable {
  private let store: Store
  private let keeper: BackupKeeper
  private let settings: SettingsInForce
  private let zone: Zone
  private let clock: any WallClock
  private let timer: any WakeSource
  private let dispatcher: Dispatcher
  private let log: DaemonLog

  /// What `backup list` gives as the reason.
  static let reason = "nightly"

  init(
    store: Store, keeper: BackupKeeper, settings: SettingsInForce, zone: Zone, clock: any WallClock,
    timer: any WakeSource, dispatcher: Dispatcher, log: DaemonLog
  ) {
    self.store = store
    self.keeper = keeper
    self.settings = settings
    self.zone = zone
    self.clock = clock
    self.timer = timer
    self.dispatcher = dispatcher
    self.log = log
  }

  /// Runs until its task is cancelled; the page under way is finished first.
  func run() async {
    let wakes = timer.events()
    await look()
    for await _ in wakes {
      if Task.isCancelled { return }
      await look()
    }
  }

  private func look() async {
    let now = clock.now()
    // Off: it wakes once a day for nothing, and the next start reads the settings again.
    guard let time = await settings.reading.settings.backupTime else {
      return timer.arm(at: now.advanced(by: .hours(24)))
    }
    guard now >= Limits.earliestPlausibleNow else { return timer.arm(at: now.advanced(by: Limits.longestSleep)) }
    do {
      let newest = try await store.newestBackup(reason: Self.reason)
      // A new store has its first night before it; a mark in the future was made by a clock that was wrong.
      let known = try await store.firstStart()
      if let last = newest ?? known, last <= now {
        let due = NightlyRefresh.next(after: last, at: time, zone: zone)
        if due > now { return timer.arm(at: due) }
      }
      try await backUp()
      timer.arm(at: NightlyRefresh.next(after: now, at: time, zone: zone))
    } catch is CancellationError {
      return
    } catch {
      log.error("the nightly backup failed: \(error); trying again in an hour")
      await tell("\(error)", now: now)
      timer.arm(at: now.advanced(by: .hours(1)))
    }
  }

  private func backUp() async throws {
    let inForce = await settings.reading.settings
    let line = try await keeper.create(
      reason: Self.reason, second: inForce.backupDirectory, planLimits: inForce.planLimits
    ) { _ in try Task.checkCancellation() }
    let (removed, kept) = try await keeper.prune(inForce.backupRetention, zone: zone, rehearse: false)
    log.info(
      "backup \(line.id) was made and restored for proof, \(line.bytes) bytes; \(removed.count) old ones went, "
        + "\(kept.count) stay")
  }

  private func tell(_ reason: String, now: Timestamp) async {
    do {
      let notice = OperatorNotice.backupFailed(reason: reason)
      // Once a day is enough to be heard.
      let identifier = OperatorNotice.identifier(notice.word, sink: notice.sink)
      if let last = try await store.lastTold(identifier), last <= now, now.since(last) < .hours(20) { return }
      let routes = await settings.reading.settings.sinks.map(\.route)
      let told = try await store.tell(notice.notice(at: now, install: store.install), routes: routes, now: now)
      dispatcher.wake(Set(told))
    } catch {
      log.error("the operator could not be told of the backup: \(error)")
    }
  }
}
