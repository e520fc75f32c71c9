import FlowModel
import FlowPlatform
import FlowServices
import PoolStore

/// Recomputes water indexes right after an import.
struct WaterRefresh: Sendable {
  let store: any Water
  let clock: any WallClock
  let log: DaemonLog

  /// Recomputes all stale indexes. A failure is logged, and the nightly job retries.
  func refresh() async {
    do {
      var progress = RefreshProgress()
      while !progress.isDone {
        progress = try await store.refreshBlockPools(after: progress, all: false, now: clock.now())
      }
    } catch {
      log.error("saturation indexes could not be refreshed after an import: \(error); trying again at night")
    }
  }
}
