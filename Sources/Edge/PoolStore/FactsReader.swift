import PoolPlatform
import PoolWork
import Synchronization

/// Reads on a connection and a queue of its own, which stay open while a morning lasts: the facts of many teams, and what
/// whoever looks at the daemon is told meanwhile.
actor FactsReader {
  private nonisolated let executor: QueueExecutor
  private let place: StorePlace
  private let changes: FactChanges
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter executor: on which it reads; one of its own where none is named.
  init(place: StorePlace, changes: FactChanges, executor: QueueExecutor?) {
    self.place = place
    self.changes = changes
    self.executor = executor ?? QueueExecutor(label: "org.poolflow.facts-reader")
  }

  /// All of one moment.
  func decisionFactsApart(_ requests: [DecisionRequest]) throws -> [Result<(any DecisionFacts)?, StoreError>] {
    try opened().decisionFactsApart(requests, changesSeen: changes.count)
  }

  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    try body(try opened())
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let made = try Connection.reading(place)
    connection = made
    return made
  }

  func close() { connection = nil }
}

/// Two readers, one for each processor of a small machine: SQLite lets any number of them read beside its writer.
final class FactsReaders: Sendable {
  private let readers: [FactsReader]
  /// Whoever asks how it goes does not wait for what is decided.
  let reports: FactsReader
  let changes: FactChanges
  /// How many teams, pools and jobs there were, and after how many changes: a million pools are not counted for every status.
  let counted = Mutex<(changes: Int, teams: Int, pools: Int, jobs: Int)?>(nil)
  private let turn = Mutex(0)

  /// - Parameter executor: for all of them, where nothing is to be read beside anything else; one each without it.
  init(place: StorePlace, changes: FactChanges, executor: QueueExecutor? = nil) {
    readers = (0..<2).map { _ in FactsReader(place: place, changes: changes, executor: executor) }
    reports = FactsReader(place: place, changes: changes, executor: executor)
    self.changes = changes
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
    for reader in readers + [reports] { await reader.close() }
  }
}
