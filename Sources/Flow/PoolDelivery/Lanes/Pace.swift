internal import PoolModel

/// Keeps a sink's deliveries within its rate: never more than `rate.count` in any stretch of `rate.period`.
struct Pace: Sendable {
  private let rate: SinkRate
  /// When the latest entries were delivered, the oldest first; `rate.count` at most.
  private var delivered: [Timestamp] = []

  init(_ rate: SinkRate) {
    self.rate = rate
  }

  /// How many may be delivered now.
  mutating func room(now: Timestamp) -> Int {
    // What lies ahead was delivered before the clock was set back: it must not put anything off for longer than a period.
    delivered.removeAll { $0 > now || now.since($0) >= rate.period }
    return rate.count - delivered.count
  }

  mutating func count(_ entries: Int, now: Timestamp) {
    delivered.append(contentsOf: repeatElement(now, count: min(entries, rate.count)))
  }

  /// How long until there is room for one.
  func wait(now: Timestamp) -> Duration {
    guard delivered.count >= rate.count, let oldest = delivered.first else { return .zero }
    return max(rate.period - now.since(oldest), .zero)
  }
}
