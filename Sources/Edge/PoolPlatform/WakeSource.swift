package import PoolModel

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
