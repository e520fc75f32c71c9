import FlowAnswers
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Records teams whose jobs cannot be planned (every minute) and teams whose rows cannot be read (once an hour), and notifies the
/// operator of new failures.
final class TeamCheck {
  private let store: any ClusterPartitions & LedgerReport & Teams & TeamFailures
  private let notices: OperatorNotices
  private let log: DaemonLog
  /// When the rows were last read.
  private var rowsReadAt: Timestamp?
  /// Teams whose jobs cannot be read, as of `rowsReadAt`, with the reason.
  private var unreadableJobs: [TeamID: String] = [:]

  init(on context: ServiceContext, notices: OperatorNotices) {
    store = context.store
    log = context.log
    self.notices = notices
  }

  /// Checks the teams; a failed check is logged and repeated at the next call.
  func check(now: Timestamp, scheduler: Scheduler) async {
    do {
      var unplanned = await scheduler.unplannedTeams
      let isHourly = rowsReadAt.map { now < $0 || now.since($0) >= Limits.pruningInterval } ?? true
      if isHourly, notices.ownsServerWork {
        rowsReadAt = now
        unreadableJobs = try await store.unreadableJobs()
        try await store.setTeamFailures(try await store.unreadableTeams(), with: FailureCode.team, of: .all, now: now)
      }
      unplanned.merge(unreadableJobs) { first, _ in first }
      // Each node checks its own partitions.
      try await store.setTeamFailures(
        unplanned, with: FailureCode.schedule, of: .partitions(store.partitions), now: now)
    } catch {
      log.error("\(error); the teams are checked again within a minute")
    }
    await notices.notifyTeamFailures()
  }
}
