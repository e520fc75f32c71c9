internal import PoolModel

/// Whose call begins next, and whether there is room for its answer: the daemon's work and memory shared out among those
/// who ask, as a state machine. It makes no answer and reads no clock.
///
/// Nobody gets more than a user's share, root and the daemon's own user have a part that nobody else gets, users take
/// turns, and so do the connections of one user: each has one call under way or waiting. A long answer is made only when
/// the budget of all connections has room for the longest one there can be; from when it is made until its reader has
/// taken it, it counts as what it is.
package struct CallShares: Sendable {
  /// How many calls of one kind of work may be under way at once.
  package struct Places: Sendable {
    package let total: Int
    /// Of those, for root and the daemon's own user only.
    package let reserved: Int
    /// For one of the other users.
    package let perUser: Int

    package init(total: Int, reserved: Int, perUser: Int) {
      self.total = total
      self.reserved = reserved
      self.perUser = perUser
    }

    package static let short = Places(
      total: Limits.shortCallsAtOnce, reserved: Limits.shortCallsReserved, perUser: Limits.shortCallsOfUser)
    package static let long = Places(
      total: Limits.longCallsAtOnce, reserved: Limits.longCallsReserved, perUser: Limits.longCallsOfUser)
  }

  private struct Waiting {
    let call: UInt64
    let connection: UInt64
    let uid: UInt32
    /// Nil for an answer that was made and turned out long.
    let work: CallWork?
    let room: Int
    let until: Duration
    /// It wants no answer: it is done also when its caller has gone, while nobody waits for an
    /// answer, and one at a time.
    var isOneway = false
  }

  private struct Running {
    let uid: UInt32
    let work: CallWork
    let isOneway: Bool
  }

  private struct Held {
    let connection: UInt64
    var bytes: Int
  }

  private let privileged: Set<UInt32>
  private let short: Places
  private let long: Places
  private let budget: Int
  private let reservedBudget: Int
  /// In the order of their coming.
  private var waiting: [Waiting] = []
  private var running: [UInt64: Running] = [:]
  private var held: [UInt64: Held] = [:]
  /// Who had a call begun, the one served longest ago first.
  private var turns: [UInt32] = []

  /// - Parameter ownUID: the daemon's user, who like root has the reserve.
  package init(
    ownUID: UInt32, short: Places = .short, long: Places = .long, budget: Int = Limits.answersInFlightBytes,
    reservedBudget: Int = Limits.controlReplyBytes
  ) {
    privileged = [0, ownUID]
    self.short = short
    self.long = long
    self.budget = budget
    self.reservedBudget = reservedBudget
  }

  /// Bytes of all answers that are made or may be.
  package var heldBytes: Int { held.values.reduce(0) { $0 + $1.bytes } }

  /// The connections whose answers take room.
  package var holders: Set<UInt64> { Set(held.values.map(\.connection)) }

  package var isWaiting: Bool { !waiting.isEmpty }

  /// True while a call waits for nothing but that others take their answers.
  package var waitsForRoom: Bool {
    waiting.contains { $0.room > 0 && hasPlace(for: $0) && !hasRoom(for: $0) }
  }

  package var nextDeadline: Duration? { waiting.map(\.until).min() }

  // MARK: What happens

  /// A call has come. It begins when `begin` says so.
  ///
  /// - Parameters:
  ///   - call: different for every call.
  ///   - room: bytes that its answer may have, where it may be long; 0 for a short answer.
  ///   - until: when it is given up.
  ///   - isOneway: it wants no answer.
  package mutating func ask(
    _ call: UInt64, of connection: UInt64, uid: UInt32, work: CallWork, room: Int, until: Duration,
    isOneway: Bool = false
  ) {
    waiting.append(
      Waiting(
        call: call, connection: connection, uid: uid, work: work, room: room, until: until, isOneway: isOneway))
  }

  /// An answer for which no room was kept turned out long: it waits for its room.
  package mutating func hold(_ call: UInt64, of connection: UInt64, uid: UInt32, bytes: Int, until: Duration) {
    waiting.append(Waiting(call: call, connection: connection, uid: uid, work: nil, room: bytes, until: until))
  }

  /// The next call that begins now, or whose answer has its room; nil while nobody's can.
  package mutating func begin() -> UInt64? {
    // Who waits for room keeps those behind him from taking it; short answers pass.
    var roomIsPromised = false
    // Of one user's calls those that somebody waits for go first.
    var best: (index: Int, turn: (Int, Int))?
    for (index, call) in waiting.enumerated() where hasPlace(for: call) {
      if call.room > 0 {
        guard hasRoom(for: call), !roomIsPromised || privileged.contains(call.uid) else {
          roomIsPromised = true
          continue
        }
      }
      let turn = (turns.firstIndex(of: call.uid) ?? -1, call.isOneway ? 1 : 0)
      if best.map({ turn < $0.turn }) ?? true { best = (index, turn) }
    }
    guard let best else { return nil }
    let call = waiting.remove(at: best.index)
    if call.room > 0 { held[call.call] = Held(connection: call.connection, bytes: call.room) }
    if let work = call.work {
      running[call.call] = Running(uid: call.uid, work: work, isOneway: call.isOneway)
      turns.removeAll { $0 == call.uid }
      turns.append(call.uid)
    }
    return call.call
  }

  /// The caller has gone: what it wanted an answer to is not begun, and what was made for it takes no room.
  ///
  /// - Returns: its calls that are dropped.
  package mutating func hangUp(_ connection: UInt64) -> [UInt64] {
    held = held.filter { $0.value.connection != connection }
    return takeWaiting { $0.connection == connection && !$0.isOneway }
  }

  /// The connection has lost its place: nothing of it is begun.
  ///
  /// - Returns: its calls that are dropped.
  package mutating func withdraw(_ connection: UInt64) -> [UInt64] {
    held = held.filter { $0.value.connection != connection }
    return takeWaiting { $0.connection == connection }
  }

  /// Those who have waited long enough.
  package mutating func expire(at now: Duration) -> [UInt64] { takeWaiting { $0.until <= now } }

  /// The answer is made and waits for its reader with this many bytes; the next call of its kind may begin.
  package mutating func made(_ call: UInt64, bytes: Int) {
    running[call] = nil
    held[call]?.bytes = bytes
  }

  /// The reader has taken some of its answer.
  package mutating func took(_ call: UInt64, bytes: Int) { held[call]?.bytes -= bytes }

  /// The call has had its end, whatever it was.
  package mutating func end(_ call: UInt64) {
    running[call] = nil
    held[call] = nil
    // A user without calls loses nothing by being forgotten, and the list stays short.
    guard turns.count > Limits.controlClients else { return }
    let present = Set(waiting.map(\.uid) + running.values.map(\.uid))
    turns.removeAll { !present.contains($0) }
  }

  private mutating func takeWaiting(where leaves: (Waiting) -> Bool) -> [UInt64] {
    let taken = waiting.filter(leaves).map(\.call)
    if !taken.isEmpty { waiting.removeAll(where: leaves) }
    return taken
  }

  // MARK: Who may

  private func hasPlace(for call: Waiting) -> Bool {
    guard let places = places(for: call.work) else { return true }
    // A question asks the store several times over: each time it would stand behind such a change.
    if call.isOneway, running.values.contains(where: { $0.isOneway || $0.work == .short }) { return false }
    let same = running.values.filter { $0.work == call.work }
    if privileged.contains(call.uid) { return same.count < places.total }
    let others = same.count { !privileged.contains($0.uid) }
    return others < places.total - places.reserved && same.count < places.total
      && same.count { $0.uid == call.uid } < places.perUser
  }

  private func hasRoom(for call: Waiting) -> Bool {
    let bound = privileged.contains(call.uid) ? budget : budget - reservedBudget
    return heldBytes + call.room <= bound
  }

  /// Nil where there is no bound: a watcher costs nothing but its connection, and an answer that is made no work.
  private func places(for work: CallWork?) -> Places? {
    switch work {
    case .short: short
    case .long: long
    case .watching, nil: nil
    }
  }
}
