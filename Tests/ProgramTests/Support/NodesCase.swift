import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Glibc

/// Nodes that share a database on their own scratch server; each has its own state directory, clock and proxy to the server,
/// and all deliver into one folder.
final class NodesCase {
  let server: PostgresServer
  let database: String
  let nodes: [Daemon]
  let proxies: [CuttingProxy]
  let names: [String]
  /// The folder of finished files.
  var drop: String { shared + "/new" }
  private let shared: String

  /// - Parameters:
  ///   - names: the nodes' names; the first node creates the store.
  ///   - executable: the binary of each node's first start.
  ///   - prepare: preparations while only the first node runs.
  init(
    _ names: [String], executable: String = Checkout.daemon, prepare: (Daemon) throws -> Void = { _ in }
  ) throws {
    let server = try PostgresServer()
    self.server = server
    self.names = names
    database = try server.newDatabase()
    let now = Date.now.formatted(.iso8601)
    nodes = try names.map { _ in try Daemon(at: now, empty: true) }
    shared = try nodes[0].scratch.folder("shared")
    proxies = try nodes.map {
      try CuttingProxy(to: server.socketFolder, port: server.port, in: $0.scratch.path + "/proxy")
    }
    for (number, node) in nodes.enumerated() {
      node.executable = executable
      try settle(node, number)
    }
    let first = nodes[0]
    try first.start()
    try first.change("team", "add", "desert-blue", "--zone", "America/Phoenix")
    try first.change("team", "plan", "desert-blue", "paid")
    try first.change("import", Checkout.backup, "--team", "desert-blue")
    try prepare(first)
    for node in nodes.dropFirst() { try node.start() }
  }

  private func settle(_ node: Daemon, _ number: Int) throws {
    let place = server.connection(to: database, host: proxies[number].socketFolder)
    let text = """
      [Store]
      Engine = postgresql
      Connection = \(place)
      Node = \(names[number])
      [Sink shared]
      Type = file-drop
      Directory = \(shared)

      """
    try node.scratch.write("poolflow.conf", text.utf8)
  }

  /// The end of each node's log.
  var logs: String { zip(names, nodes).map { "\($0): \($1.log.suffix(3_000))" }.joined(separator: "\n") }

  func query(_ sql: String) throws -> String { try server.query(sql, in: database) }

  /// The number of partitions that each node's session holds, by node name.
  func partitionCounts() throws -> [String: Int] {
    // Read the manager sockets, whose full buffers would block the nodes.
    for node in nodes { node.manager.takeAll() }
    let rows = try query(
      """
      SELECT split_part(application_name, ' ', 2) || ' ' || count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND pg_locks.objsubid = 2 AND mode = 'ExclusiveLock' AND objid BETWEEN 1 AND 64
        AND datname = current_database() GROUP BY application_name
      """)
    return Dictionary(
      rows.split(separator: "\n").map { row in
        let words = row.split(separator: " ")
        return (String(words[0]), Int(words[1]) ?? 0)
      }, uniquingKeysWith: +)
  }

  /// The name of the node that owns a partition; nil if there is none.
  func holder(of partition: Int) throws -> String? {
    for node in nodes { node.manager.takeAll() }
    let name = try query(
      """
      SELECT split_part(application_name, ' ', 2) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND pg_locks.objsubid = 2 AND mode = 'ExclusiveLock' AND objid = \(partition + 1)
        AND datname = current_database()
      """)
    return name.isEmpty ? nil : name
  }

  /// Waits until the nodes own the wanted numbers of partitions.
  func have(_ wanted: [String: Int]) throws {
    try eventually(
      "the nodes own \(wanted): \(nodes.map { $0.log.suffix(2_000) }.joined(separator: "\n---\n"))",
      { try partitionCounts() == wanted })
  }

  /// Waits until these nodes share all partitions equally.
  func areSpread(over names: [String]) throws {
    let sorted = names.sorted()
    let parts = sorted.indices.map { 64 * ($0 + 1) / names.count - 64 * $0 / names.count }
    try have(Dictionary(uniqueKeysWithValues: zip(sorted, parts)))
  }
}
