import PoolModel
import PoolWork

/// What poolflow-post believes of the wall clock, by the daemon's rules: before 2024 it was never set; a jump of more than a day
/// is believed after two readings a minute apart; nothing is ended or deleted by a time that has not agreed with itself for a
/// day of running; and what a clock that was ahead ended is open again.
struct SenderClock: Sendable {
  /// What the next process has to know.
  struct Memory: Codable, Hashable, Sendable {
    let confirmed: Int64
    let doubted: Int64
    /// The last reading that was believed.
    let seen: Int64
  }

  /// What a look at the clock has found.
  struct Look: Hashable, Sendable {
    /// By how much it was set back since the last look; nil for not at all.
    var setBack: Duration?
    /// The clock was believed before and is not now, or the other way round.
    var isNews = false
  }

  private var watch: ClockWatch
  private var trust: ClockTrust
  private var seen: Timestamp?
  private var last: (now: Timestamp, uptime: Duration)?
  private(set) var finding: ClockWatch.Finding?

  /// - Parameters:
  ///   - memory: what an earlier process wrote down.
  ///   - newest: where there is none, a time that has surely been: such as that of the newest file.
  init(_ memory: Memory?, newest: Timestamp? = nil) {
    seen = memory.map { Timestamp(milliseconds: $0.seen) }
    trust = ClockTrust(
      confirmed: memory.map { Timestamp(milliseconds: $0.confirmed) } ?? newest,
      doubted: .milliseconds(memory?.doubted ?? 0))
    watch = ClockWatch(lastBelieved: seen ?? newest)
  }

  /// Whether anything may be taken or sent by it.
  var isBelieved: Bool { finding == .believable }

  /// - Parameter uptime: the machine's running time, which nobody can set.
  mutating func look(at now: Timestamp, uptime: Duration) -> Look {
    let before = finding
    let found = watch.look(at: now, isFarBehind: trust.isFarBehind(now))
    finding = found
    var look = Look(isNews: before.map { ($0 == .believable) != isBelieved } ?? !isBelieved)
    guard isBelieved else { return look }
    let elapsed = last.map { max(.zero, uptime - $0.uptime) } ?? .zero
    // In one process even a step back that running time has made up for since the last look is seen.
    let expected = last.map { $0.now.advanced(by: elapsed) } ?? seen ?? now
    if expected.since(now) >= Limits.clockStep { look.setBack = expected.since(now) }
    trust.look(at: now, elapsed: elapsed)
    (last, seen) = ((now, uptime), now)
    return look
  }

  /// The time by which things are ended and deleted: that of the clock where it is confirmed, else what was confirmed last.
  func confirmed(_ now: Timestamp) -> Timestamp { trust.deletionTime(now) }

  /// Whether a time of this clock may be told to others.
  func isConfirmed(_ now: Timestamp) -> Bool { isBelieved && confirmed(now) == now }

  /// Nil before the first reading that is believed.
  var memory: Memory? {
    guard let seen, let confirmed = trust.confirmed else { return nil }
    return Memory(
      confirmed: confirmed.milliseconds, doubted: trust.doubted.wholeMilliseconds, seen: seen.milliseconds)
  }

  /// Why nothing is sent; nil where it is.
  var words: String? {
    switch finding {
    case .believable, nil: nil
    case .notSet: "the clock stands before 2024 and was never set: nothing is taken or sent until it is"
    case .onProbation(let until):
      "the clock has jumped by more than a day: nothing is taken or sent before \(until), when it is read again"
    }
  }
}
