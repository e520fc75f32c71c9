package import FlowModel

/// A node acquired the partition of a node that had died.
package struct Takeover: Hashable, Sendable {
  /// Name of the dead node; nil if unknown.
  package let lost: String?
  /// Time of its last heartbeat.
  package let last: Timestamp
  package let node: String
  package let at: Timestamp

  package init(lost: String?, last: Timestamp, node: String, at: Timestamp) {
    self.lost = lost
    self.last = last
    self.node = node
    self.at = at
  }
}

// Records that nodes share, besides team data. A file has none.

extension Store {
  package func takeovers(of team: TeamID?, from: Timestamp, to: Timestamp) throws -> [Takeover] {
    try connection.server?.takeovers(of: team, from: from, to: to, on: connection) ?? []
  }

  package func pageNames(of team: TeamID?) throws -> [TeamID: [String: String]] {
    try connection.server?.pageNames(of: team, on: connection) ?? [:]
  }

  package func putPageNames(_ names: [String: String], of team: TeamID) throws {
    guard let server = connection.server else { return }
    try connection.transaction { try server.putPageNames(names, of: team, on: connection) }
  }

  package func forgetPageNames(of team: TeamID?, owner: String?) throws {
    guard let server = connection.server else { return }
    try connection.transaction { try server.forgetPageNames(of: team, owner: owner, on: connection) }
  }

  package func adoptPageNames(_ names: [TeamID: [String: String]]) throws {
    guard let server = connection.server else { return }
    try connection.transaction { try server.adoptPageNames(names, on: connection) }
  }
}
