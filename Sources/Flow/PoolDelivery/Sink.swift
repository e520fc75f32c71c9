package import PoolModel
package import PoolNotices

/// The reason why a sink did not take an entry, and whether a retry makes sense.
package enum SinkError: Error, Hashable, Sendable {
  /// A retry may succeed, but not before `retryAfter` if the sink knows it.
  case temporary(DeliveryError, retryAfter: Duration? = nil)
  /// No retry will ever succeed.
  case permanent(DeliveryError)

  package var reason: DeliveryError {
    switch self {
    case .temporary(let reason, _), .permanent(let reason): reason
    }
  }
}

/// A sink's result for one entry.
package enum SinkVerdict: Hashable, Sendable {
  /// The sink has taken the entry: `stage` has done everything but the last step; all other calls are final.
  case delivered
  /// The sink refused this entry: it waits, counts an attempt, and becomes dead after the last attempt.
  case refused(SinkError)
  /// The sink failed or ran out of time; the entry was not judged and counts no attempt. If no entry of the batch was
  /// delivered, the lane pauses; otherwise the rest is tried again at once.
  case stalled(SinkError)
}

/// A destination of notices. It reports verdicts; the lane decides when to retry.
package protocol Sink: Sendable {
  /// The name of its section in the settings, which is also the name of its lane.
  var name: String { get }
  var kind: SinkKind { get }
  /// The maximum delivery rate; nil for no limit.
  var rate: SinkRate? { get }
  /// Failures of single parts while the rest works. They make the sink degraded and do not pause its lane.
  var obstacles: [DeliveryError] { get }

  /// Delivers a batch in order, and returns one verdict per entry in the same order.
  ///
  /// It may take only a part of the batch. It never blocks a thread of the shared pool. It returns within its timeout and, when
  /// cancelled, within `Limits.sinkGrace`, because a shutdown waits for it. It may receive an entry twice; the reader
  /// recognizes that by the notice's `id`.
  func deliver(_ entries: [OutboxEntry]) async -> [SinkVerdict]
}

/// A sink that takes a notice in two steps, so that a crash between any two instructions neither loses nor repeats it.
///
/// `stage` does everything that is repeatable; then the store commits the state `staged`; `publish` is the last step, and
/// atomic. For an entry that is already published it has no effect and returns `.delivered`.
package protocol StagingSink: Sink {
  /// Removes leftovers that belong to no entry. Called before a lane's first batch, and before each batch until it succeeds.
  ///
  /// - Parameters:
  ///   - staged: the notice ids of all entries that the store has as staged.
  ///   - others: the ids of notices that other nodes may be about to stage or publish in the same folder.
  func prepare(staged: Set<String>, others: Set<String>) async throws(SinkError)
  func stage(_ entries: [OutboxEntry]) async -> [SinkVerdict]
  func publish(_ entries: [OutboxEntry]) async -> [SinkVerdict]
}

/// A sink whose content also changes without a notice, for example when a day ends or records change.
package protocol MaintainedSink: Sink {
  /// Brings the content up to date; called on the lane when no entry is due and after each wake-up.
  ///
  /// - Returns: false if work remains that would delay notices for too long; the lane then calls it again.
  func maintain() async throws(SinkError) -> Bool
}

extension Sink {
  package var rate: SinkRate? { nil }
  package var obstacles: [DeliveryError] { [] }
}

extension StagingSink {
  /// Prepares a sink of a single node, whose folder no other node uses.
  package func prepare(staged: Set<String>) async throws(SinkError) { try await prepare(staged: staged, others: []) }

  /// Runs both steps without a commit between them, for a manual test of a sink; the dispatcher never calls it.
  package func deliver(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    var verdicts = await stage(entries)
    let staged = entries.indices.filter { verdicts[$0] == .delivered }
    let published = await publish(staged.map { entries[$0] })
    for (index, verdict) in zip(staged, published) { verdicts[index] = verdict }
    return verdicts
  }
}
