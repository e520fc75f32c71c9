internal import PoolControl
internal import PoolModel
internal import PoolPlatform
internal import Synchronization

/// The caller has gone before its call began: nothing is done and nobody is told.
struct CallerGone: Error {}

/// Where calls wait for their turn and for room for their answers; who goes next `CallShares` says.
final class CallGate: Sendable {
  /// One call that was let in.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let caller: Caller
  }

  private enum Entry { case begins, gone, tooLate }

  private struct State {
    var shares: CallShares
    var waiting: [UInt64: CheckedContinuation<Entry, Never>] = [:]
    /// Connections whose peers hear us.
    var present: Set<UInt64> = []
    var lastTicket: UInt64 = 0
    /// Bytes of answers since memory was last given back, and when that was.
    var answered = 0
    var trimmedAt: Duration = .zero
  }

  private let state: Mutex<State>
  private let wake: @Sendable () -> Void

  /// - Parameter wake: has the loop look at `nextDeadline` and `holdersInTheWay` again.
  init(ownUID: UInt32, wake: @escaping @Sendable () -> Void) {
    state = Mutex(State(shares: CallShares(ownUID: ownUID)))
    self.wake = wake
  }

  // MARK: For calls

  /// Waits for the call's turn.
  ///
  /// - Parameter isOneway: it wants no answer, and is done also when its caller has gone.
  /// - Throws: `CallerGone`; `ControlError.busy` when it waited too long.
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

  /// The answer is made and has this many bytes; waits where it is long and no room was kept for it.
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

  /// The reader is about to have this much of its answer.
  func took(_ ticket: Ticket, bytes: Int) {
    change { $0.shares.took(ticket.number, bytes: bytes) }
  }

  /// The call has had its end.
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

  /// Somebody has come whose calls may be answered.
  func joined(_ connection: UInt64) {
    _ = state.withLock { $0.present.insert(connection) }
  }

  /// The peer has closed: what it wanted an answer to and was not begun is dropped.
  func left(_ connection: UInt64) { drop(connection) { $0.hangUp(connection) } }

  /// The connection has no place any more: what was not begun is dropped.
  func removed(_ connection: UInt64) { drop(connection) { $0.withdraw(connection) } }

  private func drop(_ connection: UInt64, _ calls: (inout CallShares) -> [UInt64]) {
    let (ready, dropped) = state.withLock { state in
      state.present.remove(connection)
      let dropped = calls(&state.shares).compactMap { state.waiting.removeValue(forKey: $0) }
      return (Self.begin(&state), dropped)
    }
    for continuation in dropped { continuation.resume(returning: .gone) }
    for continuation in ready { continuation.resume(returning: .begins) }
  }

  /// Connections whose answers are in the way of others; empty while nobody waits for room.
  var holdersInTheWay: Set<UInt64> {
    state.withLock { $0.shares.waitsForRoom ? $0.shares.holders : [] }
  }

  var nextDeadline: Duration? { state.withLock { $0.shares.nextDeadline } }

  /// Gives up those who have waited too long.
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
        // The loop keeps the time of those who wait, and looks for room for them.
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

  private func change(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      return Self.begin(&state)
    }
    for continuation in ready { continuation.resume(returning: .begins) }
  }

  private static func begin(_ state: inout State) -> [CheckedContinuation<Entry, Never>] {
    var ready: [CheckedContinuation<Entry, Never>] = []
    while let number = state.shares.begin() {
      if let continuation = state.waiting.removeValue(forKey: number) { ready.append(continuation) }
    }
    return ready
  }
}
