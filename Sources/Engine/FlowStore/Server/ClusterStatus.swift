package import FlowModel

/// Identity of a node in a cluster that shares a server's store.
package struct NodeIdentity: Hashable, Sendable {
  /// Letters, digits, dots, dashes and underscores; at most `Limits.nodeNameLength` characters.
  package let name: String
  /// Identifies this process: eight random hexadecimal digits.
  package let mark: String

  package init(name: String) {
    self.name = name
    let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
    mark = String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// True if the text is a valid node name, which fits in a session's application name.
  package static func isName(_ text: String) -> Bool {
    (1...Limits.nodeNameLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Application name of the writing session.
  package var sessionName: String { "poolflowd \(name) \(mark)" }
}

/// A node as the server's list of sessions shows it.
package struct NodeStatus: Hashable, Sendable {
  package let name: String
  package let mark: String
  package let version: String
  /// Start of its session, by the server's clock.
  package let since: Timestamp
  /// Time since its last heartbeat.
  package let timeSinceHeartbeat: Duration
  /// Difference between its clock and the server's, as the node reports it; positive if the node's clock is ahead.
  package let clockAhead: Duration
  /// True if the node acquires nothing until nodes of an older version, which use another schema, have left.
  package let isWaiting: Bool
  /// Address of the node; nil if it runs on the server's machine.
  package let address: String?
  /// Process id of its session on the server.
  package let backend: Int32

  package init(
    name: String, mark: String, version: String, since: Timestamp, timeSinceHeartbeat: Duration, clockAhead: Duration,
    isWaiting: Bool = false, address: String? = nil, backend: Int32 = 0
  ) {
    self.name = name
    self.mark = mark
    self.version = version
    self.since = since
    self.timeSinceHeartbeat = timeSinceHeartbeat
    self.clockAhead = clockAhead
    self.isWaiting = isWaiting
    self.address = address
    self.backend = backend
  }
}

/// All nodes of a store, as one node sees them.
package struct ClusterStatus: Hashable, Sendable {
  /// A session that holds a lock of the store.
  package struct LockHolder: Hashable, Sendable {
    /// Name for messages: the node's name, or a description of a session that is no node's.
    package let name: String
    /// The node's mark; nil for a single daemon.
    package let mark: String?
    /// The partitions that it holds; empty for a single daemon, which holds the whole store.
    package let partitions: PartitionSet
    package let backend: Int32

    package init(name: String, mark: String?, partitions: PartitionSet, backend: Int32 = 0) {
      self.name = name
      self.mark = mark
      self.partitions = partitions
      self.backend = backend
    }
  }

  /// Contents of the node tables; the defaults apply if no node has used the store yet.
  package struct Tables: Hashable, Sendable {
    /// The store's schema version; nil if there is no store.
    package var schema: Int?
    /// Partitions that their owner has released.
    package var released = PartitionSet.none
    /// Partitions that nodes currently request.
    package var requested = PartitionSet.none
    /// Names of drained nodes.
    package var drained: Set<String> = []
    /// Number of changes broadcast for other nodes' teams.
    package var news: Int64 = 0
    /// Partitions with new job rules, by the number of the broadcast event; only events that were received.
    package var told: [Int64: PartitionSet] = [:]

    package init() {}

    /// Partitions with new job rules after event `number`; all if an event was missed or had no list.
    package func partitions(changedAfter number: Int64) -> PartitionSet {
      guard number <= news, news - number <= Int64(Limits.teamChangesRemembered) else { return .all }
      return (number..<news).reduce(.none) { $0 + (told[$1 + 1] ?? .all) }
    }
  }

  /// The single daemon that has the store; nil if there is none.
  package let soleDaemon: LockHolder?
  /// Sessions that hold partitions.
  package let holders: [LockHolder]
  /// Sorted by name.
  package let nodes: [NodeStatus]
  /// Difference between this process's clock and the server's; positive if this clock is ahead.
  package let clockAhead: Duration
  package var tables: Tables

  package init(
    soleDaemon: LockHolder? = nil, holders: [LockHolder], nodes: [NodeStatus], clockAhead: Duration,
    tables: Tables = Tables()
  ) {
    self.soleDaemon = soleDaemon
    self.holders = holders
    self.nodes = nodes
    self.clockAhead = clockAhead
    self.tables = tables
  }

  /// The partitions that a process holds.
  package func partitions(of mark: String) -> PartitionSet { holders.first { $0.mark == mark }?.partitions ?? .none }

  /// Partitions that no session holds.
  package var free: PartitionSet { holders.reduce(.all) { $0 - $1.partitions } }
}

/// Sends this node's heartbeat to the server, and reads which other nodes are alive and own partitions.
package protocol ClusterWatch: Sendable {
  /// Sends a heartbeat and reads the state of all nodes.
  ///
  /// - Parameter isNode: false for a program that is no node and only reads.
  /// - Throws: `StoreError` if the server cannot be queried.
  func look(isNode: Bool) async throws(StoreError) -> ClusterStatus

  /// Sends notifications to the other nodes, in one statement.
  ///
  /// - Parameter calls: texts of at most `Limits.nodeMessageBytes` bytes each.
  func announce(_ calls: [String]) async throws(StoreError)

  /// Ends the sessions of a node that was declared dead; the server rolls back its transaction.
  func end(_ holder: ClusterStatus.LockHolder, of seen: ClusterStatus) async throws(StoreError)
}

extension ClusterWatch {
  package func look() async throws(StoreError) -> ClusterStatus { try await look(isNode: true) }
}
