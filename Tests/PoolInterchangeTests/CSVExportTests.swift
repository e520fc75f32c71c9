import Foundation
import PoolModel
import PoolTestKit
import Testing

@testable import PoolInterchange

struct CSVExportTests {
  private let now = Samples.mondayMorning

  private static let words = [
    "Steve Baird", "=1+1", "+1 480 555 0140", "-2", "-2+3", "@SUM(A1)", "'quoted'", "'=odd", "''=odder", "a,b",
    "say \"hi\"",
    "two\nlines", "Ünïcode 🏊", "O'Neill", "=HYPERLINK(\"http://example.com\")", "-", "+", "=",
    "\u{FF1D}1+1", "\u{FF0B}1", "\u{FF0D}1", "\u{FF20}SUM(A1)", "'\u{FF1D}quoted",
  ]

  private func pool(_ number: Int, _ text: String) -> Pool {
    var pool = Samples.pool(number, customer: text, day: Weekday.allCases[number % 7])
    pool.address = "\(number) \(text)"
    pool.notes = text
    pool.latitude = number % 3 == 0 ? 0 : 33.123456789 + Double(number)
    pool.longitude = number % 3 == 0 ? 0 : -111.00001
    pool.monthlyServiceFee = Double(number) * 12.25
    return pool
  }

  private func export(_ pools: [Pool], _ profiles: [CustomerProfile]) -> String {
    let known = Dictionary(profiles.map { ($0.poolID, $0) }, uniquingKeysWith: { $1 })
    return ([CSVExport.poolHeader] + pools.map { CSVExport.line(of: $0, profile: known[$0.id]) })
      .joined(separator: "\n") + "\n"
  }

  @Test func `exported pools come back as they were, and are exported again in the same bytes`() throws {
    let pools = Self.words.enumerated().map { pool($0.offset + 1, $0.element) }
    let profiles = pools.enumerated().map { index, pool in
      var profile = Samples.profile(of: pool.id, tags: index.isMultiple(of: 2) ? "vip,tech:dan" : "")
      profile.contactName = Self.words[index]
      profile.contactPhone = index.isMultiple(of: 3) ? "" : "+1 480 555 0140"
      return profile
    }
    let text = export(pools, profiles)
    let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english)
    let plan = CSVImport.plan(table, existing: [], now: now, makeID: { _ in UUID() })
    #expect(plan.issues == [])
    try #require(plan.pools.count == pools.count)
    for (read, written) in zip(plan.pools, pools) {
      #expect(read.customerName == written.customerName)
      #expect(read.address == written.address)
      #expect(read.serviceDay == written.serviceDay)
      #expect(read.monthlyServiceFee == written.monthlyServiceFee)
      #expect(read.volumeGallons == written.volumeGallons)
      #expect(read.latitude == written.latitude && read.longitude == written.longitude)
      #expect(read.notes.hasPrefix(written.notes))
    }
    #expect(export(plan.pools, plan.profiles) == text)
  }

  /// Every sign that begins a formula, behind everything that a spreadsheet may look past.
  private static let formulas = ["", " ", "  ", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF} ", "\u{202E}"].flatMap {
    space in
    ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].flatMap { sign in
      ["\(space)\(sign)", "\(space)\(sign)A1", "'\(space)\(sign)A1"]
    }
  }

  @Test func `no cell can be taken for a formula`() throws {
    for text in Self.words + Self.formulas {
      let line = CSVExport.line([text])
      let cell = line.hasPrefix("\"") ? line.dropFirst() : line[...]
      let begin = cell.unicodeScalars.first { !$0.properties.isWhitespace && !isHidden($0) }
      if let begin, "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(begin) {
        #expect(Double(cell) != nil, "\(line)")
      }
    }
    #expect(CSVExport.line(["-112.07", "+1", "-5", "\t=1", "\u{FF0D}5"]) == "-112.07,+1,-5,'\t=1,'\u{FF0D}5")
  }

  @Test func `what export guards, import gives back as it was`() throws {
    for text in Self.words + Self.formulas {
      let cell = Array(CSVExport.guarded(text).utf8)
      #expect(String(decoding: CSVExport.unguarded(cell[...]), as: UTF8.self) == text, "\(text)")
    }
  }

  @Test(
    arguments: [
      (145, "145"), (-111.8, "-111.8"), (0.00001, "0.00001"), (1e16, "10000000000000000"), (0, "0"),
      (-0.000123, "-0.000123"), (1.5e-7, "0.00000015"),
    ] as [(Double, String)]) func `numbers have no exponent and read back`(value: Double, text: String)
  {
    #expect(CSVExport.number(value) == text)
    #expect(Double(text) == value)
  }
}
