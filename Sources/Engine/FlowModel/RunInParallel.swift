import Glibc
import Synchronization

/// Runs two functions in parallel on two threads and returns when both are done.
///
/// For work of milliseconds for which the caller has to wait: the calling thread runs one function, and both if no thread can
/// be created. The second thread is always new: the kernel starts a new thread on the idlest core, but wakes an existing one
/// on the core where it last ran, possibly behind the caller, until it balances the load milliseconds later.
package func runInParallel<First: Sendable, Second: Sendable>(
  _ first: @Sendable () -> First, _ second: @Sendable () -> Second
) -> (First, Second) {
  withoutActuallyEscaping(second) { second in
    let work = ThreadWork(second)
    // The thread is joined before this function returns, which keeps `work` alive for it.
    let other = thread(for: work)
    let value = first()
    if let other { pthread_join(other, nil) } else { work.run() }
    guard let result = work.value.withLock({ $0 }) else { preconditionFailure("a thread that was joined has not run") }
    return (value, result)
  }
}

/// Starts a thread that runs `work`; nil if the system refuses one.
private func thread(for work: AnyThreadWork) -> pthread_t? {
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { pointer in
      if let pointer = unsafe pointer {
        unsafe Unmanaged<AnyThreadWork>.fromOpaque(pointer).takeUnretainedValue().run()
      }
      return nil
    }, Unmanaged.passUnretained(work).toOpaque())
  return code == 0 ? thread : nil
}

/// The work of a thread, with its result type erased.
private class AnyThreadWork: @unchecked Sendable {
  func run() {}
}

/// The work of a thread and its result, nil until it has run.
private final class ThreadWork<Value: Sendable>: AnyThreadWork, @unchecked Sendable {
  private let body: @Sendable () -> Value
  let value = Mutex<Value?>(nil)

  init(_ body: @escaping @Sendable () -> Value) { self.body = body }

  override func run() {
    let result = body()
    value.withLock { $0 = result }
  }
}
