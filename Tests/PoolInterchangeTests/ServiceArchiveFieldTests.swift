import FlowCalendar
import FlowModel
import FlowTestKit
import PoolModel
import Testing

@testable import PoolInterchange

/// Rules that a pool had before, in archives.
struct ServiceArchiveFieldTests {
  private let pool = Samples.pool(1)

  private func members(_ services: [PoolServiceRecord]) -> [String: [UInt8]] {
    var contents = ArchiveContents(
      manifest: ArchiveManifest(
        schemaVersion: ArchiveManifest.writtenVersion, appVersion: "test", createdAt: Samples.mondayMorning,
        counts: RecordCounts()), pools: [pool], serviceEvents: [], chemicalDoses: [], inventory: [], profiles: [],
      equipment: [])
    contents.services = services
    return Dictionary(
      ArchiveWriter.members(of: contents).map { ($0.name, $0.bytes()) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `an archive keeps the rules that a pool had before`() throws {
    let rule = try CalendarDates("every 2 weeks from 2026-03-02")
    let record = PoolServiceRecord(
      poolID: pool.id, rule: try CalendarDates("Mon,Thu"), pauses: [], orders: [],
      earlier: [
        EarlierRule(until: CivilDate(year: 2026, month: 2, day: 2), weekday: .friday, rule: nil),
        EarlierRule(until: CivilDate(year: 2026, month: 3, day: 30), weekday: .monday, rule: rule),
      ])
    let weekly = PoolServiceRecord(poolID: pool.id, rule: nil, pauses: [], earlier: record.earlier)
    for services in [[record], [weekly]] {
      #expect(try ArchiveReader.read(ListedMembers(members: members(services))).services == services)
    }
  }

  @Test(arguments: [("Fri", "Fry", "weekday"), ("weekly", "Mun", "ruleBefore"), ("2026-02-02", "2026-02-30", "until")])
  func `a rule before that cannot be read refuses the archive`(text: String, wrong: String, field: String) throws {
    let earlier = EarlierRule(until: CivilDate(year: 2026, month: 2, day: 2), weekday: .friday, rule: nil)
    var members = members([PoolServiceRecord(poolID: pool.id, rule: nil, pauses: [], earlier: [earlier])])
    let written = String(decoding: try #require(members[ArchiveName.services]), as: UTF8.self)
    members[ArchiveName.services] = Array(written.replacing("\"\(text)\"", with: "\"\(wrong)\"").utf8)
    let error = #expect(throws: ArchiveError.self) {
      try ArchiveReader.read(ListedMembers(members: members))
    }
    #expect("\(try #require(error))".contains(field))
  }
}
