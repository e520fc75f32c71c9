import FlowModel
import Glibc
import Synchronization

/// Runs the second function on a thread of its own.
///
/// The calling thread runs the first function, and both if no thread can be created. The second thread is always new: the kernel
/// starts a new thread on the idlest core, but wakes an existing one on the core where it last ran, possibly behind the caller,
/// until it balances the load milliseconds later.
package struct ThreadRunner: ParallelRunner {
  package init() {}

  package func run<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First, _ second: @Sendable () -> Second
  ) -> (First, Second) {
    withoutActuallyEscaping(second) { second in
      let result = ThreadResult<Second>()
      // This function waits for the thread before it returns, so `second` does not escape.
      let isStarted = (try? SystemThread.start { result.set(second()) }) != nil
      let value = first()
      return (value, isStarted ? result.wait() : second())
    }
  }
}

/// The result of a thread.
private final class ThreadResult<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isSet = Semaphore()

  func set(_ result: Value) {
    value.withLock { $0 = result }
    isSet.signal()
  }

  /// Waits until the result is set.
  func wait() -> Value {
    while true {
      isSet.wait()
      if let result = value.withLock({ $0 }) { return result }
    }
  }
}
