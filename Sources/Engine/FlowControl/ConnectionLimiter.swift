internal import FlowModel

/// Connection limits of the control socket, as a state machine: counts connections per user and decides whether a new one is
/// accepted. Some connections are reserved for root and the daemon's own user, and no other user can take all.
package struct ConnectionLimiter: Sendable {
  /// The limit that prevents a new connection.
  package enum Obstacle: Hashable, Sendable {
    /// All connections are in use.
    case all
    /// All connections outside the reserve for root and the daemon's user are in use.
    case unreserved
    /// The user's own limit is reached.
    case userLimit
  }

  private let privileged: Set<UInt32>
  private let places: Int
  private let reserved: Int
  private let perUser: Int
  private var users: [UInt64: UInt32] = [:]

  package init(
    ownUID: UInt32, places: Int = Limits.controlClients, reserved: Int = Limits.controlClientsReserved,
    perUser: Int = Limits.controlClientsPerUser
  ) {
    privileged = [0, ownUID]
    self.places = places
    self.reserved = reserved
    self.perUser = perUser
  }

  /// - Returns: the limit that prevents a connection of the user, or nil if it is accepted.
  package func obstacle(to uid: UInt32) -> Obstacle? {
    if !privileged.contains(uid) {
      if users.values.count(where: { $0 == uid }) >= perUser { return .userLimit }
      if users.values.count(where: { !privileged.contains($0) }) >= places - reserved { return .unreserved }
    }
    return users.count < places ? nil : .all
  }

  /// True if closing `connection` would let the user `uid` connect.
  package func wouldRemove(_ connection: UInt64, against obstacle: Obstacle, for uid: UInt32) -> Bool {
    guard let holder = users[connection] else { return false }
    switch obstacle {
    case .all: return true
    case .unreserved: return !privileged.contains(holder)
    case .userLimit: return holder == uid
    }
  }

  /// Records an accepted connection.
  package mutating func join(_ connection: UInt64, uid: UInt32) { users[connection] = uid }
  /// Records the end of a connection.
  package mutating func leave(_ connection: UInt64) { users[connection] = nil }
}
