import FlowDelivery
import FlowModel
import FlowTestKit
import Testing

struct RetryDelaysTests {
  @Test(arguments: [
    (1, 5), (2, 30), (3, 300), (4, 1_800), (5, 7_200), (6, 18_000), (7, 36_000), (8, 86_400),
  ])
  func `the delay after each refusal follows the ladder, plus or minus a fifth`(attempts: Int, seconds: Int) throws {
    var random = SeededNumbers(seed: UInt64(attempts))
    var entryDelays: [Duration] = []
    for _ in 0..<500 {
      entryDelays.append(try #require(RetryDelays.wait(attempts: attempts, retryAfter: nil, using: &random)))
    }
    let nominal = Duration.seconds(seconds)
    #expect(entryDelays.allSatisfy { $0 >= nominal * 0.79 && $0 <= nominal * 1.2 })
    #expect(entryDelays.contains { $0 < nominal * 0.85 } && entryDelays.contains { $0 > nominal * 1.15 })
  }

  @Test func `no attempt follows the ninth refusal`() {
    var random = SeededNumbers(seed: 1)
    #expect(RetryDelays.wait(attempts: Limits.deliveryAttempts, retryAfter: nil, using: &random) == nil)
    #expect(RetryDelays.entryDelays.count + 1 == Limits.deliveryAttempts)
    // Without a refusal there is no delay.
    #expect(RetryDelays.wait(attempts: 0, retryAfter: nil, using: &random) == nil)
  }

  @Test func `a sink may ask for a longer delay of up to a day`() {
    var random = SeededNumbers(seed: 1)
    #expect(RetryDelays.wait(attempts: 1, retryAfter: .minutes(7), using: &random) == .minutes(7))
    #expect(RetryDelays.wait(attempts: 1, retryAfter: .hours(9_000), using: &random) == .hours(24))
  }

  @Test func `an unhealthy sink is retried within 72 seconds for ever`() {
    #expect(RetryDelays.sinkPauses == [.seconds(5), .seconds(30), .seconds(60)])
    var random = SeededNumbers(seed: 3)
    for failureCount in 1...1_000 {
      #expect(RetryDelays.pause(failureCount: failureCount, retryAfter: nil, using: &random) <= .seconds(72))
    }
    for (failureCount, nominal) in [(0, 5), (1, 5), (2, 30), (3, 60), (4, 60)] {
      let pause = RetryDelays.pause(failureCount: failureCount, retryAfter: nil, using: &random)
      #expect(pause >= .seconds(nominal) * 0.79 && pause <= .seconds(nominal) * 1.2, "\(failureCount)")
    }
  }
}
