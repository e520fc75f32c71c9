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

  /// - Parameter names: of the nodes; the first one makes the store and serves.
  /// - Returns: nil where PostgreSQL is not installed.
  init?(_ names: [String]) throws {
    guard let server = try PostgresServer() else { return nil }
    self.server = server
    self.names = names
    database = try server.newDatabase()
    let now = Date.now.formatted(.iso8601)
    nodes = try names.map { _ in try Daemon(at: now, empty: true) }
    shared = try nodes[0].scratch.folder("shared")
    proxies = try nodes.map {
      try CuttingProxy(to: server.socketFolder, port: server.port, in: $0.scratch.path + "/proxy")
    }
    for (number, node) in nodes.enumerated() { try settle(node, number) }
    let first = nodes[0]
    try first.start()
    try first.change("team", "add", "desert-blue", "--zone", "America/Phoenix")
    try first.change("team", "plan", "desert-blue", "paid")
    try first.change("import", Checkout.backup, "--team", "desert-blue")
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

  func query(_ sql: String) throws -> String { try server.query(sql, in: database) }

  /// The name of the node whose session has the store; nil where nobody has it.
  func holder() throws -> String? {
    // A manager that never reads would hold up who tells it.
    for node in nodes { node.manager.takeAll() }
    let name = try query(
      """
      SELECT split_part(application_name, ' ', 2) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND pg_locks.objsubid = 2 AND datname = current_database()
      """)
    return name.isEmpty ? nil : name
  }

  /// Waits until a node has the store and answers as the one that serves.
  func serves(_ name: String) throws {
    let node = nodes[names.firstIndex(of: name) ?? 0]
    try eventually(
      "'\(name)' serves: \(node.log.suffix(2_000))",
      {
        guard try holder() == name else { return false }
        return try node.ask("pause", "weekly-digest", "--team", "desert-blue").code == 0
      })
  }
}
