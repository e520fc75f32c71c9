import FlowBackup
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import FlowTestKit
import Foundation
import PoolBackup
import PoolModel
import Testing
import TradeBackups

@testable import FlowAnswers
@testable import FlowDaemon

/// Files that the daemon cannot import: one sentence, the right exit code, nothing changes.
@Suite struct BadFileTests {
  private func refuseImports(_ files: [(name: String, bytes: [UInt8])], saying: String = "nothing was changed")
    async throws
  {
    let fixture = try await ServiceFixture()
    let before = try fixture.marks()
    for file in files {
      await fixture.refuses(ExitCode.badData, saying: "'\(file.name)'", saying) {
        try await fixture.importFile(file.bytes, as: file.name)
      }
      #expect(try fixture.marks() == before, "\(file.name)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.context.paths.uploads) == [], "\(file.name)")
    }
  }

  @Test func `an empty file is refused`() async throws {
    let fixture = try await ServiceFixture()
    await fixture.refuses(ExitCode.badData, saying: "'backup.zip'", "is empty") {
      try await fixture.importFile([], as: "backup.zip")
    }
  }

  @Test func `a truncated backup is refused, even if only its last byte is missing`() async throws {
    let whole = try Tree.bytes("config/demo/demo-backup.zip")
    try await refuseImports(
      [1, 4, 100, 10_000, 100_000, whole.count - 1].map { ("backup-\($0).zip", Array(whole.prefix($0))) })
  }

  @Test func `a backup with a flipped bit in its records is refused`() async throws {
    var bytes = try Tree.bytes("config/demo/demo-backup.zip")
    bytes[bytes.count / 2] ^= 0x10
    try await refuseImports([("backup.zip", bytes)])
  }

  @Test func `random bytes, pictures and unknown tables are refused`() async throws {
    var random = SeededNumbers(seed: 1)
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]
    try await refuseImports([
      ("backup.zip", (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }),
      ("route.png", png + Array(repeating: 0, count: 500)), ("customers.csv", Array("a,b,c\n1,2,3\n".utf8)),
    ])
  }

  @Test func `a backup of schema 3 is refused`() async throws {
    try await refuseImports([("backup.zip", try Tree.bytes(Tree.archives + "/schema-v3.zip"))], saying: "3")
  }

  @Test func `malicious and broken backups are refused`() async throws {
    let names = [
      "zip-slip", "symlink", "bomb-lying", "crc-error", "duplicate-entry", "encrypted-entry", "missing-manifest",
      "missing-pools", "malformed-pools", "orphan-event", "not-a-zip", "unknown-method", "schema-v0",
    ]
    try await refuseImports(try names.map { ("\($0).zip", try Tree.bytes("\(Tree.archives)/\($0).zip")) })
  }

  /// Every archive of the corpus, truncated archives, and archives with a changed byte.
  private static func archives() throws -> [(name: String, bytes: [UInt8])] {
    let folder = try FileManager.default.contentsOfDirectory(atPath: Tree.archives).filter { $0.hasSuffix(".zip") }
    var found = try folder.sorted().map { ($0, try Tree.bytes("\(Tree.archives)/\($0)")) }
    let photos = try Tree.bytes(Tree.archives + "/v2-photos-stored.zip")
    var random = SeededNumbers(seed: 24)
    for number in 0..<120 {
      var bytes = photos
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      found.append(("bent-\(number).zip", bytes))
    }
    found.insert(("demo.zip", try Tree.bytes("config/demo/demo-backup.zip")), at: 0)
    return found + stride(from: 1, to: photos.count, by: 97).map { ("cut-\($0).zip", Array(photos.prefix($0))) }
  }

  @Test func `reading an archive in one pass equals reading it in two`() async throws {
    let archives = try Self.archives()
    var ways: [[String]] = []
    for photos in [0, Limits.onePassPhotos] {
      let fixture = try await ServiceFixture()
      let importer = PoolImporter(
        store: fixture.store, photos: PhotoStore(folder: fixture.context.paths.photos), clock: fixture.clock,
        drafts: ImportPreviewCache(), onePassPhotos: photos,
        local: { _, now in TeamLocality(date: CivilDate(daysSince1970: Int(now.seconds / 86_400))) },
        isOfOtherTrade: { _ in false })
      // A team without these pools, one whose pools are another technician's, and one whose plan is full.
      for name in ["new", "full"] { try await fixture.addTeam(name, plan: name == "full" ? .free : .paid) }
      try await fixture.importFile(
        try Tree.bytes(Tree.archives + "/v2-photos-stored.zip"), as: "first.zip", team: ServiceFixture.team,
        technician: "maria")
      let path = fixture.scratch.path + "/upload"
      var told: [String] = []
      for (name, bytes) in archives {
        try Data(bytes).write(to: URL(filePath: path))
        for (team, technician) in [("new", nil), (ServiceFixture.team, "dan"), ("full", nil)] {
          let before = try fixture.marks()
          do {
            let report = try await importer.run(
              ImportRequest(
                path: path, name: name, team: try await fixture.store.team(named: team), technician: technician,
                dryRun: false), claim: nil)
            told.append("\(name) \(team): \(report)")
          } catch {
            told.append("\(name) \(team): \(error)")
            #expect(try fixture.marks() == before, "\(name)")
          }
        }
      }
      ways.append(told)
    }
    for (two, one) in zip(ways[0], ways[1]) where one != two { Issue.record("in two passes \(two), in one \(one)") }
    #expect(ways[1].count { $0.contains("nothing was changed") } > 100)
    #expect(ways[1].contains { !$0.contains("nothing was changed") })
  }

  @Test func `unknown teams, zones and jobs are refused with the nearest name`() async throws {
    let fixture = try await ServiceFixture()
    let (services, caller) = (fixture.services, fixture.caller)
    let before = try fixture.marks()
    let backup = try Tree.bytes("config/demo/demo-backup.zip")
    await fixture.refuses(ExitCode.notFound, saying: "no team is called 'desert-blu'", "did you mean 'desert-blue'?") {
      try await fixture.importFile(backup, as: "backup.zip", team: "desert-blu")
    }
    await fixture.refuses(ExitCode.notFound, saying: "did you mean 'desert-blue'?") {
      _ = try await services.teams.show(TeamsCall.Show(name: "desrt-blue"), caller)
    }
    for (zone, said) in [("America/Phenix", "America/Phoenix"), ("../../etc/passwd", "passwd")] {
      await fixture.refuses(ExitCode.usage, saying: said) {
        _ = try await services.teams.add(TeamsCall.Add(name: "second", zone: zone), caller)
      }
    }
    await fixture.refuses(ExitCode.notFound, saying: "morning-summary") {
      _ = try await services.scheduler.run(
        SchedulerCall.Run(job: "mornin-summary", team: ServiceFixture.team), caller, nil)
    }
    await fixture.refuses(ExitCode.notFound, saying: "nothing") {
      _ = try await services.outbox.show(OutboxCall.Show(noticeId: "nothing"), caller)
    }
    #expect(try fixture.marks() == before)
  }

  @Test(arguments: [
    ([("zone", "Berlin")], "Europe/Berlin"),
    ([("language", "es"), ("morning-time", "25:00")], "morning-time cannot be '25:00'"),
    ([("mornin-time", "07:00")], "did you mean 'morning-time'?"), ([("units", "feet")], "it is one of"),
    ([("low-stock", "perhaps")], "write on or off"), ([], "name at least one setting"),
  ])
  func `invalid team settings are refused, and none of them is applied`(changes: [(String, String)], said: String)
    async throws
  {
    let fixture = try await ServiceFixture()
    let before = try fixture.marks()
    await fixture.refuses(ExitCode.usage, saying: said) {
      _ = try await fixture.services.teams.set(
        TeamsCall.Set(
          name: ServiceFixture.team, changes: changes.map { SettingChangeView(key: $0.0, value: $0.1) }), fixture.caller
      )
    }
    #expect(try fixture.marks() == before)
  }

  @Test func `an end date for a paid plan and a duplicate team are refused`() async throws {
    let fixture = try await ServiceFixture()
    await fixture.refuses(ExitCode.usage, saying: "an end date is allowed for trials only") {
      let call = TeamsCall.Plan(name: ServiceFixture.team, plan: .paid, until: "2027-01-01")
      _ = try await fixture.services.teams.plan(call, fixture.caller)
    }
    await fixture.refuses(ExitCode.cannotCreate, saying: "already") {
      _ = try await fixture.services.teams.add(TeamsCall.Add(name: ServiceFixture.team, zone: "UTC"), fixture.caller)
    }
  }

  @Test func `a full free plan accepts neither a backup nor a sixth customer`() async throws {
    let fixture = try await ServiceFixture(demo: false, settings: "[Daemon]\nPlanLimits = on\n")
    try await fixture.addTeam("small", zone: "America/Phoenix", plan: .free)
    let backup = try Tree.bytes("config/demo/demo-backup.zip")
    await fixture.refuses(ExitCode.badData, saying: "free plan", "5 pools", "120") {
      try await fixture.importFile(backup, as: "backup.zip", team: "small")
    }
    let rows = String(decoding: try Tree.bytes(Tree.customers), as: UTF8.self).split(whereSeparator: \.isNewline)
    func customers(_ count: Int) -> [UInt8] { Array(rows.prefix(count + 1).joined(separator: "\n").utf8) }
    try await fixture.importFile(customers(5), as: "five.csv", team: "small")
    await fixture.refuses(ExitCode.badData, saying: "free plan", "5 pools", "6") {
      try await fixture.importFile(customers(6), as: "six.csv", team: "small")
    }
    // On an unlimited plan the same file is accepted.
    _ = try await fixture.services.teams.plan(TeamsCall.Plan(name: "small", plan: .paid), fixture.caller)
    let report = try await fixture.importFile(customers(6), as: "six.csv", team: "small")
    #expect(report.after.pools == 6)
  }
}
