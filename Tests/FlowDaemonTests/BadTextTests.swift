import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FlowTestKit
import Foundation
import PoolControl
import PoolModel
import Testing
import TradeBackups
import TradeStores

@testable import FlowAnswers
@testable import FlowDaemon
@testable import PoolServices

/// Unacceptable texts and numbers: refused by every call, and harmless if an older daemon already stored them.
@Suite struct BadTextTests {
  private static let team = ServiceFixture.team
  private static let marks = "e" + String(repeating: "\u{301}", count: 20_000)

  /// A call that takes a text.
  private struct TextInput: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var takesLines = false
    let type: @Sendable (ServiceFixture, String) async throws -> Void

    init(
      _ name: String, takesLines: Bool = false,
      _ type: @escaping @Sendable (ServiceFixture, String) async throws -> Void
    ) {
      testDescription = name
      self.takesLines = takesLines
      self.type = type
    }
  }

  private static func profile(_ key: String) -> TextInput {
    TextInput("profile \(key)") {
      let changes = [SettingChangeView(key: key, value: $1)]
      _ = try await $0.poolService.field.setProfile(
        FieldCall.SetProfile(team: team, pool: "Steve Baird", changes: changes), $0.caller)
    }
  }

  private static func pool(_ key: String, takesLines: Bool = false) -> TextInput {
    TextInput("pool \(key)", takesLines: takesLines) {
      let changes = [SettingChangeView(key: key, value: $1)]
      _ = try await $0.poolService.field.setPool(
        FieldCall.SetPool(team: team, pool: "Steve Baird", changes: changes), $0.caller)
    }
  }

  private static func equipment(_ key: String, takesLines: Bool = false) -> TextInput {
    TextInput("equipment \(key)", takesLines: takesLines) {
      let changes = [SettingChangeView(key: key, value: $1)]
      _ = try await $0.poolService.field.setEquipment(
        FieldCall.SetEquipment(team: team, pool: "Steve Baird", equipment: "Zeta pump", changes: changes), $0.caller)
    }
  }

  private static let textInputs = [
    profile("gate"), profile("contact"), profile("tags"), pool("customer"), pool("notes", takesLines: true),
    TextInput("new pool's notes", takesLines: true) {
      let changes = [SettingChangeView(key: "notes", value: $1)]
      _ = try await $0.poolService.field.addPool(
        FieldCall.AddPool(team: team, customer: "Nora", address: "5 Elm", changes: changes), $0.caller)
    },
    TextInput("stock's unit") {
      let changes = [SettingChangeView(key: "unit", value: $1)]
      _ = try await $0.poolService.field.setStock(
        FieldCall.SetStock(team: team, item: "Muriatic", changes: changes), $0.caller)
    },
    equipment("model"), equipment("notes", takesLines: true),
    TextInput("visit's notes", takesLines: true) {
      let readings = [SettingChangeView(key: "ph", value: "7.5")]
      _ = try await $0.poolService.field.logVisit(
        FieldCall.LogVisit(
          team: team, pool: "Steve Baird", readings: readings, dose: .all, measured: [], notes: $1), $0.caller)
    },
    TextInput("pause's note") {
      _ = try await $0.services.scheduler.pause(SchedulerCall.Pause(team: team, note: $1), $0.caller)
    },
    TextInput("backup's reason") { _ = try await $0.services.backup.create(BackupCall.Create(reason: $1), $0.caller) },
    TextInput("import's technician") {
      let call = ImportCall.Open(team: team, technician: $1, fileName: "customers.csv", bytes: 10)
      _ = try await $0.services.imports.open(call, $0.caller)
    },
  ]

  @Test func `control characters and excessive combining marks are refused by every call`()
    async throws
  {
    let fixture = try await ServiceFixture()
    _ = try await fixture.poolService.field.addEquipment(
      FieldCall.AddEquipment(
        team: Self.team, pool: "Steve Baird", changes: [SettingChangeView(key: "name", value: "Zeta pump")]),
      fixture.caller)
    let before = try fixture.marks()
    for textInput in Self.textInputs {
      for sign in ["\u{7}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}"] {
        let value = codePoint(sign.unicodeScalars.first?.value ?? 0)
        await fixture.refuses(ExitCode.usage, saying: "control character \(value) as character 3") {
          try await textInput.type(fixture, "12\(sign)34")
        }
      }
      await fixture.refuses(ExitCode.usage, saying: "is 40001 bytes long, limit") {
        try await textInput.type(fixture, Self.marks)
      }
      guard !textInput.takesLines else { continue }
      await fixture.refuses(ExitCode.usage, saying: "write it in one line") {
        try await textInput.type(fixture, "12\n34")
      }
    }
    #expect(try fixture.marks() == before)
    #expect(try await fixture.backUp().state == .tested)
  }

  /// An archive with one pool, one stock item and one profile.
  private func archive(
    customer: String = "Odd Pool", gate: String = "", latitude: Double = 33, longitude: Double = -111,
    costPerOz: String = "0.05"
  ) throws -> [UInt8] {
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
    let zip = ZIPWriter(modified: ServiceFixture.monday) { bytes.append(contentsOf: $0) }
    for (name, text) in files { try zip.add(name, Array(text.utf8)) }
    try zip.finish()
    return bytes
  }

  @Test func `an imported archive loses control characters with a warning; its backup is valid`() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.addTeam("coast")
    let taken = try await fixture.importFile(
      try archive(gate: #"12\u000734\u009b"#), as: "odd.zip", team: "coast")
    #expect("\(taken)".contains("has control characters"), "\(taken)")
    let pool = try await fixture.poolService.pools.show(
      PoolsCall.Show(team: "coast", pool: "Odd Pool", reveal: true), fixture.caller
    ).details
    #expect(pool.profile?.gateAccess == "1234" && pool.notes == "a\r\nb\tc")
    let backup = try await fixture.backUp()
    let checked = try await fixture.services.backup.verify(BackupCall.Verify(id: backup.id, full: true), fixture.caller)
    #expect(checked.damage == [])
    await fixture.refuses(ExitCode.badData, saying: "customerName has more than 800 bytes") {
      try await fixture.importFile(try archive(customer: Self.marks), as: "odd.zip", team: "coast")
    }
  }

  private func logVisit(_ fixture: ServiceFixture) async throws -> LoggedVisitView {
    let readings = [SettingChangeView(key: "ph", value: "7.0")]
    return try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(team: "coast", pool: "Odd Pool", readings: readings, dose: .all, measured: []), fixture.caller
    ).visit
  }

  @Test(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server accepts no such value"))
  func `an unrepresentable price is refused, also in visits using a stored one`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let (services, caller) = (fixture.services, fixture.caller)
    try await fixture.addTeam("coast")
    await fixture.refuses(ExitCode.badData, saying: "inventory.json record 1: costPerOz is out of range") {
      try await fixture.importFile(try archive(costPerOz: "1e308"), as: "odd.zip", team: "coast")
    }
    // A high price that an owner may have typed into the app is imported, and a visit shows its cost.
    try await fixture.importFile(try archive(costPerOz: "1e11"), as: "odd.zip", team: "coast")
    let logged = try await logVisit(fixture)
    #expect(logged.cost > 1e11 && logged.cost.isFinite)

    // A store of an older version: with this price and a visit logged with it.
    try Connection.change(
      fixture.place,
      [
        "UPDATE inventory_items SET cost_per_oz = 1e308 WHERE name = 'Soda Ash'",
        "UPDATE service_events SET total_chemical_cost = 9e999 WHERE total_chemical_cost > 1e11",
        "UPDATE chemical_doses SET cost = 9e999 WHERE cost > 1e11",
      ])
    let before = try fixture.marks()
    await fixture.refuses(ExitCode.usage, saying: "pfctl inventory set") { _ = try await logVisit(fixture) }
    #expect(try fixture.marks() == before)
    var pages: [String] = []
    let visits = try await fixture.poolService.field.listVisits(FieldCall.ListVisits(team: "coast", limit: 10), caller)
      .visits
    #expect(visits.count == 1)
    pages += visits.map { "\($0)" }
    pages.append(
      "\(try await fixture.poolService.water.profit(WaterCall.Profit(team: "coast", days: 30, sort: .alphabetical, losers: false), caller))"
    )
    pages += try await fixture.tables(of: "coast")
    pages += try await fixture.poolService.field.listStock(FieldCall.ListStock(team: "coast"), caller).items.map {
      "\($0)"
    }
    for call in [
      ReportsCall.Digest(team: "coast", kind: .morning, date: "2026-03-02", format: .text),
      ReportsCall.Digest(team: "coast", kind: .weekly, date: "2026-03-02", format: .text),
    ] {
      pages.append(try await fixture.poolService.reports.digest(call, caller).text)
    }
    pages.append(
      try await fixture.poolService.reports.month(
        ReportsCall.Month(team: "coast", month: "2026-03", format: .text), caller
      ).text)
    for page in pages { #expect(!page.contains("inf") && !page.contains("nan"), "\(page)") }
    let backup = try await fixture.backUp()
    #expect(try await services.backup.verify(BackupCall.Verify(id: backup.id, full: true), caller).damage == [])
    _ = try await services.backup.restoreTeam(
      BackupCall.RestoreTeam(id: backup.id, team: "coast", dryRun: false, confirm: "coast"), caller)
    _ = try await fixture.poolService.field.setStock(
      FieldCall.SetStock(team: "coast", item: "Soda Ash", changes: [SettingChangeView(key: "cost", value: "0.1")]),
      caller)
    _ = try await logVisit(fixture)
  }

  @Test func `impossible coordinates are kept, but the pool counts as not located`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    let (services, caller) = (fixture.services, fixture.caller)
    try await fixture.addTeam("coast")
    for (number, place) in [(1, (33.0, -540.0)), (2, (91.0, 10.0)), (3, (33.1, -111.0))] {
      let taken = try await fixture.importFile(
        try archive(customer: "Odd \(number)", latitude: place.0, longitude: place.1), as: "odd.zip", team: "coast",
        technician: "tech\(number)")
      #expect("\(taken)".contains("counts as not located") == (number < 3), "\(taken)")
    }
    for name in ["Odd 1", "Odd 2"] {
      let pool = try await fixture.poolService.pools.show(
        PoolsCall.Show(team: "coast", pool: name, reveal: false), caller
      ).details
      #expect(pool.latitude == nil && pool.longitude == nil)
    }
    let table = try await fixture.poolService.water.export(WaterCall.Export(team: "coast", table: .pools), caller).lines
      .joined(separator: "\n")
    let cells = Set(table.split { $0 == "," || $0 == "\n" })
    #expect(cells.isDisjoint(with: ["-540", "91"]) && cells.contains("33.1"))
    let health = try await fixture.poolService.water.health(WaterCall.Health(team: "coast"), caller).health
    #expect(health.unlocated.map(\.customer).contains("Odd 2"))
    let findings = try await services.daemon.examine(DaemonCall.Examine(), caller).findings
    #expect(findings.contains { $0.message.contains("2 of 3 pools of team 'coast' have no coordinates") })
    let routes = try await fixture.poolService.routes.show(RoutesCall.Show(team: "coast", day: "mon"), caller).routes
    #expect(routes.count == 3 && routes.flatMap(\.stops).allSatisfy { $0.longitude.map { $0 == -111 } ?? true })
    let digest = try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: "coast", kind: .morning, date: "2026-03-02", format: .ics), caller
    ).text
    #expect(digest.components(separatedBy: "GEO:").count == 2, "\(digest)")
    // The backup has the imported coordinates.
    let backup = try await fixture.backUp()
    #expect(backup.state == .tested)
    _ = try await services.backup.restoreTeam(
      BackupCall.RestoreTeam(id: backup.id, team: "coast", dryRun: false, confirm: "coast"), caller)
    let connection = try Connection.opened(fixture.place, .readOnly)
    let longitudes = try connection.rows(
      "SELECT longitude FROM pools WHERE customer_name LIKE 'Odd%' ORDER BY customer_name"
    ) { row throws(StoreError) in row.real(0) }
    #expect(longitudes == [-540, 10, -111])
  }

  @Test(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server accepts no such value"))
  func `invalid texts of an older daemon prevent no backup, restore or clearing`() async throws {
    let marks = "char(101) || replace(hex(zeroblob(20000)), '00', char(769))"
    let fixture = try await ServiceFixture(damage: [
      "UPDATE customer_profiles SET gate_access = '12' || char(7) || '34' || char(155), tags = tags || char(10, 27)",
      "UPDATE pools SET notes = 'a' || char(0) || 'b' || char(13, 8), latitude = 540 WHERE customer_name = 'Steve Baird'",
      "UPDATE pools SET address = \(marks) WHERE customer_name LIKE 'A%'",
      "UPDATE pools SET monthly_fee = 1e308, volume_gal = 1e300, cached_lsi = 9e999 WHERE customer_name LIKE 'B%'",
      "UPDATE service_events SET tech_notes = \(marks), total_chemical_cost = 1e308 WHERE event_id LIKE 'A%'",
      "UPDATE equipment SET notes = char(1, 2, 3, 127, 133), name = name || char(27)",
      "UPDATE inventory_items SET unit_label = char(9, 10, 11, 12)",
    ])
    let (services, caller) = (fixture.services, fixture.caller)
    let before = try await fixture.tables()
    let backup = try await fixture.backUp()
    #expect(backup.state == .tested && backup.archives == 4)
    #expect(try await services.backup.verify(BackupCall.Verify(id: backup.id, full: true), caller).damage == [])
    let restore = BackupCall.RestoreTeam(id: backup.id, team: Self.team, dryRun: false, confirm: Self.team)
    _ = try await services.backup.restoreTeam(restore, caller)
    #expect(try await fixture.tables() == before)
    let cleared = try await services.teams.clear(
      TeamsCall.Clear(name: Self.team, dryRun: false, confirm: Self.team), caller)
    #expect(cleared.after.pools == 0)
    _ = try await services.backup.restoreTeam(restore, caller)
    #expect(try await fixture.tables() == before)
    // Restore the whole store and open it as a starting daemon does.
    _ = try await services.backup.restore(
      BackupCall.Restore(id: backup.id, dryRun: false, confirm: backup.id), caller)
    _ = try StoreRecovery(state: fixture.context.paths.state).finish()
    let begun = try await ServiceFixture(in: fixture.scratch, at: ServiceFixture.monday)
    #expect(try await begun.tables() == before)
  }

  @Test func `an inbox folder with an unacceptable name is refused with a reason`() async throws {
    let inbox = try TemporaryFolder()
    let fixture = try await ServiceFixture(settings: "[Daemon]\nInbox = \(inbox.path)\n")
    let folder = inbox.path + "/desert-blue/ma\u{7}ria"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Tree.customers, toPath: folder + "/new.csv")
    fixture.clock.advance(by: .seconds(60))
    let taken = try await fixture.services.imports.takeInbox(ImportCall.TakeInbox(), fixture.caller)
    #expect(taken.files.map(\.state) == [.refused], "\(taken)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.contains { $0.hasSuffix(".refused") })
    let result = try #require(names.first { $0.hasSuffix(".result") })
    let text = String(decoding: try Tree.bytes("\(folder)/\(result)"), as: UTF8.self)
    #expect(text.contains("control character U+0007 as character 3"))
  }
}
