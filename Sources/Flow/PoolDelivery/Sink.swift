package import PoolModel
package import PoolNotices

/// Why a sink did not take something; the dispatcher asks only which of the two it is.
package enum SinkError: Error, Hashable, Sendable {
  /// The same try may succeed later; not before `retryAfter`, if the sink knows.
  case temporary(DeliveryError, retryAfter: Duration? = nil)
  /// No try will ever succeed.
  case permanent(DeliveryError)

  package var reason: DeliveryError {
    switch self {
    case .temporary(let reason, _), .permanent(let reason): reason
    }
  }
}

/// What became of one entry.
package enum Verdict: Hashable, Sendable {
  /// The sink has it: for `stage`, everything but the last step; else for good.
  case delivered
  /// This entry was refused; it alone waits, counts an attempt, and in the end is dead.
  case refused(SinkError)
  /// The sink itself is in trouble, or out of time for this batch; the entry was not judged and counts no attempt. A
  /// batch of which nothing was delivered pauses the lane; after any other the rest is tried again at once.
  case stalled(SinkError)
}

/// A place that takes notices. It reports verdicts and decides nothing: not what to say, nor when to try again.
package protocol Sink: Sendable {
  /// The name of its section in the settings, and of its lane.
  var name: String { get }
  var kind: SinkKind { get }
  /// The most that it is given in a time; nil for as much as it takes.
  var rate: SinkRate? { get }
  /// The failures of single parts of it while everything else works: the sink is degraded, and pauses for none of them.
  var obstacles: [DeliveryError] { get }

  /// Takes a batch, in order, and returns one verdict for each entry, in the same order.
  ///
  /// It may take some and not others; it never blocks a thread of the shared pool, and returns within its timeout, and
  /// when cancelled within `Limits.sinkGrace`, whatever its other side does: a shutdown waits for it. It may be given an
  /// entry that it already had: the notice's `id` says so to the reader.
  func deliver(_ entries: [OutboxEntry]) async -> [Verdict]
}

/// A sink that takes a notice in two steps, so that a crash between any two instructions neither loses nor repeats it.
///
/// `stage` does all that can be repeated; the store then commits `staged`; `publish` is the last, indivisible step, and
/// for an entry that is already published it does nothing and says `.delivered`.
package protocol StagingSink: Sink {
  /// Called before the first batch of a lane with the notice ids of all entries the store calls `staged`: removes what
  /// no entry refers to. Called again before each batch until it has succeeded.
  ///
  /// - Parameter others: of notices that others may be about to stage or to publish in the same place.
  func prepare(staged: Set<String>, others: Set<String>) async throws(SinkError)
  func stage(_ entries: [OutboxEntry]) async -> [Verdict]
  func publish(_ entries: [OutboxEntry]) async -> [Verdict]
}

/// A sink whose other side changes without a notice, too: when a day is over, or when records change.
package protocol TendedSink: Sink {
  /// Brings it to what it should be now; called on the lane when nothing is due, and at each of its nudges.
  ///
  /// - Returns: false where there was more to do than should hold up a notice; it is then called again.
  func tend() async throws(SinkError) -> Bool
}

extension Sink {
  package var rate: SinkRate? { nil }
  package var obstacles: [DeliveryError] { [] }
}

extension StagingSink {
  /// In a place to which nobody else writes.
  package func prepare(staged: Set<String>) async throws(SinkError) { try await prepare(staged: staged, others: []) }

  /// Both steps at once, without a commit between them: for trying a sink by hand; the dispatcher never calls it.
  package func deliver(_ entries: [OutboxEntry]) async -> [Verdict] {
    var verdicts = await stage(entries)
    let staged = entries.indices.filter { verdicts[$0] == .delivered }
    let published = await publish(staged.map { entries[$0] })
    for (index, verdict) in zip(staged, published) { verdicts[index] = verdict }
    return verdicts
  }
}
