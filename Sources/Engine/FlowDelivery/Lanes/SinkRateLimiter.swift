internal import FlowModel

/// Limits a sink's delivery rate to `rate.count` in any period of `rate.period`, as `Rate` of `[Sink NAME]` promises.
///
/// A sliding window, unlike the token buckets of `poolflow-post`: a bucket of the same size may let through almost twice
/// `rate.count` in one period, and one without a burst would split a batch, which the sink flushes to disk at once, into single
/// entries. The buckets suit the sender, which has one message at a time and a limit for each of thousands of addresses: they keep
/// one number each, where this window keeps up to `rate.count` times.
struct SinkRateLimiter: Sendable {
  private let rate: SinkRate
  /// The times of the last deliveries, oldest first; at most `rate.count`.
  private var delivered: [Timestamp] = []

  init(_ rate: SinkRate) {
    self.rate = rate
  }

  /// Returns how many entries may be delivered now.
  mutating func capacity(now: Timestamp) -> Int {
    // Times in the future were recorded before the clock was set back; drop them, or they would delay deliveries for longer
    // than a period.
    delivered.removeAll { $0 > now || now.since($0) >= rate.period }
    return rate.count - delivered.count
  }

  /// Counts `entries` deliveries at `now`.
  mutating func count(_ entries: Int, now: Timestamp) {
    delivered.append(contentsOf: repeatElement(now, count: min(entries, rate.count)))
  }

  /// Returns the time until the next entry may be delivered.
  func wait(now: Timestamp) -> Duration {
    guard delivered.count >= rate.count, let oldest = delivered.first else { return .zero }
    return max(rate.period - now.since(oldest), .zero)
  }
}
