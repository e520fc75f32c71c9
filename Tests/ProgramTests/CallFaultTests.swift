import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeStores

extension Programs {
  /// Fault injection into the system calls of one day of a small server: start, a morning, commands, an import, a backup,
  /// stop. In each case one system call fails once, is interrupted or transfers one byte only, or one allocation of a library
  /// fails. The daemon may refuse a command or exit with a message; it never crashes, and the next start finds consistent
  /// data.
  ///
  /// By default one call of each kind is tried, chosen by the seed. Environment:
  /// - `POOLFLOW_CALL_DAYS`: total number of days to run.
  /// - `POOLFLOW_ALL_CALLS=1`: every call in every way; `once`: every call in one of its ways. Of allocations every n-th, so
  ///   that about 1,000 are tried, unless a step is given.
  /// - `POOLFLOW_CALL_STEP=20`: every twentieth call only.
  /// - `POOLFLOW_CALL_KINDS=read,write`: only these kinds of calls.
  /// - `POOLFLOW_CALL_SEED`: repeats a choice; `POOLFLOW_CALL_FAULT=write:17:28` repeats one fault.
  @Suite struct CallFaultTests {
    private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    @Test func `any single failed system call loses, repeats or corrupts nothing`() throws {
      let clean = try SmallDay()
      try clean.live(nil)
      try #require(clean.flaws() == [], "\(clean.log)")
      let counts = clean.faults.counts
      // A call that is never intercepted would make its cases meaningless.
      for kind in CallFaults.Kind.allCases where ![.epoll, .recv, .stat].contains(kind) {
        #expect(counts[kind, default: 0] > 0, "\(kind) is never called")
      }
      print(
        "a day's calls: " + CallFaults.Kind.allCases.map { "\(counts[$0, default: 0]) \($0)" }.joined(separator: ", "))
      var cases = 0
      var (came, refusals, ends) = (0, 0, 0)
      for fault in try faults(counts) {
        let day = try SmallDay()
        do { try day.live(fault) } catch {
          Issue.record("POOLFLOW_CALL_FAULT=\(fault) repeats it: \(error) \(day.log)")
          continue
        }
        let flaws = try day.flaws()
        #expect(flaws == [], "POOLFLOW_CALL_FAULT=\(fault) repeats it: \(day.log)")
        cases += 1
        came += day.faults.hasFailed ? 1 : 0
        refusals += day.refusals
        ends += day.hasEnded ? 1 : 0
      }
      print("\(cases) days with a fault, which came in \(came): \(refusals) refusals, \(ends) ends in words")
      #expect(came > cases / 2)
    }

    private func faults(_ counts: [CallFaults.Kind: Int]) throws -> [CallFaults.Fault] {
      if let one = Self.setting("POOLFLOW_CALL_FAULT") { return [try #require(CallFaults.Fault(one), "\(one)")] }
      let seed = Self.setting("POOLFLOW_CALL_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 1...UInt64(UInt32.max))
      print("POOLFLOW_CALL_SEED=\(seed)")
      var random = SeededNumbers(seed: seed)
      let wanted = Self.setting("POOLFLOW_CALL_KINDS")?.split(separator: ",").map(String.init)
      let kinds = CallFaults.Kind.allCases.filter { wanted?.contains($0.rawValue) ?? true }
      let each = max(1, (Self.setting("POOLFLOW_CALL_DAYS").flatMap { Int($0) } ?? 0) / kinds.count)
      return kinds.flatMap { kind in
        let count = counts[kind, default: 0]
        guard count > 0 else { return [CallFaults.Fault]() }
        if let complete = Self.setting("POOLFLOW_ALL_CALLS") {
          // SQLite allocates memory about 50,000 times a day.
          let usual = kind == .memory ? max(1, count / 1_000) : 1
          let step = Self.setting("POOLFLOW_CALL_STEP").flatMap { Int($0) } ?? usual
          return stride(from: Int.random(in: 1...step, using: &random), through: count, by: step).flatMap { number in
            let one = kind.answers[Int.random(in: 0..<kind.answers.count, using: &random)]
            return (complete == "once" ? [one] : kind.answers).map {
              CallFaults.Fault(kind: kind, number: number, answer: $0)
            }
          }
        }
        return (0..<each).map { _ in
          let answer = kind.answers[Int.random(in: 0..<kind.answers.count, using: &random)]
          return CallFaults.Fault(kind: kind, number: Int.random(in: 1...count, using: &random), answer: answer)
        }
      }
    }
  }

  /// One day of the daemon with at most one injected fault, and the checks after it.
  private final class SmallDay {
    let faults: CallFaults
    private let daemon: Daemon
    private let consumer: QuickConsumer
    private var acknowledged: Set<String> = []
    /// The number of commands that were refused or cut off.
    private(set) var refusals = 0
    /// True if the daemon exited with an error before or at its stop.
    private(set) var hasEnded = false

    var log: String { String(daemon.log.suffix(3_000)) }

    init() throws {
      daemon = try Daemon(at: "2026-03-02T13:59:59Z")
      faults = try CallFaults(in: daemon.scratch)
      try FileManager.default.createDirectory(atPath: daemon.drop, withIntermediateDirectories: true)
      consumer = try QuickConsumer(daemon.drop)
    }

    private var isAlive: Bool { daemon.program?.wait(by: Deadline(.zero)) == nil }

    /// Runs a day with the fault, then starts the daemon again without one and waits for the remaining notices.
    func live(_ fault: CallFaults.Fault?) throws {
      let environment = try faults.environment(fault)
      let libraries = [environment["LD_PRELOAD"], daemon.clock.environment["LD_PRELOAD"]].compactMap(\.self)
      try daemon.launch(environment: environment.merging(["LD_PRELOAD": libraries.joined(separator: ":")]) { $1 })
      try eventually("it is ready or has ended") {
        daemon.manager.takeAll()
        return !isAlive || daemon.manager.lines.contains("READY=1")
          // The injected fault may have lost the READY=1 message.
          || daemon.log.contains("poolflowd: ready")
      }
      for (words, pool) in Self.commands where isAlive { try type(words, pool) }
      // Work that failed is retried within minutes.
      for _ in 1...4 where isAlive {
        daemon.clock.step(by: .seconds(61))
        let patience = Deadline(.milliseconds(400))
        while isAlive, !patience.hasPassed, !isTold { consumer.take(waiting: .milliseconds(10)) }
      }
      if isAlive { daemon.program?.send(SIGTERM) }
      let ending = try daemon.program?.end()
      hasEnded = ending != .exit(0)
      guard case .exit = ending else { throw CannotStart(description: "it ended with \(ending as Any)") }
      if fault == nil, ending != .exit(0) { throw CannotStart(description: "a day without a fault ended badly") }
      try daemon.start()
      try eventually("the rest is told") {
        consumer.take(waiting: .milliseconds(5))
        return try isTold && daemon.unsent() == 0
      }
      guard try daemon.stop() == .exit(0) else { throw CannotStart(description: "no clean end") }
      consumer.take(waiting: .zero)
    }

    private static let commands: [(words: [String], pool: String?)] = {
      let team = ["--team", "desert-blue"]
      return [
        (["status"], nil), (["pool", "add", "Fault One", "1 Elm St"] + team, "Fault One"),
        (["import", Checkout.customers] + team, nil), (["run", "low-stock"] + team, nil),
        (["backup", "create"], nil), (["pool", "add", "Fault Two", "2 Elm St"] + team, "Fault Two"),
      ]
    }()

    private func type(_ words: [String], _ pool: String?) throws {
      let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
      if answer.code == 0 { pool.map { _ = acknowledged.insert($0) } } else { refusals += 1 }
      consumer.take(waiting: .zero)
    }

    private var mornings: [(name: String, bytes: [UInt8])] {
      consumer.files.filter { $0.name.hasPrefix("20260302T140000Z-morning-summary-") && $0.name.hasSuffix(".json") }
    }
    private var isTold: Bool { !mornings.isEmpty }

    /// Descriptions of all violated invariants; empty if the day's data is correct.
    func flaws() throws -> [String] {
      var flaws: [String] = []
      if mornings.count != 1 { flaws.append("the morning came \(mornings.count) times") }
      let names = consumer.files.filter { $0.name.hasSuffix(".json") }
      if Set(names.map(\.name)).count != names.count { flaws.append("a notice came twice") }
      for file in names where (try? JSONSerialization.jsonObject(with: Data(file.bytes))) == nil {
        flaws.append("\(file.name) is torn")
      }
      let left = Files.names(in: daemon.state + "/outbox/staging")
      if !left.isEmpty { flaws.append("left in staging: \(left)") }
      let store = try Connection(path: daemon.state + "/poolflow.db", mode: .readOnly)
      func rows(_ sql: String) throws -> [String] { try store.rows(sql) { row throws(StoreError) in row.text(0) } }
      flaws += try rows("SELECT integrity_check FROM pragma_integrity_check").filter { $0 != "ok" }
      flaws += try rows("SELECT \"table\" FROM pragma_foreign_key_check")
      let added = try rows("SELECT customer_name FROM pools WHERE customer_name LIKE 'Fault %'")
      if Set(added).count != added.count { flaws.append("a pool is there twice") }
      for pool in acknowledged where !added.contains(pool) { flaws.append("\(pool) is lost") }
      for notice in try rows("SELECT notice_id FROM outbox WHERE state <> 'sent'") {
        flaws.append("\(notice) is not sent")
      }
      return flaws
    }
  }
}
