import FlowModel
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import FoundationEssentials
import Glibc
import Testing

/// Seeded days with injected faults of every kind; after each day every guarantee is checked.
///
/// `POOLFLOW_SIMULATION_SECONDS` sets how long fresh seeds are tried, `POOLFLOW_SEED` the first seed (the others count on from
/// it), and `POOLFLOW_SIMULATION_SEED` repeats one seed.
@Suite(.serialized) @Simulation struct SimulatedDaysTests {
  private static let teams = 20
  private static let days = 60

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// The CPU time of this process.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Simulates one seed.
  /// - Returns: the trace, line by line, and the number of slots by verdict.
  private func live(seed: UInt64) async throws -> (
    trace: [String], verdicts: [String: Int], meetings: Meetings
  ) {
    let folder = try SimulationFolder()
    let world = try World(path: folder.path + "/poolflow.db", on: folder.disk, seed: seed)
    var audit = try Audit(place: world.place, zones: world.zones)
    do {
      try await world.populate(teams: Self.teams)
      try await world.alive { try await world.start() }
      for day in 1...Self.days {
        let end = world.uptime + .hours(24)
        while world.uptime < end {
          try await world.alive {
            if world.random.chance(500) { try await world.unlessRefused { try await world.mischief() } }
            try await world.look()
          }
          let rest = min(world.wake.since(world.now), end - world.uptime)
          world.advance(max(.milliseconds(1), rest))
        }
        try await world.alive { try await world.unlessRefused { try await world.deliver() } }
        // Files left by a process that crashed during a delivery.
        try world.takeDropped()
        world.meetings.endDay()
        try await audit.check(world, settledUpTo: nil)
        if day % 10 == 0 { try await settleDown(world, &audit) }
      }
    } catch {
      // Print the complete trace of a repeated seed, else the end of a failed one.
      for line in world.trace.suffix(Self.setting("POOLFLOW_SIMULATION_SEED") == nil ? 40 : .max) { print(line) }
      throw error
    }
    return (world.trace, audit.verdicts, world.meetings)
  }

  /// After some quiet minutes no slot is open.
  private func settleDown(_ world: World, _ audit: inout Audit) async throws {
    world.sinkFails = false
    world.wellAgain()
    await world.emptyDisk()
    for _ in 0..<4 {
      try await world.alive { try await world.look() }
      world.advance(.seconds(31))
    }
    world.fuse = nil
    try await world.look()
    try await world.alive { try await world.deliver() }
    try world.takeDropped()
    world.fuse = nil
    try await world.look()
    try await audit.check(world, settledUpTo: world.now)
    if world.state.clock == .believable { try await audit.noJobIsDelayed(world) }
  }

  @Test func `through crashes, clock steps, suspends and changes every slot has one verdict`() async throws {
    if let seed = Self.setting("POOLFLOW_SIMULATION_SEED") {
      print("simulating seed \(seed)")
      for line in try await live(seed: seed).trace { print(line) }
      return
    }
    let seconds = Self.setting("POOLFLOW_SIMULATION_SECONDS") ?? 10
    let first = Self.setting("POOLFLOW_SEED") ?? .random(in: 1...UInt64(UInt32.max))
    let start = ContinuousClock.now
    var lives = 0
    var verdicts: [String: Int] = [:]
    var meetings = Meetings()
    let processor = Self.processorTime
    while ContinuousClock.now - start < .seconds(Int64(seconds)) || lives == 0 {
      let seed = first &+ UInt64(lives)
      do {
        let life = try await live(seed: seed)
        verdicts.merge(life.verdicts, uniquingKeysWith: +)
        meetings.merge(life.meetings)
      } catch {
        Issue.record("seed \(seed): \(error); POOLFLOW_SIMULATION_SEED=\(seed) repeats it")
        return
      }
      lives += 1
    }
    let taken = Double((ContinuousClock.now - start).wholeMilliseconds) / 60_000
    let years = Double(lives * Self.teams * Self.days) / 365
    let counts = verdicts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print("verdicts: \(counts)")
    let worked = Double((Self.processorTime - processor).wholeMilliseconds) / 60_000
    print(meetings.words)
    print(
      "simulated \(Int(years)) team-years in \(lives) lives, \(Int(years / taken)) team-years a minute, "
        + "\(Int(years / worked)) a minute of a processor")
  }

  @Test func `a seed gives the same trace twice`() async throws {
    let first = try await live(seed: 20_260_302)
    let second = try await live(seed: 20_260_302)
    #expect(first.trace == second.trace)
    #expect(first.trace.count > 100)
  }

  @Test func `the simulation's seeds contain at least a third of all pairs of faults`() async throws {
    // A world without faults proves nothing; fresh seeds print the faults they met.
    var verdicts: [String: Int] = [:]
    var meetings = Meetings()
    var fullDisks = 0
    for seed in UInt64(1)...4 {
      let life = try await live(seed: seed)
      fullDisks += life.trace.count { $0.contains("the disk is full") }
      verdicts.merge(life.verdicts, uniquingKeysWith: +)
      meetings.merge(life.meetings)
    }
    print(meetings.words)
    // Four seeds meet a third of all pairs; a minute of fresh seeds nearly all.
    #expect(meetings.met * 3 > Meetings.possible, "\(meetings.words)")
    for word in ["notified", "skipped", "done", "paused", "missed:too-late"] {
      #expect(verdicts[word, default: 0] > 0, "\(word)")
    }
    try Test.skipRest(unless: .mounting)
    #expect(fullDisks > 0)
  }
}

/// A small file system in memory that can be filled. If this user may not mount one: a folder that never fills up.
private final class SimulationFolder {
  let path: String
  let disk: SmallDisk?

  init() throws {
    let manager = FileManager.default
    let base = manager.fileExists(atPath: "/dev/shm") ? "/dev/shm" : manager.temporaryDirectory.path
    path = "\(base)/poolflow-simulation-\(UUID().uuidString)"
    try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    // Enough space for the files of processes not yet cleaned up, and those left by a power failure.
    disk = Requirement.mounting.isMet ? try SmallDisk(at: path, kilobytes: 256 << 10) : nil
  }

  deinit {
    disk?.unmount()
    // Leftovers of a test do no harm.
    try? FileManager.default.removeItem(atPath: path)
  }
}
