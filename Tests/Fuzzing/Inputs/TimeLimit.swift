import Glibc

/// The maximum duration of a call: the release build's promise times the slowness of this build.
package struct TimeLimit: Sendable {
  private let slack: Int

  /// - Parameter slack: 1 for a release build; more with a sanitizer or without optimisation.
  package init(slack: Int) { self.slack = slack }

  /// Calls `body` and checks its CPU time against `promise`; a busy machine does not add to it.
  ///
  /// Page faults and cold caches are not failures: a slow call gets two more attempts, and the fastest counts.
  func call<Result>(_ what: String, _ promise: Duration, _ body: () -> Result) throws(BrokenLaw) -> Result {
    let bound = promise * slack
    var quickest: Duration?
    for _ in 0..<3 {
      let start = Self.threadTime()
      let result = body()
      let taken = Self.threadTime() - start
      if taken <= bound { return result }
      quickest = min(quickest ?? taken, taken)
    }
    throw BrokenLaw("\(what) takes \(quickest ?? .zero), more than \(bound)")
  }

  private static func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
