internal import FlowModel

/// The delays between the tries of something that fails: an outbox entry or a sink in the daemon, a message or a channel in
/// poolflow-post.
///
/// For example, the third refusal of an outbox entry is followed by a delay of 4 to 6 minutes.
package struct RetryPolicy: Hashable, Sendable {
  /// The delays after the first failure, the second and so on; the last one repeats.
  package let delays: [Duration]
  /// The number of failures after which there is no further try; nil if only the caller ends the tries.
  package let maxFailures: Int?
  /// The longest wait that the receiving side may request, so that a wrong header does not delay a notice for a year; nil if
  /// the caller limits it.
  package let longestRequest: Duration?

  package init(_ delays: [Duration], maxFailures: Int? = nil, longestRequest: Duration? = nil) {
    precondition(!delays.isEmpty, "a retry policy needs a delay")
    self.delays = delays
    self.maxFailures = maxFailures
    self.longestRequest = longestRequest
  }

  /// Whether there is a further try after `count` failures.
  package func allowsTry(afterFailures count: Int) -> Bool { maxFailures.map { count < $0 } ?? true }

  /// Returns the delay before the next try, at least the requested one.
  ///
  /// - Parameters:
  ///   - count: the number of consecutive failures, including the last one; 0 counts as 1.
  ///   - requestedWait: the wait that the receiving side requested, which gets no jitter; nil for none.
  ///   - jitter: the factor of the policy's own delay.
  package func delay(afterFailures count: Int, requestedWait: Duration? = nil, jitter: Double = 1) -> Duration {
    let delay = delays[min(max(count, 1), delays.count) - 1]
    let requestedWait = requestedWait ?? .zero
    return max(
      .milliseconds(Int64(Double(delay.wholeMilliseconds) * jitter)),
      longestRequest.map { min(requestedWait, $0) } ?? requestedWait)
  }

  /// The jitter factors. With them, tries that failed together are not repeated together.
  package static let jitterFactors = 0.8...1.2

  /// Returns a random jitter factor.
  package static func jitter(using random: inout some RandomNumberGenerator) -> Double {
    .random(in: jitterFactors, using: &random)
  }
}
