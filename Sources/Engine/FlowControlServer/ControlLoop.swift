import FlowControl
import FlowModel
import FlowPlatform
import Synchronization

/// The thread that polls all control clients: accepts, reads, writes and closes; never computes an answer.
///
/// `run` uses the connections from its own thread only. Other threads put orders in a mailbox and wake it.
final class ControlLoop: Sendable {
  /// Events of the loop, which `ControlServer.run` handles.
  enum Event: Sendable {
    case call(frame: [UInt8], Caller)
    case ended(Caller)
    /// The peer closed while its call is being answered.
    case hungUp(Caller)
    /// The last event: the socket is closed; with the error if it broke.
    case stopped(SocketError?)
  }

  /// A frame that another thread wants to send to a connection.
  private struct Order {
    let connection: UInt64
    let frame: [UInt8]?
    let last: Bool
    /// Resumed with true once there is space for more output, or with false if the connection has gone.
    let taken: CheckedContinuation<Bool, Never>
  }

  /// Orders of other threads for the loop.
  private struct Mailbox {
    var orders: [Order] = []
    var stopping = false
    /// True once the loop has ended and no longer reads the mailbox.
    var closed = false
  }

  private let mailbox = Mutex(Mailbox())
  private let listener: UnixSocketListener
  private let poller: SocketPoller
  private let permission: ControlPermission
  private let events: ControlEvents
  let gate: CallGate

  init(
    listener: UnixSocketListener, poller: SocketPoller, permission: ControlPermission,
    events: ControlEvents
  ) {
    gate = CallGate(ownUID: permission.ownUID) { poller.wake() }
    self.listener = listener
    self.poller = poller
    self.permission = permission
    self.events = events
  }

  // MARK: From other threads

  /// Queues a frame for a connection, and waits while too much output is queued. A nil frame with `last` ends a call without an
  /// answer.
  ///
  /// - Returns: false if the connection has gone.
  @discardableResult
  func send(_ frame: [UInt8]?, to connection: UInt64, last: Bool) async -> Bool {
    await withCheckedContinuation { taken in
      let order = Order(connection: connection, frame: frame, last: last, taken: taken)
      let closed = mailbox.withLock { mailbox in
        if !mailbox.closed { mailbox.orders.append(order) }
        return mailbox.closed
      }
      if closed { taken.resume(returning: false) } else { poller.wake() }
    }
  }

  func stop() {
    mailbox.withLock { $0.stopping = true }
    poller.wake()
  }

  // MARK: The loop

  /// Serves until `stop`; blocks the calling thread.
  func run() {
    var clients = Clients(permission: permission, events: events, gate: gate)
    var failure: SocketError?
    var accepting = true
    var acceptAgainAt: Duration?
    while true {
      let (orders, stopping) = takeOrders()
      var now = ControlClock.now
      for order in orders {
        clients.answer(order.frame, to: order.connection, last: order.last, taken: order.taken, at: now)
      }
      if stopping, accepting {
        accepting = false
        listener.removeName()
        clients.beginStop(at: now)
      }
      clients.tidy(at: now)
      if !accepting, clients.isEmpty { break }
      if let again = acceptAgainAt, again <= now { acceptAgainAt = nil }
      do {
        let accepts = accepting && acceptAgainAt == nil && clients.canAccept
        let wakeAt = [clients.nextDeadline, acceptAgainAt].compactMap { $0 }.min()
        let interests = [SocketPoller.Interest(listener.socket, reading: accepts, writing: false)] + clients.interests
        let began = ControlClock.now
        let ready = try poller.wait(for: interests, timeout: wakeAt.map { max(.zero, $0 - began) })
        now = ControlClock.now
        clients.serve(ready.dropFirst(), since: began, at: now)
        if accepts, ready[0].readable, try !clients.accept(from: listener, at: now) {
          acceptAgainAt = now + Limits.acceptBackOff
        }
      } catch {
        failure = error
        break
      }
    }
    listener.removeName()
    clients.closeAll()
    closeMailbox()
    events.yield(.stopped(failure))
  }

  /// The queued orders, and whether the loop is to stop; empties the mailbox.
  private func takeOrders() -> ([Order], Bool) {
    mailbox.withLock { mailbox in
      defer { mailbox.orders = [] }
      return (mailbox.orders, mailbox.stopping)
    }
  }

  /// Refuses later orders, and resumes waiting senders with false.
  private func closeMailbox() {
    let late = mailbox.withLock { mailbox in
      mailbox.closed = true
      defer { mailbox.orders = [] }
      return mailbox.orders
    }
    for order in late { order.taken.resume(returning: false) }
  }
}

/// Queue of events from the loop's thread to `ControlServer.run`, its only reader.
///
/// Not an `AsyncStream`, which would end when its reader is cancelled; the loop's last event must still arrive. Bounded by the
/// number of connections: each has one call at a time and ends once.
final class ControlEvents: Sendable {
  /// Queued events, or the reader that waits for one.
  private struct State {
    var events: [ControlLoop.Event] = []
    var reader: CheckedContinuation<ControlLoop.Event, Never>?
  }

  private let state = Mutex(State())

  func yield(_ event: ControlLoop.Event) {
    let reader = state.withLock { state in
      guard let reader = state.reader else {
        state.events.append(event)
        return nil as CheckedContinuation<ControlLoop.Event, Never>?
      }
      state.reader = nil
      return reader
    }
    reader?.resume(returning: event)
  }

  /// The next event; waits for one. Only one reader may wait.
  func next() async -> ControlLoop.Event {
    await withCheckedContinuation { reader in
      let event = state.withLock { state in
        guard state.events.isEmpty else { return state.events.removeFirst() as ControlLoop.Event? }
        state.reader = reader
        return nil
      }
      if let event { reader.resume(returning: event) }
    }
  }
}

/// A monotonic clock for deadlines.
enum ControlClock {
  private static let origin = ContinuousClock.now
  static var now: Duration { origin.duration(to: .now) }
}
