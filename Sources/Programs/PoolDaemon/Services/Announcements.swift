import PoolModel
import PoolPlatform

/// Tells of a change: into the log, and to whoever watches.
struct Announcements: Sendable {
  let log: DaemonLog
  let events: EventBus
  let clock: any WallClock

  /// - Parameter team: nil for the server itself.
  func callAsFunction(_ team: Team?, _ words: String) {
    guard let team else {
      log.notice("the server's \(words)")
      return events.publish(.settings(words), at: clock.now())
    }
    log.notice("team '\(team.name)' \(words)")
    events.publish(.team(team.name, words), at: clock.now())
  }
}
