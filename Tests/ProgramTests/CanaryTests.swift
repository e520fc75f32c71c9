import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeStores

extension Programs {
  /// Privacy: 1,000 unique gate codes, telephone numbers and e-mail addresses ("canaries") are put into the records; no
  /// output of the programs may contain any of them, except the files of a sink with `Sensitive = yes`.
  @Suite struct CanaryTests {
    /// Unique words of letters and digits that must not appear in any output.
    struct Canaries {
      private(set) var words: Set<String> = []
      private var random: SeededNumbers

      init(seed: UInt64) { random = SeededNumbers(seed: seed) }

      mutating func make(_ prefix: String) -> String {
        let digits = (0..<11).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        words.insert(prefix + digits)
        return prefix + digits
      }

      /// The canaries that occur in `bytes`.
      func found(in bytes: some Sequence<UInt8>) -> Set<String> {
        var found: Set<String> = []
        var word: [UInt8] = []
        func end() {
          if word.count >= 12 {
            let text = String(decoding: word, as: UTF8.self)
            if words.contains(text) { found.insert(text) }
          }
          word = []
        }
        for byte in bytes {
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: word.append(byte)
          default: end()
          }
        }
        end()
        return found
      }
    }

    private static let each = 1_000
    static let seed: UInt64 = 20_260_302

    /// Adds ten gate codes, telephone numbers and e-mail addresses to each of 100 pools, a note with a gate code, and
    /// addresses for technicians and the office.
    private func seed(_ daemon: Daemon) throws -> Canaries {
      var canaries = Canaries(seed: Self.seed)
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      let pools = try connection.rows("SELECT pool_id FROM pools ORDER BY service_day, pool_id LIMIT 100") {
        row throws(StoreError) in row.text(0)
      }
      #expect(pools.count == 100)
      let perPool = Self.each / 100
      for pool in pools {
        let gates = (0..<perPool).map { _ in canaries.make("G") }
        let phones = (0..<perPool).map { _ in canaries.make("1") }
        let emails = (0..<perPool).map { _ in canaries.make("e") + "@pii.test" }
        try connection.run(
          """
          INSERT INTO customer_profiles (team_id, pool_id, contact_name, contact_phone, contact_email, gate_access,
            arrival_window, tags)
          VALUES ((SELECT team_id FROM pools WHERE pool_id = ?1), ?1, 'Steve', ?2, ?3, ?4, '', '')
          ON CONFLICT (team_id, pool_id) DO UPDATE SET contact_phone = ?2, contact_email = ?3, gate_access = ?4
          """,
          [
            .text(pool), .text(phones.map { "+\($0)" }.joined(separator: " ")), .text(emails.joined(separator: " ")),
            .text(gates.joined(separator: " ")),
          ])
        try connection.run("UPDATE pools SET notes = ?2 WHERE pool_id = ?1", [.text(pool), .text("gate \(gates[0])")])
      }
      #expect(canaries.words.count == 3 * Self.each)
      // The addresses of the technicians and of the office.
      for technician in ["(SELECT technician_id FROM technicians)", "NULL"] {
        let lines = ReachChannel.allCases.map { channel in
          switch channel {
          // The tests' mail server refuses the second address.
          case .mail: "mail \(canaries.make(technician == "NULL" ? "rcpt5m" : "m"))@pii.test"
          case .telegram: "telegram -\(canaries.make("1"))"
          case .matrix: "matrix !\(canaries.make("r")):pii.test"
          case .ntfy, .slack, .teams, .webhook: "\(channel.rawValue) \(canaries.make("n"))"
          }
        }
        try connection.run(
          """
          INSERT INTO people (team_id, technician_id, quiet, wants, addresses)
          VALUES ((SELECT team_id FROM teams), \(technician), '', 'route low-stock week reminders operator', ?)
          """, .text(lines.joined(separator: "\n")))
      }
      return canaries
    }

    @Test func `private data appears in no output except a sensitive sink's files`() async throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      let canaries = try seed(daemon)
      try daemon.scratch.write(
        "poolflow.conf",
        """
        [Sink drop]
        Type = file-drop
        [Sink line]
        Type = stdout
        [Sink text]
        Type = stdout
        Format = text
        [Sink crew]
        Type = file-drop
        Sensitive = yes
        [Sink away]
        Directory = /nowhere/drop

        """.utf8)
      try daemon.start()
      var said: [UInt8] = []
      func ask(_ words: [String]) throws {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        said += Array((answer.output + answer.errors).utf8)
      }
      // A whole week, so that every pool is on some route.
      for day in 2...8 {
        try ask(["run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-0\(day)"])
      }
      for job in ["weekly-digest", "low-stock"] { try ask(["run", job, "--team", "desert-blue"]) }
      try eventually("the crew has its files", { try daemon.queue("crew").sent >= 6 })
      try eventually(
        "standard output has all", { try daemon.queue("text").waiting + daemon.queue("line").waiting == 0 })

      // A CSV file with invalid rows, each of which contains a telephone number.
      let phone = canaries.words.sorted()[0]
      try daemon.scratch.write(
        "bad.csv",
        "customer_name,address,service_day,contact_phone,notes\n\(phone),,Someday,+\(phone),\(phone)\n".utf8)
      for words in [
        ["status"], ["status", "--json"], ["list"], ["history"], ["history", "--json"], ["audit"], ["doctor"],
        ["outbox", "list", "--json", "--limit", "1000"], ["sink", "list"], ["outbox", "list", "--state", "dead"],
        ["sink", "test", "away"],
        ["pool", "list", "--team", "desert-blue"], ["pool", "list", "--team", "desert-blue", "--json"],
        ["pool", "show", "e", "--team", "desert-blue"], ["pool", "show", "Steve Baird", "--team", "desert-blue"],
        ["pool", "show", "Steve Baird", "--team", "desert-blue", "--json"], ["team", "show", "desert-blue"],
        ["technician", "list"], ["technician", "list", "--json"],
        ["technician", "test", "office", "--team", "desert-blue"],
        ["technician", "set", "office", "--team", "desert-blue", "--mail", "no \(canaries.words.sorted()[0])"],
        ["simulate", "--days", "7", "--team", "desert-blue"], ["why", "morning-summary", "--team", "desert-blue"],
        ["config", "show", "--running"], ["outbox", "discard", "--all", "--sink", "away", "--yes"],
        ["bugreport", "--output", daemon.scratch.path + "/report.zip"],
      ] { try ask(words) }
      #expect(canaries.found(in: said) == [], "pfctl")
      // An import's report quotes the invalid values to its caller only; so its output is not collected.
      _ = try daemon.ask("import", daemon.scratch.path + "/bad.csv", "--team", "desert-blue")
      try daemon.stop()

      #expect(canaries.found(in: daemon.log.utf8) == [], "standard error")
      let output = try Files.bytes(daemon.outputFile)
      #expect(output.count > 10_000 && canaries.found(in: output) == [], "standard output")
      let report = try ZIPArchive(path: daemon.scratch.path + "/report.zip")
      for entry in report.entries {
        #expect(canaries.found(in: try report.read(entry, limit: 64 << 20)) == [], "bugreport: \(entry.name)")
      }
      // Every file of the state directory except the store, the sensitive sink's files and photos.
      for (name, bytes) in try Files.tree(daemon.state) {
        if name.hasPrefix("poolflow.db") || name.hasPrefix("outbox-crew") || name.hasPrefix("photos") { continue }
        #expect(canaries.found(in: bytes) == [], "\(name)")
      }
      try checkStore(daemon, canaries, notices: 6)
      for entry in try await Store(reading: daemon.state + "/poolflow.db").outbox(OutboxQuery(limit: 1_000)) {
        #expect(canaries.found(in: JournalMessage(of: entry.notice).bytes) == [], "the journal")
      }
      // Positive control: the sensitive sink's files contain all canaries.
      let crew = try Files.tree(daemon.state + "/outbox-crew/new").values.flatMap { $0 }
      #expect(canaries.found(in: crew) == canaries.words)
    }

    @Test(.requires(.python3, .curl))
    func `private data appears in no log, receipt, dead letter or answer of poolflow-post`() throws {
      let post = try PostCase()
      _ = try post.scratch.folder("drop/receipts")
      try post.settings(
        """
        [Channel mail]
        Type = smtp
        Server = smtp://MAIL
        From = routes@example.com
        Detail = full
        [Channel push]
        Type = ntfy
        Server = http://WEB/ok
        Fallback = room
        [Channel bot]
        Type = telegram
        Server = http://WEB/400
        Credential = word
        [Channel room]
        Type = matrix
        Server = http://WEB/ok
        Credential = word
        [Channel desk]
        Type = ntfy
        Server = http://WEB/ok
        Operator = yes
        To = desk
        """, credentials: ["word": "12:secret"])
      // poolflow-post runs on the real clock here, so the daemon starts at the real time, too.
      let daemon = try Daemon.atMachineTime()
      let canaries = try seed(daemon)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "America/Phoenix"))
      let store = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      let technician = try #require(
        try store.rows("SELECT name FROM technicians WHERE technician_id = (SELECT technician_id FROM technicians)") {
          row throws(StoreError) in row.text(0)
        }.first)
      try store.run(
        "UPDATE pools SET service_day = ?", [.integer(Int64(calendar.component(.weekday, from: Date.now)))])
      try daemon.scratch.write(
        "poolflow.conf", "[Sink post]\nType = file-drop\nDirectory = \(post.drop)\nSensitive = yes\n".utf8)
      try daemon.start()
      try post.start()
      var said: [UInt8] = []
      func ask(_ words: String...) throws {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        said += Array((answer.output + answer.errors).utf8)
      }
      func askPost(_ words: String...) throws -> String {
        let answer = try Program.run(
          Checkout.post, ["--config", post.scratch.path + "/post.conf"] + words, in: post.scratch)
        said += Array((answer.output + answer.errors).utf8)
        return answer.output
      }
      try ask("run", "morning-summary", "--team", "desert-blue")
      // Seven addresses each for the technician and the office.
      _ = try post.receipts(14)
      for person in [technician, "office"] { try ask("technician", "test", person, "--team", "desert-blue") }
      #expect(String(decoding: said, as: UTF8.self).contains("mail: handed to the mail server"))
      let receipts = try post.receipts(28)
      #expect(receipts.contains { $0.verdict == "delivered" } && receipts.contains { $0.words.contains("(550)") })
      try eventually("receipts that the daemon has taken", { post.unread.isEmpty })
      for line in [
        ["history"], ["history", "--json"], ["why", "morning-summary", "--team", "desert-blue"], ["status"],
        ["outbox", "list", "--json"], ["outbox", "list", "--plain"], ["status", "--json"], ["audit"], ["doctor"],
      ] {
        let answer = try Pfctl.run(line + ["--socket", daemon.socket], in: daemon.scratch)
        said += Array((answer.output + answer.errors).utf8)
      }
      for word in Set(receipts.map(\.event)) {
        try ask("outbox", "show", word)
        _ = try askPost("log", word)
        _ = try askPost("log", word, "--json")
      }
      let dead = try askPost("dead")
      let deadLetters = dead.split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      #expect(deadLetters.count >= 4, "\(dead)")
      for letter in deadLetters { _ = try askPost("dead", "show", letter) }
      _ = try askPost("dead", "--json")
      _ = try askPost("status")
      _ = try askPost("status", "--json")
      _ = try askPost("--check")
      try ask("bugreport", "--output", daemon.scratch.path + "/report.zip")
      try post.stop()
      try daemon.stop()

      #expect(canaries.found(in: said) == [], "what the programs answered")
      #expect(canaries.found(in: post.log.utf8) == [], "poolflow-post's log")
      #expect(canaries.found(in: daemon.log.utf8) == [], "the daemon's log")
      #expect(canaries.found(in: try Files.bytes(daemon.outputFile)) == [], "standard output")
      let report = try ZIPArchive(path: daemon.scratch.path + "/report.zip")
      for entry in report.entries {
        #expect(canaries.found(in: try report.read(entry, limit: 64 << 20)) == [], "bugreport: \(entry.name)")
      }
      // In poolflow-post's state directory an address may occur only in a dead letter, which only its owner may read.
      for (name, bytes) in try Files.tree(post.state) where canaries.found(in: bytes) != [] {
        #expect(name.hasPrefix("dead/"), "\(name)")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(post.state)/\(name)")
        #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(name)")
      }
      try checkStore(daemon, canaries, notices: 4)
      // Positive control: delivered messages contain addresses and gate codes.
      let brought = try post.mails().flatMap { Array(($0.to + " ").utf8) + (Data(base64Encoded: $0.data) ?? Data()) }
      #expect(canaries.found(in: brought).contains { $0.hasPrefix("m") })
      let dropped = try post.requests().flatMap { Array($0.bytes) + Array($0.path.utf8) }
      #expect(canaries.found(in: dropped).count > 2)
    }

    /// Checks that no table with errors, notices or run results contains a canary.
    func checkStore(_ daemon: Daemon, _ canaries: Canaries, notices count: Int) throws {
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readOnly)
      for table in ["notices", "outbox", "runs", "audit", "epochs", "jobs", "receipts"] {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") {
          row throws(StoreError) in row.text(0)
        }
        let words = columns.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || ")
        let rows = try connection.rows("SELECT \(words) FROM \(table)") { row throws(StoreError) in row.text(0) }
        #expect(canaries.found(in: rows.joined(separator: "\n").utf8) == [], "\(table)")
        if table == "notices" { #expect(rows.count >= count) }
      }
    }
  }
}
