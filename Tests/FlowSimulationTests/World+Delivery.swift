import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowTestKit
import FoundationEssentials
import Glibc

/// A clock that never advances: a sleeper is woken only by cancellation.
struct StillClock: Clock {
  struct Instant: InstantProtocol {
    func advanced(by duration: Duration) -> Instant { self }
    func duration(to other: Instant) -> Duration { .zero }
    static func < (left: Instant, right: Instant) -> Bool { false }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    try Task.checkCancellation()
  }
}

// Notices pass through the dispatcher, its lane and the drop folder as in the daemon, on a disk in memory.
extension World {
  static let sink = "drop"
  /// No batch times out because the machine running the simulation is busy. For the same reason `StillClock` measures each sync:
  /// after a slow one, the sink syncs its files one by one, and an injected fault hits another call.
  private static let patience = Duration.seconds(3_600)

  /// Delivers as much as the sink and the clock allow; the process may die at any file call or commit.
  func deliver() async throws {
    await lookForRoom()
    let dies = random.chance(12)
    if dies { meetings.add(.sinkDies) }
    let gate = CrashGate(crashAt: dies ? Int.random(in: 1...90, using: &random) : nil)
    let trouble: [GatedFileCalls.Fault] =
      sinkFails
      ? [
        .init(
          step: random.pick([.create, .write, .sync, .move]), code: random.pick([EIO, ENOSPC]), calls: 1...Int.max)
      ]
      : random.chance(8) ? [.init(step: random.pick([.write, .sync, .move]), code: EIO, calls: 2...3)] : []
    let calls = GatedFileCalls(drop, gate: gate, faults: trouble)
    let sink = FileDropSink(
      name: Self.sink, path: "/drop", source: "/poolflow/sim",
      bounds: .init(batchTime: Self.patience, timeout: Self.patience, sharedSync: random.pick([1, .max])), calls: calls,
      clock: StillClock())
    let dispatcher = Dispatcher(
      store: GatedOutbox(outbox: store, gate: gate), sinks: [sink], wallClock: ManualWallClock(now),
      clock: StillClock(), random: SeededNumbers(seed: random.next()))
    try await withFaults { await dispatcher.drain(clock: StillClock()) }
    if gate.isDead || diskIsOff {
      note("crash in a delivery")
      throw Crash()
    }
    try takeDropped()
    try point()
  }

  func takeDropped() throws { try drop.takeDropped(into: &delivered) }
}

extension MemoryDisk {
  /// The consumer takes all files. None may be a duplicate or incomplete.
  ///
  /// - Parameter delivered: the sizes of all files taken so far, by notice.
  func takeDropped(into delivered: inout [String: Int]) throws {
    // A file taken before its name is durable may reappear after a power failure; `PowerLossTests` covers that.
    try syncAll(MemoryDisk.new)
    let taken = takeNew(removing: true)
    try syncAll(MemoryDisk.new)
    for (name, bytes) in taken {
      let id = String(name.dropLast(".json".count))
      guard bytes.last == UInt8(ascii: "\n"), bytes.first == UInt8(ascii: "{") else {
        throw Violation("\(name) was dropped in part: \(bytes.count) bytes")
      }
      if delivered.updateValue(bytes.count, forKey: id) != nil { throw Violation("notice \(id) was dropped twice") }
    }
  }
}
