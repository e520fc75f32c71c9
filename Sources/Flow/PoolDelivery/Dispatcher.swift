package import PoolModel
package import PoolNotices
package import PoolPlatform
internal import Synchronization

/// What the dispatcher tells the daemon: each is worth a line in the log, a sick sink also a word to the operator.
package enum DeliveryEvent: Hashable, Sendable {
  /// One entry was refused; `.dead` when it was given up.
  case refused(sink: String, EntryRefusal)
  /// A sink went, or remains for another reason, in trouble.
  case sick(sink: String, DeliveryError, nextTryIn: Duration)
  case well(sink: String)
  /// The parts of a sink that fail are others now, while everything else of it works; never empty.
  case degraded(sink: String, [DeliveryError])
  /// No part of a degraded sink fails any more.
  case restored(sink: String)
  /// The first delivery of a lane's life: a sink that was sick when the daemon stopped may be well.
  case working(sink: String)
}

/// How a lane stands.
package struct LaneStatus: Hashable, Sendable {
  package let sink: String
  package let kind: SinkKind
  /// Nothing is due.
  package let isIdle: Bool
  /// The sink is in trouble and waits for its next try.
  package let isPaused: Bool
  package let trouble: DeliveryError?
  /// The parts of the sink that fail while everything else of it works.
  package let obstacles: [DeliveryError]
}

/// Brings every entry of the outbox to its sink: one lane per sink, none of which ever waits for another.
///
/// A lane with nothing to do sleeps until `nudge` or its next retry: it never polls. Call `nudge` after every commit that
/// may have made entries, and after the wall clock was set.
package actor Dispatcher {
  private nonisolated let current: Mutex<[Lane]>
  private nonisolated let makeLane: @Sendable (any Sink) -> Lane
  /// What takes the place of the lanes of now, nil for themselves, and who waits for it.
  private var replacement: (lanes: [Lane]?, done: [CheckedContinuation<Void, Never>])?
  /// Ends the work of the lanes of now; nil while nobody works.
  private var stopLanes: (@Sendable () -> Void)?

  private nonisolated var lanes: [Lane] { current.withLock { $0 } }

  /// - Parameters:
  ///   - clock: says how long to wait.
  ///   - wallClock: says what is due.
  ///   - report: called on the lane that has something to tell; it must return at once.
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
    current = Mutex(sinks.map(makeLane))
  }

  /// Delivers to `sinks` from now on: every lane finishes the batch it holds before the new ones begin, so that no
  /// entry is in two hands. Returns once they have taken over, or those that somebody gave meanwhile.
  package func replace(sinks: [any Sink]) async {
    precondition(Set(sinks.map(\.name)).count == sinks.count, "two sinks of one name would share their entries")
    await exchange(sinks.map(makeLane))
  }

  /// Returns once every lane has finished the batch that it holds: what is fetched from then on was fetched later.
  package func finishBatches() async { await exchange(nil) }

  private func exchange(_ lanes: [Lane]?) async {
    guard let stopLanes else { return take(lanes) }
    await withCheckedContinuation { done in
      // Who comes while others wait waits for the same: every batch of now is finished by then.
      replacement = (lanes ?? replacement?.lanes, (replacement?.done ?? []) + [done])
      stopLanes()
    }
  }

  private func take(_ lanes: [Lane]?) {
    if let lanes { current.withLock { $0 = lanes } }
  }

  /// Delivers what falls due until the task is cancelled; then each lane finishes the batch it holds, and it returns.
  package func run() async {
    await work(untilIdle: false)
  }

  /// Delivers what is due now, for no longer than `time`, and returns when every lane has nothing due or is in trouble.
  ///
  /// For a shutdown, once `run` has returned, and for one-shot commands; never beside `run`.
  package func drain(for time: Duration = Limits.drainTime, clock: any Clock<Duration> = ContinuousClock()) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.work(untilIdle: true) }
      group.addTask {
        // Cancelled when the lanes are done first.
        do { try await clock.sleep(for: time) } catch {}
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// New entries may be due in any lane.
  package nonisolated func nudge() {
    for lane in lanes { lane.signal.send(.nudge) }
  }

  /// New entries may be due in these lanes.
  package nonisolated func wake(_ sinks: Set<String>) {
    for lane in lanes where sinks.contains(lane.sink.name) { lane.signal.send(.nudge) }
  }

  /// What stands in tended sinks may have to change.
  package nonisolated func tend() {
    for lane in lanes where lane.sink is any TendedSink { lane.signal.send(.nudge) }
  }

  /// The sinks of a kind, to be asked for more than to take notices.
  package nonisolated func sinks<Kind>(_ kind: Kind.Type) -> [Kind] { lanes.compactMap { $0.sink as? Kind } }

  /// Ends the pause of a sick sink at once: an operator says that it is well.
  package nonisolated func resume(_ sink: String) {
    for lane in lanes where lane.sink.name == sink { lane.signal.send(.resume) }
  }

  /// The same of all, once what they share is back.
  package nonisolated func resumeAll() {
    for lane in lanes { lane.signal.send(.resume) }
  }

  package func statuses() async -> [LaneStatus] {
    var statuses: [LaneStatus] = []
    for lane in lanes { statuses.append(await lane.status) }
    return statuses
  }

  private var isWorking = false

  private func work(untilIdle: Bool) async {
    precondition(!isWorking, "run and drain of one dispatcher at the same time")
    isWorking = true
    defer { isWorking = false }
    repeat {
      let lanes = lanes
      let (stops, stop) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      stopLanes = { stop.yield() }
      await Self.round(lanes, untilIdle: untilIdle, stops: stops)
      stopLanes = nil
    } while takeReplacement() && !Task.isCancelled
  }

  /// Lets every lane work until it is done, or until `stops` or a cancellation makes it finish the batch it holds.
  ///
  /// All of it in children of the caller: a task of its own would leave the executor that the caller prefers.
  private static func round(_ lanes: [Lane], untilIdle: Bool, stops: AsyncStream<Void>) async {
    // Without a sink there is nothing to drain; a run still waits to be given one.
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
      for await isLane in group {
        if isLane { working -= 1 }
        // Told to stop, or nobody left to be stopped.
        if !isLane || working == 0 { group.cancelAll() }
      }
    }
  }

  /// False where nothing is to take over: the work is done.
  private func takeReplacement() -> Bool {
    guard let (lanes, done) = replacement else { return false }
    replacement = nil
    take(lanes)
    for waiting in done { waiting.resume() }
    return true
  }
}
