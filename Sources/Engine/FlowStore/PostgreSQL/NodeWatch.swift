package import FlowModel
package import FlowPlatform
import FoundationEssentials

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
  var sessionName: String { "poolflowd \(name) \(mark)" }
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
  let backend: Int32

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
    let backend: Int32

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
///
/// The nodes find each other in the server's list of sessions (`pg_stat_activity`). Besides its store session, each node has a
/// session whose name identifies it and whose last statement is its heartbeat. Nothing is written, a dead node disappears from
/// the list, and a frozen node's heartbeats stop. Blocks only its own queue.
package actor NodeWatch {
  private let session: PostgresSession
  private let own: NodeIdentity
  private let version: String
  /// The schema version that this program works with.
  private let ownSchema: Int
  private let clock: any WallClock
  private let executor = QueueExecutor(label: "org.poolflow.nodes")
  /// Application name of the session.
  private var sessionName = ""
  /// Number of the session in which the statements are prepared.
  private var number = 0
  private var hasTables = false
  private let heard: @Sendable () -> Void
  private let isTold: @Sendable (String) -> Bool
  private var told: [Int64: PartitionSet] = [:]
  private var socketWatch: ReadWatch?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - isTold: takes the text of a notification; returns true if it was a message for its receiver, which needs no `look`.
  ///   - heard: called on another thread for any other notification and when the session ends; must return at once. It is
  ///     only a hint: without it, the next `look` finds the change.
  /// - Throws: `StoreError` if libpq is missing or rejects the connection string.
  package init(
    _ place: PostgresLocation, own: NodeIdentity, version: String, schema ownSchema: Int, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool = { _ in false }, heard: @escaping @Sendable () -> Void = {}
  ) throws(StoreError) {
    self.heard = heard
    self.isTold = isTold
    session = try PostgresSession(place, writes: false)
    self.own = own
    self.version = version
    self.ownSchema = ownSchema
    self.clock = clock
  }

  /// Sends a heartbeat and reads the state of all nodes.
  ///
  /// - Parameter isNode: false for a program that is no node and only reads.
  /// - Throws: `StoreError` if the server cannot be queried.
  package func look(isNode: Bool = true) throws(StoreError) -> ClusterStatus {
    try prepareSession(isNode: isNode)
    let before = clock.now()
    let text = try session.ask("EXECUTE sessions", operation: "look at the nodes") ?? ""
    let after = clock.now()
    var seen = try Self.read(text, between: before, and: after)
    do throws(StoreError) {
      seen.tables = try tables()
    } catch .server(_, "42P01", _) {
      // The tables do not exist before the first node, or there is no store.
    }
    guard isNode else { return seen }
    // Notifications that arrived with the results do not make the socket readable.
    readNotifications()
    seen.tables.told = told
    let ahead = seen.clockAhead.wholeMilliseconds
    // The name has the offset in tenths of a second. Smaller changes are within the duration of the query, so the session keeps
    // its name.
    let tenths = (ahead < 0 ? "-" : "+") + "\(abs(ahead) / 100)"
    // Older versions do not know the waiting name, and so reserve no partitions for this node.
    let isWaiting = seen.tables.schema.map { $0 < ownSchema } ?? false
    try setSessionName(
      "\(isWaiting ? Self.waiting : Self.ready) \(own.name) \(own.mark) \(version.prefix(10)) \(tenths.prefix(7))")
    return seen
  }

  /// Sends notifications to the other nodes, in one statement.
  ///
  /// - Parameter calls: texts of at most `Limits.nodeMessageBytes` bytes each.
  package func announce(_ calls: [String]) throws(StoreError) {
    guard !calls.isEmpty else { return }
    let said = calls.map { "pg_notify('\(NodeTables.channel)', \(Self.literal($0)))" }
    _ = try session.ask("SELECT \(said.joined(separator: ", "))", operation: "tell other nodes")
  }

  /// An escape string literal, independent of the server's `standard_conforming_strings`.
  private static func literal(_ text: String) -> String {
    var literal = "E'".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { literal.append(scalar) }
      literal.append(scalar)
    }
    literal.append("'")
    return String(literal)
  }

  /// Ends the sessions of a node that was declared dead; the server rolls back its transaction.
  package func end(_ holder: ClusterStatus.LockHolder, of seen: ClusterStatus) throws(StoreError) {
    let backends = [holder.backend] + seen.nodes.filter { $0.mark == holder.mark }.map(\.backend)
    for backend in backends {
      _ = try session.ask("SELECT pg_terminate_backend(\(backend))", operation: "end a dead node's session")
    }
  }

  /// Names a new session and prepares its statements, which the server then plans only once.
  private func prepareSession(isNode: Bool) throws(StoreError) {
    _ = try session.connected()
    guard session.number != number else { return }
    socketWatch = nil
    hasTables = false
    let name = sessionName.isEmpty ? "" : "SET application_name = '\(sessionName)'; "
    try session.execute(
      "\(name)\(isNode ? "LISTEN \(NodeTables.channel); " : "")PREPARE sessions AS \(Self.sessionsQuery)",
      operation: "begin to read the nodes")
    number = session.number
    guard isNode, let descriptor = session.descriptor else { return }
    // Without a watch on the socket, `look` finds the notifications.
    socketWatch = try? executor.watch(descriptor) { [weak self] in self?.assumeIsolated { $0.readNotifications() } }
  }

  /// Reads pending notifications and passes them on.
  private func readNotifications() {
    guard let calls = session.takeCalls() else {
      socketWatch = nil
      return heard()
    }
    var isNew = false
    for call in calls where !isTold(call) {
      isNew = true
      let words = call.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, words[0] == "news", let number = Int64(words[1]), number > 0 else { continue }
      // Any database user can send notifications. An event without a list counts as a change of all partitions.
      if told.count > 2 * Limits.teamChangesRemembered { told = [:] }
      told[number] = PartitionSet(list: String(words[2]))
      told[number - Int64(Limits.teamChangesRemembered)] = nil
    }
    if isNew { heard() }
  }

  /// Reads the node tables; the schema is nil if there is no store.
  private func tables() throws(StoreError) -> ClusterStatus.Tables {
    if !hasTables {
      try session.execute("PREPARE tables AS \(Self.tablesQuery)", operation: "begin to read the nodes")
      hasTables = true
    }
    let text = try session.ask("EXECUTE tables", operation: "look at the nodes")
    let lines = (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var tables = ClusterStatus.Tables()
    guard lines.count == 5 else { return tables }
    tables.schema = Int(lines[0])
    tables.released = PartitionSet(list: lines[1])
    tables.requested = PartitionSet(list: lines[2])
    tables.drained = Set(lines[3].split(separator: " ").map(String.init))
    tables.news = Int64(lines[4]) ?? 0
    return tables
  }

  /// Changes the session's name, which publishes this node's state.
  private func setSessionName(_ name: String) throws(StoreError) {
    guard sessionName != name else { return }
    try session.execute("SET application_name = '\(name)'", operation: "tell its name")
    sessionName = name
  }

  private static let tablesQuery = """
    SELECT concat_ws(E'\\n', (SELECT version FROM engine),
      (SELECT coalesce(string_agg(share::text, ','), '') FROM \(NodeTables.partitions) WHERE epoch = 0),
      (SELECT coalesce(string_agg(share::text, ','), '') FROM \(NodeTables.handoffRequests) WHERE at > now() - interval '3 seconds'),
      (SELECT coalesce(string_agg(name, ' '), '') FROM \(NodeTables.drained)), (SELECT number FROM \(NodeTables.news)))
    """

  /// Result: the server's time, then a line per session: process, name, start, time since the last heartbeat, the partitions
  /// it holds (-1: the whole store), and address.
  private static let sessionsQuery = """
    WITH held AS (SELECT pid, string_agg((objid::bigint - 1)::text, ',') AS shares FROM pg_locks
      WHERE \(PostgresSession.lockInList) GROUP BY pid)
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint::text || coalesce(E'\\n' || string_agg(
      concat_ws(E'\\t', pid, coalesce(application_name, ''),
        coalesce(floor(extract(epoch FROM backend_start) * 1000)::bigint, 0),
        coalesce(floor(extract(epoch FROM clock_timestamp() - greatest(state_change, query_start)) * 1000)::bigint, 0),
        coalesce(shares, ''), coalesce(host(client_addr), '')), E'\\n' ORDER BY application_name, pid), '')
    FROM pg_stat_activity LEFT JOIN held USING (pid)
    WHERE datname = current_database() AND (shares IS NOT NULL
      OR application_name LIKE '\(ready) %' OR application_name LIKE '\(waiting) %')
    """

  /// Prefixes of a node session's name, before node name, mark, version and clock: one for nodes that may own partitions, one
  /// for nodes that wait.
  private static let (ready, waiting) = ("poolflow-node", "poolflow-wait")

  /// Parses the result of the query on sessions.
  ///
  /// - Throws: `StoreError.server` if the result has no server time.
  static func read(_ text: String, between before: Timestamp, and after: Timestamp) throws(StoreError) -> ClusterStatus
  {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let time = lines.first.flatMap({ Int64($0) }) else {
      throw .server(operation: "look at the nodes", state: "", reason: "its list of sessions cannot be read")
    }
    var soleDaemon: ClusterStatus.LockHolder?
    var (holders, nodes): ([ClusterStatus.LockHolder], [NodeStatus]) = ([], [])
    for line in lines.dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 6, let backend = Int32(fields[0]), let since = Int64(fields[2]),
        let timeSinceHeartbeat = Int64(fields[3])
      else { continue }
      let words = fields[1].split(separator: " ")
      if !fields[4].isEmpty {
        let isNode = words.count == 3 && words[0] == "poolflowd"
        let partitions = PartitionSet(list: String(fields[4]))
        let holder = ClusterStatus.LockHolder(
          name: isNode
            ? String(words[1])
            : "a daemon without a name (\(visible(String(fields[1])))), process \(backend) of the server",
          mark: isNode ? String(words[2]) : nil, partitions: partitions, backend: backend)
        if partitions.isEmpty { soleDaemon = holder } else { holders.append(holder) }
      }
      guard words.count == 5, words[0] == ready || words[0] == waiting, let tenths = Int32(words[4]) else { continue }
      nodes.append(
        NodeStatus(
          name: String(words[1]), mark: String(words[2]), version: String(words[3]),
          since: Timestamp(milliseconds: since), timeSinceHeartbeat: .milliseconds(max(0, timeSinceHeartbeat)),
          clockAhead: .milliseconds(Int64(tenths) * 100), isWaiting: words[0] == waiting,
          address: fields[5].isEmpty ? nil : String(fields[5]),
          backend: backend))
    }
    let middle = (before.milliseconds + after.milliseconds) / 2
    return ClusterStatus(
      soleDaemon: soleDaemon, holders: holders, nodes: nodes, clockAhead: .milliseconds(middle - time))
  }
}
