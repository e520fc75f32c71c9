internal import FlowModel

/// Scheduler of control calls, as a state machine without a clock: decides which call runs next and whether the memory budget
/// has room for its answer.
///
/// Each user has a limit, root and the daemon's own user have a reserve, users take turns, and each connection has at most one
/// call running or waiting. A long answer is built only if the budget has room for the longest possible one; from then until it
/// is read, its actual size is counted.
package struct CallLimiter: Sendable {
  /// Concurrency limits for one class of calls.
  package struct ConcurrencyLimits: Sendable {
    package let total: Int
    /// Part of `total` reserved for root and the daemon's own user.
    package let reserved: Int
    /// Limit for each other user.
    package let perUser: Int

    package init(total: Int, reserved: Int, perUser: Int) {
      self.total = total
      self.reserved = reserved
      self.perUser = perUser
    }

    package static let short = ConcurrencyLimits(
      total: Limits.shortCallsAtOnce, reserved: Limits.shortCallsReserved, perUser: Limits.shortCallsPerUser)
    package static let long = ConcurrencyLimits(
      total: Limits.longCallsAtOnce, reserved: Limits.longCallsReserved, perUser: Limits.longCallsPerUser)
  }

  /// A call, or a finished long answer, that waits for a slot or for memory.
  private struct Waiting {
    let call: UInt64
    let connection: UInt64
    let uid: UInt32
    /// Nil for a finished answer that only waits for memory.
    let work: CallWork?
    let answerBytes: Int
    let until: Duration
    /// The caller wants no answer: the call runs even after a disconnect, only while no short call is running, and only one at
    /// a time.
    var isOneway = false
  }

  /// A call that is being executed.
  private struct Running {
    let uid: UInt32
    let work: CallWork
    let isOneway: Bool
  }

  /// Memory reserved for an answer.
  private struct ReservedMemory {
    let connection: UInt64
    var bytes: Int
  }

  private let privileged: Set<UInt32>
  private let short: ConcurrencyLimits
  private let long: ConcurrencyLimits
  private let budget: Int
  private let reservedBudget: Int
  /// In order of arrival.
  private var waiting: [Waiting] = []
  private var running: [UInt64: Running] = [:]
  private var reservations: [UInt64: ReservedMemory] = [:]
  /// Users whose calls were started, least recently served first.
  private var turns: [UInt32] = []

  /// - Parameter ownUID: the daemon's own user, who shares the reserve with root.
  package init(
    ownUID: UInt32, short: ConcurrencyLimits = .short, long: ConcurrencyLimits = .long,
    budget: Int = Limits.answersInFlightBytes,
    reservedBudget: Int = Limits.maxAnswerBytes
  ) {
    privileged = [0, ownUID]
    self.short = short
    self.long = long
    self.budget = budget
    self.reservedBudget = reservedBudget
  }

  /// Bytes reserved for all answers.
  package var reservedBytes: Int { reservations.values.reduce(0) { $0 + $1.bytes } }

  /// Connections whose answers occupy memory.
  package var connectionsWithAnswers: Set<UInt64> { Set(reservations.values.map(\.connection)) }

  package var isWaiting: Bool { !waiting.isEmpty }

  /// True if a waiting call could start if only other callers read their answers.
  package var waitsForMemory: Bool {
    waiting.contains { $0.answerBytes > 0 && hasSlot(for: $0) && !hasMemory(for: $0) }
  }

  package var nextDeadline: Duration? { waiting.map(\.until).min() }

  // MARK: Events

  /// Adds a call; `begin` starts it.
  ///
  /// - Parameters:
  ///   - call: unique number of the call.
  ///   - answerBytes: maximum size of a long answer in bytes; 0 for a short answer.
  ///   - until: time at which the call expires if it has not started.
  ///   - isOneway: true if the caller wants no answer.
  package mutating func enqueue(
    _ call: UInt64, of connection: UInt64, uid: UInt32, work: CallWork, answerBytes: Int, until: Duration,
    isOneway: Bool = false
  ) {
    waiting.append(
      Waiting(
        call: call, connection: connection, uid: uid, work: work, answerBytes: answerBytes, until: until,
        isOneway: isOneway))
  }

  /// Adds an answer that turned out long without a reservation; it waits for memory.
  package mutating func enqueueAnswer(_ call: UInt64, of connection: UInt64, uid: UInt32, bytes: Int, until: Duration) {
    waiting.append(Waiting(call: call, connection: connection, uid: uid, work: nil, answerBytes: bytes, until: until))
  }

  /// The next call that may start, or whose answer may be sent; nil if none may.
  package mutating func begin() -> UInt64? {
    // A call that waits for memory blocks later long calls, so that it is not starved; short answers pass.
    var memoryIsPromised = false
    // Calls of one user with a waiting caller go before `oneway` calls.
    var best: (index: Int, turn: (Int, Int))?
    for (index, call) in waiting.enumerated() where hasSlot(for: call) {
      if call.answerBytes > 0 {
        guard hasMemory(for: call), !memoryIsPromised || privileged.contains(call.uid) else {
          memoryIsPromised = true
          continue
        }
      }
      let turn = (turns.firstIndex(of: call.uid) ?? -1, call.isOneway ? 1 : 0)
      if best.map({ turn < $0.turn }) ?? true { best = (index, turn) }
    }
    guard let best else { return nil }
    let call = waiting.remove(at: best.index)
    if call.answerBytes > 0 {
      reservations[call.call] = ReservedMemory(connection: call.connection, bytes: call.answerBytes)
    }
    if let work = call.work {
      running[call.call] = Running(uid: call.uid, work: work, isOneway: call.isOneway)
      turns.removeAll { $0 == call.uid }
      turns.append(call.uid)
    }
    return call.call
  }

  /// The caller has disconnected: drops its waiting calls except `oneway` ones, and releases the memory of its answers.
  ///
  /// - Returns: the dropped calls.
  package mutating func callerDidDisconnect(_ connection: UInt64) -> [UInt64] {
    reservations = reservations.filter { $0.value.connection != connection }
    return takeWaiting { $0.connection == connection && !$0.isOneway }
  }

  /// The connection is closed by the daemon: drops all its waiting calls.
  ///
  /// - Returns: the dropped calls.
  package mutating func dropCalls(_ connection: UInt64) -> [UInt64] {
    reservations = reservations.filter { $0.value.connection != connection }
    return takeWaiting { $0.connection == connection }
  }

  /// Removes the waiting calls whose `until` has passed, and returns them.
  package mutating func expire(at now: Duration) -> [UInt64] { takeWaiting { $0.until <= now } }

  /// The answer is built and has `bytes` bytes to send; the next call of its class may start.
  package mutating func didBuild(_ call: UInt64, bytes: Int) {
    running[call] = nil
    reservations[call]?.bytes = bytes
  }

  /// The caller has read `bytes` bytes of its answer.
  package mutating func didRead(_ call: UInt64, bytes: Int) { reservations[call]?.bytes -= bytes }

  /// The call is finished, successfully or not.
  package mutating func end(_ call: UInt64) {
    running[call] = nil
    reservations[call] = nil
    // Forget users without calls; this keeps the list short and costs such a user nothing.
    guard turns.count > Limits.controlClients else { return }
    let present = Set(waiting.map(\.uid) + running.values.map(\.uid))
    turns.removeAll { !present.contains($0) }
  }

  /// Removes the matching waiting calls and returns them.
  private mutating func takeWaiting(where leaves: (Waiting) -> Bool) -> [UInt64] {
    let taken = waiting.filter(leaves).map(\.call)
    if !taken.isEmpty { waiting.removeAll(where: leaves) }
    return taken
  }

  // MARK: Permission checks

  /// True if the concurrency limits allow the call to start now.
  private func hasSlot(for call: Waiting) -> Bool {
    guard let limits = limits(for: call.work) else { return true }
    // A query reads the store several times and would wait for a `oneway` change each time.
    if call.isOneway, running.values.contains(where: { $0.isOneway || $0.work == .short }) { return false }
    let same = running.values.filter { $0.work == call.work }
    if privileged.contains(call.uid) { return same.count < limits.total }
    let others = same.count { !privileged.contains($0.uid) }
    return others < limits.total - limits.reserved && same.count < limits.total
      && same.count { $0.uid == call.uid } < limits.perUser
  }

  /// True if the memory budget has room for the call's answer.
  private func hasMemory(for call: Waiting) -> Bool {
    let bound = privileged.contains(call.uid) ? budget : budget - reservedBudget
    return reservedBytes + call.answerBytes <= bound
  }

  /// Concurrency limits by class; nil (unlimited) for watchers, which only occupy a connection, and for finished answers.
  private func limits(for work: CallWork?) -> ConcurrencyLimits? {
    switch work {
    case .short: short
    case .long: long
    case .watching, nil: nil
    }
  }
}
