import FlowModel
import FlowTestKit
import Foundation
import PoolInterchange
import PoolModel
import Testing

/// Properties of every customers file, checked on the golden files and on damaged copies.
struct CSVPropertyTests {
  private let now = Timestamp(seconds: 1_800_000_000)

  private func plan(_ bytes: [UInt8], _ row: CSVCase.Input, _ pools: [Pool], _ profiles: [CustomerProfile])
    throws -> CSVPlan?
  {
    let table: CSVTable
    do throws(CSVError) { table = try CSVImport.read(bytes: bytes, locale: row.locale) } catch { return nil }
    let ids = CountedIDs()
    for _ in pools { _ = ids.make() }
    let plan = CSVImport.plan(table, existing: pools, profiles: profiles, now: now, makeID: { _ in ids.make() })
    #expect(plan.creates + plan.updates + plan.skips == table.rowCount)
    #expect(plan.pools.count == pools.count + plan.creates)
    #expect(plan.pools.map(\.id).starts(with: pools.map(\.id)))
    #expect(plan.issues.count(where: { $0.severity == .error }) == plan.skips)
    return plan
  }

  @Test(arguments: Fixtures.cases(CSVCase.self, "csv_import.json"))
  func `importing the same file again changes nothing`(_ row: CSVCase) throws {
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

  @Test func `a damaged file is refused or imported by the same rules`() throws {
    var random = SeededNumbers(seed: 42)
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
  /// Long files are split in two near the middle, which may be inside quotes or in the last line.
  @Test(arguments: ["\n", "\r\n", "\r"]) func `every record is read regardless of the split in the middle of the file`(
    _ lineEnd: String
  ) throws {
    var random = SeededNumbers(seed: 7)
    for count in 0..<120 {
      var text = "customer_name,address,fee,notes" + lineEnd
      var notes: [String] = []
      for row in 0..<count {
        let lines = (0..<Int.random(in: 0...4, using: &random)).map { "line \($0), \"\"quoted\"\" \(row)" }
        text += "C\(row),\(row) Elm,\(row % 5 == 3 ? "free" : "9"),\"\(lines.joined(separator: lineEnd))\"" + lineEnd
        // Blank records are not counted.
        if Bool.random(using: &random) { text += " ,,," + lineEnd }
        notes.append(lines.joined(separator: lineEnd).replacing("\"\"", with: "\""))
      }
      if Bool.random(using: &random) { text.removeLast() }
      let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english)
      let ids = CountedIDs()
      let plan = CSVImport.plan(table, existing: [], now: now, makeID: { _ in ids.make() })
      #expect(plan.pools.map(\.customerName) == (0..<count).map { "C\($0)" })
      #expect(plan.pools.map(\.notes) == notes)
      #expect(plan.issues.map(\.row) == (0..<count).filter { $0 % 5 == 3 }.map { $0 + 2 })
    }
  }

  @Test func `a refusal names the right row anywhere in the file`() throws {
    let start = "customer_name,address" + String(repeating: "\nA,1 Elm", count: 100)
    for row in [2, 30, 70, 101] {
      var lines = start.split(separator: "\n").map(String.init)
      lines[row - 1] = "B,\"2 Elm"
      #expect(throws: CSVError.unterminatedQuote(row: row)) {
        try CSVImport.read(bytes: Array(lines.joined(separator: "\n").utf8), locale: .english)
      }
    }
    let most = String(repeating: "A,1 Elm\n", count: Limits.csvRows)
    for more in ["B,2 Elm", "B,\"2 Elm", "B,2 Elm\nC,\"3 Elm"] {
      let bytes = Array(("customer_name,address\n" + most + more).utf8)
      #expect(throws: more == "B,\"2 Elm" ? .unterminatedQuote(row: 5_002) : CSVError.rowLimitExceeded(5_000)) {
        try CSVImport.read(bytes: bytes, locale: .english)
      }
    }
  }
}
