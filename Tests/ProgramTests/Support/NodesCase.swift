import Foundation
import Glibc
import PoolControl
import PoolModel
import PoolTestKit

/// Daemons of one database on a scratch server of their own, each with a state folder, a clock and a way to the server, that
/// drop what they tell into one folder.
final class NodesCase {
  let server: PostgresServer
  let database: String
  let nodes: [Daemon]
  let proxies: [CuttingProxy]
  let names: [String]
  /// Where a consumer finds finished files.
  var drop: String { shared + "/new" }
  private let shared: String

  /// - Parameters:
  ///   - names: of the nodes; the first one makes the store.
  ///   - executable: what each is when it starts.
  ///   - prepare: what is done while that is still the only one.
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

  /// The end of what each has said.
  var logs: String { zip(names, nodes).map { "\($0): \($1.log.suffix(3_000))" }.joined(separator: "\n") }

  func query(_ sql: String) throws -> String { try server.query(sql, in: database) }

  /// How many shares each node's session has, by its name.
  func shares() throws -> [String: Int] {
    // A manager that never reads would hold up who tells it.
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

  /// The name of the node that works a share; nil where nobody does.
  func holder(of share: Int) throws -> String? {
    for node in nodes { node.manager.takeAll() }
    let name = try query(
      """
      SELECT split_part(application_name, ' ', 2) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND pg_locks.objsubid = 2 AND mode = 'ExclusiveLock' AND objid = \(share + 1)
        AND datname = current_database()
      """)
    return name.isEmpty ? nil : name
  }

  /// Waits until the nodes have as many shares as this says.
  func have(_ wanted: [String: Int]) throws {
    try eventually(
      "the shares are \(wanted): \(nodes.map { $0.log.suffix(2_000) }.joined(separator: "\n---\n"))",
      { try shares() == wanted })
  }

  /// Waits until each of these nodes has its part of the shares, and nobody else any.
  func areSpread(over names: [String]) throws {
    let sorted = names.sorted()
    let parts = sorted.indices.map { 64 * ($0 + 1) / names.count - 64 * $0 / names.count }
    try have(Dictionary(uniqueKeysWithValues: zip(sorted, parts)))
  }
}
