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
      // The thread is joined before this function returns, so `second` does not escape.
      let thread = try? SystemThread.startJoinable { result.value.withLock { $0 = second() } }
      let value = first()
      if let thread { pthread_join(thread, nil) }
      return (value, result.value.withLock { $0 } ?? second())
    }
  }
}

/// The result of a thread; nil if it has not run.
private final class ThreadResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
