internal import PoolControl
internal import PoolModel
internal import PoolPlatform
internal import Synchronization

/// Thrown if the caller disconnects before its call begins; the call is dropped without an answer.
struct CallerGone: Error {}

/// Queues calls until their turn, and answers until there is memory for them. `CallShares` decides the order.
final class CallGate: Sendable {
  /// An admitted call.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let caller: Caller
  }

  /// How the wait of a call ended.
  private enum Entry { case begins, gone, tooLate }

  /// State behind the lock: the queue and the calls that wait in it.
  private struct State {
    var shares: CallShares
    var waiting: [UInt64: CheckedContinuation<Entry, Never>] = [:]
    /// Connections whose peers still wait for answers.
    var present: Set<UInt64> = []
    var lastTicket: UInt64 = 0
    /// Bytes of answers since memory was last released to the system, and the time of that release.
    var answered = 0
    var trimmedAt: Duration = .zero
  }

  private let state: Mutex<State>
  private let wake: @Sendable () -> Void

  /// Makes a gate without calls.
  ///
  /// - Parameters:
  ///   - ownUID: the daemon's user, which has reserved capacity, like root.
  ///   - wake: makes the control loop read `nextDeadline` and `holdersInTheWay` again.
  init(ownUID: UInt32, wake: @escaping @Sendable () -> Void) {
    state = Mutex(State(shares: CallShares(ownUID: ownUID)))
    self.wake = wake
  }

  // MARK: For calls

  /// Waits for the call's turn.
  ///
  /// - Parameter isOneway: true for a call without an answer, which runs even if its caller has gone.
  /// - Throws: `CallerGone`; `ControlError.busy` if the call waited too long.
  func enter(_ caller: Caller, work: CallWork, answersAtLength: Bool, isOneway: Bool) async throws -> Ticket {
    let ticket = Ticket(number: nextNumber(), caller: caller)
    let patience = work == .short ? Limits.controlDeadline : Limits.longCallDeadline
    let until = ControlClock.now + patience
    try await wait(ticket, isOneway: isOneway) { shares in
      shares.ask(
        ticket.number, of: caller.connection, uid: caller.uid, work: work,
        room: answersAtLength ? Limits.controlReplyBytes : 0, until: until, isOneway: isOneway)
    }
    return ticket
  }

  /// Records that the answer is ready with this many bytes. Waits for memory budget if the answer turned out long and none was
  /// reserved.
  func made(_ ticket: Ticket, bytes: Int, answersAtLength: Bool) async throws {
    if !answersAtLength, bytes > Limits.controlBacklogBytes {
      let until = ControlClock.now + Limits.controlDeadline
      try await wait(ticket, isOneway: false) { shares in
        shares.hold(
          ticket.number, of: ticket.caller.connection, uid: ticket.caller.uid, bytes: bytes, until: until)
      }
    }
    change { state in
      state.shares.made(ticket.number, bytes: bytes)
      state.answered += bytes
    }
  }

  /// Records that the reader takes this many bytes of the answer, which frees their budget.
  func took(_ ticket: Ticket, bytes: Int) {
    change { $0.shares.took(ticket.number, bytes: bytes) }
  }

  /// Ends the call; releases memory to the system after enough bytes of answers.
  func end(_ ticket: Ticket) {
    change { $0.shares.end(ticket.number) }
    let now = ControlClock.now
    let isTime = state.withLock { state in
      guard state.shares.heldBytes == 0, state.answered >= Limits.answersBeforeTrim,
        now - state.trimmedAt >= Limits.trimPause
      else { return false }
      state.answered = 0
      state.trimmedAt = now
      return true
    }
    if isTime { ProcessMemory.giveBack() }
  }

  // MARK: For the loop

  /// Records a new connection whose calls may be answered.
  func joined(_ connection: UInt64) {
    _ = state.withLock { $0.present.insert(connection) }
  }

  /// The peer has closed: drops its waiting calls, except oneway calls.
  func left(_ connection: UInt64) { drop(connection) { $0.hangUp(connection) } }

  /// The connection was closed: drops all of its waiting calls.
  func removed(_ connection: UInt64) { drop(connection) { $0.withdraw(connection) } }

  /// Removes the waiting calls that `calls` returns; their callers get `CallerGone`.
  private func drop(_ connection: UInt64, _ calls: (inout CallShares) -> [UInt64]) {
    let (ready, dropped) = state.withLock { state in
      state.present.remove(connection)
      let dropped = calls(&state.shares).compactMap { state.waiting.removeValue(forKey: $0) }
      return (Self.begin(&state), dropped)
    }
    for continuation in dropped { continuation.resume(returning: .gone) }
    for continuation in ready { continuation.resume(returning: .begins) }
  }

  /// Connections whose answers use memory budget that waiting calls need; empty if no call waits for budget.
  var holdersInTheWay: Set<UInt64> {
    state.withLock { $0.shares.waitsForRoom ? $0.shares.holders : [] }
  }

  var nextDeadline: Duration? { state.withLock { $0.shares.nextDeadline } }

  /// Refuses calls that waited past their deadline.
  func expire(at now: Duration) {
    let late = state.withLock { state in
      state.shares.expire(at: now).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in late { continuation.resume(returning: .tooLate) }
  }

  // MARK: Turns

  private func nextNumber() -> UInt64 {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// Queues a call by `ask` and waits until it may begin; throws `CallerGone` or `ControlError.busy`.
  private func wait(_ ticket: Ticket, isOneway: Bool, _ ask: (inout CallShares) -> Void) async throws {
    let entry = await withCheckedContinuation { continuation in
      let (ready, isGone, mustWake) = state.withLock { state in
        if !isOneway, !state.present.contains(ticket.caller.connection) {
          return ([] as [CheckedContinuation<Entry, Never>], true, false)
        }
        let wasWaiting = state.shares.isWaiting
        ask(&state.shares)
        state.waiting[ticket.number] = continuation
        let ready = Self.begin(&state)
        // The loop keeps the deadlines of waiting calls and frees memory budget for them.
        return (ready, false, state.shares.waitsForRoom || (!wasWaiting && state.shares.isWaiting))
      }
      for begins in ready { begins.resume(returning: .begins) }
      if isGone { continuation.resume(returning: .gone) }
      if mustWake { wake() }
    }
    switch entry {
    case .begins: return
    case .gone: throw CallerGone()
    case .tooLate:
      throw ControlError(
        .busy, "the daemon is busy with other callers, and this call waited as long as any may; try again in a moment")
    }
  }

  /// Changes the state and resumes the calls that may begin after it.
  private func change(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      return Self.begin(&state)
    }
    for continuation in ready { continuation.resume(returning: .begins) }
  }

  /// Removes and returns the waiting calls that may begin now; the caller resumes them outside the lock.
  private static func begin(_ state: inout State) -> [CheckedContinuation<Entry, Never>] {
    var ready: [CheckedContinuation<Entry, Never>] = []
    while let number = state.shares.begin() {
      if let continuation = state.waiting.removeValue(forKey: number) { ready.append(continuation) }
    }
    return ready
  }
}
