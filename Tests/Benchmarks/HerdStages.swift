import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowWork
import Foundation
import Glibc
import PoolDigests
import PoolJobs
import TradeStores

/// Measures each stage of a morning per team, one stage after the other; in the daemon they overlap.
struct HerdStages {
  private static let teams = 256

  let path: String
  let folder: URL

  /// Runs on a copy of `store`, which is not changed.
  static func run(on store: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-stages-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A leftover temporary folder does no harm.
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("poolflow.db").path
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    try await HerdStages(path: copy, folder: folder).run()
  }

  func run() async throws {
    let clock = SystemWallClock()
    let (now, zones) = (clock.now(), SystemZones())
    let store = try Store(path: path, now: now, version: "bench")
    let jobs = try await store.jobs().filter { $0.kind == .morningSummary }.prefix(Self.teams)
    // A manual run takes no scheduled slot.
    let slot = Timestamp(milliseconds: now.milliseconds / 1_000 * 1_000 - 999)
    var taken: [(name: String, ms: Double)] = []
    func stage<Value>(_ name: String, _ body: () async throws -> Value) async rethrows -> Value {
      let begin = ContinuousClock.now
      let value = try await body()
      taken.append((name, (ContinuousClock.now - begin) / .milliseconds(1)))
      return value
    }
    let runs = try await stage("claim") {
      try await store.claim(jobs.map { ClaimRequest(job: $0, slot: slot, cause: .manual, asOf: slot) }, now: now)
    }
    let decisions = try await stage("facts") { try await store.decisions(of: runs, zones: zones) }
    let zone = try zones.zone(named: "UTC")
    let settlements = try await stage("decide and compose") {
      try zip(runs, decisions).compactMap { run, decision -> RunSettlement? in
        let context = RunContext(
          jobID: run.jobID, kind: run.kind, slot: run.slot, asOf: run.asOf, now: now, lateness: .zero,
          install: store.install, timing: run.timing)
        return try decision.get().map { RunSettlement(run: run, outcome: $0(context, zone), finishedAt: now) }
      }
    }
    try await stage("commit") {
      _ = try await store.settle(settlements, routes: [SinkRoute(sink: "bench")], evenIfChanged: false)
    }
    let entries = try await stage("fetch") {
      try await store.dueEntries(sink: "bench", now: now, limit: Self.teams)
    }
    let pages = await stage("page") { entries.map { NoticePage.html($0.notice) ?? [] } }
    let drop = folder.appendingPathComponent("stages").path
    try FileManager.default.createDirectory(atPath: drop, withIntermediateDirectories: true)
    let made = Dictionary(uniqueKeysWithValues: zip(entries.map(\.notice.id), pages))
    let sink = FileDropSink(
      name: "bench", path: drop, source: "/poolflow/bench", attachments: DropFolderOptions(source: Made(pages: made)))
    try await sink.prepare(staged: [])
    let verdicts = await stage("stage") { await sink.stage(entries) }
    guard verdicts.allSatisfy({ $0 == .delivered }) else { throw BenchFailure(description: "not all were staged") }
    try await stage("commit staged") { try await store.markStaged(entries.map(\.sequence), at: now) }
    _ = await stage("rename") { await sink.publish(entries) }
    try await stage("commit sent") { try await store.markSent(entries.map(\.sequence), at: now) }
    let sum = taken.reduce(0) { $0 + $1.ms }
    let teams = Double(max(1, entries.count))
    figureLine("all stages alone, µs a team", [sum * 1_000 / teams])
    for (name, ms) in taken {
      figureLine("stage \(name), µs a team", [ms * 1_000 / teams])
      figureLine("stage \(name), share of all stages, %", [100 * ms / sum])
    }
  }

  private struct Made: NoticeAttachmentSource {
    let pages: [String: [UInt8]]
    func attachments(of notice: Notice) async throws -> NoticeAttachments {
      let page = pages[notice.id]
      return NoticeAttachments(page: { page })
    }
  }
}
