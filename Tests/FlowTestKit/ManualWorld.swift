package import FlowModel
package import FlowPlatform
import Synchronization

/// A wall clock that changes only when a test sets it.
package final class ManualWallClock: WallClock {
  private let time: Mutex<Timestamp>

  package init(_ start: Timestamp) { time = Mutex(start) }

  package func now() -> Timestamp { time.withLock { $0 } }
  package func set(_ instant: Timestamp) { time.withLock { $0 = instant } }
  package func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// A wake-up timer that a test fires by hand. It reports when it is armed, which is the sign that a look has ended.
package final class ManualWakeTimer: WakeSource {
  private let wakes: AsyncStream<WakeTimer.Wake>
  private let wakesIn: AsyncStream<WakeTimer.Wake>.Continuation
  private let arms: AsyncStream<Timestamp>
  private let armsIn: AsyncStream<Timestamp>.Continuation

  package init() {
    (wakes, wakesIn) = AsyncStream.makeStream()
    (arms, armsIn) = AsyncStream.makeStream()
  }

  package func arm(at instant: Timestamp) { armsIn.yield(instant) }
  package func interrupt() { wakesIn.yield(.interrupted) }
  package func events() -> AsyncStream<WakeTimer.Wake> { wakes }

  package func fire(_ wake: WakeTimer.Wake = .due) { wakesIn.yield(wake) }

  /// Waits until the timer is armed again, which means that the previous look has ended; for one waiter at a time.
  package func nextArm() async -> Timestamp? {
    for await instant in arms { return instant }
    return nil
  }
}
