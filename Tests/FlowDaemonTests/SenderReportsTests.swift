import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FlowStore
import FlowTestKit
import PoolJobs
import Synchronization
import Testing

import FlowServices
@testable import FlowAnswers
@testable import FlowDaemon

/// Processing of the reports that senders write beside their receipts.
struct SenderReportsTests {
  /// A drop folder with a receipts folder, and a simulated uptime.
  private final class Bench: Sendable {
    let folder: TemporaryFolder
    let up = Mutex<Duration>(.hours(1))

    init() throws {
      folder = try TemporaryFolder()
      try PrivateFiles.makeFolder(folder.path + "/receipts")
    }

    func reports() -> SenderReports {
      let text = "[Sink post]\nType = file-drop\nDirectory = \(folder.path)\nSensitive = yes\n"
      let settings = EffectiveSettings(
        reading: SettingsReading(text: text, name: "test.conf", catalogue: .pools), catalogue: .pools, configPath: nil,
        environment: [:],
        folders: ["post": folder.path], now: Samples.mondayMorning)
      return SenderReports(settings: settings) { self.up.withLock { $0 } }
    }

    func write(_ bytes: [UInt8]) throws {
      let path = "\(folder.path)/receipts/\(SenderReport.fileName)"
      try PrivateFiles.removeTree(path)
      try PrivateFiles.write(path, bytes)
    }

    func pass(_ time: Duration) { up.withLock { $0 += time } }
  }

  private static func report(_ at: String) throws -> [UInt8] {
    try SenderReport(at: at, channels: [SenderReport.Channel(name: "mail", kind: "smtp")]).bytes
  }

  @Test func `a sender without a new report for three minutes counts as stopped`()
    async throws
  {
    let bench = try Bench()
    let reports = bench.reports()
    #expect(await reports.read().isEmpty)
    try bench.write(try Self.report("2026-03-02T14:00:00Z"))
    for _ in 0..<3 {
      #expect(await reports.read().map(\.isSilent) == [false])
      bench.pass(.minutes(1))
    }
    let silent = try #require(await reports.read().first)
    #expect(silent.isSilent && silent.failures.map(\.about) == ["sender"])
    #expect(silent.failures.first?.words.contains("It last reported at 2026-03-02T14:00:00Z") == true)
    try bench.write(try Self.report("2026-03-02T14:09:00Z"))
    let back = await reports.read()
    #expect(back.map(\.isSilent) == [false] && back.first?.failures.isEmpty == true)
  }

  @Test func `a pause in reading reports does not make a sender count as stopped`() async throws {
    let bench = try Bench()
    let reports = bench.reports()
    try bench.write(try Self.report("2026-03-02T14:00:00Z"))
    _ = await reports.read()
    bench.pass(.hours(10))
    #expect(await reports.read().map(\.isSilent) == [false])
  }

  @Test func `an invalid report is a fault with its path until replaced`() async throws {
    let bench = try Bench()
    let reports = bench.reports()
    try bench.write(Array("{}".utf8))
    #expect(await reports.read().isEmpty)
    let fault = try #require(await reports.faults["post"])
    #expect(
      fault == "'\(bench.folder.path)/receipts/sender.report' cannot be used: it is not a report of poolflow-post")
    try bench.write(try Self.report("2026-03-02T14:00:00Z"))
    #expect(await reports.read().count == 1)
    #expect(await reports.faults.isEmpty)
  }

  // MARK: The operator

  private static func failing(_ about: String) throws -> [UInt8] {
    let failure = SenderReport.Failure(
      about: about, title: "[Channel mail] delivers nothing", words: "why.", since: Samples.mondayMorning)
    return try SenderReport(at: "2026-03-02T14:00:00Z", channels: [], failures: [failure]).bytes
  }

  @Test func `the operator is notified once of a failure and once of its end`()
    async throws
  {
    let bench = try Bench()
    let services = try await ServiceFixture(
      settings: "[Sink post]\nType = file-drop\nSensitive = yes\n[Sink log]\nType = journal\n")
    let notices = services.context.notices(through: nil)
    let store = services.store
    func told() async throws -> [String] {
      try await store.outbox(OutboxQuery(limit: 50)).filter { $0.notice.isForOperator }.map {
        "\($0.sink) \($0.notice.identifier)"
      }
    }
    let now = services.clock.now()
    let reports = bench.reports()
    try bench.write(try Self.failing("channel mail"))
    let first = SenderWatch(reports: reports, notices: notices)
    await first.scan(now: now)
    await first.scan(now: now.advanced(by: .minutes(1)))
    #expect(try await told() == ["log poolflow.operator.sender-failed.post"])
    // The daemon restarts, then the failure ends.
    let second = SenderWatch(reports: reports, notices: notices)
    await second.scan(now: now.advanced(by: .minutes(2)))
    #expect(try await told().count == 1)
    try bench.write(try Self.report("2026-03-02T14:05:00Z"))
    await second.scan(now: now.advanced(by: .minutes(3)))
    await second.scan(now: now.advanced(by: .minutes(4)))
    #expect(try await told().sorted().last == "log poolflow.operator.sender-works.post")
    #expect(try await told().count == 2)
    // An end during the daemon's downtime is also reported, once.
    try bench.write(try Self.failing("team coast"))
    await second.scan(now: now.advanced(by: .hours(1)))
    #expect(try await told().count == 3)
    try bench.write(try Self.report("2026-03-02T16:00:00Z"))
    for hour in 2...4 {
      await SenderWatch(reports: reports, notices: notices).scan(now: now.advanced(by: .hours(hour)))
      #expect(try await told().count == 4)
    }
  }
}
