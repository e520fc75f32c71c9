import Dispatch
import Synchronization

/// Runs two pieces of work at the same time, each on a core of its own where there are two, and returns when both are done.
///
/// For work of milliseconds that must be done before its caller can go on: the caller's thread does one of the pieces, and
/// both where no other thread is free.
package func together<First: Sendable, Second: Sendable>(
  _ first: @Sendable () -> First, _ second: @Sendable () -> Second
) -> (First, Second) {
  let done = Mutex<(First?, Second?)>((nil, nil))
  DispatchQueue.concurrentPerform(iterations: 2) { piece in
    if piece == 0 {
      let value = first()
      done.withLock { $0.0 = value }
    } else {
      let value = second()
      done.withLock { $0.1 = value }
    }
  }
  guard case (let first?, let second?) = done.withLock({ $0 }) else {
    preconditionFailure("concurrentPerform returned before both pieces were done")
  }
  return (first, second)
}
