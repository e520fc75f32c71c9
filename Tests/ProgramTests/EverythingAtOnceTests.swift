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
  /// Chaos test: a daemon that imports, changes records, decides and delivers, a poolflow-post that sends the daemon's
  /// notices, and a consumer that takes every file, while both programs are killed at random moments, day after day. Every
  /// acknowledged record must exist once, every notice must arrive once, complete.
  ///
  /// `POOLFLOW_TORTURE_SECONDS` is the duration, `POOLFLOW_TORTURE_SEED` repeats a run's random choices.
  @Suite(.requires(.python3, .curl)) struct EverythingAtOnceTests {
    private static func setting(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test func `random kills of both programs lose, repeat or corrupt nothing`() throws {
      let seed = Self.setting("POOLFLOW_TORTURE_SEED") ?? UInt64.random(in: 1...UInt64(UInt32.max))
      let seconds = Self.setting("POOLFLOW_TORTURE_SECONDS") ?? 8
      print("everything at once from seed \(seed)")
      let deadline = Deadline(.seconds(Int64(seconds)))
      let town = try Town(seed: seed)
      repeat {
        do { try town.day() } catch {
          throw TooLate(description: "POOLFLOW_TORTURE_SEED=\(seed) repeats it: \(error)\n\(town.logs)")
        }
      } while !deadline.hasPassed || town.kills < 4
      let audit = try town.audit()
      print("everything at once, seed \(seed): \(town.summary); \(audit)")
      #expect(audit.isPerfect, "POOLFLOW_TORTURE_SEED=\(seed) repeats it: \(audit)\n\(town.logs)")
    }
  }

  /// The violations an audit found.
  private struct Findings: CustomStringConvertible {
    var lost: [String] = []
    var twice: [String] = []
    var torn: [String] = []
    var other: [String] = []
    /// Mails whose outcome is unknown and whose receipts say so.
    var inDoubt = 0

    var isPerfect: Bool { lost.isEmpty && twice.isEmpty && torn.isEmpty && other.isEmpty }
    var description: String {
      let words = (lost + twice + torn + other).prefix(12).joined(separator: "; ")
      return
        "\(lost.count) lost, \(twice.count) twice, \(torn.count) torn, \(other.count) other, \(inDoubt) in doubt\(words.isEmpty ? "" : ": ")"
        + words
    }
  }

  /// The two programs, a random user who types commands, and the record of acknowledged changes.
  private final class Town {
    private let daemon: Daemon
    private let post: PostCase
    private let consumer: QuickConsumer
    private let plans: DropWatch
    private var random: SeededNumbers
    private var slot: Timestamp
    /// Running commands, with the pool that each one adds, if any.
    private var typed: [(program: RunningProgram, pool: String?)] = []
    private var pools = 0
    private var acknowledged: Set<String> = []
    private var mornings = 0
    private var commands = 0
    private(set) var kills = 0
    /// Receipts by file name.
    private var receipts: [String: PostCase.Receipt] = [:]

    var summary: String {
      "\(kills) kills, \(mornings) mornings, \(commands) commands, \(consumer.files.count) files taken, "
        + "\((try? post.mails().count) ?? 0) mails"
    }
    var logs: String { String(daemon.log.suffix(3_000)) + String(post.log.suffix(2_000)) }

    init(seed: UInt64) throws {
      random = SeededNumbers(seed: seed)
      let first = try #require(Timestamp(rfc3339: ExactlyOnceTests.slot))
      slot = first
      post = try PostCase()
      try post.settings("[Channel mail]\nType = smtp\nServer = smtp://MAIL\nFrom = routes@example.com\n")
      for folder in ["receipts", "staging"] { _ = try post.scratch.folder("drop/\(folder)") }
      daemon = try Daemon(at: first.advanced(by: .hours(1)).description)
      try daemon.settings(
        """
        [Sink drop]
        Type = file-drop

        [Sink post]
        Type = file-drop
        Directory = \(post.drop)
        Sensitive = yes

        """)
      try FileManager.default.createDirectory(atPath: daemon.drop, withIntermediateDirectories: true)
      consumer = try QuickConsumer(daemon.drop)
      plans = try DropWatch(post.drop + "/new")
      try daemon.start()
      try daemon.change("technician", "set", "maria", "--team", "desert-blue", "--mail", "maria@example.com")
      try post.start(environment: daemon.clock.environment)
      // Monday's digest is late; the counted days begin after it.
      try calm()
      slot = slot.advanced(by: .hours(24))
    }

    private func look() {
      consumer.take(waiting: .zero)
      plans.look()
    }

    /// A morning's slot passes while commands run and programs are killed; then waits until everything is delivered.
    func day() throws {
      daemon.clock.set(to: slot.advanced(by: .milliseconds(-300)))
      for _ in 0..<Int.random(in: 3...9, using: &random) {
        if Int.random(in: 0..<3, using: &random) > 0 { try type() }
        let end = Deadline(.milliseconds(Int64.random(in: 1...120, using: &random)))
        while !end.hasPassed {
          look()
          poll(nil, 0, 1)
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          try daemon.kill()
          try daemon.launch()
          kills += 1
        case 2:
          try post.kill()
          try post.start(environment: daemon.clock.environment)
          kills += 1
        default: break
        }
      }
      try calm()
      mornings += 1
      slot = slot.advanced(by: .hours(24))
    }

    private func type() throws {
      var pool: String?
      let team = ["--team", "desert-blue"]
      let words: [String]
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        pools += 1
        pool = "Torture \(pools)"
        words = ["pool", "add", "Torture \(pools)", "\(pools) Elm St"] + team
      case 2: words = ["import", Checkout.customers] + team
      case 3: words = ["run", "morning-summary"] + team
      case 4: words = ["backup", "create"]
      default: words = ["team", "set", "desert-blue", "language=\(Bool.random(using: &random) ? "es" : "en")"]
      }
      commands += 1
      let place = "\(daemon.scratch.path)/typed"
      let program = try RunningProgram(
        Checkout.pfctl, words + ["--socket", daemon.socket], environment: ["PATH": "/usr/bin:/bin"],
        output: .writing(place), errors: place)
      typed.append((program, pool))
    }

    /// Waits, without kills, until every command has ended and every notice is sent and taken.
    private func calm() throws {
      for (program, pool) in typed {
        // A kill ends the connection and so the command; only a success that it reported counts as acknowledged.
        if case .exit(0) = try program.end(), let pool { acknowledged.insert(pool) }
      }
      typed = []
      try daemon.ready()
      try eventually("\(slot) is settled") {
        look()
        return try daemon.runs("morning-summary").contains { $0.slot == slot.description && $0.outcome.isSettled }
      }
      try eventually("all is sent") {
        look()
        return try daemon.unsent() == 0
      }
      try eventually("all is brought") {
        look()
        return Files.names(in: post.drop + "/new").isEmpty && Files.names(in: post.state + "/work").isEmpty
      }
      // poolflow-post deletes receipts after 30 days of its simulated clock, so they are collected here.
      for name in Files.names(in: post.state + "/receipts") where !name.hasPrefix(".") && receipts[name] == nil {
        receipts[name] = try post.receipt(name)
      }
    }

    /// Checks the final store, the consumer's files, and the mails that the mail server got.
    func audit() throws -> Findings {
      var found = Findings()
      #expect(try daemon.stop() == .exit(0))
      look()
      let store = try Connection(path: daemon.state + "/poolflow.db", mode: .readOnly)
      func rows(_ sql: String) throws -> [(String, Int)] {
        try store.rows(sql) { row throws(StoreError) in (row.text(0), row.number(1)) }
      }
      for (words, _) in try rows("SELECT integrity_check, 0 FROM pragma_integrity_check") where words != "ok" {
        found.other.append(words)
      }
      for (table, _) in try rows("SELECT \"table\", 0 FROM pragma_foreign_key_check") { found.other.append(table) }
      try auditPools(&found, try rows("SELECT customer_name, count(*) FROM pools GROUP BY customer_name"))
      for (slot, count) in try rows(
        """
        SELECT slot_ms, count(*) FROM runs JOIN jobs USING (job_id)
        WHERE kind = 'morning-summary' AND cause = 'schedule' GROUP BY slot_ms
        """) where count != 1
      {
        found.twice.append("slot \(slot) ran \(count) times")
      }
      let scheduled = try rows(
        """
        SELECT 'all', count(*) FROM runs JOIN jobs USING (job_id)
        WHERE kind = 'morning-summary' AND cause = 'schedule' AND outcome IN ('notified', 'skipped')
          AND slot_ms > \(try firstSlot())
        """
      ).first?.1
      if scheduled != mornings { found.lost.append("\(scheduled ?? 0) of \(mornings) mornings") }
      try auditFiles(&found, rows)
      return found
    }

    private func firstSlot() throws -> Int64 { try #require(Timestamp(rfc3339: ExactlyOnceTests.slot)).milliseconds }

    /// Acknowledged pools exist; other added pools exist at most once; an import is complete or absent.
    private func auditPools(_ found: inout Findings, _ rows: [(String, Int)]) throws {
      let counts = Dictionary(rows) { $0 + $1 }
      for name in acknowledged where counts[name] == nil { found.lost.append("pool \(name)") }
      for number in 1...max(1, pools) where counts["Torture \(number)", default: 0] > 1 {
        found.twice.append("pool Torture \(number)")
      }
      let others = rows.filter { !$0.0.hasPrefix("Torture ") }.map(\.1).reduce(0, +)
      let before = try DemoStore.counts.get().pools
      // The demo's customers equal the pools of its backup, so importing them normally adds none.
      let whole = Set(
        [before, before + (try DemoStore.customers())])
      if !whole.contains(others) { found.torn.append("\(others) pools of an import") }
    }

    /// Each notice reached the consumer once and complete; each personal notice was mailed once.
    private func auditFiles(_ found: inout Findings, _ rows: (String) throws -> [(String, Int)]) throws {
      let taken = Dictionary(grouping: consumer.files.filter { $0.name.hasSuffix(".json") }) { $0.name }
      for (name, files) in taken {
        if files.count > 1 { found.twice.append(name) }
        for file in files {
          let event = try? JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any]
          if event?["data"] == nil || file.bytes.last != 0x0A { found.torn.append(name) }
        }
      }
      for (id, _) in try rows("SELECT notice_id, 0 FROM outbox WHERE sink = 'drop' AND state = 'sent'")
      where taken["\(id).json"] == nil {
        found.lost.append(id)
      }
      let dropped = Dictionary(grouping: plans.arrivals) { $0 }.mapValues(\.count)
      let personal = try rows(
        "SELECT notice_id, person IS NOT NULL FROM outbox JOIN notices USING (notice_id) WHERE sink = 'post'")
      for (id, _) in personal where dropped["\(id).json"] != 1 {
        let count = dropped["\(id).json", default: 0]
        if count == 0 { found.lost.append("\(id) for post") } else { found.twice.append("\(id) for post") }
      }
      for (id, isPersonal) in personal where isPersonal == 1 {
        let said = receipts.values.filter { $0.event == id }
        let own = said.filter { $0.verdict == "delivered" }
        // A sender killed during two tries (the second marked as a repeat) does not try again; the receipt's verdict is
        // `unknown`.
        let isInDoubt = said.contains { $0.verdict == "unknown" && $0.tries >= 2 }
        if isInDoubt { found.inDoubt += 1 }
        if own.isEmpty, !isInDoubt { found.lost.append("mail of \(id), of which is said \(said)") }
        if own.count > 1 { found.twice.append("receipt of \(id)") }
      }
      for (id, _) in try rows("SELECT notice_id, 0 FROM outbox WHERE state NOT IN ('sent')") {
        found.lost.append("unsent \(id)")
      }
    }
  }
}
