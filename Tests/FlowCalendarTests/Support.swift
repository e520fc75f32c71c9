import FlowCalendar
import FlowModel
import FlowPlatform
import Foundation
import Glibc
import Testing

/// The installed tz database, read once for all tests.
let zones = SystemZones()

func instant(_ text: String) -> Timestamp {
  guard let instant = Timestamp(rfc3339: text) else { fatalError("'\(text)' is no instant") }
  return instant
}

func rule(_ text: String, _ zone: String = "UTC", policy: DaylightPolicy = .standard) throws -> CalendarRule {
  let expression = try CalendarExpression(text)
  return CalendarRule(expression, zone: try zones.zone(named: expression.zoneName ?? zone), policy: policy)
}

/// The CPU time of this thread, which a busy machine does not increase.
func threadTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

enum Fixture {
  static func data(_ name: String) throws -> Data {
    let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
    return try Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// The rows of a tab-separated file with a header, by column name; lines that begin with `#` are comments.
  static func table(_ name: String) throws -> [[String: String]] {
    let lines = String(decoding: try data(name), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true)
      .filter { !$0.hasPrefix("#") }
    guard let header = lines.first?.split(separator: "\t", omittingEmptySubsequences: false) else { return [] }
    return lines.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Dictionary(uniqueKeysWithValues: zip(header, cells).map { (String($0), String($1)) })
    }
  }
}
