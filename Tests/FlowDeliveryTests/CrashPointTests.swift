import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Testing

/// A process delivers three notices to a drop folder whose consumer takes every file at once. The process dies before or after
/// any file call, during any write, or before or after any commit; then it starts again.
struct CrashPointTests {
  /// The totals over all processes of one case.
  private struct Outcome {
    var pointsOfFirst = 0
    var firstDied = false
    var secondDied = false
    var lost = 0
    var duplicates = 0
    var torn = 0
    var unsent = 0
    var left: [String] = []

    var isPerfect: Bool { lost + duplicates + torn + unsent == 0 && left.isEmpty }
  }

  private static func live(
    _ crashes: [Int], parent: TemporaryFolder, number: Int, sharedSyncThreshold: Int = .max, hasNodes: Bool = false
  ) async throws -> Outcome {
    let folder = "case-\(number)"
    try parent.make(folder)
    let path = "\(parent.path)/\(folder)"
    let outbox = MemoryOutbox(sampleEntries(3))
    let consumer = Consumer("\(path)/new")
    var outcome = Outcome()
    for (life, crash) in (crashes.map(Optional.some) + [nil]).enumerated() {
      let gate = CrashGate(crashAt: crash)
      let calls = GatedFileCalls(gate: gate) { consumer.take() }
      let sink = FileDropSink(
        name: "drop", path: path, source: "/poolflow/test", bounds: .init(sharedSync: sharedSyncThreshold),
        attachments: DropFolderOptions(
          cluster: hasNodes ? .init(own: "node-\(UInt32.random(in: 0 ... .max))", checkOwnership: {}) : nil),
        calls: calls)
      let dispatcher = Dispatcher(
        store: GatedOutbox(outbox: outbox, gate: gate), sinks: [sink], wallClock: ManualTime().wallClock,
        clock: ManualTime())
      await dispatcher.drain(clock: ManualTime())
      if life == 0 { (outcome.pointsOfFirst, outcome.firstDied) = (gate.points, gate.isDead) }
      if life == 1, crash != nil { outcome.secondDied = gate.isDead }
    }
    let event = NoticeEvent(source: "/poolflow/test")
    for entry in sampleEntries(3) {
      let seen = consumer.files.filter { $0.name == "\(entry.notice.id).json" }
      let whole = try event.bytes(of: entry.notice) + [0x0A]
      outcome.lost += seen.isEmpty ? 1 : 0
      outcome.duplicates += max(seen.count - 1, 0)
      outcome.torn += seen.count { $0.bytes != whole }
    }
    outcome.unsent = await outbox.states.count { $0 != .sent }
    outcome.left = (parent.names("\(folder)/staging") + parent.names("\(folder)/new")).filter {
      !$0.hasPrefix(".node-")
    }
    try parent.remove(folder)
    return outcome
  }

  @Test func `a kill at any point of three deliveries loses, repeats and tears no notice`() async throws {
    let parent = try TemporaryFolder(inMemory: true)
    var points = 0
    while true {
      let outcome = try await Self.live([points + 1], parent: parent, number: points)
      #expect(outcome.isPerfect, "killed at point \(points + 1): \(outcome)")
      if !outcome.firstDied { break }
      points += 1
    }
    #expect(points >= 74)
    print("crash points of three deliveries: \(points)")
  }

  @Test func `a kill at any point loses no notice if nodes share the folder`() async throws {
    let parent = try TemporaryFolder(inMemory: true)
    var points = 0
    while true {
      let outcome = try await Self.live([points + 1], parent: parent, number: points, hasNodes: true)
      #expect(outcome.isPerfect, "killed at point \(points + 1): \(outcome)")
      if !outcome.firstDied { break }
      points += 1
    }
    #expect(points > 74)
  }

  @Test func `a kill at any point of deliveries with a shared sync loses no notice`() async throws {
    let parent = try TemporaryFolder(inMemory: true)
    var points = 0
    while true {
      let outcome = try await Self.live([points + 1], parent: parent, number: points, sharedSyncThreshold: 1)
      #expect(outcome.isPerfect, "killed at point \(points + 1): \(outcome)")
      if !outcome.firstDied { break }
      points += 1
    }
    #expect(points >= 60)
  }

  /// All pairs if `POOLFLOW_ALL_CRASH_POINTS` is set; else every seventh second point, with another offset for each first
  /// point.
  @Test func `a second kill at any point of the recovery loses no notice`() async throws {
    let stride = ProcessInfo.processInfo.environment["POOLFLOW_ALL_CRASH_POINTS"] == nil ? 7 : 1
    let parent = try TemporaryFolder(inMemory: true)
    var pairs = 0
    var first = 1
    while true {
      var second = 1 + first % stride
      var isOver = false
      while true {
        let outcome = try await Self.live([first, second], parent: parent, number: pairs)
        #expect(outcome.isPerfect, "killed at points \(first) and \(second): \(outcome)")
        pairs += 1
        isOver = !outcome.firstDied
        if isOver || !outcome.secondDied { break }
        second += stride
      }
      if isOver { break }
      first += 1
    }
    #expect(pairs >= 1_000)
    print("pairs of crash points: \(pairs)")
  }

  @Test func `five random kills in a row lose no notice`() async throws {
    let parent = try TemporaryFolder(inMemory: true)
    let seed = ProcessInfo.processInfo.environment["POOLFLOW_CRASH_SEED"].flatMap { UInt64($0) } ?? 20_260_302
    var random = SeededNumbers(seed: seed)
    for number in 0..<300 {
      let crashes = (0..<5).map { _ in Int.random(in: 1...90, using: &random) }
      let outcome = try await Self.live(crashes, parent: parent, number: number)
      #expect(outcome.isPerfect, "killed at points \(crashes): \(outcome)")
    }
    print("five kills in a row, 300 times: 1500 kills, seed \(seed)")
  }
}
