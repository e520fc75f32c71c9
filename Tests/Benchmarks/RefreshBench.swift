import Dispatch
import FlowModel
import FlowStore
import Foundation
import Glibc
import PoolChemistry
import PoolModel
import PoolStore
import TradeStores

/// Measures the nightly refresh of a million pools, and the delay of other store work meanwhile.
func benchRefresh() {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let bench = try RefreshBench()
      defer { bench.remove() }
      if let path = RefreshBench.filledStore { try await bench.measure(path) } else { try await bench.run() }
    } catch {
      benchFailed("refresh", error)
    }
    done.signal()
  }
  done.wait()
}

private final class RefreshBench: Sendable {
  private let folder: URL
  private let now = Timestamp(seconds: 1_772_460_000)
  private static let teams = 100
  private static let poolsPerTeam = 10_000
  /// One pool in a hundred has new readings at each refresh.
  private static let changedShare = 100
  private static let rounds = 5

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() {
    // A leftover temporary folder does no harm.
    try? FileManager.default.removeItem(at: folder)
  }

  func run() async throws {
    print("refresh: \(Self.teams * Self.poolsPerTeam) pools of \(Self.teams) teams, 1 % changed each time")
    let path = folder.path + "/refresh.db"
    try await fill(try Store(path: path, now: now, version: "bench"))
    // Measured in a process of its own: memory that the allocator keeps after filling would hide the refresh's memory.
    try runAlone("refresh", [Self.storeVariable: path])
  }

  private static let storeVariable = "POOLFLOW_BENCH_STORE"

  /// The store filled by the outer benchmark; nil in the outer benchmark.
  static var filledStore: String? { ProcessInfo.processInfo.environment[storeVariable] }

  func measure(_ path: String) async throws {
    let store = try Store(path: path, now: now, version: "bench")
    let first = try await refresh(store)
    guard first.pools == Self.teams * Self.poolsPerTeam else {
      throw BenchFailure(description: "\(first.pools) pools were read instead of all")
    }
    var seconds: [Double] = []
    var waits: [Double] = []
    var growth: [Double] = []
    var stale: [Double] = []
    var processor: [Double] = []
    for round in 0..<Self.rounds {
      try await change(store, round: round)
      resetPeak()
      let before = try status("VmRSS")
      let waiting = Task { try await self.measureWaits(store) }
      let began = ContinuousClock.now
      let used = processorSeconds()
      let progress = try await refresh(store)
      processor.append(processorSeconds() - used)
      seconds.append((ContinuousClock.now - began) / .seconds(1))
      waiting.cancel()
      waits += try await waiting.value
      growth.append(try status("VmHWM") - before)
      guard progress.changed > 0 else { throw BenchFailure(description: "nothing was written") }
      try await change(store, round: round + Self.rounds)
      let staleBegan = ContinuousClock.now
      _ = try await refresh(store, all: false)
      stale.append((ContinuousClock.now - staleBegan) / .seconds(1))
    }
    figureLine("all pools, seconds", seconds, .reference(2))
    figureLine("of which this process computed, seconds", processor)
    figureLine("growth of resident memory, MB", growth, .atMost(64))
    waits.sort()
    figureLine("other work of the store waits, p99, ms", [waits[waits.count * 99 / 100]], .reference(20))
    figureLine("stale pools only, seconds", stale)
  }

  private func refresh(_ store: Store, all: Bool = true) async throws -> RefreshProgress {
    var progress = RefreshProgress()
    while !progress.isDone { progress = try await store.refreshBlockPools(after: progress, all: all, now: now) }
    return progress
  }

  /// The delays of a short query, repeated until the task is cancelled.
  private func measureWaits(_ store: Store) async throws -> [Double] {
    var waits: [Double] = []
    while !Task.isCancelled {
      let began = ContinuousClock.now
      _ = try await store.team(named: "team-50")
      waits.append((ContinuousClock.now - began) / .milliseconds(1))
      // Ends early when the measurement is cancelled.
      try? await Task.sleep(for: .milliseconds(1))
    }
    return waits
  }

  // MARK: A million pools

  private func fill(_ store: Store) async throws {
    for team in 0..<Self.teams {
      let name = "team-\(team)"
      let draft = Team(
        id: TeamID(0), name: name, trade: .poolService, zone: "UTC", language: .english, units: .imperial,
        objective: .time, plan: .paid,
        settings: TeamSettings(), createdAt: now)
      _ = try await store.addTeam(draft, defaultTechnician: name, now: now) { _ in [] }
      let pools = (0..<Self.poolsPerTeam).map { pool(team: team, number: $0, pH: 7.4) }
      _ = try await store.replaceRecords(
        team: name, technician: nil, records: RecordSet(pools: pools), photos: [:], now: now, dryRun: false)
    }
  }

  private func change(_ store: Store, round: Int) async throws {
    for team in 0..<Self.teams {
      let numbers = stride(from: round, to: Self.poolsPerTeam, by: Self.changedShare)
      _ = try await store.upsertPools(
        team: "team-\(team)", technician: nil, pools: numbers.map { pool(team: team, number: $0, pH: 8.2) },
        profiles: [], now: now, dryRun: false)
    }
  }

  private func pool(team: Int, number: Int, pH: Double) -> Pool {
    let index = UInt32(team * Self.poolsPerTeam + number)
    let digits = String(index, radix: 16)
    let id = UUID(uuidString: "5A3E17B0-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
    return Pool(
      id: PoolID(id ?? UUID()), customerName: "Customer \(number)", address: "\(number) E Juniper St, Mesa, AZ 85203",
      notes: "Dog in the yard; key under the third stone.", latitude: 33.4, longitude: -111.8,
      volumeGallons: 15_000, monthlyServiceFee: 145, serviceDay: .monday, routeOrder: number,
      readings: WaterReadings(
        pH: pH, waterTempF: Double(60 + number % 30), calciumHardness: Double(200 + number % 300),
        totalAlkalinity: Double(60 + number % 80), cyanuricAcid: Double(30 + number % 50), totalDissolvedSolids: 1_100),
      cachedLSI: nil, createdAt: now, updatedAt: now)
  }

  // MARK: Figures

  /// CPU time of all threads in user and kernel mode, which a busy machine does not increase.
  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func status(_ field: String) throws -> Double {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") } ?? ""
    return Double(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "0").map { $0 / 1_024 } ?? 0
  }

  /// Resets VmHWM to the current memory (proc(5), clear_refs).
  private func resetPeak() {
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else {
      return notMeasured("growth of resident memory without the filling", "the kernel does not reset VmHWM here")
    }
    file.write(Data("5".utf8))
  }
}
