import PoolModel
import PoolSettings

/// So many at once, and then one each `interval`: a bucket of tokens kept as one moment, when it will be full again.
///
/// Source: the generic cell rate algorithm, ITU-T I.371, annex A.
struct TokenBucket: Hashable, Sendable {
  let burst: Int64
  /// Milliseconds.
  let interval: Int64
  private var full: Int64 = 0

  init(_ burst: Int64, each interval: Duration) {
    self.burst = burst
    self.interval = interval.wholeMilliseconds
  }

  /// From when on the next may go; milliseconds since 1970. A clock that went back lets nobody wait longer than an empty
  /// bucket does.
  ///
  /// - Parameter factor: how many times slower than usual.
  func opens(at now: Int64, slower factor: Int64) -> Int64 {
    let step = interval * factor
    return min(full, now + burst * step) - (burst - 1) * step
  }

  mutating func take(at now: Int64, slower factor: Int64) {
    let step = interval * factor
    full = max(min(full, now + burst * step), now) + step
  }

  func isFull(at now: Int64) -> Bool { full <= now }
}

/// How fast one place may be written to, by what its provider says, and slower where it said "too many".
struct Pace: Sendable {
  private let kind: PostSettings.Kind?
  /// Of the place as a whole, and of each address at it.
  private var whole: [TokenBucket]
  private var each: [String: [TokenBucket]] = [:]
  private var factor: Int64 = 1
  private var slowUntil = Timestamp(milliseconds: 0)
  /// When it last said "too many", those that count.
  private var refusals: [Timestamp] = []

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

  private static func buckets(_ kind: PostSettings.Kind?, _ address: String) -> [TokenBucket] {
    guard kind == .telegram else { return [] }
    let one = TokenBucket(1, each: .seconds(1))
    // Groups and channels: 20 a minute.
    let isGroup = address.hasPrefix("-") || address.hasPrefix("@")
    return isGroup ? [one, TokenBucket(2, each: .milliseconds(3_400))] : [one]
  }

  /// From when on something may go to an address.
  func opens(for address: String, at now: Timestamp) -> Int64 {
    let factor = now < slowUntil ? factor : 1
    let own = each[address] ?? []
    return (whole + own).map { $0.opens(at: now.milliseconds, slower: factor) }.max() ?? 0
  }

  /// Something goes to an address.
  mutating func take(_ address: String, at now: Timestamp) {
    if now >= slowUntil { endSlowness() }
    // Full buckets are as good as none.
    each = each.filter { !$0.value.allSatisfy { $0.isFull(at: now.milliseconds) } }
    var own = each[address] ?? Self.buckets(kind, address)
    for index in own.indices { own[index].take(at: now.milliseconds, slower: factor) }
    if !own.isEmpty { each[address] = own }
    for index in whole.indices { whole[index].take(at: now.milliseconds, slower: factor) }
  }

  /// The place said "too many": from the third time within ten minutes on it is asked half as often for an hour.
  mutating func tooMany(at now: Timestamp) {
    if now >= slowUntil { endSlowness() }
    refusals = refusals.filter { now.since($0) < Limits.postSlowedWithin } + [now]
    if kind == .ntfy, whole.isEmpty {
      // What ntfy's server allows by its own default, once its burst of 60 is used up.
      whole = [TokenBucket(1, each: .seconds(5))]
      slowUntil = now.advanced(by: Limits.postSlowedFor)
    }
    guard refusals.count >= Limits.postSlowedAfter else { return }
    if whole.isEmpty { whole = [TokenBucket(1, each: .milliseconds(500))] }
    factor = min(factor * 2, Limits.postSlowedMost)
    slowUntil = now.advanced(by: Limits.postSlowedFor)
    refusals = []
  }

  private mutating func endSlowness() {
    guard slowUntil.milliseconds > 0 else { return }
    self = Pace(kind)
  }
}
