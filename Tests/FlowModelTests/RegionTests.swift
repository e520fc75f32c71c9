import FlowModel
import Foundation
import Testing

struct RegionTests {
  @Test(
    arguments: [
      ("America/Phoenix", .unitedStates), ("America/New_York", .unitedStates), ("America/Anchorage", .unitedStates),
      ("Pacific/Honolulu", .unitedStates), ("America/Indiana/Knox", .unitedStates), ("US/Arizona", .unitedStates),
      ("Navajo", .unitedStates), ("EST5EDT", .unitedStates), ("MST", .unitedStates), ("EST", .unitedStates),
      ("America/Toronto", .canada), ("Canada/Pacific", .canada),
      ("America/Hermosillo", .mexico), ("America/Sao_Paulo", .brazil), ("Australia/Perth", .australia),
      ("Europe/London", .unitedKingdom), ("GB", .unitedKingdom), ("Europe/Zurich", .switzerland),
      ("Europe/Berlin", .europe), ("Atlantic/Canary", .europe), ("UTC", nil), ("Etc/GMT+7", nil), ("Asia/Tokyo", nil),
      ("America/Bogota", nil), ("America/Puerto_Rico", nil), ("Pacific/Guam", nil), ("", nil),
      ("america/phoenix", nil),
    ] as [(String, Region?)])
  func `a zone determines its country`(zone: String, region: Region?) {
    #expect(Region(zone: zone) == region)
  }

  @Test func `each zone is in the country that the tz table names`() throws {
    let codes: [Substring: Region] = [
      "US": .unitedStates, "CA": .canada, "MX": .mexico, "BR": .brazil, "CH": .switzerland, "GB": .unitedKingdom,
    ]
    let table = try String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)
    var seen = 0
    for line in table.split(separator: "\n") where !line.hasPrefix("#") {
      let cells = line.split(separator: "\t")
      let (code, zone) = (cells[0], String(cells[2]))
      let region = Region(zone: zone)
      if let wanted = codes[code] {
        #expect(region == wanted, "\(zone)")
        seen += 1
      } else {
        #expect(region == nil || region == .europe || region == .australia || code.isBesideAnother, "\(zone)")
      }
    }
    #expect(seen > 70)
  }

  @Test func `units and currency follow the country, and the language only without one`() {
    #expect(Region.allCases.filter { $0.units == .imperial } == [.unitedStates])
    #expect(Currency.usual(language: .portuguese, zone: "America/Phoenix") == .usDollar)
    #expect(Currency.usual(language: .english, zone: "America/Sao_Paulo") == .real)
    #expect(Currency.usual(language: .portuguese, zone: "Europe/Lisbon") == .euro)
    #expect(Currency.usual(language: .german, zone: "Europe/Zurich") == .franc)
    #expect(Currency.usual(language: .french, zone: "America/Montreal") == .canadianDollar)
    #expect(Currency.usual(language: .portuguese, zone: "UTC") == .real)
    #expect(Currency.usual(language: .english, zone: "UTC") == .usDollar)
  }
}

extension Substring {
  /// Liechtenstein, the Channel Islands and the Isle of Man use their neighbour's currency.
  fileprivate var isBesideAnother: Bool { ["LI", "GG", "IM", "JE"].contains(self) }
}
