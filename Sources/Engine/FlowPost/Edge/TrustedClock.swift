import FlowCalendar
import FlowModel
import FlowPlatform

/// The wall clock of poolflow-post: reads it, lets `SenderClock` judge the reading, and saves the judge's state.
///
/// All work of a step uses the same reading, `now`: with a second reading a message could expire by a jump that was never
/// judged, and whose correction would not be noticed.
final class TrustedClock {
  /// The interval between writes of the clock's state.
  private static let saveInterval: Duration = .minutes(1)

  /// The last reading.
  private(set) var now = SystemWallClock().now()
  /// The time by which the clock was set back since the last `takeSetBack`.
  private(set) var setBack: Duration = .zero
  private var judge: SenderClock
  private var savedAt: Duration?
  private let zones: any ZoneSource
  private let folder: PostFolder
  private let disk: ErrorBackoff
  private let log: PostLog

  init(_ folder: PostFolder, zones: any ZoneSource, disk: ErrorBackoff, _ log: PostLog) {
    (self.folder, self.zones, self.disk, self.log) = (folder, zones, disk, log)
    judge = SenderClock(folder.clock(), newest: folder.newestChange(notAfter: now))
  }

  /// True if messages may be taken and sent by this clock.
  var isBelieved: Bool { judge.isBelieved }

  /// True if `now` may be sent to the daemon.
  var isConfirmed: Bool { judge.isConfirmed(now) }

  /// The time for expiry and deletion.
  var confirmed: Timestamp { judge.confirmed(now) }

  /// The reason why nothing is sent; nil if the clock is believed.
  var words: String? { judge.words }

  /// Reads and judges the clock, and logs a change of trust or a step back.
  ///
  /// - Returns: true if the clock was set back since the last reading.
  func read() -> Bool {
    now = SystemWallClock().now()
    let reading = judge.update(at: now, uptime: MachineUptime.now())
    if reading.hasTrustChanged {
      if let words { log.error(words) } else { log.notice("the clock is believed again") }
    }
    guard let step = reading.setBack else { return false }
    setBack += step
    log.notice("the clock was set back by \(step.inWords)")
    return true
  }

  /// Returns the time by which the clock was set back since the last call.
  func takeSetBack() -> Duration {
    defer { setBack = .zero }
    return setBack
  }

  /// Saves the judge's state if the last save is `saveInterval` ago.
  ///
  /// - Parameter isDue: true to save it now.
  func save(isDue: Bool) {
    let up = MachineUptime.now()
    guard isDue || savedAt.map({ up - $0 >= Self.saveInterval }) ?? true else { return }
    savedAt = up
    disk.perform { if let state = judge.savedState { try folder.save(state) } }
  }

  /// Returns the remaining minutes of a person's quiet hours.
  func quietMinutesLeft(_ quiet: QuietTime) -> Int { quietMinutesLeft(quiet, at: now) }

  /// Returns the remaining minutes of a person's quiet hours at an instant.
  func quietMinutesLeft(_ quiet: QuietTime, at now: Timestamp) -> Int {
    // An unknown time zone has no quiet hours.
    guard let zone = try? zones.zone(named: quiet.zone) else { return 0 }
    let seconds = now.seconds + Int64(zone.offset(at: now))
    return quiet.minutesLeft(at: Int((seconds % 86_400 + 86_400) % 86_400 / 60))
  }
}
