import FlowModel
import FlowSettings

/// A token bucket: `burst` messages at once, then one per `interval`. Its only state is the time at which it will be full
/// again. `SinkRateLimiter` says why the daemon's sinks use a sliding window instead.
///
/// Source: the generic cell rate algorithm, ITU-T I.371, annex A.
struct TokenBucket: Hashable, Sendable {
  let burst: Int64
  /// Milliseconds per message.
  let interval: Int64
  /// The time at which the bucket is full again, in milliseconds since 1970.
  private var full: Int64 = 0

  init(_ burst: Int64, each interval: Duration) {
    self.burst = burst
    self.interval = interval.wholeMilliseconds
  }

  /// Returns the earliest time of the next message, in milliseconds since 1970. If the clock was set back, the wait is at most
  /// that of an empty bucket.
  ///
  /// - Parameter factor: the slow-down factor; 1 for the usual rate.
  func earliestTime(at now: Int64, slower factor: Int64) -> Int64 {
    let step = interval * factor
    return min(full, now + burst * step) - (burst - 1) * step
  }

  /// Takes one token from the bucket.
  mutating func take(at now: Int64, slower factor: Int64) {
    let step = interval * factor
    full = max(min(full, now + burst * step), now) + step
  }

  func isFull(at now: Int64) -> Bool { full <= now }
}

/// The rate limit of one server: its provider's documented limits, reduced after "too many requests".
struct ServerRateLimiter: Sendable {
  private let kind: PostSettings.Kind?
  /// The buckets of the server as a whole.
  private var whole: [TokenBucket]
  /// The buckets of each address.
  private var each: [String: [TokenBucket]] = [:]
  private var factor: Int64 = 1
  private var slowUntil = Timestamp(milliseconds: 0)
  /// The recent times at which the server answered "too many requests".
  private var refusals: [Timestamp] = []

  /// Starts with the documented limits of the service.
  init(_ kind: PostSettings.Kind?) {
    self.kind = kind
    // Source: Telegram, bots FAQ; Slack, rate limits of incoming webhooks; Teams, limits of connectors.
    whole =
      switch kind {
      case .telegram: [TokenBucket(1, each: .milliseconds(34))]
      case .slack: [TokenBucket(1, each: .seconds(1))]
      case .teams: [TokenBucket(1, each: .milliseconds(250)), TokenBucket(10, each: .milliseconds(600))]
      default: []
      }
  }

  /// The buckets of one address, which only Telegram has.
  private static func buckets(_ kind: PostSettings.Kind?, _ address: String) -> [TokenBucket] {
    guard kind == .telegram else { return [] }
    let one = TokenBucket(1, each: .seconds(1))
    // In groups and channels Telegram allows 20 messages a minute.
    let isGroup = address.hasPrefix("-") || address.hasPrefix("@")
    return isGroup ? [one, TokenBucket(2, each: .milliseconds(3_400))] : [one]
  }

  /// Returns the earliest time of a message to this address, in milliseconds since 1970.
  func earliestTime(for address: String, at now: Timestamp) -> Int64 {
    let factor = now < slowUntil ? factor : 1
    let own = each[address] ?? []
    return (whole + own).map { $0.earliestTime(at: now.milliseconds, slower: factor) }.max() ?? 0
  }

  /// Counts a message to this address.
  mutating func take(_ address: String, at now: Timestamp) {
    if now >= slowUntil { endSlowness() }
    // A full bucket has no effect, so drop it.
    each = each.filter { !$0.value.allSatisfy { $0.isFull(at: now.milliseconds) } }
    var own = each[address] ?? Self.buckets(kind, address)
    for index in own.indices { own[index].take(at: now.milliseconds, slower: factor) }
    if !own.isEmpty { each[address] = own }
    for index in whole.indices { whole[index].take(at: now.milliseconds, slower: factor) }
  }

  /// Records an answer "too many requests": the third one within ten minutes halves the rate for an hour.
  mutating func rateLimited(at now: Timestamp) {
    if now >= slowUntil { endSlowness() }
    refusals = refusals.filter { now.since($0) < Limits.postRateLimitWindow } + [now]
    if kind == .ntfy, whole.isEmpty {
      // The default rate limit of ntfy's server after its burst of 60.
      whole = [TokenBucket(1, each: .seconds(5))]
      slowUntil = now.advanced(by: Limits.postSlowdownTime)
    }
    guard refusals.count >= Limits.postRateLimitReplies else { return }
    if whole.isEmpty { whole = [TokenBucket(1, each: .milliseconds(500))] }
    factor = min(factor * 2, Limits.postMaxSlowdown)
    slowUntil = now.advanced(by: Limits.postSlowdownTime)
    refusals = []
  }

  /// Returns to the documented limits after a slow-down.
  private mutating func endSlowness() {
    guard slowUntil.milliseconds > 0 else { return }
    self = ServerRateLimiter(kind)
  }
}
