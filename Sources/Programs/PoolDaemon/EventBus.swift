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
  case cancelled(RunRecord)
  /// A sink took an entry of the outbox, or refused it.
  case delivered(DeliveredEntry, state: EventStateView, detail: String)
  /// A sink went sick or well.
  case sink(String, state: EventStateView, detail: String)
  /// A team was added, changed or filled, in words.
  case team(String, String)
  /// The settings were read again, in words.
  case settings(String)
  /// Any of these, at another node.
  case elsewhere(ToldEvent)
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

  fileprivate struct Listener {
    let connection: UInt64
    let continuation: AsyncStream<Stamped>.Continuation
    var lost = 0
  }

  fileprivate struct State {
    var listeners: [Int: Listener] = [:]
    var count = 0
    var recent: [Stamped] = []
    var isOver = false
    /// What other nodes are still to hear of, and how many before it they will not.
    var (untold, leftOut) = ([Stamped](), 0)

    mutating func tell(_ stamped: Stamped) {
      if recent.count >= 2 * Limits.eventsRemembered { recent.removeFirst(Limits.eventsRemembered) }
      recent.append(stamped)
      for key in listeners.keys {
        if case .dropped = listeners[key]?.continuation.yield(stamped) { listeners[key]?.lost += 1 }
      }
    }
  }

  /// Whether other nodes are to hear of it, too.
  private let isShared: Bool
  private let state = Mutex(State())

  init(isShared: Bool = false) { self.isShared = isShared }

  func publish(_ event: DaemonEvent, at now: Timestamp) {
    let stamped = Stamped(at: now, event: event)
    state.withLock { state in
      state.tell(stamped)
      guard isShared else { return }
      state.untold.append(stamped)
      if state.untold.count >= 2 * Limits.eventsTold { state.keepUntold() }
    }
  }

  /// What happened since this was last asked, for other nodes: the newest, and how many there were before them.
  func takeUntold() -> (events: [Stamped], lost: Int) {
    state.withLock { state in
      state.keepUntold()
      defer { (state.untold, state.leftOut) = ([], 0) }
      return (state.untold, state.leftOut)
    }
  }

  /// What happened at another node.
  func hear(_ told: ToldEvents) {
    state.withLock { state in
      for var event in told.events {
        // A team's events are the same wherever they happen; a sink is each node's own.
        if event.team == nil, event.teamID == nil { event.detail = "node '\(told.teller.name)': \(event.detail)" }
        state.tell(Stamped(at: Timestamp(milliseconds: event.at), event: .elsewhere(event)))
      }
      for key in state.listeners.keys { state.listeners[key]?.lost += told.lost }
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

extension EventBus.State {
  fileprivate mutating func keepUntold() {
    let more = untold.count - Limits.eventsTold
    guard more > 0 else { return }
    untold.removeFirst(more)
    leftOut += more
  }
}

extension EventBus {
  /// A lane's word about its sink; what became of each entry is told by `ObservedOutbox`.
  func publish(_ event: DeliveryEvent, at now: Timestamp) {
    switch event {
    case .refused, .working: break
    case .sick(let sink, let trouble, let wait):
      publish(.sink(sink, state: .sick, detail: "\(trouble), trying again in \(wait.inWords)"), at: now)
    case .well(let sink), .restored(let sink): publish(.sink(sink, state: .well, detail: ""), at: now)
    case .degraded(let sink, let obstacles):
      publish(.sink(sink, state: .degraded, detail: obstacles.inOneSentence), at: now)
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
