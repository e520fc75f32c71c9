package import FlowControl
package import FlowDelivery
package import FlowModel
package import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowStore
package import FlowWork
import Synchronization

/// An event of the daemon, for `pfctl events` and other listeners.
package enum DaemonEvent: Sendable {
  /// A run was settled, or waits for another attempt.
  case settled(RunSettlement)
  /// A run that an operator cancelled.
  case cancelled(RunRecord)
  /// A sink accepted or refused an outbox entry.
  case delivered(DeliveredEntry, state: EventStateView, detail: String)
  /// A sink became healthy, unhealthy or degraded.
  case sink(String, state: EventStateView, detail: String)
  /// A team was added, changed or imported into: the team's name and a text.
  case team(String, String)
  /// The settings were reloaded: a text about the changes.
  case settings(String)
  /// Any of these events at another node.
  case elsewhere(BroadcastEvent)
}

/// The facts of an outbox entry that events show.
package struct DeliveredEntry: Sendable {
  package let noticeID: String
  package let teamName: String
  package let job: String
  package let sink: String

  package init(_ entry: OutboxEntry) {
    noticeID = entry.notice.id
    teamName = entry.notice.teamName
    job = entry.notice.job
    sink = entry.sink
  }
}

/// Broadcasts events to all listeners; costs nothing without listeners.
///
/// Each listener has a bounded buffer. A slow listener loses its oldest events, can ask how many, and never delays the
/// publisher.
package final class EventBus: Sendable {
  /// An event with its time.
  package struct Stamped: Sendable {
    package let at: Timestamp
    package let event: DaemonEvent
  }

  /// A listener's stream, and the number of events that it lost.
  fileprivate struct Listener {
    let connection: UInt64
    let continuation: AsyncStream<Stamped>.Continuation
    var lost = 0
  }

  /// Listeners, recent events, and events for other nodes.
  fileprivate struct State {
    var listeners: [Int: Listener] = [:]
    var count = 0
    var recent: [Stamped] = []
    var isOver = false
    /// Unsent events for other nodes, and the number of older ones that were dropped.
    var (unsent, droppedCount) = ([Stamped](), 0)

    /// Remembers an event and passes it to all listeners.
    mutating func emit(_ stamped: Stamped) {
      if recent.count >= 2 * Limits.eventsRemembered { recent.removeFirst(Limits.eventsRemembered) }
      recent.append(stamped)
      for key in listeners.keys {
        if case .dropped = listeners[key]?.continuation.yield(stamped) { listeners[key]?.lost += 1 }
      }
    }
  }

  /// True if events are also broadcast to other nodes.
  private let isShared: Bool
  private let state = Mutex(State())

  package init(isShared: Bool = false) { self.isShared = isShared }

  package func publish(_ event: DaemonEvent, at now: Timestamp) {
    let stamped = Stamped(at: now, event: event)
    state.withLock { state in
      state.emit(stamped)
      guard isShared else { return }
      state.unsent.append(stamped)
      if state.unsent.count >= 2 * Limits.eventsBroadcast { state.trimUnsent() }
    }
  }

  /// The unsent events for other nodes, and clears them: the newest `Limits.eventsBroadcast`, and the number of older ones that were
  /// dropped.
  func takeUnsent() -> (events: [Stamped], lost: Int) {
    state.withLock { state in
      state.trimUnsent()
      defer { (state.unsent, state.droppedCount) = ([], 0) }
      return (state.unsent, state.droppedCount)
    }
  }

  /// Passes events of another node to the listeners of this one.
  func receive(_ broadcast: EventBroadcast) {
    state.withLock { state in
      for var event in broadcast.events {
        // A team's events are the same at every node, but each node has its own sinks, so events without a team name the node.
        if event.team == nil, event.teamID == nil { event.detail = "node '\(broadcast.sender.name)': \(event.detail)" }
        state.emit(Stamped(at: Timestamp(milliseconds: event.at), event: .elsewhere(event)))
      }
      for key in state.listeners.keys { state.listeners[key]?.lost += broadcast.lost }
    }
  }

  /// The newest events, oldest first; at most `Limits.eventsRemembered`.
  package var recent: [Stamped] { state.withLock { Array($0.recent.suffix(Limits.eventsRemembered)) } }

  /// Calls `body` with a stream of new events, which ends with the connection. `lost` returns how many events the listener
  /// missed since it was last called.
  package func listen<Value>(
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

  /// Ends the streams of a closed connection.
  package func hangUp(_ connection: UInt64) {
    let gone = state.withLock { $0.listeners.values.filter { $0.connection == connection } }
    for listener in gone { listener.continuation.finish() }
  }

  /// Ends every stream, because the daemon stops.
  package func finish() {
    let all = state.withLock { state in
      state.isOver = true
      return Array(state.listeners.values)
    }
    for listener in all { listener.continuation.finish() }
  }
}

extension EventBus.State {
  /// Drops the oldest unsent events beyond `Limits.eventsBroadcast` and counts them.
  fileprivate mutating func trimUnsent() {
    let more = unsent.count - Limits.eventsBroadcast
    guard more > 0 else { return }
    unsent.removeFirst(more)
    droppedCount += more
  }
}

extension EventBus {
  /// Publishes a change of a sink's health. `ObservedOutbox` publishes the outcome of each entry.
  package func publish(_ event: DeliveryEvent, at now: Timestamp) {
    switch event {
    case .refused, .working: break
    case .sick(let sink, let trouble, let wait):
      publish(.sink(sink, state: .sick, detail: "\(trouble), trying again in \(wait.inWords)"), at: now)
    case .well(let sink), .restored(let sink): publish(.sink(sink, state: .well, detail: ""), at: now)
    case .degraded(let sink, let obstacles):
      publish(.sink(sink, state: .degraded, detail: obstacles.summarySentence), at: now)
    }
  }
}
