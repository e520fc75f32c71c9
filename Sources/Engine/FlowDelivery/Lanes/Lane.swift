internal import FlowModel
internal import FlowNotices
internal import FlowPlatform

/// Runs the actions that `LaneState` decides on, for one sink.
actor Lane {
  nonisolated let sink: any Sink
  nonisolated let signal = LaneSignal()
  private let store: any Outbox
  private let wallClock: any WallClock
  private let clock: any Clock<Duration>
  private let report: @Sendable (DeliveryEvent) -> Void
  private var random: any RandomNumberGenerator & Sendable
  private var state: LaneState
  private var hasDelivered = false
  private var reportedObstacles: [DeliveryError] = []

  init(
    sink: any Sink, store: any Outbox, wallClock: any WallClock, clock: any Clock<Duration>,
    random: any RandomNumberGenerator & Sendable, report: @escaping @Sendable (DeliveryEvent) -> Void
  ) {
    self.sink = sink
    self.store = store
    self.wallClock = wallClock
    self.clock = clock
    self.random = random
    self.report = report
    state = LaneState(
      sink: sink.name, isStaging: sink is any StagingSink, isMaintained: sink is any MaintainedSink, rate: sink.rate)
  }

  var status: LaneStatus {
    LaneStatus(
      sink: sink.name, kind: sink.kind, isIdle: state.isIdle, isPaused: state.isPaused, trouble: state.trouble,
      obstacles: sink.obstacles)
  }

  /// Works until the task is cancelled or, with `untilIdle`, until no entry is due or the sink has failed.
  ///
  /// A cancelled lane finishes its current batch: it stops only when sink and store agree about every entry.
  func work(untilIdle: Bool) async {
    var action = state.start(now: wallClock.now())
    while true {
      switch action {
      case .wait, .pause:
        if untilIdle || Task.isCancelled { return }
      case .prepare, .fetch, .askNextDue:
        if Task.isCancelled { return }
      case .deliver, .stage, .commitStaged, .publish, .record: break
      }
      let before = state.trouble
      guard let event = await perform(action) else { return }
      action = state.handle(event, now: wallClock.now(), using: &random)
      reportHealthChange(before: before, action)
      reportObstacles()
    }
  }

  /// Performs one action and returns its event; nil if the task was cancelled while waiting.
  private func perform(_ action: LaneState.Action) async -> LaneState.Event? {
    switch action {
    case .wait(let duration):
      return await wait(duration, for: [.wake, .resume])
    case .pause(let duration):
      return await wait(duration, for: [.resume])
    case .deliver(let entries):
      return .judged(await sink.deliver(entries))
    case .stage(let entries):
      return .judged(await staging.stage(entries))
    case .publish(let entries):
      return .judged(await staging.publish(entries))
    case .prepare, .fetch, .commitStaged, .record, .askNextDue:
      do {
        return try await performWithStore(action)
      } catch let error as SinkError {
        return .failed(error)
      } catch {
        return .failed(.temporary(.store(sink: sink.name, sentence: "\(error)")))
      }
    }
  }

  /// Performs an action that needs the store.
  private func performWithStore(_ action: LaneState.Action) async throws -> LaneState.Event {
    switch action {
    case .prepare:
      let staged = try await store.stagedNoticeIDs(sink: sink.name)
      try await staging.prepare(staged: staged, others: try await store.pendingNoticeIDs(sink: sink.name))
      return .prepared
    case .fetch(let asOf):
      let entries = try await store.dueEntries(sink: sink.name, now: asOf, limit: state.fetchLimit)
      return .fetched(entries)
    case .commitStaged(let sequences):
      try await store.markStaged(sequences, at: wallClock.now())
      return .committed
    case .record(let record):
      let now = wallClock.now()
      if !record.sent.isEmpty { try await store.markSent(record.sent, at: now) }
      if !record.refused.isEmpty { try await store.markRefused(record.refused, at: now) }
      if !record.sent.isEmpty, !hasDelivered {
        hasDelivered = true
        report(.working(sink: sink.name))
      }
      for refusal in record.refused { report(.refused(sink: sink.name, refusal)) }
      return .recorded
    case .askNextDue:
      if let maintained = sink as? any MaintainedSink, try await !maintained.maintain() {
        return .nextDue(wallClock.now())
      }
      return .nextDue(try await store.nextDue(sink: sink.name))
    case .deliver, .stage, .publish, .wait, .pause:
      preconditionFailure("the store has no part in this action")
    }
  }

  private var staging: any StagingSink {
    guard let staging = sink as? any StagingSink else { preconditionFailure("'\(sink.name)' takes things in one step") }
    return staging
  }

  /// Waits for the duration or one of the calls, whichever comes first; nil waits for a call only.
  ///
  /// - Returns: nil if the task was cancelled.
  private func wait(_ duration: Duration?, for calls: Set<LaneSignal.Kind>) async -> LaneState.Event? {
    let signal = signal
    guard let duration else { return event(await signal.next(of: calls)) }
    let clock = clock
    return await withTaskGroup(of: LaneState.Event?.self) { group in
      group.addTask {
        // A sleep throws only on cancellation: a call came first, or the whole lane was cancelled.
        do { try await clock.sleep(for: duration) } catch { return nil }
        return .timeReached
      }
      group.addTask { self.event(await signal.next(of: calls)) }
      let first = await group.next() ?? nil
      group.cancelAll()
      return Task.isCancelled ? nil : first
    }
  }

  private nonisolated func event(_ call: LaneSignal.Kind?) -> LaneState.Event? {
    switch call {
    case .wake: .woken
    case .resume: .resumed
    case nil: nil
    }
  }

  /// Reports the failing parts of the sink if they have changed since the last report.
  private func reportObstacles() {
    let obstacles = sink.obstacles
    // While the whole sink has failed, failures of its parts are not reported.
    guard obstacles != reportedObstacles, state.trouble == nil else { return }
    reportedObstacles = obstacles
    report(obstacles.isEmpty ? .restored(sink: sink.name) : .degraded(sink: sink.name, obstacles))
  }

  /// Reports a new failure of the sink, or its recovery from the failure `before`.
  private func reportHealthChange(before: DeliveryError?, _ action: LaneState.Action) {
    if let trouble = state.trouble {
      guard trouble != before, case .pause(let wait) = action else { return }
      report(.sick(sink: sink.name, trouble, nextTryIn: wait))
    } else if before != nil {
      report(.well(sink: sink.name))
    }
  }
}
