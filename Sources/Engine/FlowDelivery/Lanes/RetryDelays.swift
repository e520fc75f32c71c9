internal import FlowModel

/// The retry delays of refused entries and unhealthy sinks.
package enum RetryDelays {
  /// The delays after the first refusal, the second and so on; after one more refusal the entry is dead.
  package static let entryDelays: [Duration] = [
    .seconds(5), .seconds(30), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(24),
  ]

  /// The pauses of an unhealthy sink; the last one repeats without end. A repaired sink is thus used again within about a
  /// minute, and a failing sink costs one try a minute.
  package static let sinkPauses: [Duration] = [.seconds(5), .seconds(30), Limits.longestSleep]

  /// Every delay is multiplied by a random factor from 0.8 to 1.2, so that entries that failed together are not retried
  /// together.
  package static let jitter = 0.2

  /// Returns the delay before an entry's next try, at least `retryAfter`; nil if there is none.
  ///
  /// For example, the delay after the third refusal is 4 to 6 minutes.
  ///
  /// - Parameter attempts: the number of refusals so far, including this one.
  package static func wait(
    attempts: Int, retryAfter: Duration?, using random: inout some RandomNumberGenerator
  ) -> Duration? {
    guard attempts < Limits.deliveryAttempts, attempts >= 1, attempts <= entryDelays.count else { return nil }
    return max(jittered(entryDelays[attempts - 1], using: &random), capped(retryAfter))
  }

  /// Returns the pause of a lane, at least `retryAfter`.
  ///
  /// - Parameter failureCount: the number of consecutive failed tries, including this one.
  package static func pause(
    failureCount: Int, retryAfter: Duration?, using random: inout some RandomNumberGenerator
  ) -> Duration {
    max(jittered(sinkPauses[min(max(failureCount, 1), sinkPauses.count) - 1], using: &random), capped(retryAfter))
  }

  /// Multiplies a delay by a random factor from `1 - jitter` to `1 + jitter`.
  private static func jittered(_ wait: Duration, using random: inout some RandomNumberGenerator) -> Duration {
    .milliseconds(Int64(Double(wait.wholeMilliseconds) * Double.random(in: 1 - jitter...1 + jitter, using: &random)))
  }

  /// The sink's requested delay, capped at the longest entry in `entryDelays`: a wrong header must not delay a notice for a year.
  private static func capped(_ requestedDelay: Duration?) -> Duration {
    min(requestedDelay ?? .zero, entryDelays.last ?? .zero)
  }
}
