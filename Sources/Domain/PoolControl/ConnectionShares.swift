internal import PoolModel

/// The control socket's places shared out among users: a state machine that knows who sits where and decides who may come
/// in. Root and the daemon's own user have places that nobody else gets, and no other user gets them all.
package struct ConnectionShares: Sendable {
  /// What keeps somebody out.
  package enum Obstacle: Hashable, Sendable {
    /// Every place is taken.
    case all
    /// Every place for others than root and the daemon's user is taken.
    case unreserved
    /// The user has its share.
    case share
  }

  private let privileged: Set<UInt32>
  private let places: Int
  private let reserved: Int
  private let perUser: Int
  private var users: [UInt64: UInt32] = [:]

  package init(
    ownUID: UInt32, places: Int = Limits.controlClients, reserved: Int = Limits.controlClientsReserved,
    perUser: Int = Limits.controlClientsOfUser
  ) {
    privileged = [0, ownUID]
    self.places = places
    self.reserved = reserved
    self.perUser = perUser
  }

  /// Nil where the user may come in.
  package func obstacle(to uid: UInt32) -> Obstacle? {
    if !privileged.contains(uid) {
      if users.values.count(where: { $0 == uid }) >= perUser { return .share }
      if users.values.count(where: { !privileged.contains($0) }) >= places - reserved { return .unreserved }
    }
    return users.count < places ? nil : .all
  }

  /// Whether this connection's end would let the user in.
  package func wouldHelp(_ connection: UInt64, against obstacle: Obstacle, for uid: UInt32) -> Bool {
    guard let holder = users[connection] else { return false }
    switch obstacle {
    case .all: return true
    case .unreserved: return !privileged.contains(holder)
    case .share: return holder == uid
    }
  }

  package mutating func join(_ connection: UInt64, uid: UInt32) { users[connection] = uid }
  package mutating func leave(_ connection: UInt64) { users[connection] = nil }
}
