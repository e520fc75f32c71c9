/// The rate limit of a sink: the most entries per period, such as `10/s`, `60/min` or `500/h`.
package struct SinkRate: Hashable, Sendable, CustomStringConvertible {
  package let count: Int
  package let period: Duration

  /// The default rate of a journal sink. journald silently drops messages of one service beyond 10,000 in 30 s
  /// (journald.conf(5), `RateLimitBurst=`), and notices must not be lost that way.
  package static let journal = SinkRate(count: 300, period: .seconds(1))

  private init(count: Int, period: Duration) {
    self.count = count
    self.period = period
  }

  /// - Returns: nil for any other format, and for a count outside 1…`Limits.maxSinkRate`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...Limits.maxSinkRate).contains(count) else { return nil }
    switch parts[1] {
    case "s": period = .seconds(1)
    case "min": period = .minutes(1)
    case "h": period = .hours(1)
    default: return nil
    }
    self.count = count
  }

  package var description: String {
    switch period {
    case .seconds(1): "\(count)/s"
    case .minutes(1): "\(count)/min"
    default: "\(count)/h"
    }
  }
}
