import FlowAnswers
import FlowPlatform
import FlowScheduler
import FlowServices

/// Detects new time zone data on disk, and re-plans the jobs of zones whose rules changed.
final class ZoneReload {
  private let zones: SystemZones
  private let log: DaemonLog
  /// The state of the data on disk for which the jobs are planned.
  private var fingerprint: Int

  /// The time zone data of now counts as known.
  init(on context: ServiceContext) {
    (zones, log) = (context.zones, context.log)
    fingerprint = zones.fingerprint
  }

  /// Plans jobs without a plan, and re-plans the jobs of zones whose rules changed on disk.
  func reload(_ scheduler: Scheduler) async {
    do {
      try await scheduler.planUnplanned()
    } catch {
      log.error("\(error); jobs without a plan are planned within a minute")
    }
    let current = zones.fingerprint
    guard current != fingerprint else { return }
    let (changed, errors) = zones.reload()
    for error in errors { log.warning("\(error); the previous time zone data stays in use") }
    do {
      if !changed.isEmpty { try await scheduler.zonesChanged(changed.map { ($0.before, $0.after) }) }
      // Zones that were read meanwhile change the fingerprint.
      fingerprint = zones.fingerprint
    } catch {
      log.error("\(error); the new time zone data is loaded within a minute")
    }
  }
}
