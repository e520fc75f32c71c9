import FlowModel
import FlowTestKit
import Foundation
import PoolChemistry
import PoolModel
import Testing

@testable import PoolInterchange

/// Free chlorine and salt in customers files and archives.
struct SanitiserReadingTests {
  private let now = Samples.mondayMorning

  private func plan(_ lines: [String], existing: [Pool] = []) throws -> CSVPlan {
    let table = try CSVImport.read(bytes: Array(lines.joined(separator: "\n").utf8), locale: .english)
    let ids = CountedIDs()
    return CSVImport.plan(table, existing: existing, repeats: .keepFirst, now: now, makeID: { _ in ids.make() })
  }

  @Test(arguments: [
    ("Free Chlorine", "Salt"), ("FC", "Salt (ppm)"), ("Free Chlorine (ppm)", "Salinity"), ("Chlorine", "Salt Level"),
    ("free_chlorine", "salt"), ("Cloro libre", "Salinidad"), ("Freies Chlor", "Salzgehalt"),
  ])
  func `the usual headings give a new pool its readings`(chlorine: String, salt: String) throws {
    let plan = try plan(["Customer,Address,\(chlorine),\(salt)", "Ana,1 Elm St,2.5,3100", "Bo,2 Elm St,,"])
    #expect(plan.pools.map(\.readings.freeChlorine) == [2.5, nil] && plan.pools.map(\.readings.salt) == [3_100, nil])
    #expect(plan.issues == [] && plan.warnings.allSatisfy { if case .unusedColumns = $0 { false } else { true } })
  }

  @Test(arguments: [
    "Customer,Address,Chlorine (oz),Salt (bags)", "Customer,Address,Liquid Chlorine,Salt Added",
    "Customer,Address,Chlorine Tabs,Salt lbs",
  ])
  func `doses are no readings`(header: String) throws {
    let plan = try plan([header, "Ana,1 Elm St,2,3"])
    #expect(plan.pools[0].readings.freeChlorine == nil && plan.pools[0].readings.salt == nil)
    #expect(plan.warnings.contains { if case .unusedColumns(let unused) = $0 { unused.count == 2 } else { false } })
  }

  @Test func `chlorine and salt beside an acid column are doses`() throws {
    let plan = try plan(["Customer,Address,Muriatic Acid,Chlorine,Salt", "Ana,1 Elm St,8,2,3"])
    #expect(plan.pools[0].readings.freeChlorine == nil && plan.pools[0].readings.salt == nil)
    let clear = try self.plan(["Customer,Address,Muriatic Acid,Free Chlorine", "Ana,1 Elm St,8,2"])
    #expect(clear.pools[0].readings.freeChlorine == 2)
  }

  @Test func `an impossible reading is reported and left out`() throws {
    let plan = try plan(["Customer,Address,FC,Salinity", "Ana,1 Elm St,2 tabs,90000"])
    #expect(plan.pools[0].readings.freeChlorine == nil && plan.pools[0].readings.salt == nil)
    #expect(plan.issues.map(\.field) == [.freeChlorine, .salt])
    #expect(plan.issues.map(\.fault) == [.noNumber(0...100), .noNumber(0...50_000)])
  }

  @Test func `an existing pool keeps the readings of its visits`() throws {
    var pool = Samples.pool(1, customer: "Ana")
    pool.address = "1 Elm St"
    pool.readings.freeChlorine = 4
    let plan = try plan(["Customer,Address,FC", "Ana,1 Elm St,2"], existing: [pool])
    #expect(plan.pools[0].readings.freeChlorine == 4)
    #expect(plan.notices.map(\.fault) == [.readingsStay] && plan.notices.map(\.field) == [.freeChlorine])
  }

  @Test func `an export of pools with the readings is imported unchanged`() throws {
    var pool = Samples.pool(1, customer: "Ana")
    (pool.readings.freeChlorine, pool.readings.salt) = (2.5, 3_100)
    let plain = CSVPoolExport(of: CSVExportTests.team, includesAccessData: false)
    let export = CSVPoolExport(of: CSVExportTests.team, includesAccessData: false, includesSanitiser: true)
    #expect(export.poolHeader == plain.poolHeader + ",free_chlorine,salt")
    let row = CSVPoolExport.Row(pool: pool, profile: nil, stop: 1, isMeasured: true)
    let line = export.poolLine(of: row)
    #expect(line == plain.poolLine(of: row) + ",2.5,3100")
    let read = try plan([export.poolHeader, line])
    #expect(read.pools[0].readings == pool.readings && read.issues == [])
    #expect(
      export.poolLine(of: CSVPoolExport.Row(pool: read.pools[0], profile: nil, stop: 1, isMeasured: true)) == line)
  }

  @Test func `an export of visits has columns for readings that were taken`() throws {
    var visit = Samples.visit(2, to: Samples.pool(1).id)
    (visit.readings.freeChlorine, visit.readings.salt) = (1.5, 3_000)
    visit.measured.insert(.freeChlorine)
    let plain = CSVExport.line(of: visit, customer: "Ana", currency: .usDollar)
    let line = CSVExport.line(of: visit, customer: "Ana", currency: .usDollar, includesSanitiser: true)
    // The salt is from an earlier visit.
    #expect(line == plain + ",1.5,")
    #expect(CSVExport.visitHeader(includesSanitiser: true) == CSVExport.visitHeader() + ",free_chlorine,salt")
  }

  private func contents() -> ArchiveContents {
    var pool = Samples.pool(1)
    (pool.readings.freeChlorine, pool.readings.salt) = (2.5, 3_100)
    var visits = (2...4).map { Samples.visit($0, to: pool.id) }
    (visits[0].readings.freeChlorine, visits[0].readings.salt) = (2.5, 3_100)
    visits[0].measured = [.pH, .freeChlorine]
    visits[1].readings.salt = 3_100
    return ArchiveContents(
      manifest: ArchiveManifest(schemaVersion: 2, appVersion: "poolflow", createdAt: now, counts: RecordCounts()),
      pools: [pool], serviceEvents: visits, knowsSanitiser: true)
  }

  @Test func `an archive keeps the readings in a file of its own`() throws {
    let contents = contents()
    let members = Dictionary(uniqueKeysWithValues: ArchiveWriter.members(of: contents).map { ($0.name, $0.bytes()) })
    for (name, bytes) in members where name != ArchiveName.sanitiser {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("Chlorine") && !text.contains("salt"), "\(name)")
    }
    let again = try ArchiveReader.read(ListedMembers(members: members))
    #expect(again.pools == contents.pools && again.serviceEvents == contents.serviceEvents)
    #expect(again.knowsSanitiser && again.warnings == [])
  }

  @Test func `the archive without that file is an archive of the app`() throws {
    let contents = contents()
    var members = Dictionary(uniqueKeysWithValues: ArchiveWriter.members(of: contents).map { ($0.name, $0.bytes()) })
    members[ArchiveName.sanitiser] = nil
    let again = try ArchiveReader.read(ListedMembers(members: members))
    #expect(!again.knowsSanitiser && again.pools.allSatisfy { !$0.readings.hasSanitiser })
    #expect(again.serviceEvents.map(\.measured) == [.pH, .all, .all])
    #expect(again.serviceEvents.map(\.readings) == contents.serviceEvents.map(\.readings.withoutSanitiser))
    var plain = contents
    plain.knowsSanitiser = false
    #expect(!ArchiveWriter.members(of: plain).contains { $0.name == ArchiveName.sanitiser })
  }
}
