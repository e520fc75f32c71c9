import FlowModel
import FlowPlatform
import FlowStore
import FoundationEssentials

/// A watch on the nodes of a PostgreSQL store.
///
/// The nodes find each other in the server's list of sessions (`pg_stat_activity`). Besides its store session, each node has a
/// session whose name identifies it and whose last statement is its heartbeat. Nothing is written, a dead node disappears from
/// the list, and a frozen node's heartbeats stop. Blocks only its own queue.
actor NodeWatch: ClusterWatch {
  private let session: PostgresSession
  private let own: NodeIdentity
  private let version: String
  /// The schema version that this program works with.
  private let ownSchema: Int
  private let clock: any WallClock
  private let executor = QueueExecutor(label: "org.poolflow.nodes")
  private var prepared = Prepared()
  private let heard: @Sendable () -> Void
  private let isTold: @Sendable (String) -> Bool
  private var told: [Int64: PartitionSet] = [:]

  /// What the current session has been prepared for.
  private struct Prepared {
    /// Number of the session; 0 before the first.
    var session = 0
    /// Application name of the session.
    var name = ""
    /// True if the query of the tables is prepared.
    var hasTables = false
    /// Reads notifications when they arrive; nil if only `look` does.
    var socketWatch: ReadWatch?
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// As `ServerEngine.watch`.
  init(
    _ place: ServerLocation, own: NodeIdentity, version: String, schema ownSchema: Int, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool, heard: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    self.heard = heard
    self.isTold = isTold
    session = try PostgresSession(place, writes: false)
    self.own = own
    self.version = version
    self.ownSchema = ownSchema
    self.clock = clock
  }

  func look(isNode: Bool) throws(StoreError) -> ClusterStatus {
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

  func announce(_ calls: [String]) throws(StoreError) {
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

  func end(_ holder: ClusterStatus.LockHolder, of seen: ClusterStatus) throws(StoreError) {
    let backends = [holder.backend] + seen.nodes.filter { $0.mark == holder.mark }.map(\.backend)
    for backend in backends {
      _ = try session.ask("SELECT pg_terminate_backend(\(backend))", operation: "end a dead node's session")
    }
  }

  /// Names a new session and prepares its statements, which the server then plans only once.
  private func prepareSession(isNode: Bool) throws(StoreError) {
    _ = try session.connected()
    guard session.number != prepared.session else { return }
    prepared.socketWatch = nil
    prepared.hasTables = false
    let name = prepared.name.isEmpty ? "" : "SET application_name = '\(prepared.name)'; "
    try session.execute(
      "\(name)\(isNode ? "LISTEN \(NodeTables.channel); " : "")PREPARE sessions AS \(Self.sessionsQuery)",
      operation: "begin to read the nodes")
    prepared.session = session.number
    guard isNode, let descriptor = session.descriptor else { return }
    // Without a watch on the socket, `look` finds the notifications.
    prepared.socketWatch = try? executor.watch(descriptor) { [weak self] in
      self?.assumeIsolated { $0.readNotifications() }
    }
  }

  /// Reads pending notifications and passes them on.
  private func readNotifications() {
    guard let calls = session.takeCalls() else {
      prepared.socketWatch = nil
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
    if !prepared.hasTables {
      try session.execute("PREPARE tables AS \(Self.tablesQuery)", operation: "begin to read the nodes")
      prepared.hasTables = true
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
    guard prepared.name != name else { return }
    try session.execute("SET application_name = '\(name)'", operation: "tell its name")
    prepared.name = name
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
