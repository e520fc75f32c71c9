package import FlowModel
package import FlowNotices

/// One sink's lane as a state machine: it takes an event and returns the next action. It reads no clock, never waits and does
/// not access the store, so a test can try every order of events.
///
///     prepare ─▶ fetch ─▶ stage ─▶ commitStaged ─▶ publish ─▶ record ─▶ fetch …        (a `StagingSink`)
///                fetch ─▶ deliver ─────────────────────────▶ record ─▶ fetch …        (any other sink)
///                fetch ─▶ askNextDue ─▶ wait(nil or a duration) ─▶ fetch              (no entry is due)
///     any ─ failure ─▶ pause ─▶ record, if it is pending ─▶ prepare or fetch
package struct LaneState: Sendable {
  /// An operation that the lane performs next.
  package enum Action: Hashable, Sendable {
    /// Read the staged notice ids and let the sink remove leftovers.
    case prepare
    /// Read the due entries; `asOf` is never before an instant this lane has already waited for.
    case fetch(asOf: Timestamp)
    case deliver([OutboxEntry])
    case stage([OutboxEntry])
    case commitStaged([Int64])
    case publish([OutboxEntry])
    case record(Record)
    case askNextDue
    /// Wait for a wake-up or, if there is a duration, at most that long.
    case wait(Duration?)
    /// Wait for the duration; a wake-up does not shorten it, an operator's `resume` does.
    case pause(Duration)
  }

  /// The outcomes of a batch that must be written to the store before the lane continues.
  package struct Record: Hashable, Sendable {
    package var sent: [Int64] = []
    package var refused: [EntryRefusal] = []
    package var isEmpty: Bool { sent.isEmpty && refused.isEmpty }
    package init() {}
  }

  /// The result of the last action, or a signal.
  package enum Event: Sendable {
    case prepared
    case fetched([OutboxEntry])
    case judged([SinkVerdict])
    case committed
    case recorded
    case nextDue(Timestamp?)
    /// New entries may be due.
    case woken
    /// The duration of a wait or a pause has ended.
    case timeReached
    /// An operator ended the pause.
    case resumed
    /// The sink or the store failed as a whole during the last action.
    case failed(SinkError)
  }

  package let sink: String
  /// Whether the sink takes notices in two steps, `stage` and `publish`.
  package let isStaging: Bool
  /// Whether the sink is a `MaintainedSink`, which may recover without a delivery.
  private let isMaintained: Bool
  /// The failure of the sink or the store since the last success; nil if healthy.
  package private(set) var trouble: DeliveryError?
  /// The number of consecutive failed tries.
  package private(set) var failureCount = 0
  /// True from the moment no entry is due until the next wake-up.
  package private(set) var isIdle = false

  /// The maximum number of entries of the next fetch.
  package private(set) var fetchLimit = Limits.deliveriesPerBatch

  private var rateLimiter: SinkRateLimiter?
  private var isPrepared: Bool
  private var batch = Batch()
  private var lastAction: Action = .askNextDue
  private var dueWait = DueWait()

  /// The entries and outcomes of the current batch. An outcome that could not be recorded stays here for the next batch.
  private struct Batch {
    /// The entries that are staged in the store, or about to be committed as staged.
    var staged: [OutboxEntry] = []
    var record = Record()
    /// The first failure of the sink as a whole, after which the lane pauses unless an entry was delivered.
    var stalled: SinkError?
  }

  /// The waits for due entries, measured by the monotonic clock: if the wall clock was set back meanwhile, that must not delay
  /// a retry.
  private struct DueWait {
    /// The due time that the current wait ends at; nil if the lane waits for a wake-up only.
    private var current: Timestamp?
    /// The latest due time that a wait has ended at since the last fetch.
    private var reached: Timestamp?

    mutating func begin(until due: Timestamp?) { current = due }

    /// - Parameter isTimeReached: true if the wait has lasted until its due time.
    mutating func end(isTimeReached: Bool) {
      if isTimeReached { reached = current }
      current = nil
    }

    mutating func fetched() { reached = nil }

    /// Returns the instant for a fetch: `now`, or the due time already waited for if the wall clock is still behind it.
    func fetchTime(_ now: Timestamp) -> Timestamp { max(now, reached ?? now) }
  }

  /// True while the lane waits after a failure.
  package var isPaused: Bool { if case .pause = lastAction { true } else { false } }

  package init(sink: String, isStaging: Bool, isMaintained: Bool = false, rate: SinkRate? = nil) {
    self.sink = sink
    rateLimiter = rate.map { SinkRateLimiter($0) }
    self.isStaging = isStaging
    self.isMaintained = isMaintained
    self.isPrepared = !isStaging
  }

  /// Returns the first action of a lane that starts, or continues after it was stopped between two actions.
  package mutating func start(now: Timestamp) -> Action {
    isIdle = false
    batch.stalled = nil
    return beginBatch(now: now)
  }

  /// Returns the next action after an event.
  package mutating func handle(
    _ event: Event, now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> Action {
    switch event {
    case .prepared:
      isPrepared = true
      return beginBatch(now: now)
    case .fetched(let entries):
      dueWait.fetched()
      if case .store = trouble { clearFailure() }
      return sort(entries, now: now)
    case .judged(let verdicts):
      return applyVerdicts(verdicts, now: now, using: &random)
    case .committed:
      return next(.publish(batch.staged))
    case .recorded:
      rateLimiter?.count(batch.record.sent.count, now: now)
      if !batch.record.sent.isEmpty {
        // The sink took a part of the batch, so it is slow or has just failed. An immediate retry delivers the rest or shows
        // the failure.
        batch.stalled = nil
        clearFailure()
      }
      batch.record = Record()
      return finishBatch(now: now, using: &random)
    case .nextDue(let due):
      if isMaintained { clearFailure() }
      isIdle = true
      dueWait.begin(until: due)
      return next(.wait(due.map { max($0.since(now), .zero) }))
    case .woken, .resumed, .timeReached:
      let isTimeReached = if case .timeReached = event, case .wait = lastAction { true } else { false }
      dueWait.end(isTimeReached: isTimeReached)
      isIdle = false
      return beginBatch(now: now)
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

  /// Returns the action that begins a batch: a pending record, a wait for the rate limit, `prepare` or `fetch`.
  private mutating func beginBatch(now: Timestamp) -> Action {
    batch.staged = []
    if !batch.record.isEmpty { return next(.record(batch.record)) }
    if let capacity = rateLimiter?.capacity(now: now) {
      // During this wait a wake-up only makes the lane check the rate limit again.
      if capacity == 0, let wait = rateLimiter?.wait(now: now) { return next(.wait(wait)) }
      fetchLimit = min(capacity, Limits.deliveriesPerBatch)
    }
    return next(isPrepared ? .fetch(asOf: dueWait.fetchTime(now)) : .prepare)
  }

  /// Sorts fetched entries into damaged, staged, expired and new ones, and returns the next action.
  private mutating func sort(_ entries: [OutboxEntry], now: Timestamp) -> Action {
    if entries.isEmpty { return next(.askNextDue) }
    isIdle = false
    var newEntries: [OutboxEntry] = []
    for entry in entries {
      if let damage = entry.damage {
        batch.record.refused.append(EntryRefusal(sequence: entry.sequence, error: damage, next: .dead))
      } else if isStaging, entry.state == .staged {
        // Only the sink knows whether a staged entry was published already, so the entry continues even if it has expired.
        batch.staged.append(entry)
      } else if let expiry = entry.notice.expiresAt, expiry <= now {
        let reason = DeliveryError.expired(notice: entry.notice.id, at: expiry)
        batch.record.refused.append(EntryRefusal(sequence: entry.sequence, error: reason.description, next: .dead))
      } else {
        newEntries.append(entry)
      }
    }
    if !newEntries.isEmpty { return next(isStaging ? .stage(newEntries) : .deliver(newEntries)) }
    return batch.staged.isEmpty ? next(.record(batch.record)) : next(.publish(batch.staged))
  }

  /// Applies the sink's verdicts to the entries of the last action.
  private mutating func applyVerdicts(
    _ verdicts: [SinkVerdict], now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> Action {
    let isStage: Bool
    let entries: [OutboxEntry]
    switch lastAction {
    case .stage(let judged): (isStage, entries) = (true, judged)
    case .deliver(let judged), .publish(let judged): (isStage, entries) = (false, judged)
    case .prepare, .fetch, .commitStaged, .record, .askNextDue, .wait, .pause:
      preconditionFailure("verdicts on '\(sink)' without a delivery in progress")
    }
    precondition(verdicts.count == entries.count, "sink '\(sink)' must give one verdict for each entry")
    var accepted: [OutboxEntry] = []
    for (entry, verdict) in zip(entries, verdicts) {
      switch verdict {
      case .delivered: accepted.append(entry)
      case .refused(let error): batch.record.refused.append(refusal(of: entry, error, now: now, using: &random))
      case .stalled(let error): batch.stalled = batch.stalled ?? error
      }
    }
    guard isStage else {
      batch.record.sent = accepted.map(\.sequence)
      return finishBatch(now: now, using: &random)
    }
    batch.staged += accepted
    if !accepted.isEmpty { return next(.commitStaged(accepted.map(\.sequence))) }
    return batch.staged.isEmpty ? finishBatch(now: now, using: &random) : next(.publish(batch.staged))
  }

  /// Ends a batch in which every entry has its verdict: records the outcomes, then pauses if the sink has failed.
  private mutating func finishBatch(now: Timestamp, using random: inout some RandomNumberGenerator) -> Action {
    if !batch.record.isEmpty { return next(.record(batch.record)) }
    guard let stalled = batch.stalled else { return beginBatch(now: now) }
    return pause(stalled, now: now, using: &random)
  }

  /// Returns the refusal of an entry with its next try, or `.dead` if the error is permanent or no try is left.
  private func refusal(
    of entry: OutboxEntry, _ error: SinkError, now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> EntryRefusal {
    let text = error.reason.description
    let refusals = entry.attempts + 1
    guard case .temporary(_, let requestedWait) = error, RetryPolicy.refusedEntry.allowsTry(afterFailures: refusals)
    else { return EntryRefusal(sequence: entry.sequence, error: text, next: .dead) }
    let wait = RetryPolicy.refusedEntry.delay(
      afterFailures: refusals, requestedWait: requestedWait, jitter: RetryPolicy.jitter(using: &random))
    // If the entry expires during the wait, it is tried again at its expiry and becomes dead then.
    let nextTry = now.advanced(by: wait)
    let expiry = entry.state == .staged ? nil : entry.notice.expiresAt
    return EntryRefusal(sequence: entry.sequence, error: text, next: .tryAgain(at: min(nextTry, expiry ?? nextTry)))
  }

  /// Pauses after any failure. The lane then continues from the store, which has the exact state of each entry; a pending
  /// `record` is written first, so that a full disk under the store does not cause repeated deliveries.
  private mutating func pause(
    _ error: SinkError, now: Timestamp, using random: inout some RandomNumberGenerator
  ) -> Action {
    failureCount += 1
    trouble = error.reason
    batch.stalled = nil
    let requestedWait: Duration? = if case .temporary(_, let wait) = error { wait } else { nil }
    // A `StagingSink` is prepared again after a pause, because a repair may have changed its contents.
    isPrepared = !isStaging
    return next(
      .pause(
        RetryPolicy.failedSink.delay(
          afterFailures: failureCount, requestedWait: requestedWait, jitter: RetryPolicy.jitter(using: &random))))
  }

  /// Forgets the failure, after a success.
  private mutating func clearFailure() {
    trouble = nil
    failureCount = 0
  }
}

extension RetryPolicy {
  /// The delays of a refused entry; after one more refusal it is dead.
  package static let refusedEntry = RetryPolicy(
    [
      .seconds(5), .seconds(30), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(24),
    ], maxFailures: Limits.deliveryAttempts, longestRequest: .hours(24))

  /// The pauses of an unhealthy sink, without end. A repaired sink is used again within about a minute, and a failing sink costs
  /// one try a minute.
  package static let failedSink = RetryPolicy(
    [.seconds(5), .seconds(30), Limits.longestSleep], longestRequest: .hours(24))
}
