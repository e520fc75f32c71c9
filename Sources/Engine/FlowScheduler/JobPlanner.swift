import FlowCalendar
import FlowModel
import FlowWork

/// Parses the rules of stored jobs, and remembers which jobs cannot be planned, because their rule or zone cannot be read.
struct JobPlanner {
  private let zones: any ZoneSource
  /// Longest delay of a kind's runs after their slots; kinds that are not listed have none.
  var jitter: [JobKind: Duration]
  private let report: @Sendable (String) -> Void
  private var unplanned: [JobID: UnplannableJob] = [:]

  /// - Parameter report: logs a sentence about a job that cannot be planned.
  init(zones: any ZoneSource, jitter: [JobKind: Duration], report: @escaping @Sendable (String) -> Void) {
    (self.zones, self.jitter, self.report) = (zones, jitter, report)
  }

  /// The jobs with their parsed rules. A job that cannot be planned is left out; it is reported unless it is known already.
  mutating func plan(_ records: [JobRecord], holds: [Hold]) -> [PlannedJob] {
    let holds = Dictionary(grouping: holds, by: \.teamID)
    var rules = RuleCache()
    return records.compactMap { record in
      do throws(UnplannableJob) {
        let job = try PlannedJob(
          record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [], jitter: jitter[record.kind] ?? .zero)
        unplanned[record.id] = nil
        return job
      } catch {
        if unplanned.updateValue(error, forKey: record.id) == nil { report("\(error)") }
        return nil
      }
    }
  }

  /// Forgets which jobs of these partitions cannot be planned: of those that are planned again, each is reported again.
  mutating func forgetUnplanned(of partitions: PartitionSet) {
    unplanned = unplanned.filter { !partitions.contains(team: $0.value.job.teamID) }
  }

  var hasUnplanned: Bool { !unplanned.isEmpty }

  /// Teams with a job that cannot be planned, and the reason.
  var unplannedTeams: [TeamID: String] {
    Dictionary(
      unplanned.values.compactMap { job in job.job.teamID.map { ($0, "\(job)") } }, uniquingKeysWith: { min($0, $1) })
  }
}
