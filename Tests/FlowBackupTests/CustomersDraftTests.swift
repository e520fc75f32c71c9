import FlowBackup
import FlowModel
import FlowStore
import FlowTestKit
import Foundation
import PoolModel
import PoolStore
import Synchronization
import Testing
import TradeBackups

@testable import PoolBackup

extension ImportPreviewCache {
  /// True if a previewed plan has not been imported yet.
  fileprivate var holdsPlan: Bool { last.withLock { $0 != nil } }
}

/// A previewed customers file is planned once, unless the data it depends on has changed.
struct CustomersDraftTests {
  private let stand: BackupStand
  private let importer: PoolImporter
  private let drafts = ImportPreviewCache()
  private static let file = """
    customer_name,address,service_day,notes
    Ann,1 Elm St,tuesday,Gate left
    Bob,2 Elm St,friday,
    """

  init() throws {
    stand = try BackupStand()
    importer = stand.importer(drafts: drafts)
  }

  private func run(_ text: String = Self.file, into team: Team, dryRun: Bool) async throws -> ImportReport {
    let path = stand.scratch.path + "/customers.csv"
    try Data(text.utf8).write(to: URL(filePath: path))
    return try await importer.run(
      ImportRequest(path: path, name: "customers.csv", team: team, technician: nil, dryRun: dryRun), claim: nil)
  }

  @Test func `a preview's plan is reused by the import, with the import's time`() async throws {
    let team = try await stand.addTeam()
    let preview = try await run(into: team, dryRun: true)
    #expect(preview.creates == 2 && drafts.holdsPlan)
    stand.clock.advance(by: .seconds(90))
    let report = try await run(into: team, dryRun: false)
    #expect(!drafts.holdsPlan, "the plan was not used")
    #expect(report.creates == 2 && report.effect.after.pools == 2)
    let pools = try await stand.store.allPools(of: team.id)
    #expect(pools.map(\.customerName).sorted() == ["Ann", "Bob"])
    #expect(pools.allSatisfy { $0.createdAt == stand.clock.now() && $0.updatedAt == stand.clock.now() })

    // Of the existing records, only changed ones get a new time.
    stand.clock.advance(by: .seconds(60))
    let changed = Self.file.replacing("Gate left", with: "Gate right") + "\nCid,3 Elm St,monday,"
    _ = try await run(changed, into: team, dryRun: true)
    stand.clock.advance(by: .seconds(60))
    let second = try await run(changed, into: team, dryRun: false)
    #expect(second.creates == 1 && second.updates == 2)
    let ages = try await stand.store.allPools(of: team.id).map { pool in
      (pool.customerName, stand.clock.now().since(pool.createdAt), stand.clock.now().since(pool.updatedAt))
    }.sorted { $0.0 < $1.0 }
    #expect(ages.map(\.1) == [.seconds(120), .seconds(120), .zero])
    #expect(ages.map(\.2) == [.zero, .seconds(120), .zero])
  }

  @Test func `the pools of a route and their profiles are stored adjacently`() async throws {
    let team = try await stand.addTeam()
    let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    var file = "customer_name,address,service_day,contact_name\n"
    for row in 0..<300 { file += "Customer \(row),\(row) Elm St,\(days[row * 5 % 7]),Person \(row)\n" }
    _ = try await run(file, into: team, dryRun: true)
    _ = try await run(file, into: team, dryRun: false)
    let pools = try await stand.store.allPools(of: team.id)
    #expect(pools.count == 300)
    #expect(pools.map(\.serviceDay.rawValue) == pools.map(\.serviceDay.rawValue).sorted())
    #expect(pools.map(\.id) == pools.map(\.id).sorted())
    for day in Weekday.allCases {
      let route = pools.filter { $0.serviceDay == day }
      #expect(route.map(\.routeOrder) == Array(route.indices))
    }
    let profiles = try await stand.store.profiles(of: team.id)
    #expect(profiles.map(\.poolID) == pools.map(\.id))
    #expect(profiles.map(\.contactName) == pools.map { $0.customerName.replacing("Customer", with: "Person") })
  }

  @Test func `changes between preview and import are taken into account`() async throws {
    let team = try await stand.addTeam()
    _ = try await run(into: team, dryRun: true)
    var first = Samples.pool(1, customer: "Ann")
    first.address = "1 Elm St"
    _ = try await stand.store.upsertPools(
      team: team.name, technician: nil, pools: [first], profiles: [], now: stand.clock.now(), dryRun: false)
    let report = try await run(into: team, dryRun: false)
    #expect(report.creates == 1 && report.updates == 1)
    #expect(try await stand.store.allPools(of: team.id).count == 2)
  }

  @Test func `another file, another team or a dropped plan is planned again`() async throws {
    let team = try await stand.addTeam()
    let other = try await stand.addTeam("coral-reef")
    _ = try await run(into: team, dryRun: true)
    #expect(try await run(Self.file + "\nCid,3 Elm St,monday,", into: team, dryRun: false).creates == 3)
    #expect(drafts.holdsPlan)
    // The same file for another team gives the same result with ids of its own.
    _ = try await run(into: other, dryRun: true)
    #expect(try await run(into: other, dryRun: false).creates == 2)
    let mine = Set(try await stand.store.allPools(of: team.id).map(\.id))
    #expect(mine.isDisjoint(with: try await stand.store.allPools(of: other.id).map(\.id)))

    _ = try await run(into: team, dryRun: true)
    drafts.tidy(now: stand.clock.now().advanced(by: Limits.draftKept))
    #expect(drafts.holdsPlan)
    drafts.tidy(now: stand.clock.now().advanced(by: Limits.draftKept + .seconds(1)))
    #expect(!drafts.holdsPlan)
    _ = try await run(into: team, dryRun: true)
    drafts.tidy(now: stand.clock.now().advanced(by: .seconds(-1)))
    #expect(!drafts.holdsPlan)
  }

  @Test func `a file too long to be cached is previewed and imported anyway`() async throws {
    let team = try await stand.addTeam()
    let long = Self.file + String(repeating: "\n", count: Limits.draftBytes)
    #expect(try await run(long, into: team, dryRun: true).creates == 2)
    #expect(!drafts.holdsPlan)
    #expect(try await run(long, into: team, dryRun: false).effect.after.pools == 2)
  }
}
