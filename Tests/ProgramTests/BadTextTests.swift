import Foundation
import PoolControl
import PoolModel
import PoolPlatform
import PoolStore
import Testing

extension Programs {
  /// Texts and numbers that nothing could be done with: kept out at every door, and no trouble where they are in already.
  @Suite struct BadTextTests {
    private static let team = "desert-blue"
    private static let marks = "e" + String(repeating: "\u{301}", count: 20_000)

    private func daemon() throws -> Daemon { try Daemon(at: "2026-03-02T14:30:00Z").start() }

    private func tables(_ daemon: Daemon) throws -> [String] {
      try ["pools", "visits", "stock"].map { try daemon.ask("export", $0, "--team", Self.team).output }
        + [
          daemon.ask("pool", "show", "Steve Baird", "--team", Self.team, "--json").output,
          daemon.ask("equipment", "list", "--team", Self.team, "--json").output,
        ]
    }

    /// Writes into the store of a stopped daemon what no door lets in, as an older poolflowd may have.
    private func spoil(_ daemon: Daemon, _ statements: [String]) throws {
      try daemon.stop()
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      for statement in statements { try connection.execute(statement, operation: "prepare the test") }
    }

    /// An archive of one pool, one item and one visit.
    private func archive(
      _ daemon: Daemon, customer: String = "Odd Pool", gate: String = "", latitude: Double = 33,
      longitude: Double = -111, costPerOz: String = "0.05"
    ) throws -> String {
      let (pool, item) = (UUID().uuidString, UUID().uuidString)
      let files = [
        (
          "pools.json",
          """
          [{"id": "\(pool)", "customerName": "\(customer)", "address": "1 Elm", "notes": "a\\r\\nb\\tc",
          "latitude": \(latitude), "longitude": \(longitude), "poolVolumeGallons": 15000, "monthlyServiceFee": 145, "serviceDayOfWeek": 2,
          "routeOrder": 0, "pH": 7.0, "waterTempF": 60, "calciumHardness": 250, "totalAlkalinity": 60, "cyanuricAcid": 30,
          "createdAt": "2024-07-20T14:59:00Z", "updatedAt": "2024-07-20T14:59:00Z"}]
          """
        ), ("service_events.json", "[]"), ("chemical_doses.json", "[]"),
        (
          "inventory.json",
          """
          [{"id": "\(item)", "name": "Soda Ash", "chemicalTypeRaw": "base", "concentration": 100, "costPerOz": \(costPerOz),
          "currentStockOz": 120, "lowStockThresholdOz": 64, "unitLabel": "oz"}]
          """
        ), ("customer_profiles.json", #"[{"poolID": "\#(pool)", "contactName": "Ann", "gateAccessType": "\#(gate)"}]"#),
        ("manifest.json", #"{"schemaVersion": 2, "appVersion": "1.0", "createdAt": "2026-02-25T09:00:00Z"}"#),
      ]
      var bytes: [UInt8] = []
      let zip = ZIPWriter(modified: Timestamp(seconds: 1_772_460_000)) { bytes.append(contentsOf: $0) }
      for (name, text) in files { try zip.add(name, Array(text.utf8)) }
      try zip.finish()
      return try daemon.scratch.write("odd.zip", bytes)
    }

    @Test func `a control character or a heap of marks is refused wherever somebody types, and nothing changes`()
      throws
    {
      let daemon = try daemon()
      try daemon.change("equipment", "add", "Steve Baird", "Zeta pump", "--team", Self.team)
      let before = try tables(daemon)
      let of = ["--team", Self.team]
      let doors: [(words: [String], takesLines: Bool)] = [
        (["profile", "set", "Steve Baird"] + of + ["--gate"], false),
        (["profile", "set", "Steve Baird"] + of + ["--contact"], false),
        (["profile", "set", "Steve Baird"] + of + ["--tags"], false),
        (["pool", "set", "Steve Baird"] + of + ["--customer"], false),
        (["pool", "set", "Steve Baird"] + of + ["--notes"], true),
        (["pool", "add", "Nora", "5 Elm"] + of + ["--notes"], true),
        (["inventory", "set", "Muriatic"] + of + ["--unit"], false),
        (["equipment", "set", "Steve Baird", "Zeta pump"] + of + ["--model"], false),
        (["equipment", "set", "Steve Baird", "Zeta pump"] + of + ["--notes"], true),
        (["visit", "log", "Steve Baird"] + of + ["--ph", "7.5", "--notes"], true),
        (["pause"] + of + ["--note"], false),
        (["backup", "create", "--reason"], false),
        (["import", Checkout.customers] + of + ["--technician"], false),
      ]
      for door in doors {
        for sign in ["\u{7}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}"] {
          let answer = try Pfctl.run(door.words + ["12\(sign)34", "--socket", daemon.socket], in: daemon.scratch)
          let value = codePoint(sign.unicodeScalars.first?.value ?? 0)
          #expect(answer.code != 0, "\(door.words)")
          #expect(answer.errors.contains("control character \(value) as letter 3"), "\(door.words): \(answer.errors)")
        }
        let marks = try Pfctl.run(door.words + [Self.marks, "--socket", daemon.socket], in: daemon.scratch)
        #expect(marks.code != 0 && marks.errors.contains("has 40001 bytes, more than"), "\(door.words)")
        #expect(marks.errors.utf8.count < 2_000)
        guard !door.takesLines else { continue }
        let line = try Pfctl.run(door.words + ["12\n34", "--socket", daemon.socket], in: daemon.scratch)
        #expect(line.code != 0 && line.errors.contains("write it in one line"), "\(door.words): \(line.errors)")
      }
      #expect(try tables(daemon) == before)
      #expect(try daemon.ask("backup", "create").code == 0)
    }

    @Test func `an archive loses control characters with a remark, and its backup is whole`() throws {
      let daemon = try daemon()
      try daemon.change("team", "add", "coast", "--zone", "UTC")
      let file = try archive(daemon, gate: #"12\u000734\u009b"#)
      let taken = try daemon.ask("import", file, "--team", "coast")
      #expect(taken.code == 0 && (taken.output + taken.errors).contains("has control characters"), "\(taken)")
      let pool = try daemon.query(
        PoolsCall.Show.Reply.self, "pool", "show", "Odd Pool", "--team", "coast", "--reveal"
      ).details
      #expect(pool.profile?.gateAccess == "1234" && pool.notes == "a\r\nb\tc")
      #expect(try daemon.ask("backup", "create").code == 0)
      #expect(try daemon.ask("backup", "verify", "latest", "--full").code == 0)
      let marked = try archive(daemon, customer: Self.marks)
      let refused = try daemon.ask("import", marked, "--team", "coast")
      #expect(refused.code == ExitCode.badData && refused.errors.contains("customerName has more than 800 bytes"))
    }

    @Test func `a price that no sum can hold is refused, and so is a visit where it is in the store already`() throws {
      let daemon = try daemon()
      try daemon.change("team", "add", "coast", "--zone", "UTC")
      let refused = try daemon.ask("import", try archive(daemon, costPerOz: "1e308"), "--team", "coast")
      #expect(
        refused.code == ExitCode.badData
          && refused.errors.contains("inventory.json record 1: costPerOz is out of range"),
        "\(refused)")
      // What an owner may have typed into the app passes, and a visit tells what it costs.
      try daemon.change("import", try archive(daemon, costPerOz: "1e11"), "--team", "coast")
      let visit = ["visit", "log", "Odd Pool", "--team", "coast", "--ph", "7.0"]
      let dear = try Pfctl.run(visit + ["--socket", daemon.socket, "--json"], in: daemon.scratch)
      let logged = try JSONDecoder().decode(FieldCall.LogVisit.Reply.self, from: Data(dear.output.utf8))
      #expect(dear.code == 0 && logged.visit.cost > 1e11 && logged.visit.cost.isFinite)

      // A store of before: the price, and a visit that was logged with it.
      try spoil(
        daemon,
        [
          "UPDATE inventory_items SET cost_per_oz = 1e308 WHERE name = 'Soda Ash'",
          "UPDATE service_events SET total_chemical_cost = 9e999 WHERE total_chemical_cost > 1e11",
          "UPDATE chemical_doses SET cost = 9e999 WHERE cost > 1e11",
        ])
      try daemon.start()
      let visits = try daemon.ask("visit", "list", "Odd Pool", "--team", "coast", "--json")
      #expect(visits.code == 0)
      let again = try Pfctl.run(visit + ["--socket", daemon.socket], in: daemon.scratch)
      #expect(again.code != 0 && again.errors.contains("pfctl inventory set"), "\(again)")
      #expect(try daemon.ask("visit", "list", "Odd Pool", "--team", "coast", "--json").output == visits.output)
      for words in [
        ["profit", "coast"], ["team", "show", "coast"], ["export", "visits", "--team", "coast"],
        ["export", "stock", "--team", "coast"], ["inventory", "list", "--team", "coast"],
        ["backup", "create"], ["backup", "verify", "latest", "--full"],
        ["digest", "coast", "--date", "2026-03-02"], ["report", "month", "coast", "--month", "2026-03"],
        ["backup", "restore", "latest", "--team", "coast", "--confirm", "coast"],
      ] {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 0, "\(words): \(answer.errors)")
        #expect(!answer.output.contains("inf") && !answer.output.contains("nan"), "\(words)")
      }
      try daemon.change("inventory", "set", "Soda Ash", "--team", "coast", "--cost", "0.1")
      try daemon.change("visit", "log", "Odd Pool", "--team", "coast", "--ph", "7.0")
    }

    @Test func `what an older daemon let in stops no backup, no restore, no clearing`() throws {
      let daemon = try daemon()
      let marks = "char(101) || replace(hex(zeroblob(20000)), '00', char(769))"
      try spoil(
        daemon,
        [
          "UPDATE customer_profiles SET gate_access = '12' || char(7) || '34' || char(155), tags = tags || char(10, 27)",
          "UPDATE pools SET notes = 'a' || char(0) || 'b' || char(13, 8), latitude = 540 WHERE customer_name = 'Steve Baird'",
          "UPDATE pools SET address = \(marks) WHERE customer_name LIKE 'A%'",
          "UPDATE pools SET monthly_fee = 1e308, volume_gal = 1e300, cached_lsi = 9e999 WHERE customer_name LIKE 'B%'",
          "UPDATE service_events SET tech_notes = \(marks), total_chemical_cost = 1e308 WHERE event_id LIKE 'A%'",
          "UPDATE equipment SET notes = char(1, 2, 3, 127, 133), name = name || char(27)",
          "UPDATE inventory_items SET unit_label = char(9, 10, 11, 12)",
        ])
      try daemon.start()
      let before = try tables(daemon).map { $0.split(separator: "\n").sorted() }
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      #expect(backup.state == .tested && backup.archives == 4)
      #expect(try daemon.ask("backup", "verify", "latest", "--full").code == 0)
      let restored = try daemon.ask("backup", "restore", backup.id, "--team", Self.team, "--confirm", Self.team)
      #expect(restored.code == 0, "\(restored.errors)")
      #expect(try tables(daemon).map { $0.split(separator: "\n").sorted() } == before)
      let cleared = try daemon.ask("team", "clear", Self.team, "--confirm", Self.team)
      #expect(cleared.code == 0, "\(cleared.errors)")
      let whole = try daemon.ask("backup", "restore", backup.id, "--confirm", backup.id)
      #expect(whole.code == 0, "\(whole.errors)")
      #expect(try tables(daemon).map { $0.split(separator: "\n").sorted() } == before)
    }

    @Test func `a pool beyond the poles keeps its numbers and is on no route, no map and no table`() throws {
      let daemon = try daemon()
      try daemon.change("team", "add", "coast", "--zone", "UTC")
      try daemon.change("team", "plan", "coast", "paid")
      for (number, place) in [(1, (33.0, -540.0)), (2, (91.0, 10.0)), (3, (33.1, -111.0))] {
        let file = try archive(
          daemon, customer: "Odd \(number)", latitude: place.0, longitude: place.1)
        let taken = try daemon.ask("import", file, "--team", "coast", "--technician", "tech\(number)")
        #expect(taken.code == 0, "\(taken)")
        #expect((taken.output + taken.errors).contains("counts as not located") == (number < 3), "\(taken)")
      }
      for name in ["Odd 1", "Odd 2"] {
        let pool = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", name, "--team", "coast").details
        #expect(pool.latitude == nil && pool.longitude == nil)
      }
      let table = try daemon.ask("export", "pools", "--team", "coast").output
      #expect(!table.contains("540") && !table.contains("91") && table.contains("33.1"))
      #expect(try daemon.ask("health", "coast").output.contains("Odd 2"))
      #expect(try daemon.ask("doctor").output.contains("2 of 3 pools of team 'coast' have no coordinates"))
      let route = try daemon.ask("route", "show", "coast", "--day", "mon", "--json")
      #expect(route.code == 0 && !route.output.contains("540"), "\(route)")
      let digest = try daemon.ask("digest", "coast", "--date", "2026-03-02", "--format", "ics")
      #expect(digest.code == 0 && digest.output.components(separatedBy: "GEO:").count == 2, "\(digest)")
      // The backup has what came in.
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      #expect(backup.state == .tested)
      try daemon.change("backup", "restore", backup.id, "--team", "coast", "--confirm", "coast")
      try daemon.stop()
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      let longitudes = try connection.rows(
        "SELECT longitude FROM pools WHERE customer_name LIKE 'Odd%' ORDER BY customer_name"
      ) { row throws(StoreError) in row.real(0) }
      #expect(longitudes == [-540, 10, -111])
    }

    @Test func `a folder of the inbox with a name that nobody may have is refused in words`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z")
      let inbox = try daemon.scratch.folder("inbox")
      let folder = try daemon.scratch.folder("inbox/desert-blue/ma\u{7}ria")
      try daemon.scratch.write("poolflow.conf", "[Daemon]\nInbox = \(inbox)\n".utf8)
      try FileManager.default.copyItem(atPath: Checkout.customers, toPath: folder + "/new.csv")
      try daemon.start()
      daemon.clock.step(by: .seconds(60))
      try eventually(
        "the refusal",
        {
          _ = try daemon.ask("inbox", "take")
          return Files.names(in: folder).contains { $0.hasSuffix(".refused") }
        })
      let result = try #require(Files.names(in: folder).first { $0.hasSuffix(".result") })
      #expect(try Files.text("\(folder)/\(result)").contains("control character U+0007 as letter 3"))
    }
  }
}
