/// Runs two functions, for work of milliseconds for which the caller has to wait.
package protocol ParallelRunner: Sendable {
  /// Returns when both functions are done.
  func run<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First, _ second: @Sendable () -> Second
  ) -> (First, Second)
}

/// Runs the second function after the first.
package struct SerialRunner: ParallelRunner {
  package init() {}

  package func run<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First, _ second: @Sendable () -> Second
  ) -> (First, Second) {
    (first(), second())
  }
}
