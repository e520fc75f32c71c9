package import PoolModel
package import PoolNotices

/// One sink's lane as a state machine: an event goes in, the one next action comes out. It reads no clock, waits for
/// nothing and touches no store, so that every order of events can be tried in a test.
///
///     prepare ─▶ fetch ─▶ stage ─▶ commitStaged ─▶ publish ─▶ record ─▶ fetch …        (a sink of two steps)
///                fetch ─▶ deliver ─────────────────────────▶ record ─▶ fetch …        (any other)
///                fetch ─▶ askNextDue ─▶ wait(nil or a duration) ─▶ fetch              (nothing due)
///     any ─ trouble ─▶ pause ─▶ record, if one is open ─▶ prepare or fetch
package struct LaneState: Sendable {
  package enum Action: Hashable, Sendable {
    /// Read the staged ids and let the sink clean up.
    case prepare
    /// Read what is due; `asOf` is never before an instant this lane has already waited for.
    case fetch(asOf: Timestamp)
    case deliver([OutboxEntry])
    case stage([OutboxEntry])
    case commitStaged([Int64])
    case publish([OutboxEntry])
    case record(Record)
    case askNextDue
    /// Wait for a nudge, or for the duration if there is one.
    case wait(Duration?)
    /// Wait for the duration; a nudge does not shorten it, an operator's `resume` does.
    case pause(Duration)
  }

  /// What the store must be told before the lane goes on.
  package struct Record: Hashable, Sendable {
    package var sent: [Int64] = []
    package var refused: [EntryRefusal] = []
    package var isEmpty: Bool { sent.isEmpty && refused.isEmpty }
    package init() {}
  }

  package enum Event: Sendable {
    case prepared
    case fetched([OutboxEntry])
    case judged([Verdict])
    case committed
    case recorded
    case nextDue(Timestamp?)
    /// Something new may be due.
    case nudged
    /// The duration of a wait or of a pause is over.
    case timeReached
    /// An operator ends a pause.
    case resumed
    /// The sink or the store failed as a whole while performing the last action.
    case failed(SinkError)
  }

  package let sink: String
  /// Whether the sink takes things in two steps.
  package let isStaging: Bool
  /// Whether it is looked after when nothing is due: what ails it may then end without a notice.
  private let isTended: Bool
  /// What ails the sink since its last success.
  package private(set) var trouble: DeliveryError?
  /// Tries in a row that met trouble.
  package private(set) var troubles = 0
  /// True while the lane has nothing to do until something new falls due.
  package private(set) var isIdle = false
  package private(set) var isPaused = false

  /// How many entries the next fetch may bring.
  package private(set) var fetchLimit = Limits.deliveriesPerBatch

  private var pace: Pace?
  private var isPrepared: Bool
  /// Entries of the batch under way that the store already calls staged, or will in a moment.
  private var staged: [OutboxEntry] = []
  private var record = Record()
  private var stalled: SinkError?
  private var lastAction: Action = .askNextDue
  /// The latest instant that this lane has waited for by the steady clock: if wall time then still says less, it was
  /// set back, and a retry must not be put off by that.
  private var waitedFor: Timestamp?
  /// What the wait under way waits for.
  private var waitingFor: Timestamp?

  package init(sink: String, isStaging: Bool, isTended: Bool = false, rate: SinkRate? = nil) {
    self.sink = sink
    pace = rate.map { Pace($0) }
    self.isStaging = isStaging
    self.isTended = isTended
    self.isPrepared = !isStaging
  }

  /// The first action of a lane that starts, or goes on after it was stopped between two actions.
  package mutating func start(now: Timestamp) -> Action {
    isIdle = false
    isPaused = false
    stalled = nil
    return begin(now: now)
  }

  package mutating func handle(
    _ event: Event, now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> Action {
    switch event {
    case .prepared:
      isPrepared = true
      return begin(now: now)
    case .fetched(let entries):
      waitedFor = nil
      if case .store = trouble { recover() }
      return take(entries, now: now)
    case .judged(let verdicts):
      return judge(verdicts, now: now, using: &random)
    case .committed:
      return next(.publish(staged))
    case .recorded:
      pace?.count(record.sent.count, now: now)
      if !record.sent.isEmpty {
        // Who took some of a batch is slow or just now in trouble: asked again at once, it takes more or shows which.
        stalled = nil
        recover()
      }
      record = Record()
      return finishBatch(now: now, using: &random)
    case .nextDue(let due):
      if isTended { recover() }
      isIdle = true
      waitingFor = due
      return next(.wait(due.map { max($0.since(now), .zero) }))
    case .nudged, .resumed, .timeReached:
      if case .timeReached = event, case .wait = lastAction { waitedFor = waitingFor }
      waitingFor = nil
      isIdle = false
      isPaused = false
      return begin(now: now)
    case .failed(let error):
      return pause(error, now: now, using: &random)
    }
  }
}

extension LaneState {
  private mutating func next(_ action: Action) -> Action {
    lastAction = action
    return action
  }

  private mutating func begin(now: Timestamp) -> Action {
    staged = []
    if !record.isEmpty { return next(.record(record)) }
    if let room = pace?.room(now: now) {
      // A nudge only makes it look again.
      if room == 0, let wait = pace?.wait(now: now) { return next(.wait(wait)) }
      fetchLimit = min(room, Limits.deliveriesPerBatch)
    }
    return next(isPrepared ? .fetch(asOf: max(now, waitedFor ?? now)) : .prepare)
  }

  private mutating func take(_ entries: [OutboxEntry], now: Timestamp) -> Action {
    if entries.isEmpty { return next(.askNextDue) }
    isIdle = false
    var fresh: [OutboxEntry] = []
    for entry in entries {
      if let damage = entry.damage {
        record.refused.append(EntryRefusal(sequence: entry.sequence, error: damage, next: .dead))
      } else if isStaging, entry.state == .staged {
        // Whether it is already published only its sink can tell, so it goes on even when it has expired.
        staged.append(entry)
      } else if let expiry = entry.notice.expiresAt, expiry <= now {
        let reason = DeliveryError.expired(notice: entry.notice.id, at: expiry)
        record.refused.append(EntryRefusal(sequence: entry.sequence, error: reason.description, next: .dead))
      } else {
        fresh.append(entry)
      }
    }
    if !fresh.isEmpty { return next(isStaging ? .stage(fresh) : .deliver(fresh)) }
    return staged.isEmpty ? next(.record(record)) : next(.publish(staged))
  }

  private mutating func judge(
    _ verdicts: [Verdict], now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> Action {
    let isStage: Bool
    let entries: [OutboxEntry]
    switch lastAction {
    case .stage(let judged): (isStage, entries) = (true, judged)
    case .deliver(let judged), .publish(let judged): (isStage, entries) = (false, judged)
    case .prepare, .fetch, .commitStaged, .record, .askNextDue, .wait, .pause:
      preconditionFailure("verdicts on '\(sink)' that nobody asked for")
    }
    precondition(verdicts.count == entries.count, "sink '\(sink)' must give one verdict for each entry")
    var accepted: [OutboxEntry] = []
    for (entry, verdict) in zip(entries, verdicts) {
      switch verdict {
      case .delivered: accepted.append(entry)
      case .refused(let error): record.refused.append(refusal(of: entry, error, now: now, using: &random))
      case .stalled(let error): stalled = stalled ?? error
      }
    }
    guard isStage else {
      record.sent = accepted.map(\.sequence)
      return finishBatch(now: now, using: &random)
    }
    staged += accepted
    if !accepted.isEmpty { return next(.commitStaged(accepted.map(\.sequence))) }
    return staged.isEmpty ? finishBatch(now: now, using: &random) : next(.publish(staged))
  }

  /// Every entry has its verdict: tell the store; then pause if the sink is in trouble, else go on.
  private mutating func finishBatch(now: Timestamp, using random: inout some RandomNumberGenerator) -> Action {
    if !record.isEmpty { return next(.record(record)) }
    guard let stalled else { return begin(now: now) }
    return pause(stalled, now: now, using: &random)
  }

  private func refusal(
    of entry: OutboxEntry, _ error: SinkError, now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> EntryRefusal {
    let text = error.reason.description
    guard case .temporary(_, let retryAfter) = error,
      let wait = RetryLadder.wait(attempts: entry.attempts + 1, retryAfter: retryAfter, using: &random)
    else { return EntryRefusal(sequence: entry.sequence, error: text, next: .dead) }
    // An entry that expires while it waits is looked at then, and is dead at once.
    let again = now.advanced(by: wait)
    let expiry = entry.state == .staged ? nil : entry.notice.expiresAt
    return EntryRefusal(sequence: entry.sequence, error: text, next: .tryAgain(at: min(again, expiry ?? again)))
  }

  /// Whatever failed, the lane starts again from the store, which knows exactly how far each entry came; except that
  /// an open `record` goes first, so that a full disk under the store does not make a sink hear things again.
  private mutating func pause(
    _ error: SinkError, now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> Action {
    troubles += 1
    trouble = error.reason
    isPaused = true
    stalled = nil
    var retryAfter: Duration?
    if case .temporary(_, let wish) = error { retryAfter = wish }
    // After a pause the sink is prepared anew: whatever was repaired meanwhile may have changed what it holds.
    isPrepared = !isStaging
    return next(.pause(RetryLadder.pause(troubles: troubles, retryAfter: retryAfter, using: &random)))
  }

  private mutating func recover() {
    trouble = nil
    troubles = 0
  }
}
