import FlowModel
import FlowPlatform
import Synchronization

/// Both clocks of a test: time passes only when the test advances it. `set` changes the wall clock and wakes no sleeper.
final class ManualTime: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var wall: Timestamp
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var slept = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>

  init(wall: Timestamp = slot) {
    state = Mutex(State(wall: wall))
  }

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  var wall: Timestamp { state.withLock { $0.wall } }
  var wallClock: ManualWallClock { ManualWallClock(time: self) }

  /// The number of sleeps begun so far.
  var sleeps: Int { state.withLock { $0.slept } }
  /// The remaining waits of current sleepers, shortest first.
  var waits: [Duration] {
    state.withLock { state in state.sleepers.values.map { $0.deadline.offset - state.now.offset }.sorted() }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (result, watchers) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
          if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
          state.slept += 1
          let arrived = state.watchers.filter { $0.count <= state.slept }.map(\.continuation)
          state.watchers.removeAll { $0.count <= state.slept }
          if deadline <= state.now { return (.success(()), arrived) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return (nil, arrived)
        }
        for watcher in watchers { watcher.resume() }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns once `count` sleeps have begun since the start of the test.
  func sleepsReach(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.slept >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Advances both clocks and wakes the sleepers that are due.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      state.wall = state.wall.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  func set(_ wall: Timestamp) {
    state.withLock { $0.wall = wall }
  }
}

struct ManualWallClock: WallClock {
  let time: ManualTime
  func now() -> Timestamp { time.wall }
}
