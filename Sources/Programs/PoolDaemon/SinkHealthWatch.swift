import PoolWork
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore

/// Hears what delivery has to tell and writes down what the operator must know, as notices through the other sinks.
struct SinkHealthWatch: Sendable {
  private let events: AsyncStream<DeliveryEvent>
  private let heard: AsyncStream<DeliveryEvent>.Continuation

  init() {
    // A reader that cannot keep up forgets the oldest: the log has all of them.
    (events, heard) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Limits.deliveryEvents))
  }

  /// Returns at once, from any thread.
  func hear(_ event: DeliveryEvent) {
    heard.yield(event)
  }

  /// Works until the task is cancelled.
  ///
  /// - Parameter routes: which sink takes what, now.
  func work(
    store: any Ledger & OutboxAdmin, dispatcher: Dispatcher, clock: any WallClock, log: DaemonLog,
    routes: @Sendable () async -> [SinkRoute]
  ) async {
    var notices = SinkHealthNotices()
    for await event in events {
      do {
        if !notices.knows(event.sink) { notices.remember(event.sink, try await store.told(of: event.sink)) }
        var isOperators = false
        if case .refused(_, let refusal) = event {
          isOperators = try await store.entry(refusal.sequence)?.notice.jobID == nil
        }
        let now = clock.now()
        guard let notice = notices.hear(event, isOperators: isOperators, now: now) else { continue }
        let others = await routes().filter { $0.sink != notice.sink }
        let told = try await store.tell(notice.notice(at: now, install: store.install), routes: others, now: now)
        dispatcher.wake(Set(told))
      } catch {
        // The event itself stands in the log already.
        log.error("the operator could not be told of the sink '\(event.sink)': \(error)")
      }
    }
  }
}

extension DeliveryEvent {
  var sink: String {
    switch self {
    case .refused(let sink, _), .sick(let sink, _, _), .well(let sink), .working(let sink): sink
    }
  }
}

extension OutboxAdmin {
  fileprivate func told(of sink: String) async throws -> SinkHealthNotices.Told {
    func last(_ notice: OperatorNotice) async throws -> Timestamp? {
      try await lastTold(OperatorNotice.identifier(notice.word, sink: sink))
    }
    return SinkHealthNotices.Told(
      sick: try await last(.sinkSick(sink: sink, trouble: "")), well: try await last(.sinkWell(sink: sink)),
      deadLetters: try await last(.deadLetters(sink: sink, count: 1, reason: "")))
  }
}
