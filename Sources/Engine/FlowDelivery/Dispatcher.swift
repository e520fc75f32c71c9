package import FlowModel
package import FlowNotices
package import FlowPlatform
internal import Synchronization

/// An event that the dispatcher reports to the daemon. The daemon logs each one and also notifies the operator of an unhealthy
/// sink.
package enum DeliveryEvent: Hashable, Sendable {
  /// A sink refused one entry; `next` is `.dead` if it will not be tried again.
  case refused(sink: String, EntryRefusal)
  /// A sink became unhealthy, or is still unhealthy for another reason.
  case sick(sink: String, DeliveryError, nextTryIn: Duration)
  /// An unhealthy sink delivers again.
  case well(sink: String)
  /// The set of failing parts of a sink changed, while the rest of the sink works; the list is never empty.
  case degraded(sink: String, [DeliveryError])
  /// A degraded sink has no failing part any more.
  case restored(sink: String)
  /// The first delivery of a lane since the daemon started: it shows that a sink which was unhealthy before the restart has
  /// recovered.
  case working(sink: String)
}

/// The present state of a sink's lane, for `pfctl` and health checks.
package struct LaneStatus: Hashable, Sendable {
  package let sink: String
  package let kind: SinkKind
  /// True while no entry is due.
  package let isIdle: Bool
  /// True while the sink has failed and waits for its next try.
  package let isPaused: Bool
  package let trouble: DeliveryError?
  /// Failures of single parts of the sink, while the rest of the sink works.
  package let obstacles: [DeliveryError]
}

/// Delivers every outbox entry to its sink, with one independent lane per sink.
///
/// An idle lane sleeps until `wake` or its next retry; it never polls. Call `wake` after every commit that may have added
/// entries, and after the wall clock was set.
package actor Dispatcher {
  private nonisolated let activeLanes: Mutex<[Lane]>
  private nonisolated let makeLane: @Sendable (any Sink) -> Lane
  /// A requested change of lanes: the new lanes (nil keeps the present ones), and the callers that wait until it has happened.
  private var replacement: (lanes: [Lane]?, waiters: [CheckedContinuation<Void, Never>])?
  /// Makes the present lanes stop after their current batch; nil while neither `run` nor `drain` is active.
  private var stopLanes: (@Sendable () -> Void)?

  private nonisolated var lanes: [Lane] { activeLanes.withLock { $0 } }

  /// - Parameters:
  ///   - wallClock: decides which entries are due.
  ///   - clock: measures waits between tries.
  ///   - report: called by a lane for each event; it must return at once.
  package init(
    store: any Outbox, sinks: [any Sink], wallClock: any WallClock = SystemWallClock(),
    clock: any Clock<Duration> = ContinuousClock(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    report: @escaping @Sendable (DeliveryEvent) -> Void = { _ in }
  ) {
    precondition(Set(sinks.map(\.name)).count == sinks.count, "two sinks of one name would share their entries")
    let makeLane: @Sendable (any Sink) -> Lane = {
      Lane(sink: $0, store: store, wallClock: wallClock, clock: clock, random: random, report: report)
    }
    self.makeLane = makeLane
    activeLanes = Mutex(sinks.map(makeLane))
  }

  /// Replaces all sinks. Every lane finishes its current batch before the new lanes start, so no entry is delivered by two
  /// lanes at once. Returns once these sinks, or sinks of a later call, are active.
  package func replace(sinks: [any Sink]) async {
    precondition(Set(sinks.map(\.name)).count == sinks.count, "two sinks of one name would share their entries")
    await replaceLanes(sinks.map(makeLane))
  }

  /// Returns once every lane has finished its current batch; every later batch is fetched from the store after that.
  package func finishBatches() async { await replaceLanes(nil) }

  /// Stops the present lanes after their batches and starts `lanes` instead; nil restarts the present ones.
  private func replaceLanes(_ lanes: [Lane]?) async {
    guard let stopLanes else { return setLanes(lanes) }
    await withCheckedContinuation { waiters in
      // A further call while a change is pending waits for the same change: all current batches are finished by then.
      replacement = (lanes ?? replacement?.lanes, (replacement?.waiters ?? []) + [waiters])
      stopLanes()
    }
  }

  private func setLanes(_ lanes: [Lane]?) {
    if let lanes { activeLanes.withLock { $0 = lanes } }
  }

  /// Delivers entries as they fall due, until the task is cancelled. Then every lane finishes its current batch before this
  /// method returns.
  package func run() async {
    await work(untilIdle: false)
  }

  /// Delivers the entries that are due now, for at most `time`. Returns earlier when every lane is idle or its sink has failed.
  ///
  /// Call it during shutdown after `run` has returned, or in one-shot commands; never while `run` is active.
  package func drain(for time: Duration = Limits.drainTime, clock: any Clock<Duration> = ContinuousClock()) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.work(untilIdle: true) }
      group.addTask {
        // This sleep is cancelled when the lanes finish first.
        do { try await clock.sleep(for: time) } catch {}
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Wakes all lanes, because new entries may be due in any of them.
  package nonisolated func wake() {
    for lane in lanes { lane.signal.send(.wake) }
  }

  /// Wakes the lanes of these sinks, because new entries may be due for them.
  package nonisolated func wake(_ sinks: Set<String>) {
    for lane in lanes where sinks.contains(lane.sink.name) { lane.signal.send(.wake) }
  }

  /// Wakes the lanes of all `MaintainedSink`s, because the content that they maintain may have changed.
  package nonisolated func wakeMaintainedSinks() {
    for lane in lanes where lane.sink is any MaintainedSink { lane.signal.send(.wake) }
  }

  /// Returns the sinks of type `Kind`, for callers that need more of a sink than delivery.
  package nonisolated func sinks<Kind>(_ kind: Kind.Type) -> [Kind] { lanes.compactMap { $0.sink as? Kind } }

  /// Ends the pause of an unhealthy sink at once, because an operator has repaired it.
  package nonisolated func resume(_ sink: String) {
    for lane in lanes where lane.sink.name == sink { lane.signal.send(.resume) }
  }

  /// Ends the pauses of all sinks, after a dependency that they share has recovered.
  package nonisolated func resumeAll() {
    for lane in lanes { lane.signal.send(.resume) }
  }

  package func statuses() async -> [LaneStatus] {
    var statuses: [LaneStatus] = []
    for lane in lanes { statuses.append(await lane.status) }
    return statuses
  }

  private var isWorking = false

  /// Runs the lanes, and again with new lanes after each change, until the work is finished or the task is cancelled.
  private func work(untilIdle: Bool) async {
    precondition(!isWorking, "run and drain of one dispatcher at the same time")
    isWorking = true
    defer { isWorking = false }
    repeat {
      let lanes = lanes
      let (stops, stop) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      stopLanes = { stop.yield() }
      await Self.runLanes(lanes, untilIdle: untilIdle, stops: stops)
      stopLanes = nil
    } while applyReplacement() && !Task.isCancelled
  }

  /// Runs every lane until it finishes. An element of `stops` or a cancellation makes all lanes stop after their current batch.
  ///
  /// All of it runs in child tasks: an unstructured task would leave the caller's preferred executor.
  private static func runLanes(_ lanes: [Lane], untilIdle: Bool, stops: AsyncStream<Void>) async {
    // Without sinks there is nothing to drain; `run` still waits, because sinks may be added later.
    if lanes.isEmpty, untilIdle { return }
    await withTaskGroup(of: Bool.self) { group in
      for lane in lanes {
        group.addTask {
          await lane.work(untilIdle: untilIdle)
          return true
        }
      }
      group.addTask {
        for await _ in stops { break }
        return false
      }
      var working = lanes.count
      for await isLaneEnd in group {
        if isLaneEnd { working -= 1 }
        // Stop was requested, or all lanes have finished.
        if !isLaneEnd || working == 0 { group.cancelAll() }
      }
    }
  }

  /// Applies a pending change of lanes and resumes its callers; false if none is pending, so that the work is finished.
  private func applyReplacement() -> Bool {
    guard let (lanes, waiters) = replacement else { return false }
    replacement = nil
    setLanes(lanes)
    for waiting in waiters { waiting.resume() }
    return true
  }
}
