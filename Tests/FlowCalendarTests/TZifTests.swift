import FlowCalendar
import FlowModel
import Testing

/// Files made for cases that the installed database does not contain.
@Suite struct TZifTests {
  /// A TZif file of version 2 to 4 (or 1, without a footer) with one data block.
  struct Builder {
    var version: UInt8 = 50
    var times: [Int64] = []
    var kinds: [UInt8] = []
    var types: [(offset: Int32, name: UInt8)] = [(0, 0)]
    var names: [UInt8] = Array("AAA\u{0}BBB\u{0}".utf8)
    var leaps: [(Int64, Int32)] = []
    var footer: String? = ""

    func bytes() -> [UInt8] {
      if version == 0 { return block(wide: false) }
      var small = self
      (small.times, small.kinds, small.leaps) = ([], [], [])
      return small.block(wide: false) + block(wide: true) + (footer.map { Array("\n\($0)\n".utf8) } ?? [])
    }

    private func block(wide: Bool) -> [UInt8] {
      var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      for count in [0, 0, leaps.count, times.count, types.count, names.count] { bytes += Self.big(Int32(count)) }
      for time in times { bytes += wide ? Self.big(time) : Self.big(Int32(clamping: time)) }
      bytes += kinds
      for (offset, name) in types { bytes += Self.big(offset) + [0, name] }
      bytes += names
      for (time, total) in leaps {
        bytes += (wide ? Self.big(time) : Self.big(Int32(clamping: time))) + Self.big(total)
      }
      return bytes
    }

    private static func big(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
  }

  private func zone(_ change: (inout Builder) -> Void) throws -> Zone {
    var builder = Builder()
    change(&builder)
    return try Zone.parse(name: "Test/Zone", tzif: builder.bytes())
  }

  @Test(arguments: [
    // Daylight time all year: RFC 8536 §3.3.1's own example.
    ("XXX3EDT4,0/0,J365/23", "2026-01-15T00:00:00Z", -4 * 3_600),
    ("XXX3EDT4,0/0,J365/23", "2026-07-15T00:00:00Z", -4 * 3_600),
    // Nuuk: the change is before midnight, at hour -1.
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -2 * 3_600),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -1 * 3_600),
    // Dublin: winter is the exception.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-15T00:00:00Z", 0),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-15T00:00:00Z", 3_600),
    // Days of the year, with and without 29 February.
    ("AAA0BBB,J60/0,59/0", "2028-03-01T00:00:00Z", 3_600),
    ("AAA0BBB,59/0,J100/0", "2028-02-29T00:00:00Z", 3_600),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-07-15T00:00:00Z", 37_800),
    ("EST5", "2026-07-15T00:00:00Z", -5 * 3_600),
  ])
  func `a footer applies to all later years`(footer: String, at: String, offset: Int) throws {
    let zone = try zone { $0.footer = footer }
    #expect(zone.offset(at: instant(at)) == offset)
  }

  @Test(arguments: [
    "A", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
    "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J1", "EST5EDT,366,1", "<EST5", "EST25", "EST5EDT,M3.2.0/168,M11.1.0",
    "EST5EDT,M3.2.0,M11.1.0x", "EST5EDT,M3.2.0,M11.1.0,", "ünï0",
  ])
  func `a file with an invalid footer is refused`(footer: String) {
    #expect(throws: ZoneError.self) { try zone { $0.footer = footer } }
  }

  @Test func `version 1 is read from its four-byte block`() throws {
    let zone = try zone {
      $0.version = 0
      ($0.times, $0.kinds, $0.types) = ([1_000_000], [1], [(0, 0), (3_600, 4)])
    }
    #expect(zone.offset(at: Timestamp(seconds: 999_999)) == 0)
    #expect(zone.offset(at: Timestamp(seconds: 1_000_000)) == 3_600)
    #expect(zone.abbreviation(at: Timestamp(seconds: 1_000_000)) == "BBB")
    #expect(zone.offset(at: instant("2150-01-01T00:00:00Z")) == 3_600)
  }

  @Test(arguments: [0, 50] as [UInt8])
  func `a file with leap seconds is refused with the reason`(version: UInt8) {
    let error = #expect(throws: ZoneError.self) {
      try zone {
        $0.version = version
        ($0.times, $0.kinds, $0.types) = ([1_000_001], [1], [(0, 0), (3_600, 4)])
        $0.leaps = [(500_000, 1)]
      }
    }
    #expect(error.map { "\($0)".contains("it counts leap seconds") } == true)
  }

  @Test func `an inconsistent file is refused`() {
    let wrongs: [(inout Builder) -> Void] = [
      { ($0.times, $0.kinds) = ([5, 5], [0, 0]) }, { ($0.times, $0.kinds) = ([5], [1]) },
      { $0.types = [(0, 8)] }, { $0.types = [(100_000, 0)] }, { $0.types = [] }, { $0.names = [] },
      { $0.names = Array("AAA".utf8) }, { $0.names = Array("A\u{7}A\u{0}".utf8) },
      { $0.names = Array("ÄÄ\u{0}".utf8) }, { $0.names = Array("ABCDEFGHIJKLMNOPQ\u{0}".utf8) },
      { $0.leaps = [(5, 1), (5, 2)] }, { $0.footer = nil }, { $0.version = 49 }, { $0.version = 65 },
      { builder in
        builder.times = (0..<2_001).map { Int64($0) }
        builder.kinds = [UInt8](repeating: 0, count: 2_001)
      },
    ]
    for wrong in wrongs { #expect(throws: ZoneError.self) { try zone(wrong) } }
  }

  @Test func `the largest valid file is read quickly, and endless names are refused quickly`() throws {
    var full = Builder()
    full.times = (0..<2_000).map { Int64($0) * 1_000_003 - 1_000_000_000 }
    full.kinds = (0..<2_000).map { UInt8($0 % 256) }
    full.types = (0..<256).map { (Int32($0) * 60, 0) }
    full.footer = "EST5EDT,M3.2.0,M11.1.0"
    var endless = full
    endless.names = [UInt8](repeating: 65, count: 40_000) + [0]
    endless.types = (0..<256).map { (0, UInt8($0)) }
    let start = threadTime()
    _ = try Zone.parse(name: "Test/Zone", tzif: full.bytes())
    #expect(throws: ZoneError.self) { try Zone.parse(name: "Test/Zone", tzif: endless.bytes()) }
    // The release build promises one millisecond each, which the fuzzer checks; here the time includes building the bytes.
    #expect(threadTime() - start < .milliseconds(200))
  }

  @Test func `sixteen clock changes in three days are read, and one more is refused`() throws {
    func restless(_ count: Int, over seconds: Int64) throws -> Zone {
      try zone { builder in
        builder.types = [(0, 0), (3_600, 4)]
        // The last change is this many seconds after the first.
        builder.times = (0..<count).map { 1_767_225_600 + Int64($0) * seconds / Int64(count - 1) }
        builder.kinds = (0..<count).map { UInt8(($0 + 1) % 2) }
      }
    }
    let days: Int64 = 3 * 86_400
    #expect(throws: Never.self) { try restless(16, over: 3_600) }
    #expect(throws: Never.self) { try restless(17, over: days + 1) }
    for (count, seconds) in [(17, days), (17, 3_600), (2_000, 2_000)] as [(Int, Int64)] {
      let error = #expect(throws: ZoneError.self) { try restless(count, over: seconds) }
      #expect(error.map { "\($0)".contains("it has more than 16 changes within three days") } == true)
    }
    // Changes at the ends of time are not close to each other, and their distance overflows.
    let far = try zone { ($0.times, $0.kinds) = ([Int64.min, Int64.max], [0, 0]) }
    #expect(far.offset(at: Timestamp(seconds: 0)) == 0)
  }

  @Test func `a zone whose clocks change twice an hour still gives a set of instants`() throws {
    // One hour forward, back after half an hour, then forward again: local times occur once, twice, never and late.
    let zone = try zone {
      $0.types = [(0, 0), (3_600, 4)]
      $0.times = [1_767_232_800, 1_767_234_600, 1_767_236_400, 1_767_240_000]
      $0.kinds = [1, 0, 1, 0]
    }
    for text in ["02:15", "02:45", "03:00", "03:15", "00..05:00,15,30,45", "02,03:00,15,30,45"] {
      for fold in DaylightPolicy.Fold.allCases {
        let rule = CalendarRule(try CalendarExpression(text), zone: zone, policy: DaylightPolicy(fold: fold))
        let start = instant("2025-12-31T22:00:00Z")
        let end = instant("2026-01-01T22:00:00Z")
        let forward = Array(rule.occurrences(after: start).prefix { $0.instant < end })
        let backward = Array(rule.occurrences(before: end).prefix { $0.instant > start })
        #expect(forward == backward.reversed(), "\(text) \(fold)")
        #expect(!forward.isEmpty && Set(forward.map(\.instant)).count == forward.count, "\(text) \(fold)")
      }
    }
  }
}
