package import FlowCalendar
package import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
package import FlowWork

/// A digest of all notices that a store would produce in the seven days from `start`: two stores with equal digests send the
/// same notices.
package struct WeekFingerprint: TeamReader {
  private let start: Timestamp
  private let install: String
  private let zones: any ZoneSource
  private var sum = SHA256()

  package init(from start: Timestamp, install: String, zones: any ZoneSource) {
    self.start = start
    self.install = install
    self.zones = zones
  }

  /// The digest as 64 lowercase hexadecimal digits.
  package var hex: String { sum.hex() }

  /// Adds the decisions of a team's jobs for each of the seven days.
  package mutating func read(_ facts: any DecisionFacts, jobs: [JobRecord]) throws {
    for job in jobs {
      // A zone that cannot be read is the same for both stores, and the job reports it when it runs.
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

  package mutating func skip(_ team: TeamID, unreadable why: String) throws {
    // An unreadable team produces no notices, and has the same reason in both stores.
    add("team \(team.number) cannot be read: \(why)")
  }

  /// Adds a text, ended by a byte that UTF-8 never contains, so that different sequences of texts never have equal bytes.
  private mutating func add(_ text: String) {
    Array(text.utf8).withUnsafeBytes { sum.update($0) }
    [UInt8(0xFF)].withUnsafeBytes { sum.update($0) }
  }
}
