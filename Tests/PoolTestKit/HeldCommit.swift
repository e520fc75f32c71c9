import Dispatch

/// A COMMIT that has left its sender and has not reached the server.
package final class HeldCommit: Sendable {
  private let arrivals: AsyncStream<Bool>
  private let arrivalsIn: AsyncStream<Bool>.Continuation
  private let isReleased = DispatchSemaphore(value: 0)

  init() { (arrivals, arrivalsIn) = AsyncStream.makeStream() }

  /// On the connection's own thread.
  func keep() {
    arrivalsIn.yield(true)
    isReleased.wait()
  }

  /// Waits until there is one.
  ///
  /// - Returns: false where somebody gave it up before.
  package func arrives() async -> Bool {
    for await hasArrived in arrivals { return hasArrived }
    return false
  }

  /// Who was to send it is done, and has not, or has been let go.
  package func giveUp() { arrivalsIn.yield(false) }

  /// Lets it go on its way, now or whenever it comes.
  package func release() { isReleased.signal() }
}
