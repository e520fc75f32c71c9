import CLinux
import Glibc
package import PoolModel
import Synchronization

/// Wakes the scheduler at a wall-clock instant, and at once when somebody steps the clock.
///
/// One timerfd on CLOCK_REALTIME, armed for an absolute instant with cancel-on-set (timerfd_create(2)): the kernel
/// follows slewed time, and a stepped clock makes the wait end early, so that no instant is slept through. A thread
/// of its own waits for it: one expiration is one wake-up.
package final class WakeTimer: Sendable {
  package enum Wake: Sendable {
    case due
    case clockStepped
    /// Somebody called `interrupt`: there is something new to look at.
    case interrupted
  }

  private let descriptor: Int32
  private let isOver = Atomic(false)
  private let wakes: AsyncStream<Wake>
  private let continuation: AsyncStream<Wake>.Continuation

  /// - Throws: `SystemFailure` when the system has no timer or thread left.
  package init() throws(SystemFailure) {
    descriptor = poolflow_timerfd_create()
    guard descriptor >= 0 else { throw SystemFailure("cannot create a timer") }
    // One pending wake says all: whoever is woken looks at everything.
    (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let descriptor = descriptor
    let continuation = continuation
    try SystemThread.start { [weak self] in
      while Self.wait(descriptor, continuation), let self, !self.isOver.load(ordering: .acquiring) {}
      close(descriptor)
    }
  }

  deinit {
    isOver.store(true, ordering: .releasing)
    // The thread waits in the kernel; an instant long past ends its wait, and it finds nobody.
    _ = poolflow_timerfd_arm(descriptor, 0, 1)
  }

  /// Waits for one expiration. False when the timer is no more.
  private static func wait(_ descriptor: Int32, _ continuation: AsyncStream<Wake>.Continuation) -> Bool {
    var expirations: UInt64 = 0
    let count = read(descriptor, &expirations, 8)
    if count == 8 {
      continuation.yield(.due)
    } else if errno == ECANCELED {
      continuation.yield(.clockStepped)
    } else if errno != EINTR {
      return false
    }
    return true
  }

  /// Wakes at `instant`, or at once when it has passed. A later call replaces an earlier one.
  package func arm(at instant: Timestamp) {
    let whole = max(instant.seconds, 0)
    let nanoseconds = max(instant.millisecondOfSecond * 1_000_000, whole == 0 ? 1 : 0)
    if poolflow_timerfd_arm(descriptor, whole, nanoseconds) != 0 {
      // Arming tells of a step that nobody has read yet the same way a read does.
      if errno == ECANCELED { continuation.yield(.clockStepped) }
    }
  }

  package func interrupt() {
    continuation.yield(.interrupted)
  }

  /// The wakes, for one reader; ends when the reader's task is cancelled.
  package func events() -> AsyncStream<Wake> { wakes }
}

/// What can wake the scheduler: the kernel's timer in the daemon, a hand-turned one in tests.
package protocol WakeSource: Sendable {
  /// Wakes at `instant`, or at once when it has passed. A later call replaces an earlier one.
  func arm(at instant: Timestamp)
  /// Wakes now: there is something new to look at.
  func interrupt()
  /// The wakes, for one reader; ends when the reader's task is cancelled.
  func events() -> AsyncStream<WakeTimer.Wake>
}

extension WakeTimer: WakeSource {}
