import PoolDigests
import PoolPlatform
import Synchronization

/// Reads the facts of many teams on a connection and a queue of its own, which stay open while a morning lasts.
actor FactsReader {
  private nonisolated let executor = QueueExecutor(label: "org.poolflow.facts-reader")
  private let path: String
  private let changes: FactChanges
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, changes: FactChanges) {
    self.path = path
    self.changes = changes
  }

  /// All of one moment.
  func factsApart(_ requests: [FactsRequest]) throws -> [Result<TeamFacts?, StoreError>] {
    try opened().factsApart(requests, changesSeen: changes.count)
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let made = try Connection(path: path, mode: .readOnly)
    try made.execute("PRAGMA query_only = ON", operation: "open a read-only view")
    connection = made
    return made
  }

  func close() { connection = nil }
}

/// Two readers, one for each processor of a small machine: SQLite lets any number of them read beside its writer.
final class FactsReaders: Sendable {
  private let readers: [FactsReader]
  private let turn = Mutex(0)

  init(path: String, changes: FactChanges) {
    readers = (0..<2).map { _ in FactsReader(path: path, changes: changes) }
  }

  /// In turns: the halves of a batch are read by one each.
  func free() -> FactsReader {
    readers[
      turn.withLock { turn in
        turn = (turn + 1) % readers.count
        return turn
      }]
  }

  func close() async {
    for reader in readers { await reader.close() }
  }
}
