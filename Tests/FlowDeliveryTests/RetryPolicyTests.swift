import FlowDelivery
import FlowModel
import FlowTestKit
import Testing

struct RetryPolicyTests {
  private func delay(
    _ policy: RetryPolicy, _ failureCount: Int, requestedWait: Duration? = nil, _ random: inout SeededNumbers
  ) -> Duration {
    policy.delay(
      afterFailures: failureCount, requestedWait: requestedWait, jitter: RetryPolicy.jitter(using: &random))
  }

  @Test(arguments: [
    (1, 5), (2, 30), (3, 300), (4, 1_800), (5, 7_200), (6, 18_000), (7, 36_000), (8, 86_400),
  ])
  func `the delay after each refusal follows the ladder, plus or minus a fifth`(attempts: Int, seconds: Int) {
    var random = SeededNumbers(seed: UInt64(attempts))
    #expect(RetryPolicy.refusedEntry.allowsTry(afterFailures: attempts))
    let delays = (0..<500).map { _ in delay(.refusedEntry, attempts, &random) }
    let nominal = Duration.seconds(seconds)
    #expect(delays.allSatisfy { $0 >= nominal * 0.79 && $0 <= nominal * 1.2 })
    #expect(delays.contains { $0 < nominal * 0.85 } && delays.contains { $0 > nominal * 1.15 })
  }

  @Test func `no attempt follows the ninth refusal`() {
    #expect(!RetryPolicy.refusedEntry.allowsTry(afterFailures: Limits.deliveryAttempts))
    #expect(!RetryPolicy.refusedEntry.allowsTry(afterFailures: Limits.deliveryAttempts + 1))
    #expect(RetryPolicy.refusedEntry.delays.count + 1 == Limits.deliveryAttempts)
  }

  @Test func `a sink may ask for a longer delay of up to a day`() {
    var random = SeededNumbers(seed: 1)
    for policy in [RetryPolicy.refusedEntry, .failedSink] {
      #expect(delay(policy, 1, requestedWait: .minutes(7), &random) == .minutes(7))
      #expect(delay(policy, 1, requestedWait: .hours(9_000), &random) == .hours(24))
    }
  }

  @Test func `a policy without a longest request keeps every requested wait`() {
    let policy = RetryPolicy([.seconds(5), .seconds(15)])
    #expect(policy.delay(afterFailures: 1, requestedWait: .hours(9_000)) == .hours(9_000))
    #expect(policy.delay(afterFailures: 2, requestedWait: .seconds(1)) == .seconds(15))
    #expect([0, 1, 2, 3].map { policy.delay(afterFailures: $0) } == [5, 5, 15, 15].map { .seconds($0) })
    #expect(policy.delay(afterFailures: 1, jitter: 0) == .zero && policy.allowsTry(afterFailures: 1_000))
  }

  @Test func `an unhealthy sink is retried within 72 seconds for ever`() {
    #expect(RetryPolicy.failedSink.delays == [.seconds(5), .seconds(30), .seconds(60)])
    var random = SeededNumbers(seed: 3)
    for failureCount in 1...1_000 {
      #expect(RetryPolicy.failedSink.allowsTry(afterFailures: failureCount))
      #expect(delay(.failedSink, failureCount, &random) <= .seconds(72))
    }
    for (failureCount, nominal) in [(0, 5), (1, 5), (2, 30), (3, 60), (4, 60)] {
      let pause = delay(.failedSink, failureCount, &random)
      #expect(pause >= .seconds(nominal) * 0.79 && pause <= .seconds(nominal) * 1.2, "\(failureCount)")
    }
  }
}
