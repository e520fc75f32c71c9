import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

/// The zone reader compared with the C library, and given damaged files.
@Suite(.serialized) struct ZoneTests {
  /// The C library reads the same files with independent code.
  @Test func `every zone equals the C library at, around and between clock changes`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("zones: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    var compared = 0
    for name in zones.zoneNames() {
      let zone = try zones.zone(named: name)
      setenv("TZ", ":\(name)", 1)
      tzset()
      var instants = (0..<200).map { _ in Int64.random(in: -5_000_000_000...7_258_118_400, using: &random) }
      for change in zone.transitions(from: Timestamp(seconds: -5_000_000_000), to: Timestamp(seconds: 7_258_118_400)) {
        instants += [change.instant.seconds - 1, change.instant.seconds]
      }
      for seconds in instants {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        let at = Timestamp(seconds: seconds)
        if zone.offset(at: at) != parts.tm_gmtoff || zone.abbreviation(at: at) != String(cString: parts.tm_zone) {
          Issue.record("seed \(seed): \(name) at \(at): \(zone.offset(at: at)), the C library says \(parts.tm_gmtoff)")
        }
        compared += 1
      }
    }
    unsetenv("TZ")
    #expect(compared > 100_000)
  }

  @Test func `a footer applies for ever`() throws {
    let zone = try zones.zone(named: "Europe/Berlin")
    #expect(zone.offset(at: instant("2150-07-01T00:00:00Z")) == 7_200)
    #expect(zone.offset(at: instant("2199-12-31T00:00:00Z")) == 3_600)
    #expect(zone.offset(at: instant("2999-07-01T00:00:00Z")) == 7_200)
    #expect(zone.abbreviation(at: instant("9999-01-01T00:00:00Z")) == "CET")
  }

  @Test func `a local time occurs once, never or twice`() throws {
    let zone = try zones.zone(named: "America/New_York")
    func local(_ text: String) -> LocalDateTime { LocalDateTime(secondsAsIfUTC: instant(text + "Z").seconds) }
    #expect(zone.resolve(local("2026-03-02T07:00:00")) == .once(instant("2026-03-02T12:00:00Z")))
    #expect(
      zone.resolve(local("2026-03-08T02:30:00"))
        == .gap(
          firstAfter: instant("2026-03-08T07:00:00Z"), from: local("2026-03-08T02:00:00"),
          to: local("2026-03-08T03:00:00")))
    #expect(
      zone.resolve(local("2026-11-01T01:30:00"))
        == .twice(first: instant("2026-11-01T05:30:00Z"), second: instant("2026-11-01T06:30:00Z")))
    #expect(zone.local(at: instant("2026-11-01T06:30:00Z")) == local("2026-11-01T01:30:00"))
  }

  static let berlin: [UInt8] = {
    (try? Data(contentsOf: URL(fileURLWithPath: zones.folder + "/Europe/Berlin"))).map { Array($0) } ?? []
  }()

  @Test func `a damaged file gives an error or another zone, never a crash`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("tzif fuzz: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    #expect(throws: Never.self) { try Zone.parse(name: "Europe/Berlin", tzif: Self.berlin) }
    var slowest = Duration.zero
    for number in 0..<4_000 {
      var bytes = Self.berlin
      switch number % 4 {
      case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      case 1: bytes = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      default:
        for _ in 0...Int.random(in: 0...8, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        }
      }
      let start = threadTime()
      let zone = try? Zone.parse(name: "damaged", tzif: bytes)
      slowest = max(slowest, threadTime() - start)
      guard let zone else { continue }
      let rule = CalendarRule(try CalendarExpression("*:0/15"), zone: zone)
      let at = Timestamp(milliseconds: Int64.random(in: .min ... .max, using: &random))
      _ = zone.local(at: Timestamp(seconds: at.seconds / 1_000_000))
      _ = zone.resolve(LocalDateTime(secondsAsIfUTC: at.seconds / 1_000_000))
      _ = (rule.next(after: at), rule.previous(before: at))
    }
    #expect(slowest < .milliseconds(50))
  }

  @Test(arguments: [
    (UInt8(0), 0, "it ends within its header"), (65, 100, "it is not a TZif file"),
    (0, 70_000, "it is larger than 65536 bytes"),
  ])
  func `a broken zone file is reported with its reason`(byte: UInt8, count: Int, why: String) {
    #expect(throws: ZoneError.broken(name: "X/Y", why: why)) {
      try Zone.parse(name: "X/Y", tzif: [UInt8](repeating: byte, count: count))
    }
  }
}
