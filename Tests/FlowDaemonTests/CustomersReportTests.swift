import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Testing

@testable import FlowAnswers
@testable import FlowDaemon

/// Import reports of customer lists: for the uploading caller, and in the inbox's result file.
struct CustomersReportTests {
  private static let team = "blue"

  private func fixture(units: String = "imperial", settings: String = "") async throws -> ServiceFixture {
    let fixture = try await ServiceFixture(demo: false, settings: settings)
    try await fixture.addTeam(Self.team, zone: "America/Phoenix")
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "units", value: units)]), fixture.caller)
    return fixture
  }

  private func apply(
    _ text: String, to fixture: ServiceFixture, dryRun: Bool = false, map: [String]? = nil
  ) async throws -> ImportReportView {
    let id = try await fixture.upload(Array(text.utf8), as: "list.csv", team: Self.team)
    do {
      let report = try await fixture.services.imports.apply(
        ImportCall.Apply(upload: id, dryRun: dryRun, map: map), fixture.caller
      ).report
      await fixture.services.connectionEnded(fixture.caller)
      return report
    } catch {
      await fixture.services.connectionEnded(fixture.caller)
      throw error
    }
  }

  private static let list = """
    Customer,Address,City,Day,Rate,Volume,Gate Code,Route,Status
    Ana,1 Elm,Mesa,"Mon, Thu",150,600,#44,R1,Active
    Bo,2 Elm,Tempe,Tue,1.200,15000,,R1,Active
    Old,3 Elm,Tempe,Tue,99,15000,,R1,Inactive
    Ana,1 Elm,Mesa,Thu,150,600,,R1,Active
    """

  @Test func `warnings name row and value; unused columns and inactive rows are listed`() async throws {
    let report = try await apply(Self.list, to: try await fixture())
    #expect(report.creates == 2 && report.updates == 1 && report.skips == 0 && report.inactive == 1)
    #expect(report.warnings == ["columns not used: 'Route'", "rows of inactive customers left out: 1"])
    let messages = report.issues.map { "\($0.row ?? 0) \($0.message)" }
    #expect(
      messages == [
        "2 service_day 'Mon, Thu' names several days, but a pool has one; Monday is used, plan the others by hand",
        "2 pool_volume '600' is less than 1,000 gal; it is used unchanged, please check it",
        "3 monthly_fee '1.200' is ambiguous: the file does not show whether it has a decimal or a thousands "
          + "separator; left out", "5 pool_volume '600' is less than 1,000 gal; it is used unchanged, please check it",
        "5 the same customer and address as row 2 with another service_day; row 2 stays as it is, add a pool by hand for "
          + "a second day or body of water",
      ])
    #expect(report.issuesTotal == 5 && report.preview == nil)
    #expect(report.columns?.first { $0.heading == "Route" }?.meaning == nil)
    #expect(report.columns?.first { $0.heading == "City" }?.meaning == "city")
  }

  @Test func `a dry run shows the first rows as pools without private data`() async throws {
    let report = try await apply(Self.list, to: try await fixture(), dryRun: true)
    let rows = try #require(report.preview)
    #expect(rows.map(\.row) == [2, 3, 4, 5] && rows.map(\.outcome) == [.created, .created, .inactive, .updated])
    #expect(rows[0].address == "1 Elm, Mesa" && rows[0].day == "Mon" && rows[0].volumeGallons == 600)
    #expect(rows[0].filled == ["gate_code"] && rows[2].customer == nil)
    #expect(report.after.pools == 2 && report.before.pools == 0)
  }

  @Test func `a metric team's volumes are read in litres`() async throws {
    let fixture = try await fixture(units: "metric")
    let report = try await apply("Customer,Address,Day,Volume\nAna,1 Elm,Tue,50000\n", to: fixture, dryRun: true)
    #expect(try #require(report.preview?.first?.volumeGallons).rounded() == 13_209)
    #expect(report.warnings.contains { $0.hasPrefix("volumes are read in litres") })
  }

  @Test func `a refusal lists the headings found and explains --map`() async throws {
    let fixture = try await fixture()
    let error = await #expect(throws: ControlError.self) { try await apply("Who,Where\nAna,1 Elm\n", to: fixture) }
    let message = try #require(error).message
    #expect(message.contains("it has 'Who', 'Where'") && message.contains("--map 'THEIR HEADING=customer_name'"))
    let report = try await apply(
      "Who,Where\nAna,1 Elm\n", to: fixture, map: ["Who=customer_name", "Where=address"])
    #expect(report.creates == 1)
  }

  @Test(arguments: [
    (["Who"], "is not THEIR HEADING=COLUMN"), (["Who=adress"], "the columns are customer_name, address"),
    (["Wo=address"], "the first row has no heading 'Wo'; it has 'Who', 'Where'"),
    (["Who=address", "Where=address"], "is given for two headings"),
  ]) func `an invalid --map is refused with the possible values`(_ map: [String], _ part: String) async throws {
    let fixture = try await fixture()
    let error = await #expect(throws: ControlError.self) {
      try await apply("Who,Where\nAna,1 Elm\n", to: fixture, map: map)
    }
    #expect(try #require(error).message.contains(part), "\(error?.message ?? "")")
  }

  @Test func `a file in the inbox gets the same warnings`() async throws {
    let inbox = try TemporaryFolder()
    let fixture = try await fixture(settings: "[Daemon]\nInbox = \(inbox.path)\n")
    let folder = "\(inbox.path)/\(Self.team)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(Self.list.utf8).write(to: URL(filePath: "\(folder)/list.csv"))
    try Data("Who,Where\nAna,1 Elm\n".utf8).write(to: URL(filePath: "\(folder)/other.csv"))
    fixture.clock.advance(by: .seconds(60))
    let taken = try await fixture.services.imports.takeInbox(ImportCall.TakeInbox(), fixture.caller)
    let list = try #require(taken.files.first { $0.name == "list.csv" })
    #expect(list.message.hasSuffix("0 pools before, 2 after; 7 warnings"), "\(list.message)")
    #expect(list.warnings?.count == 7 && list.warnings?.first == "columns not used: 'Route'")
    #expect(list.warnings?.contains { $0.hasPrefix("row 3: monthly_fee '1.200'") } == true)
    let other = try #require(taken.files.first { $0.name == "other.csv" })
    #expect(other.state == .refused && other.message.contains("it has 'Who', 'Where'"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let result = try #require(names.first { $0.hasPrefix("list.csv.") && $0.hasSuffix(".result") })
    let text = String(decoding: try Tree.bytes("\(folder)/\(result)"), as: UTF8.self)
    #expect(text.contains("is ambiguous") && text.contains("7 warnings") && !text.contains("#44"))
  }
}
