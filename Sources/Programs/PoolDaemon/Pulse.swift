import PoolCalendar
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
import PoolWork

/// Tells the service manager that the daemon is well, and what it is about.
///
/// Called at the end of a look of the scheduler, and goes through the store and every lane of the outbox before it
/// speaks: a daemon in which any of them hangs falls silent, and the manager's watchdog starts it anew.
struct Pulse: Sendable {
  let manager: ServiceManager
  let store: any OutboxAdmin & StoreUpkeep
  let dispatcher: Dispatcher
  let zones: SystemZones
  let log: DaemonLog

  func beat(next: (job: JobRecord, at: Timestamp)?) async {
    // A manager that does not watch need not read what is said, and its full socket would hold us.
    guard manager.watchdogInterval != nil else { return }
    do {
      let depth = try await store.outboxDepth()
      _ = await dispatcher.statuses()
      let words = words(next: next, depth: depth)
      manager.alive(status: await store.isOutOfRoom ? "No room on the disk, nothing can be written; \(words)" : words)
    } catch  where error.mayPass {
      // A daemon that waits for its server is well: to start it anew would bring the server no sooner.
      manager.alive(status: "The store cannot be asked for now: \(error)")
    } catch {
      // Told to nobody who waits for a sign of life: a store that stays broken is a reason to be started anew.
      log.error("\(error); the service manager was not told that all is well")
    }
  }

  /// `morning-summary for desert-blue Mon 2026-03-02 07:00 MST; 3 waiting, 1 dead`.
  private func words(next: (job: JobRecord, at: Timestamp)?, depth: [EntryState: Int]) -> String {
    var words = "Nothing is planned"
    if let next {
      let zone = (try? zones.zone(named: next.job.zone)) ?? .utc
      let whose = next.job.teamID == nil ? "" : " for \(next.job.teamName)"
      words = "Next \(next.job.kind.rawValue)\(whose) \(zone.dateText(at: next.at))"
    }
    let waiting = (depth[.pending] ?? 0) + (depth[.staged] ?? 0)
    let counts: [(Int, String)] = [(waiting, "waiting"), (depth[.dead] ?? 0, "dead"), (depth[.held] ?? 0, "held")]
    let outbox = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return outbox.isEmpty ? words : words + "; " + outbox.joined(separator: ", ")
  }
}
