import Synchronization

/// The wish that the daemon end as when it is told to, and begin anew in the same process: a store is put in its place
/// only while nobody has it open.
final class RestartRequest: Sendable {
  /// Has one value once the daemon is to begin anew.
  let wishes: AsyncStream<Void>
  private let wish: AsyncStream<Void>.Continuation
  private let connection = Mutex<UInt64?>(nil)

  init() {
    (wishes, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Begins anew when this connection has ended: its caller then has the answer, or does not want it any more.
  func wish(after connection: UInt64) {
    self.connection.withLock { $0 = connection }
  }

  func connectionEnded(_ ended: UInt64) {
    if connection.withLock({ $0 == ended }) { wish.yield() }
  }
}
