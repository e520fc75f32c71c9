import Foundation
import PoolInterchange
import PoolModel
import Testing

/// What holds for every customers file, shown on the golden ones and on damaged copies of them.
struct CSVPropertyTests {
  private let now = Timestamp(seconds: 1_800_000_000)

  private func plan(_ bytes: [UInt8], _ row: CSVCase.Input, _ pools: [Pool], _ profiles: [CustomerProfile])
    throws -> CSVPlan?
  {
    let table: CSVTable
    do throws(CSVError) { table = try CSVImport.read(bytes: bytes, locale: row.locale) } catch { return nil }
    let ids = CountedIDs()
    for _ in pools { _ = ids.make() }
    let plan = CSVImport.plan(table, existing: pools, profiles: profiles, now: now, makeID: ids.make)
    #expect(plan.creates + plan.updates + plan.skips == table.rowCount)
    #expect(plan.pools.count == pools.count + plan.creates)
    #expect(plan.pools.map(\.id).starts(with: pools.map(\.id)))
    #expect(plan.issues.count(where: { $0.severity == .error }) == plan.skips)
    return plan
  }

  @Test(arguments: Fixtures.cases(CSVCase.self, "csv_import.json"))
  func `the same file again creates nothing and changes nothing`(_ row: CSVCase) throws {
    let input = try #require(row.input)
    let ids = CountedIDs()
    let pools = try input.existing.map { try $0.pool(ids.make()) }
    let bytes = Array(input.text.utf8)
    guard let first = try plan(bytes, input, pools, []) else { return }
    let second = try #require(try plan(bytes, input, first.pools, first.profiles))
    #expect(second.creates == 0)
    #expect(second.pools == first.pools)
    #expect(second.updatedIDs.isEmpty)
    #expect(second.profiles.isEmpty)
    #expect(second.issues == first.issues)
  }

  @Test func `a damaged file is refused in words or imported by the same rules`() throws {
    var random = SeededGenerator(seed: 42)
    let pieces: [[UInt8]] = [
      [0], [0x22], [0x22, 0x22], [0x0D], [0x0A], [0x2C], [0x3B], [0x09], [0x7C], [0xFF], [0xFF, 0xFE],
      [0xEF, 0xBB, 0xBF],
      [0x1B], Array("-0".utf8), Array("999999999999999999999".utf8), Array("\u{301}".utf8),
    ]
    for row in Fixtures.cases(CSVCase.self, "csv_import.json") {
      let input = try #require(row.input)
      let ids = CountedIDs()
      let pools = try input.existing.map { try $0.pool(ids.make()) }
      for _ in 0..<15 {
        var bytes = Array(input.text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 0...bytes.count, using: &random)
          if Bool.random(using: &random) {
            bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: index)
          } else {
            bytes.removeSubrange(index..<min(index + 5, bytes.count))
          }
        }
        _ = try plan(bytes, input, pools, [])
      }
    }
  }
}
