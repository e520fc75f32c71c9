package import PoolCalendar
package import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
package import PoolWork

/// A digest of all that a store would say in the seven days from an instant on: two stores with the same one tell their
/// teams the same.
package struct WeekAhead: TeamVisitor {
  private let start: Timestamp
  private let install: String
  private let zones: any ZoneSource
  private var sum = SHA256()

  package init(from start: Timestamp, install: String, zones: any ZoneSource) {
    self.start = start
    self.install = install
    self.zones = zones
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String { sum.hex() }

  package mutating func visit(_ facts: any DecisionFacts, jobs: [JobRecord]) throws {
    for job in jobs {
      // A zone that cannot be read is the same for both stores, and is told by the job itself when it runs.
      let zone = (try? zones.zone(named: job.zone)) ?? .utc
      add("\(job.id.number) \(job.kind.rawValue) \(job.zone) \(job.rule)")
      for day in 0..<7 {
        let instant = start.advanced(by: .hours(24 * day))
        let run = RunContext(
          jobID: job.id, kind: job.kind, slot: instant, asOf: instant, now: instant, lateness: .zero, install: install)
        let outcome = facts.decision(run, zone)
        add("\(outcome.result.rawValue) \(outcome.reason ?? "") \(outcome.detail ?? "")")
        guard let notice = outcome.notice else { continue }
        for text in [notice.title, notice.body, notice.dataJSON] + notice.lines { add(text) }
      }
    }
  }

  package mutating func pass(_ team: TeamID, unreadable why: String) throws {
    // It says nothing, and for the same reason out of both stores.
    add("team \(team.number) cannot be read: \(why)")
  }

  /// Each text ends in a byte that none holds, so that no two rows of texts are the same bytes.
  private mutating func add(_ text: String) {
    Array(text.utf8).withUnsafeBytes { sum.update($0) }
    [UInt8(0xFF)].withUnsafeBytes { sum.update($0) }
  }
}
