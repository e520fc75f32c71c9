import Synchronization

/// Request to stop and restart the daemon in the same process: a restored store can replace the present one only while no
/// process has it open.
final class RestartRequest: Sendable {
  /// Yields once when the daemon is to restart.
  let requests: AsyncStream<Void>
  private let request: AsyncStream<Void>.Continuation
  private let connection = Mutex<UInt64?>(nil)

  init() {
    (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Requests the restart for when this connection ends: the caller has the answer by then, or does not want it any more.
  func request(after connection: UInt64) {
    self.connection.withLock { $0 = connection }
  }

  /// Requests the restart if this is the connection that `request(after:)` named.
  func connectionEnded(_ ended: UInt64) {
    if connection.withLock({ $0 == ended }) { request.yield() }
  }
}
