import FlowControl
import FlowModel
import FlowPlatform
import Synchronization

/// Thrown if the caller disconnects before its call begins; the call is dropped without an answer.
struct CallerGone: Error {}

/// Queues calls until their turn, and answers until there is memory for them. `CallLimiter` decides the order.
final class CallGate: Sendable {
  /// An admitted call.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let caller: Caller
  }

  /// How the wait of a call ended.
  private enum WaitEnding { case begins, gone, tooLate }

  /// State behind the lock: the queue and the calls that wait in it.
  private struct State {
    var shares: CallLimiter
    var waiting: [UInt64: CheckedContinuation<WaitEnding, Never>] = [:]
    /// Connections whose peers still wait for answers.
    var connected: Set<UInt64> = []
    var lastTicket: UInt64 = 0
    /// Bytes of answers since memory was last released to the system, and the time of that release.
    var answeredBytes = 0
    var trimmedAt: Duration = .zero
  }

  private let state: Mutex<State>
  private let wake: @Sendable () -> Void

  /// Makes a gate without calls.
  ///
  /// - Parameters:
  ///   - ownUID: the daemon's user, which has reserved capacity, like root.
  ///   - wake: makes the control loop read `nextDeadline` and `connectionsHoldingBudget` again.
  init(ownUID: UInt32, wake: @escaping @Sendable () -> Void) {
    state = Mutex(State(shares: CallLimiter(ownUID: ownUID)))
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
      shares.enqueue(
        ticket.number, of: caller.connection, uid: caller.uid, work: work,
        answerBytes: answersAtLength ? Limits.maxAnswerBytes : 0, until: until, isOneway: isOneway)
    }
    return ticket
  }

  /// Records that the answer is ready with this many bytes. Waits for memory budget if the answer turned out long and none was
  /// reserved.
  func didBuild(_ ticket: Ticket, bytes: Int, answersAtLength: Bool) async throws {
    if !answersAtLength, bytes > Limits.controlBacklogBytes {
      let until = ControlClock.now + Limits.controlDeadline
      try await wait(ticket, isOneway: false) { shares in
        shares.enqueueAnswer(
          ticket.number, of: ticket.caller.connection, uid: ticket.caller.uid, bytes: bytes, until: until)
      }
    }
    change { state in
      state.shares.didBuild(ticket.number, bytes: bytes)
      state.answeredBytes += bytes
    }
  }

  /// Records that the reader takes this many bytes of the answer, which frees their budget.
  func didRead(_ ticket: Ticket, bytes: Int) {
    change { $0.shares.didRead(ticket.number, bytes: bytes) }
  }

  /// Ends the call; releases memory to the system after enough bytes of answers.
  func end(_ ticket: Ticket) {
    change { $0.shares.end(ticket.number) }
    let now = ControlClock.now
    let shouldTrim = state.withLock { state in
      guard state.shares.reservedBytes == 0, state.answeredBytes >= Limits.answerBytesBeforeTrim,
        now - state.trimmedAt >= Limits.memoryTrimInterval
      else { return false }
      state.answeredBytes = 0
      state.trimmedAt = now
      return true
    }
    if shouldTrim { ProcessMemory.returnFreedMemory() }
  }

  // MARK: For the loop

  /// Records a new connection whose calls may be answered.
  func connectionOpened(_ connection: UInt64) {
    _ = state.withLock { $0.connected.insert(connection) }
  }

  /// The peer has closed: drops its waiting calls, except oneway calls.
  func peerClosed(_ connection: UInt64) { drop(connection) { $0.callerDidDisconnect(connection) } }

  /// The connection was closed: drops all of its waiting calls.
  func connectionClosed(_ connection: UInt64) { drop(connection) { $0.dropCalls(connection) } }

  /// Removes the waiting calls that `calls` returns; their callers get `CallerGone`.
  private func drop(_ connection: UInt64, _ calls: (inout CallLimiter) -> [UInt64]) {
    let (ready, dropped) = state.withLock { state in
      state.connected.remove(connection)
      let dropped = calls(&state.shares).compactMap { state.waiting.removeValue(forKey: $0) }
      return (Self.begin(&state), dropped)
    }
    for continuation in dropped { continuation.resume(returning: .gone) }
    for continuation in ready { continuation.resume(returning: .begins) }
  }

  /// Connections whose answers use memory budget that waiting calls need; empty if no call waits for budget.
  var connectionsHoldingBudget: Set<UInt64> {
    state.withLock { $0.shares.waitsForMemory ? $0.shares.connectionsWithAnswers : [] }
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

  /// Queues a call by `enqueue` and waits until it may begin; throws `CallerGone` or `ControlError.busy`.
  private func wait(_ ticket: Ticket, isOneway: Bool, _ enqueue: (inout CallLimiter) -> Void) async throws {
    let entry = await withCheckedContinuation { continuation in
      let (ready, isGone, mustWake) = state.withLock { state in
        if !isOneway, !state.connected.contains(ticket.caller.connection) {
          return ([] as [CheckedContinuation<WaitEnding, Never>], true, false)
        }
        let wasWaiting = state.shares.isWaiting
        enqueue(&state.shares)
        state.waiting[ticket.number] = continuation
        let ready = Self.begin(&state)
        // The loop keeps the deadlines of waiting calls and frees memory budget for them.
        return (ready, false, state.shares.waitsForMemory || (!wasWaiting && state.shares.isWaiting))
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
        .busy, "the daemon is busy with other callers, and this call waited as long as allowed; try again in a moment")
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
  private static func begin(_ state: inout State) -> [CheckedContinuation<WaitEnding, Never>] {
    var ready: [CheckedContinuation<WaitEnding, Never>] = []
    while let number = state.shares.begin() {
      if let continuation = state.waiting.removeValue(forKey: number) { ready.append(continuation) }
    }
    return ready
  }
}
