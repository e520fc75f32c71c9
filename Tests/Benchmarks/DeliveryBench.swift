import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowWork
import Foundation
import Glibc
import PoolJobs
import PoolModel
import TradeStores

/// Measures the delivery rate of a backlog to a drop folder, compared with the raw rate of the disk.
func benchDelivery() {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do { try await DeliveryBench().run() } catch { benchFailed("delivery", error) }
    done.signal()
  }
  done.wait()
}

private final class DeliveryBench: Sendable {
  private let folder: URL
  private let now = Timestamp(seconds: 1_772_460_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-delivery-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // A leftover temporary folder does no harm.
    try? FileManager.default.removeItem(at: folder)
  }

  func run() async throws {
    print("delivery: a drop folder's backlog, durable, beside create + fsync + rename of the same disk")
    var shares: [Double] = []
    var rates: [Double] = []
    var raws: [Double] = []
    var fsyncs: [Double] = []
    for round in 1...3 {
      let event = try NoticeEvent(source: "/poolflow/bench").bytes(of: notice(1, job: JobID(1), team: TeamID(1)))
      let (raw, fsync) = try RawDisk.rate(
        files: 2_000, [event], in: folder.appendingPathComponent("raw-\(round)"))
      let seconds = try await drain(entries: 10_000, "round-\(round)", others: [])
      raws.append(raw)
      fsyncs.append(fsync)
      rates.append(10_000 / seconds)
      shares.append(100 * 10_000 / seconds / raw)
    }
    figureLine("the disk: create + fsync + rename, files/s", raws, .baseline)
    figureLine("beside it one fsync, ms", fsyncs, .baseline)
    figureLine("10,000 pending drops, files/s", rates)
    figureLine("10,000 pending drops, s", rates.map { 10_000 / $0 }, .reference(20))
    figureLine("share of the disk's own rate, %", shares, .atLeast(60))
    try await stuck()
    try await memory()
  }

  /// Seconds until `entries` entries are in the drop folder and marked sent.
  private func drain(entries: Int, _ name: String, others: [any Sink]) async throws -> Double {
    let store = try await backlog(entries, name, sinks: ["drop"] + others.map(\.name))
    let drop = folder.appendingPathComponent("\(name)/drop").path
    try FileManager.default.createDirectory(atPath: drop, withIntermediateDirectories: true)
    let sink = FileDropSink(name: "drop", path: drop, source: "/poolflow/bench")
    let dispatcher = Dispatcher(store: store, sinks: [sink] + others, wallClock: FixedWallClock(instant: now))
    let begin = ContinuousClock.now
    if others.isEmpty {
      await dispatcher.drain(for: .seconds(300))
    } else {
      try await untilDropped(dispatcher, store)
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let left = try await store.nextDue(sink: "drop")
    guard left == nil else { throw BenchFailure(description: "the backlog of '\(name)' was not drained") }
    return seconds
  }

  /// Runs until the drop folder has nothing due: an unhealthy sink beside it never finishes.
  private func untilDropped(_ dispatcher: Dispatcher, _ store: Store) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      while try await store.nextDue(sink: "drop") != nil { try await Task.sleep(for: .milliseconds(20)) }
      group.cancelAll()
    }
  }

  /// The same backlog with and without a sink whose reader takes nothing.
  private func stuck() async throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchFailure(description: "no pipe") }
    defer { for end in ends { close(end) } }
    let block = [UInt8](repeating: 0x20, count: 4_096)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    while write(ends[1], block, block.count) > 0 {}
    _ = fcntl(ends[1], F_SETFL, 0)
    var ratios: [Double] = []
    for round in 1...3 {
      let alone = try await drain(entries: 3_000, "alone-\(round)", others: [])
      let blocked = StandardOutputSink(name: "out", descriptor: ends[1], format: .ndjson, source: "/poolflow/bench")
      ratios.append(try await drain(entries: 3_000, "beside-\(round)", others: [blocked]) / alone)
    }
    figureLine("3,000 drops beside a stuck sink, times as long as alone", ratios)
  }

  /// The additional memory for delivering a long backlog, in a fresh process.
  private func memory() async throws {
    _ = try await backlog(100_000, "many", sinks: ["drop"])
    try runAlone("memory-of-delivery", ["POOLFLOW_BENCH_STORE": folder.appendingPathComponent("many").path])
  }

  /// A store with this number of notices for each of the sinks.
  private func backlog(_ entries: Int, _ name: String, sinks: [String]) async throws -> Store {
    let path = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    let store = try Store(path: path.appendingPathComponent("poolflow.db").path, now: now, version: "bench")
    let draft = Team(
      id: TeamID(0), name: "desert-blue", trade: .poolService, zone: "America/Phoenix", language: .english,
      units: .imperial,
      objective: .time, plan: .paid, settings: TeamSettings(), createdAt: now)
    let team = try await store.addTeam(draft, defaultTechnician: "dan", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    guard let job = try await store.jobs(of: team.id).first else { throw BenchFailure(description: "no job") }
    for start in stride(from: 0, to: entries, by: 5_000) {
      let slots = (start..<min(start + 5_000, entries)).map { now.advanced(by: .seconds(-$0 - 1)) }
      let runs = try await store.claim(
        slots.map { ClaimRequest(job: job, slot: $0, cause: .schedule, asOf: $0) }, now: now)
      let settlements = runs.map { run -> RunSettlement in
        RunSettlement(
          run: run,
          outcome: Outcome(
            result: .notified, reason: nil, detail: nil,
            notice: notice(Int64(run.slot.seconds), job: job.id, team: team.id, slot: run.slot)), finishedAt: now)
      }
      try await store.settle(settlements, routes: sinks.map { SinkRoute(sink: $0) }, evenIfChanged: false)
    }
    return store
  }

  private func notice(_ number: Int64, job: JobID, team: TeamID, slot: Timestamp? = nil) -> Notice {
    let slot = slot ?? now
    return Notice(
      id: "\(slot.compact)-morning-summary-\(number)-f3a91c02", teamID: team, teamName: "desert-blue", jobID: job,
      job: "morning-summary", slot: slot, identifier: "poolflow.notification.morningRouteSummary.2",
      title: "Today's Route", body: "You have 12 pool(s) scheduled today.",
      lines: (1...12).map { "  \($0)  Steve Baird, \($0) E Juniper St, Mesa, AZ 85203" }, dataJSON: "",
      lateness: .zero, createdAt: now, expiresAt: nil)
  }
}

/// The part of `delivery` that needs a process of its own; the folder of the backlog is in POOLFLOW_BENCH_STORE.
func benchDeliveryMemory() {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      try await measureMemory(ProcessInfo.processInfo.environment["POOLFLOW_BENCH_STORE"] ?? "")
    } catch {
      benchFailed("delivery", error)
      exit(1)
    }
    done.signal()
  }
  done.wait()
}

private func measureMemory(_ folder: String) async throws {
  let now = Timestamp(seconds: 1_772_460_000)
  let store = try Store(path: folder + "/poolflow.db", now: now, version: "bench")
  let drop = folder + "/drop"
  try FileManager.default.createDirectory(atPath: drop, withIntermediateDirectories: true)
  let sink = FileDropSink(name: "drop", path: drop, source: "/poolflow/bench", bounds: .init(maxFiles: 100_000))
  let before = try megabytes("VmRSS")
  let dispatcher = Dispatcher(store: store, sinks: [sink], wallClock: FixedWallClock(instant: now))
  await dispatcher.drain(for: .seconds(15))
  let sent = try await store.outboxDepth()[.sent] ?? 0
  figureLine(
    "100,000 pending, \(sent) of them delivered in 15 s: resident memory more, MB", [try megabytes("VmHWM") - before],
    .atMost(32))
}
