import PoolCalendar
import PoolModel
import PoolPlatform
import PoolStore

/// Looks at every pool whose readings changed, each night at half past two by the machine's clock.
///
/// It is the server's work, not a team's: no slot, no notice. What it finds the digests and `pfctl health` tell. A night
/// that was slept through is made up for at the next start.
struct NightlyRefresh: Sendable {
  private let store: Store
  private let zone: Zone
  private let clock: any WallClock
  private let timer: any WakeSource
  private let log: DaemonLog

  private static let hour = TimeOfDay(hour: 2, minute: 30) ?? .sevenInTheMorning

  init(store: Store, zone: Zone, clock: any WallClock, timer: any WakeSource, log: DaemonLog) {
    self.store = store
    self.zone = zone
    self.clock = clock
    self.timer = timer
    self.log = log
  }

  /// Runs until its task is cancelled; a block under way is finished first.
  func run() async {
    let wakes = timer.events()
    await look()
    for await _ in wakes {
      if Task.isCancelled { return }
      await look()
    }
  }

  /// When the clock next shows `time` after `instant`; with 02:30, Monday 07:00 gives Tuesday and Monday 01:00 Monday.
  static func next(after instant: Timestamp, at time: TimeOfDay, zone: Zone) -> Timestamp {
    let date = zone.local(at: instant).date
    for days in 0...1 {
      let night = zone.resolve(LocalDateTime(date: date.adding(days: days), time: time)).standard
      if night > instant { return night }
    }
    return instant.advanced(by: .hours(24))
  }

  private func look() async {
    let now = clock.now()
    guard now >= Limits.earliestPlausibleNow else { return timer.arm(at: now.advanced(by: Limits.longestSleep)) }
    do {
      // A mark in the future was made by a clock that was wrong: it binds nobody.
      if let last = try await store.lastRefresh(), last <= now {
        let due = Self.next(after: last, at: Self.hour, zone: zone)
        if due > now { return timer.arm(at: due) }
      }
      var progress = RefreshProgress()
      while !progress.isDone, !Task.isCancelled {
        progress = try await store.refreshBlock(after: progress, all: false, now: now)
      }
      guard progress.isDone else { return }
      try await store.noteRefresh(at: now)
      if progress.pools > 0 {
        log.info(
          "looked at the water of \(progress.pools) pools: \(progress.changed) indexes changed, "
            + "\(progress.crossed) crossed a limit")
      }
      timer.arm(at: Self.next(after: now, at: Self.hour, zone: zone))
    } catch {
      log.error("saturation indexes could not be refreshed: \(error); trying again in an hour")
      timer.arm(at: now.advanced(by: .hours(1)))
    }
  }
}
