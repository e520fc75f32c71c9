import FlowModel
import FlowWork

/// The sender's trust in the wall clock, by the daemon's rules. A time before 2024 means that the clock was never set. A jump
/// of more than a day is believed after two readings a minute apart. Messages expire and files are deleted only by a time that
/// has been consistent for a day of uptime. Messages that expired early, because the clock was ahead, are reopened.
struct SenderClock: Sendable {
  /// The state that the next process needs, in milliseconds since 1970; `doubted` is a duration in milliseconds.
  struct SavedState: Codable, Hashable, Sendable {
    let confirmed: Int64
    let doubted: Int64
    /// The last reading that was believed.
    let seen: Int64
  }

  /// The result of one reading of the clock.
  struct Reading: Hashable, Sendable {
    /// The time by which the clock was set back since the last reading; nil if it was not.
    var setBack: Duration?
    /// True if trust in the clock was lost or regained with this reading.
    var hasTrustChanged = false
  }

  private var watch: ClockWatch
  private var trust: ClockTrust
  private var seen: Timestamp?
  private var last: (now: Timestamp, uptime: Duration)?
  private(set) var finding: ClockWatch.Finding?

  /// - Parameters:
  ///   - savedState: the state that an earlier process saved.
  ///   - newest: without a saved state, a time that has certainly passed, such as that of the newest file.
  init(_ savedState: SavedState?, newest: Timestamp? = nil) {
    seen = savedState.map { Timestamp(milliseconds: $0.seen) }
    trust = ClockTrust(
      confirmed: savedState.map { Timestamp(milliseconds: $0.confirmed) } ?? newest,
      unconfirmedDuration: .milliseconds(savedState?.doubted ?? 0))
    watch = ClockWatch(lastBelieved: seen ?? newest)
  }

  /// True if messages may be taken and sent by this clock.
  var isBelieved: Bool { finding == .believable }

  /// Judges a reading of the clock.
  ///
  /// - Parameter uptime: the machine's uptime, which cannot be set.
  mutating func update(at now: Timestamp, uptime: Duration) -> Reading {
    let before = finding
    let found = watch.tick(at: now, isFarBehind: trust.isFarBehind(now))
    finding = found
    var update = Reading(hasTrustChanged: before.map { ($0 == .believable) != isBelieved } ?? !isBelieved)
    guard isBelieved else { return update }
    let elapsed = last.map { max(.zero, uptime - $0.uptime) } ?? .zero
    // Within one process, also detect a step back that is shorter than the time since the last reading.
    let expected = last.map { $0.now.advanced(by: elapsed) } ?? seen ?? now
    if expected.since(now) >= Limits.clockStep { update.setBack = expected.since(now) }
    trust.tick(at: now, elapsed: elapsed)
    (last, seen) = ((now, uptime), now)
    return update
  }

  /// Returns the time for expiry and deletion: `now` if it is confirmed, else the last confirmed time.
  func confirmed(_ now: Timestamp) -> Timestamp { trust.deletionTime(now) }

  /// Whether a reading may be sent to the daemon.
  func isConfirmed(_ now: Timestamp) -> Bool { isBelieved && confirmed(now) == now }

  /// The state to save; nil before the first believed reading.
  var savedState: SavedState? {
    guard let seen, let confirmed = trust.confirmed else { return nil }
    return SavedState(
      confirmed: confirmed.milliseconds, doubted: trust.unconfirmedDuration.wholeMilliseconds, seen: seen.milliseconds)
  }

  /// The reason why nothing is sent; nil if the clock is believed.
  var words: String? {
    switch finding {
    case .believable, nil: nil
    case .notSet: "the clock shows a date before 2024 and was never set: nothing is read or sent until it is set"
    case .onProbation(let until):
      "the clock has jumped by more than a day: nothing is read or sent before \(until), when it is checked again"
    }
  }
}
