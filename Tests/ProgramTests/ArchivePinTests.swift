import PoolControl
import FlowControl
import FlowModel
import FlowPlatform
import Foundation
import Testing

extension Programs {
  /// Archives contain the app's fields unchanged: pins are stored in a separate file, not as tags, and empty profiles are
  /// left out.
  @Suite struct ArchivePinTests {
    private static let team = ["--team", "small"]

    private struct Profile: Decodable {
      let poolID: String
      let contactName: String
      let tagsCSV: String
    }

    private struct Pin: Decodable {
      let poolID: String
      let place: Int
    }

    private let daemon: Daemon

    init() throws {
      daemon = try Daemon(at: "2026-03-02T14:30:00Z", empty: true).start()
      try daemon.change("team", "add", "small", "--zone", "America/Phoenix")
      for (number, name) in ["Ann", "Bea", "Cleo", "Dora"].enumerated() {
        try daemon.change("pool", "add", name, "\(number + 1) A St", "--day", "mon", "--team", "small")
      }
      try daemon.change("pool", "set", "Bea", "--contact", "Bea Senior", "--tags", "vip,weekly", "--team", "small")
    }

    private func ask(_ words: String...) throws -> Answer { try daemon.ask(words + Self.team) }

    private func archive(_ name: String) throws -> String {
      let path = "\(daemon.scratch.path)/\(name)"
      try daemon.change("backup", "create")
      #expect(try ask("backup", "export", "latest", "--output", path).code == 0)
      return path
    }

    private func records<Record: Decodable>(_ member: String, in path: String) throws -> [Record] {
      let zip = try ZIPArchive(path: path)
      guard let entry = zip.file(named: member) else { return [] }
      return try JSONDecoder().decode([Record].self, from: Data(zip.read(entry, limit: 1 << 20)))
    }

    private func pins() throws -> [String: Int] {
      let days = try daemon.query(RoutesCall.Show.Reply.self, "route", "show", "--team", "small").routes
      return Dictionary(
        days.flatMap(\.stops).compactMap { stop in stop.pin.map { (stop.customer, $0) } }, uniquingKeysWith: { $1 })
    }

    @Test func `exported pins are stored in their own file, restored, and kept by an app import`()
      throws
    {
      let app = try archive("app.zip")
      try daemon.change("route", "pin", "Bea", "--place", "3", "--team", "small")
      try daemon.change("route", "pin", "Dora", "--place", "2", "--team", "small")
      #expect(try pins() == ["Bea": 3, "Dora": 2])
      let shown = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Bea", "--team", "small").details
      #expect(shown.profile?.tags == ["vip", "weekly"])
      let dora = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Dora", "--team", "small").details
      #expect(dora.profile == nil)

      let own = try archive("own.zip")
      let profiles: [Profile] = try records("customer_profiles.json", in: own)
      #expect(profiles.map(\.tagsCSV) == ["vip,weekly"] && profiles.map(\.contactName) == ["Bea Senior"])
      let written: [Pin] = try records("route_pins.json", in: own)
      #expect(written.map(\.place).sorted() == [2, 3])

      #expect(try ask("import", app, "--replace").code == 0)
      #expect(try pins() == ["Bea": 3, "Dora": 2])
      #expect(try ask("backup", "restore", app, "--confirm", "small").code == 0)
      #expect(try pins().isEmpty)
      let restored = try ask("backup", "restore", own, "--confirm", "small")
      #expect(restored.code == 0 && !restored.errors.contains("route_pins"), "\(restored)")
      #expect(try pins() == ["Bea": 3, "Dora": 2])
      try daemon.change("route", "pin", "Bea", "--team", "small")
      #expect(try pins() == ["Dora": 2])
    }

    @Test func `a tag pin:N sets a pin; other tags leave the pin unchanged`() throws {
      try daemon.change("pool", "set", "Cleo", "--tags", "vip, pin:4", "--team", "small")
      #expect(try pins() == ["Cleo": 4])
      try daemon.change("pool", "set", "Cleo", "--tags", "gold", "--team", "small")
      #expect(try pins() == ["Cleo": 4])
      let profiles: [Profile] = try records("customer_profiles.json", in: try archive("own.zip"))
      #expect(profiles.map(\.tagsCSV).sorted() == ["gold", "vip,weekly"])
    }

    @Test func `a profile with only empty fields is neither exported nor shown`() throws {
      try daemon.change("pool", "set", "Bea", "--contact", "", "--tags", "", "--team", "small")
      let own = try archive("own.zip")
      let profiles: [Profile] = try records("customer_profiles.json", in: own)
      #expect(profiles.isEmpty)
      let report = try daemon.query(ImportCall.Apply.Reply.self, "import", own, "--replace", "--team", "small").report
      #expect(report.after.customerProfiles == 0 && report.warnings.isEmpty, "\(report.warnings)")
    }

    @Test(arguments: [
      ("[{\"place\":0,\"poolID\":\"POOL\"}]", "place"), ("[{\"place\":2}]", "poolID"), ("{}", "route_pins.json"),
      ("[{\"place\":\"two\",\"poolID\":\"POOL\"}]", "place"), ("[", "route_pins.json"),
    ])
    func `unreadable pins are refused with their file name, and nothing changes`(pins: String, said: String) throws {
      let own = try archive("own.zip")
      let zip = try ZIPArchive(path: own)
      let bad = "\(daemon.scratch.path)/bad.zip"
      _ = try PrivateFiles.write(bad) { put in
        try withoutActuallyEscaping(put) { put in
          let writer = ZIPWriter(modified: Timestamp(seconds: 1_772_000_000), to: put)
          for entry in zip.entries where !entry.isFolder {
            try writer.add(entry.name, try zip.read(entry, limit: 1 << 20))
          }
          try writer.add("route_pins.json", Array(pins.utf8))
          try writer.finish()
        }
      }
      let before = try ask("pool", "list", "--json").output
      let refused = try ask("import", bad, "--replace")
      #expect(refused.code == ExitCode.badData && refused.errors.contains(said), "\(refused)")
      #expect(refused.errors.contains("nothing was changed"))
      #expect(try ask("pool", "list", "--json").output == before)
    }
  }
}
