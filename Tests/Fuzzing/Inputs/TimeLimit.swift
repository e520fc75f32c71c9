import Glibc

/// How long a call may take: what is promised of the release build, times the slowness of this one.
package struct TimeLimit: Sendable {
  private let slack: Int

  /// - Parameter slack: 1 for a release build; more under a sanitizer or without optimisation.
  package init(slack: Int) { self.slack = slack }

  /// Calls `body` and holds it to `promise`, in time that this thread computed: a busy machine does not add to it.
  ///
  /// A page fault or a cold cache is no fault of ours: a slow call gets two more attempts, and the quickest counts.
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
