import CLinux
package import FlowModel
import Glibc
import Synchronization

/// Wakes the scheduler at a wall-clock instant, and immediately when the clock is stepped.
///
/// One timerfd on CLOCK_REALTIME, armed for an absolute instant with cancel-on-set (timerfd_create(2)): the kernel
/// follows a slewed clock and ends the wait when the clock is stepped, so no instant is missed. A dedicated thread
/// reads the timer; each expiration is one wake-up.
package final class WakeTimer: Sendable {
  /// The reason for a wake-up.
  package enum Wake: Sendable {
    case due
    case clockStepped
    /// `interrupt` was called: the scheduler has new work.
    case interrupted
  }

  private let descriptor: Int32
  private let isOver = Atomic(false)
  private let wakes: AsyncStream<Wake>
  private let continuation: AsyncStream<Wake>.Continuation

  /// Creates the timer and its thread.
  ///
  /// - Throws: `SystemFailure` if the system has no timer or thread left.
  package init() throws(SystemFailure) {
    descriptor = poolflow_timerfd_create()
    guard descriptor >= 0 else { throw SystemFailure("cannot create a timer") }
    // One pending wake-up suffices, because the scheduler checks everything when it wakes.
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
    // The thread is blocked in read; arming an instant in the past ends its wait, and it then sees `isOver`.
    _ = poolflow_timerfd_arm(descriptor, 0, 1)
  }

  /// Waits for one expiration. False if the timer has failed.
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

  /// Sets the instant of the next wake-up; an instant in the past wakes at once. Replaces an earlier instant.
  package func arm(at instant: Timestamp) {
    let whole = max(instant.seconds, 0)
    let nanoseconds = max(instant.millisecondOfSecond * 1_000_000, whole == 0 ? 1 : 0)
    if poolflow_timerfd_arm(descriptor, whole, nanoseconds) != 0 {
      // Like a read, arming returns ECANCELED once for a clock step that has not been reported yet.
      if errno == ECANCELED { continuation.yield(.clockStepped) }
    }
  }

  /// Wakes the scheduler now, for new work.
  package func interrupt() {
    continuation.yield(.interrupted)
  }

  /// The wake-ups, for one consumer; the stream ends when the consumer's task is cancelled.
  package func events() -> AsyncStream<Wake> { wakes }
}

/// The source of the scheduler's wake-ups: a kernel timer in the daemon, a manual one in tests.
package protocol WakeSource: Sendable {
  /// Sets the instant of the next wake-up; an instant in the past wakes at once. Replaces an earlier instant.
  func arm(at instant: Timestamp)
  /// Wakes the scheduler now, for new work.
  func interrupt()
  /// The wake-ups, for one consumer; the stream ends when the consumer's task is cancelled.
  func events() -> AsyncStream<WakeTimer.Wake>
}

extension WakeTimer: WakeSource {}
