import Dispatch

/// A COMMIT that has left its sender and has not reached the server.
package final class HeldCommit: Sendable {
  private let arrivals: AsyncStream<Bool>
  private let arrivalsIn: AsyncStream<Bool>.Continuation
  private let isReleased = DispatchSemaphore(value: 0)

  init() { (arrivals, arrivalsIn) = AsyncStream.makeStream() }

  /// Runs on the connection's own thread.
  func keep() {
    arrivalsIn.yield(true)
    isReleased.wait()
  }

  /// Waits until a COMMIT is held.
  ///
  /// - Returns: false if `giveUp()` was called before.
  package func arrives() async -> Bool {
    for await hasArrived in arrivals { return hasArrived }
    return false
  }

  /// Stops waiting: the sender has finished without a COMMIT, or the hold was released.
  package func giveUp() { arrivalsIn.yield(false) }

  /// Forwards the COMMIT, now or when it arrives.
  package func release() { isReleased.signal() }
}
