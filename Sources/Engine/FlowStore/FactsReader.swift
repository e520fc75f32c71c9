import FlowPlatform
import FlowWork
import Synchronization

/// Reads on its own connection and queue, which stay open while many runs are decided: the facts of many teams, and reports.
actor FactsReader {
  private nonisolated let executor: QueueExecutor
  private let place: StoreLocation
  private let trades: StoreTrades
  private let changes: FactChanges
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter executor: the queue to read on; nil: a queue of its own.
  init(place: StoreLocation, trades: StoreTrades, changes: FactChanges, executor: QueueExecutor?) {
    self.place = place
    self.trades = trades
    self.changes = changes
    self.executor = executor ?? QueueExecutor(label: "org.poolflow.facts-reader")
  }

  /// Facts for each request, in one consistent snapshot.
  func decisionFactsPerTeam(_ requests: [DecisionRequest]) throws -> [Result<(any DecisionFacts)?, StoreError>] {
    try opened().decisionFactsPerTeam(requests, changesSeen: changes.count)
  }

  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    try body(try opened())
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let made = try Connection.reading(place, trades)
    connection = made
    return made
  }

  func close() { connection = nil }
}

/// Two readers for facts, one for each processor of a small server, and one for reports. SQLite allows any number of readers
/// beside its writer.
final class FactsReaders: Sendable {
  private let readers: [FactsReader]
  /// The reader for reports, so that `status` does not wait for facts to be read.
  let reports: FactsReader
  let changes: FactChanges
  /// Numbers of teams, pools and jobs, with the change count they belong to: counting a million pools for each `status` would
  /// take too long.
  let counted = Mutex<(changes: Int, teams: Int, records: Int, jobs: Int)?>(nil)
  private let turn = Mutex(0)

  /// - Parameter executor: one queue for all readers, for tests without parallel reads; nil: a queue for each.
  init(place: StoreLocation, trades: StoreTrades, changes: FactChanges, executor: QueueExecutor? = nil) {
    readers = (0..<2).map { _ in
      FactsReader(place: place, trades: trades, changes: changes, executor: executor)
    }
    reports = FactsReader(place: place, trades: trades, changes: changes, executor: executor)
    self.changes = changes
  }

  /// The next reader in turn; each half of a batch thus gets its own.
  func nextReader() -> FactsReader {
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
