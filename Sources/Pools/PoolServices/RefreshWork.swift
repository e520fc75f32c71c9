import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork
import PoolJobs
import PoolStore

/// Recomputes the water index of every pool whose readings changed. Digests and `pfctl health` show the results.
struct RefreshWork: BackgroundTask {
  let context: TradeContext

  func perform() async throws -> Outcome {
    let now = context.clock.now()
    let progress = try await context.store.refreshStaleIndexes(now: now) { try Task.checkCancellation() }
    try await context.store.noteRefresh(at: now)
    try await context.store.notifyOtherNodes()
    let troubles = progress.troubles.mapValues {
      "the saturation index of \(countText($0.pools, "pool")), such as \($0.example), cannot be calculated: impossible water readings"
    }
    try await context.store.setTeamFailures(troubles, with: JobKind.lsiRefresh.rawValue, of: .all, now: now)
    if !troubles.isEmpty { await context.operatorNotices.notifyTeamFailures() }
    guard progress.pools > 0 else {
      return Outcome(result: .done, reason: nil, detail: "no readings have changed since the last check", notice: nil)
    }
    var summary =
      "checked the water of \(countText(progress.pools, "pool")): "
      + "\(countText(progress.changed, "saturation index", "saturation indexes")) changed, "
      + "\(progress.crossed) crossed a limit"
    if !troubles.isEmpty {
      summary += "; \(countText(troubles.count, "team has", "teams have")) readings that cannot be used"
    }
    context.log.info(summary)
    return Outcome(result: .done, reason: nil, detail: summary, notice: nil)
  }
}
