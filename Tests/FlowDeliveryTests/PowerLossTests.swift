import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Synchronization
import Testing

/// A power cut at every point of three deliveries, with many random choices of the writes that the disk kept. Commits of the
/// store count as durable. `POOLFLOW_SEED` sets the first seed.
struct PowerLossTests {
  private static let first = ProcessInfo.processInfo.environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 0

  private struct Outcome {
    var died = false
    var lost = 0
    var duplicates = 0
    var torn = 0
    var unsent = 0
  }

  private static func live(
    crashes: [Int], quickConsumer: Bool, seed: UInt64, sharedSyncThreshold: Int = .max, hasNodes: Bool = false
  ) async throws
    -> Outcome
  {
    var random = SeededNumbers(seed: seed)
    let disk = MemoryDisk()
    let outbox = MemoryOutbox(sampleEntries(3))
    let seen = Mutex<[(name: String, bytes: [UInt8])]>([])
    var outcome = Outcome()
    for (life, crash) in (crashes.map(Optional.some) + [nil]).enumerated() {
      let gate = CrashGate(crashAt: crash)
      let calls = GatedFileCalls(disk, gate: gate) {
        if quickConsumer { seen.withLock { $0 += disk.takeNew(removing: true) } }
      }
      let sink = FileDropSink(
        name: "drop", path: "/drop", source: "/poolflow/test", bounds: .init(sharedSync: sharedSyncThreshold),
        attachments: DropFolderOptions(
          cluster: hasNodes ? .init(own: "node-\(UInt32.random(in: 0 ... .max))", checkOwnership: {}) : nil),
        calls: calls)
      let dispatcher = Dispatcher(
        store: GatedOutbox(outbox: outbox, gate: gate), sinks: [sink], wallClock: ManualTime().wallClock,
        clock: ManualTime())
      await dispatcher.drain(clock: ManualTime())
      if life == 0 { outcome.died = gate.isDead }
      if crash != nil { disk.losePower(using: &random) }
    }
    // Sent files must survive one more power cut after the end.
    disk.losePower(using: &random)
    var files = seen.withLock { $0 }
    files += disk.takeNew(removing: false)
    let event = NoticeEvent(source: "/poolflow/test")
    for entry in sampleEntries(3) {
      let mine = files.filter { $0.name == "\(entry.notice.id).json" }
      let whole = try event.bytes(of: entry.notice) + [0x0A]
      outcome.lost += mine.isEmpty ? 1 : 0
      outcome.duplicates += max(mine.count - 1, 0)
      outcome.torn += mine.count { $0.bytes != whole }
    }
    outcome.unsent = await outbox.states.count { $0 != .sent }
    return outcome
  }

  /// One daemon, and several nodes with a shared folder.
  @Test(arguments: (0..<20).map { ($0, false) } + (0..<5).map { ($0, true) })
  func `a power cut at any point loses, tears and repeats no notice`(choice: UInt64, hasNodes: Bool) async throws {
    let first = Self.first &+ choice
    var point = 1
    while true {
      let seed = first &* 1_000 &+ UInt64(point)
      let outcome = try await Self.live(crashes: [point], quickConsumer: false, seed: seed, hasNodes: hasNodes)
      #expect(
        outcome.lost + outcome.duplicates + outcome.torn + outcome.unsent == 0,
        "point \(point), seed \(first), \(hasNodes): \(outcome)")
      if !outcome.died { break }
      point += 1
    }
    #expect(point > 74)
  }

  @Test(arguments: 0..<20) func `a power cut at any point loses no notice with shared syncs`(choice: UInt64)
    async throws
  {
    let first = Self.first &+ choice
    var point = 1
    while true {
      let outcome = try await Self.live(
        crashes: [point], quickConsumer: false, seed: first &* 1_000 &+ UInt64(point), sharedSyncThreshold: 1)
      #expect(
        outcome.lost + outcome.duplicates + outcome.torn + outcome.unsent == 0,
        "point \(point), seed \(first): \(outcome)")
      if !outcome.died { break }
      point += 1
    }
    #expect(point > 60)
  }

  @Test func `two random power cuts in a row lose, tear and repeat no notice`() async throws {
    var random = SeededNumbers(seed: Self.first &+ 99)
    for seed in Self.first..<Self.first + 2_000 {
      let crashes = (0..<2).map { _ in Int.random(in: 1...90, using: &random) }
      let outcome = try await Self.live(crashes: crashes, quickConsumer: false, seed: seed)
      #expect(
        outcome.lost + outcome.duplicates + outcome.torn + outcome.unsent == 0,
        "points \(crashes), seed \(seed): \(outcome)")
    }
  }

  @Test func `a staged file that is written again is on disk before it is published`() async throws {
    let whole = try NoticeEvent(source: "/poolflow/test").bytes(of: sampleEntry(1).notice) + [0x0A]
    var random = SeededNumbers(seed: Self.first &+ 61)
    for seed in 0..<100 {
      let disk = MemoryDisk()
      // As if a program had emptied the folder: the sink writes the file again from its bytes in memory.
      let calls = GatedFileCalls(disk, faults: [.init(step: .move, code: ENOENT, calls: 1...2)])
      let sink = FileDropSink(name: "drop", path: "/drop", source: "/poolflow/test", calls: calls)
      try await sink.prepare(staged: [])
      #expect(await sink.deliver([sampleEntry(1)]) == [.delivered])
      disk.losePower(using: &random)
      #expect(disk.takeNew(removing: false).map(\.bytes) == [whole], "\(seed)")
    }
  }

  /// A file taken by the consumer before its rename was on disk is delivered again under the same id: no order of syncs can
  /// prevent this.
  @Test func `a consumer faster than the disk loses no notice in a power cut`() async throws {
    var random = SeededNumbers(seed: Self.first &+ 77)
    for seed in Self.first..<Self.first + 2_000 {
      let crashes = [Int.random(in: 1...95, using: &random)]
      let outcome = try await Self.live(crashes: crashes, quickConsumer: true, seed: seed)
      #expect(outcome.lost + outcome.torn + outcome.unsent == 0, "points \(crashes), seed \(seed): \(outcome)")
    }
  }
}
