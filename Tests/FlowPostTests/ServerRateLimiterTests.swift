import FlowModel
import FlowSettings
import Testing

@testable import FlowPost

struct ServerRateLimiterTests {
  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: noon.milliseconds + milliseconds) }

  /// The start times of `count` messages that are all due at once, in milliseconds after noon.
  private func times(
    _ rateLimiter: inout ServerRateLimiter, _ count: Int, to addresses: [String] = ["a"], from start: Int64 = 0
  ) -> [Int64] {
    var now = start
    return (0..<count).map { number in
      let address = addresses[number % addresses.count]
      now = max(now, rateLimiter.earliestTime(for: address, at: at(now)) - noon.milliseconds)
      rateLimiter.take(address, at: at(now))
      return now
    }
  }

  /// The largest number within any interval of `span` milliseconds.
  private func most(_ times: [Int64], within span: Int64) -> Int {
    times.map { start in times.count { $0 >= start && $0 < start + span } }.max() ?? 0
  }

  struct Promise: Sendable, CustomTestStringConvertible {
    let kind: PostSettings.Kind
    let addresses: [String]
    /// At most `count` in any `span` of milliseconds.
    let limits: [(span: Int64, count: Int)]
    var testDescription: String { "\(kind) \(addresses.count)" }
  }

  private static let promises = [
    Promise(kind: .slack, addresses: ["a"], limits: [(1_000, 1)]),
    Promise(kind: .teams, addresses: ["a"], limits: [(1_000, 4), (30_000, 60)]),
    Promise(kind: .telegram, addresses: ["5"], limits: [(1_000, 1)]),
    Promise(kind: .telegram, addresses: ["-100"], limits: [(1_000, 1), (60_000, 20)]),
    Promise(kind: .telegram, addresses: (1...300).map(String.init), limits: [(1_000, 30)]),
  ]

  @Test(arguments: promises)
  func `sending never exceeds the provider's rate limit`(promise: Promise) {
    var rateLimiter = ServerRateLimiter(promise.kind)
    let times = times(&rateLimiter, 300, to: promise.addresses)
    for limit in promise.limits { #expect(most(times, within: limit.span) <= limit.count, "\(limit)") }
    // And it is not much slower than the limit.
    let slowest = promise.limits.map { 300 * $0.span / Int64($0.count) }.max() ?? 0
    #expect(times.last ?? 0 < slowest * 6 / 5, "\(times.last ?? 0) ms")
  }

  @Test func `a kind without a rate limit sends at once`() {
    for kind in [PostSettings.Kind.smtp, .sendmail, .webhook, .matrix, .ntfy] {
      var rateLimiter = ServerRateLimiter(kind)
      #expect(times(&rateLimiter, 1_000).last == 0, "\(kind)")
    }
  }

  @Test func `an ntfy server that is rate limiting gets one message in five seconds`() {
    var rateLimiter = ServerRateLimiter(.ntfy)
    rateLimiter.rateLimited(at: noon)
    #expect(times(&rateLimiter, 4) == [0, 5_000, 10_000, 15_000])
    #expect(times(&rateLimiter, 3, from: 3_600_000) == [3_600_000, 3_600_000, 3_600_000])
  }

  @Test func `from the third rate-limit answer the rate halves, and recovers after an hour`() {
    var rateLimiter = ServerRateLimiter(.slack)
    for second in [0, 60, 3_000] as [Int64] { rateLimiter.rateLimited(at: at(second * 1_000)) }
    #expect(times(&rateLimiter, 3, from: 3_000_000) == [3_000_000, 3_001_000, 3_002_000], "not within ten minutes")
    for second in [3_060, 3_120] as [Int64] { rateLimiter.rateLimited(at: at(second * 1_000)) }
    #expect(times(&rateLimiter, 3, from: 3_200_000) == [3_200_000, 3_202_000, 3_204_000])
    for second in [3_300, 3_310, 3_320] as [Int64] { rateLimiter.rateLimited(at: at(second * 1_000)) }
    #expect(times(&rateLimiter, 3, from: 3_400_000) == [3_400_000, 3_404_000, 3_408_000])
    #expect(times(&rateLimiter, 3, from: 8_000_000) == [8_000_000, 8_001_000, 8_002_000])
    var hook = ServerRateLimiter(.webhook)
    for _ in 0..<3 { hook.rateLimited(at: noon) }
    #expect(times(&hook, 3) == [0, 1_000, 2_000])
    // Even after many such answers it is still tried.
    for _ in 0..<100 { hook.rateLimited(at: noon) }
    #expect(times(&hook, 3, from: 60_000).last ?? .max <= 60_000 + 2 * 8_000)
  }

  @Test func `a clock set back delays no message for long`() {
    var rateLimiter = ServerRateLimiter(.teams)
    _ = times(&rateLimiter, 30)
    let back = at(-86_400_000)
    #expect(rateLimiter.earliestTime(for: "a", at: back) <= back.milliseconds + 1_000)
  }
}
