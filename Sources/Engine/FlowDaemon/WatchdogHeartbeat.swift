import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork

/// Sends the service manager's watchdog heartbeat with a status text.
///
/// Called after each tick of the scheduler. It queries the store and every delivery lane first: if one of them hangs, no
/// heartbeat is sent, and the watchdog restarts the daemon.
struct WatchdogHeartbeat: Sendable {
  let manager: ServiceManager
  let store: any OutboxAdmin & StoreUpkeep
  let dispatcher: Dispatcher
  let zones: SystemZones
  let log: DaemonLog

  /// Sends one heartbeat if the store and all lanes answer.
  ///
  /// - Parameter next: the next slot, for the status text.
  func heartbeat(next: (job: JobRecord, at: Timestamp)?) async {
    // Without a watchdog the manager need not read these messages, and sending to its full socket would block.
    guard manager.watchdogInterval != nil else { return }
    do {
      let depth = try await store.outboxDepth()
      _ = await dispatcher.statuses()
      let statusText = statusText(next: next, depth: depth)
      manager.alive(
        status: await store.isOutOfDiskSpace ? "The disk is full, nothing can be written; \(statusText)" : statusText)
    } catch  where error.isTransient {
      // A restart would not bring the server back sooner, so this counts as healthy.
      manager.alive(status: "The store cannot be queried for now: \(error)")
    } catch {
      // No heartbeat is sent: a store that stays broken is a reason for a restart.
      log.error("\(error); the service manager did not get the watchdog signal")
    }
  }

  /// A status such as `morning-summary for desert-blue Mon 2026-03-02 07:00 MST; 3 waiting, 1 dead`.
  private func statusText(next: (job: JobRecord, at: Timestamp)?, depth: [EntryState: Int]) -> String {
    var statusText = "Nothing is planned"
    if let next {
      let zone = (try? zones.zone(named: next.job.zone)) ?? .utc
      let whose = next.job.teamID == nil ? "" : " for \(next.job.teamName)"
      statusText = "Next \(next.job.kind.rawValue)\(whose) \(zone.dateText(at: next.at))"
    }
    let waiting = (depth[.pending] ?? 0) + (depth[.staged] ?? 0)
    let counts: [(Int, String)] = [(waiting, "waiting"), (depth[.dead] ?? 0, "dead"), (depth[.held] ?? 0, "held")]
    let outbox = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return outbox.isEmpty ? statusText : statusText + "; " + outbox.joined(separator: ", ")
  }
}
