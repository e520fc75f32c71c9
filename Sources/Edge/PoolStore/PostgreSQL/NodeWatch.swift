import FoundationEssentials
package import PoolModel
package import PoolPlatform

/// What a daemon is called among several that share a server's store.
package struct NodeIdentity: Hashable, Sendable {
  /// Letters, digits, dots, dashes and underscores, `Limits.nodeNameLength` at most.
  package let name: String
  /// Of this process alone: eight hexadecimal digits.
  package let mark: String

  package init(name: String) {
    self.name = name
    let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
    mark = String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Whether it may stand in a session's name.
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

  /// What the server's list calls the session that writes.
  var holding: String { "poolflowd \(name) \(mark)" }
}

/// A daemon as the server's list of sessions shows it.
package struct NodeSeen: Hashable, Sendable {
  package let name: String
  package let mark: String
  package let version: String
  /// When its session began, by the server's clock.
  package let since: Timestamp
  /// How long ago it was last heard of.
  package let silence: Duration
  /// How far its clock is ahead of the server's, as it says itself.
  package let clockAhead: Duration
  /// Whether it takes nothing until those of an earlier version have left, whose store has another shape.
  package let isWaiting: Bool
  /// Where it comes from; nil for the server's own machine.
  package let address: String?
  /// The server's number of its session.
  let backend: Int32

  package init(
    name: String, mark: String, version: String, since: Timestamp, silence: Duration, clockAhead: Duration,
    isWaiting: Bool = false, address: String? = nil, backend: Int32 = 0
  ) {
    self.name = name
    self.mark = mark
    self.version = version
    self.since = since
    self.silence = silence
    self.clockAhead = clockAhead
    self.isWaiting = isWaiting
    self.address = address
    self.backend = backend
  }
}

/// All daemons of a store, as one of them sees them.
package struct NodesSeen: Hashable, Sendable {
  /// A session that has something of the store.
  package struct Holder: Hashable, Sendable {
    /// In a sentence: a node's name, or what the server calls a session that is none's.
    package let name: String
    /// Nil for a daemon that has no name among others.
    package let mark: String?
    /// Empty for one that has the store to itself.
    package let shares: ShareSet
    let backend: Int32

    package init(name: String, mark: String?, shares: ShareSet, backend: Int32 = 0) {
      self.name = name
      self.mark = mark
      self.shares = shares
      self.backend = backend
    }
  }

  /// What stands in the store's own tables for nodes; as of a store without any where none has come yet.
  package struct Tables: Hashable, Sendable {
    /// The store's schema; nil where there is no store.
    package var schema: Int?
    /// Who had these has handed them over.
    package var laidDown = ShareSet.none
    /// What others wish for now.
    package var wished = ShareSet.none
    /// Nodes that are to take nothing, by name.
    package var drained: Set<String> = []
    /// Counts what was changed of other nodes' teams.
    package var news: Int64 = 0
    /// Of which shares the jobs are others by a piece of news, by its number, as far as its call was heard.
    package var told: [Int64: ShareSet] = [:]

    package init() {}

    /// Whose jobs are others by what was told after a piece of news; all where a call was not heard, or said nothing of that.
    package func shares(toldAfter number: Int64) -> ShareSet {
      guard number <= news, news - number <= Int64(Limits.newsRemembered) else { return .all }
      return (number..<news).reduce(.none) { $0 + (told[$1 + 1] ?? .all) }
    }
  }

  /// Whoever has the store to itself; nil where nobody does.
  package let alone: Holder?
  /// Those that have shares.
  package let holders: [Holder]
  /// In the order of their names.
  package let nodes: [NodeSeen]
  /// How far the clock of whoever looks is ahead of the server's.
  package let clockAhead: Duration
  package var tables: Tables

  package init(
    alone: Holder? = nil, holders: [Holder], nodes: [NodeSeen], clockAhead: Duration, tables: Tables = Tables()
  ) {
    self.alone = alone
    self.holders = holders
    self.nodes = nodes
    self.clockAhead = clockAhead
    self.tables = tables
  }

  /// What a process has.
  package func shares(of mark: String) -> ShareSet { holders.first { $0.mark == mark }?.shares ?? .none }

  /// What nobody has.
  package var free: ShareSet { holders.reduce(.all) { $0 - $1.shares } }
}

/// Tells a server that a node lives, and finds out who else does and who has the store.
///
/// What nodes know of each other stands in the server's own list of sessions (`pg_stat_activity`): beside its store's session each
/// node has one whose name says whose it is, and whose last statement when it lived. Nothing is written for that, a node that
/// is gone is not in the list, and one that is stopped falls silent with both its sessions. Blocks its own queue alone.
package actor NodeWatch {
  private let session: PostgresSession
  private let own: NodeIdentity
  private let version: String
  private let clock: any WallClock
  private let executor = QueueExecutor(label: "org.poolflow.nodes")
  /// As the session is called.
  private var called = ""
  /// The session that was made ready.
  private var number = 0
  private var hasTables = false
  private let heard: @Sendable () -> Void
  private let isTold: @Sendable (String) -> Bool
  private var told: [Int64: ShareSet] = [:]
  private var ear: ReadWatch?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter heard: called when another node has called, on a thread of its own, and when the session has ended; it returns at once.
  ///   A hint alone: where nothing is heard, the next look finds it.
  /// - Parameter isTold: what another node has said in a call, for whoever it is meant for; true where it was meant for it, and asks
  ///   for no look.
  /// - Throws: `StoreError` where libpq is missing or does not understand the connection string.
  package init(
    _ place: PostgresPlace, own: NodeIdentity, version: String, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool = { _ in false }, heard: @escaping @Sendable () -> Void = {}
  ) throws(StoreError) {
    self.heard = heard
    self.isTold = isTold
    session = try PostgresSession(place, writes: false)
    self.own = own
    self.version = version
    self.clock = clock
  }

  /// Says that this node lives, and looks at all.
  ///
  /// - Parameter isNode: whether this program is a node at all; else it only looks.
  /// - Throws: `StoreError` where the server cannot be asked.
  package func look(isNode: Bool = true) throws(StoreError) -> NodesSeen {
    try makeReady(isNode: isNode)
    let before = clock.now()
    let text = try session.ask("EXECUTE sessions", operation: "look at the nodes") ?? ""
    let after = clock.now()
    var seen = try Self.read(text, between: before, and: after)
    do throws(StoreError) {
      seen.tables = try tables()
    } catch .server(_, "42P01", _) {
      // No node has come to this store yet, or there is none.
    }
    guard isNode else { return seen }
    // What came with the answers wakes nobody by itself.
    hear()
    seen.tables.told = told
    let ahead = seen.clockAhead.wholeMilliseconds
    // Of a clock that stands still within the time that a question takes nothing new is said.
    let tenths = (ahead < 0 ? "-" : "+") + "\(abs(ahead) / 100)"
    // An earlier version knows nobody by the other name, and keeps no part for who takes none.
    let isWaiting = seen.tables.schema.map { $0 < Schema.currentVersion } ?? false
    try beCalled(
      "\(isWaiting ? Self.waiting : Self.ready) \(own.name) \(own.mark) \(version.prefix(10)) \(tenths.prefix(7))")
    return seen
  }

  /// Says these to the others, as one.
  ///
  /// - Parameter calls: of `Limits.callBytes` each at most.
  package func tell(_ calls: [String]) throws(StoreError) {
    guard !calls.isEmpty else { return }
    let said = calls.map { "pg_notify('\(NodeTables.channel)', \(Self.literal($0)))" }
    _ = try session.ask("SELECT \(said.joined(separator: ", "))", operation: "tell other nodes")
  }

  /// The same whatever the server makes of a backslash.
  private static func literal(_ text: String) -> String {
    var literal = "E'".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { literal.append(scalar) }
      literal.append(scalar)
    }
    literal.append("'")
    return String(literal)
  }

  /// Ends the sessions of a node that is taken for dead. Whatever it was about in its store is taken back by the server.
  package func end(_ holder: NodesSeen.Holder, of seen: NodesSeen) throws(StoreError) {
    let backends = [holder.backend] + seen.nodes.filter { $0.mark == holder.mark }.map(\.backend)
    for backend in backends {
      _ = try session.ask("SELECT pg_terminate_backend(\(backend))", operation: "end a dead node's session")
    }
  }

  /// A session of its own knows its name and its questions: the server plans them once.
  private func makeReady(isNode: Bool) throws(StoreError) {
    _ = try session.connected()
    guard session.number != number else { return }
    ear = nil
    hasTables = false
    let name = called.isEmpty ? "" : "SET application_name = '\(called)'; "
    try session.execute(
      "\(name)\(isNode ? "LISTEN \(NodeTables.channel); " : "")PREPARE sessions AS \(Self.question)",
      operation: "begin to look at the nodes")
    number = session.number
    guard isNode, let descriptor = session.descriptor else { return }
    // Without one, it is the looks that find what is new.
    ear = try? executor.watch(descriptor) { [weak self] in self?.assumeIsolated { $0.hear() } }
  }

  private func hear() {
    guard let calls = session.takeCalls() else {
      ear = nil
      return heard()
    }
    var isNew = false
    for call in calls where !isTold(call) {
      isNew = true
      let words = call.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, words[0] == "news", let number = Int64(words[1]), number > 0 else { continue }
      // Anybody who may log in may call: what is not told counts as everything.
      if told.count > 2 * Limits.newsRemembered { told = [:] }
      told[number] = ShareSet(list: String(words[2]))
      told[number - Int64(Limits.newsRemembered)] = nil
    }
    if isNew { heard() }
  }

  private func tables() throws(StoreError) -> NodesSeen.Tables {
    if !hasTables {
      try session.execute("PREPARE tables AS \(Self.questionOfTables)", operation: "begin to look at the nodes")
      hasTables = true
    }
    let text = try session.ask("EXECUTE tables", operation: "look at the nodes")
    let lines = (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var tables = NodesSeen.Tables()
    guard lines.count == 5 else { return tables }
    tables.schema = Int(lines[0])
    tables.laidDown = ShareSet(list: lines[1])
    tables.wished = ShareSet(list: lines[2])
    tables.drained = Set(lines[3].split(separator: " ").map(String.init))
    tables.news = Int64(lines[4]) ?? 0
    return tables
  }

  private func beCalled(_ name: String) throws(StoreError) {
    guard called != name else { return }
    try session.execute("SET application_name = '\(name)'", operation: "tell its name")
    called = name
  }

  private static let questionOfTables = """
    SELECT concat_ws(E'\\n', (SELECT version FROM engine),
      (SELECT coalesce(string_agg(share::text, ','), '') FROM \(NodeTables.shares) WHERE epoch = 0),
      (SELECT coalesce(string_agg(share::text, ','), '') FROM \(NodeTables.wishes) WHERE at > now() - interval '3 seconds'),
      (SELECT coalesce(string_agg(name, ' '), '') FROM \(NodeTables.drained)), (SELECT number FROM \(NodeTables.news)))
    """

  /// The server's time, then a line a session: its number, its name, since when, for how long silent, the shares that it has
  /// (-1: the store), and from where.
  private static let question = """
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

  /// What a node's session is called before its name, mark, version and clock: of one that may have shares, and of one that waits.
  private static let (ready, waiting) = ("poolflow-node", "poolflow-wait")

  static func read(_ text: String, between before: Timestamp, and after: Timestamp) throws(StoreError) -> NodesSeen {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let time = lines.first.flatMap({ Int64($0) }) else {
      throw .server(operation: "look at the nodes", state: "", reason: "its list of sessions cannot be read")
    }
    var alone: NodesSeen.Holder?
    var (holders, nodes): ([NodesSeen.Holder], [NodeSeen]) = ([], [])
    for line in lines.dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 6, let backend = Int32(fields[0]), let since = Int64(fields[2]),
        let silence = Int64(fields[3])
      else { continue }
      let words = fields[1].split(separator: " ")
      if !fields[4].isEmpty {
        let isNode = words.count == 3 && words[0] == "poolflowd"
        let shares = ShareSet(list: String(fields[4]))
        let holder = NodesSeen.Holder(
          name: isNode
            ? String(words[1])
            : "a daemon without a name (\(visible(String(fields[1])))), process \(backend) of the server",
          mark: isNode ? String(words[2]) : nil, shares: shares, backend: backend)
        if shares.isEmpty { alone = holder } else { holders.append(holder) }
      }
      guard words.count == 5, words[0] == ready || words[0] == waiting, let tenths = Int32(words[4]) else { continue }
      nodes.append(
        NodeSeen(
          name: String(words[1]), mark: String(words[2]), version: String(words[3]),
          since: Timestamp(milliseconds: since), silence: .milliseconds(max(0, silence)),
          clockAhead: .milliseconds(Int64(tenths) * 100), isWaiting: words[0] == waiting,
          address: fields[5].isEmpty ? nil : String(fields[5]),
          backend: backend))
    }
    let middle = (before.milliseconds + after.milliseconds) / 2
    return NodesSeen(
      alone: alone, holders: holders, nodes: nodes, clockAhead: .milliseconds(middle - time))
  }
}
