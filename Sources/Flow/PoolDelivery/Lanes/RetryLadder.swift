internal import PoolModel

/// How long a refused entry and a sick sink wait.
package enum RetryLadder {
  /// The waits after the first refusal, the second, …; after the last, the entry is dead.
  package static let waits: [Duration] = [
    .seconds(5), .seconds(30), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(24),
  ]

  /// A sick sink is tried again after these waits, and then after the last of them for ever: it is well within a minute
  /// of the end of its trouble, and a sink that stays sick costs one look a minute.
  package static let pauses: [Duration] = [.seconds(5), .seconds(30), Limits.longestSleep]

  /// Every wait is spread by this share, up and down, so that what failed together does not return together.
  package static let jitter = 0.2

  /// The wait before the next try of an entry that has been refused `attempts` times, this one included; nil when that
  /// was the last.
  ///
  /// Example: after the third refusal, between 4 and 6 minutes.
  package static func wait(
    attempts: Int, retryAfter: Duration?, using random: inout some RandomNumberGenerator
  ) -> Duration? {
    guard attempts < Limits.deliveryAttempts, attempts >= 1, attempts <= waits.count else { return nil }
    return max(spread(waits[attempts - 1], using: &random), bounded(retryAfter))
  }

  /// The pause of a lane after `troubles` tries in a row that met a sick sink, this one included.
  package static func pause(
    troubles: Int, retryAfter: Duration?, using random: inout some RandomNumberGenerator
  ) -> Duration {
    max(spread(pauses[min(max(troubles, 1), pauses.count) - 1], using: &random), bounded(retryAfter))
  }

  private static func spread(_ wait: Duration, using random: inout some RandomNumberGenerator) -> Duration {
    .milliseconds(Int64(Double(wait.wholeMilliseconds) * Double.random(in: 1 - jitter...1 + jitter, using: &random)))
  }

  /// A sink's own wish, never longer than the ladder's last step: a wrong header must not put a notice off for a year.
  private static func bounded(_ wish: Duration?) -> Duration {
    min(wish ?? .zero, waits.last ?? .zero)
  }
}
