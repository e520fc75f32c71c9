import PoolControl
import PoolDelivery
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolStore
import PoolWork
import Synchronization

/// Something that happened in the daemon, for whoever watches.
enum DaemonEvent: Sendable {
  /// A run reached a verdict, or waits for another attempt.
  case settled(RunSettlement)
  /// A run ended because somebody cancelled it.
  case cancelled(RunKey)
  /// A sink took an entry of the outbox, or refused it.
  case delivered(DeliveredEntry, state: EventStateView, detail: String)
  /// A sink went sick or well.
  case sink(String, state: EventStateView, detail: String)
  /// A team was added, changed or filled, in words.
  case team(String, String)
  /// The settings were read again, in words.
  case settings(String)
}

/// Tells everybody who listens what happens; costs nothing while nobody does.
///
/// Every listener has a bounded buffer of its own: one that reads too slowly loses the oldest, is told how many, and never
/// holds back what it watches.
final class EventBus: Sendable {
  struct Stamped: Sendable {
    let at: Timestamp
    let event: DaemonEvent
  }

  private struct Listener {
    let connection: UInt64
    let continuation: AsyncStream<Stamped>.Continuation
    var lost = 0
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var count = 0
    var recent: [Stamped] = []
    var isOver = false
  }

  private let state = Mutex(State())

  func publish(_ event: DaemonEvent, at now: Timestamp) {
    let stamped = Stamped(at: now, event: event)
    state.withLock { state in
      if state.recent.count >= 2 * Limits.eventsRemembered { state.recent.removeFirst(Limits.eventsRemembered) }
      state.recent.append(stamped)
      for key in state.listeners.keys {
        if case .dropped = state.listeners[key]?.continuation.yield(stamped) { state.listeners[key]?.lost += 1 }
      }
    }
  }

  /// The newest events, oldest first.
  var recent: [Stamped] { state.withLock { Array($0.recent.suffix(Limits.eventsRemembered)) } }

  /// Calls `body` with a stream of what happens from now on, until it returns; the stream ends with the connection.
  func listen<Value>(
    for connection: UInt64, _ body: (_ events: AsyncStream<Stamped>, _ lost: () -> Int) async throws -> Value
  ) async throws -> Value {
    let (stream, continuation) = AsyncStream<Stamped>.makeStream(
      bufferingPolicy: .bufferingNewest(Limits.eventsBuffered))
    let key = state.withLock { state in
      state.count += 1
      state.listeners[state.count] = Listener(connection: connection, continuation: continuation)
      if state.isOver { continuation.finish() }
      return state.count
    }
    defer { state.withLock { $0.listeners[key] = nil } }
    return try await body(stream) {
      self.state.withLock { state in
        defer { state.listeners[key]?.lost = 0 }
        return state.listeners[key]?.lost ?? 0
      }
    }
  }

  /// A connection has gone: nobody hears its streams any more.
  func hangUp(_ connection: UInt64) {
    let gone = state.withLock { $0.listeners.values.filter { $0.connection == connection } }
    for listener in gone { listener.continuation.finish() }
  }

  /// The daemon stops: every stream ends.
  func finish() {
    let all = state.withLock { state in
      state.isOver = true
      return Array(state.listeners.values)
    }
    for listener in all { listener.continuation.finish() }
  }
}

extension EventBus {
  /// A lane's word about its sink; what became of each entry is told by `ObservedOutbox`.
  func publish(_ event: DeliveryEvent, at now: Timestamp) {
    switch event {
    case .refused, .working: break
    case .sick(let sink, let trouble, let wait):
      publish(.sink(sink, state: .sick, detail: "\(trouble), trying again in \(wait.inWords)"), at: now)
    case .well(let sink): publish(.sink(sink, state: .well, detail: ""), at: now)
    }
  }
}

/// Tells of a change: into the log, and to whoever watches.
struct Announcements: Sendable {
  let log: DaemonLog
  let events: EventBus
  let clock: any WallClock

  /// - Parameter team: nil for the server itself.
  func callAsFunction(_ team: Team?, _ words: String) {
    guard let team else {
      log.notice("the server's \(words)")
      return events.publish(.settings(words), at: clock.now())
    }
    log.notice("team '\(team.name)' \(words)")
    events.publish(.team(team.name, words), at: clock.now())
  }
}
