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
      _ = try await store.refreshStaleIndexes(now: clock.now())
    } catch {
      log.error("saturation indexes could not be refreshed after an import: \(error); trying again at night")
    }
  }
}

extension Water {
  /// Recomputes the index of every pool whose readings changed, in blocks, so that other work of the store runs in between.
  ///
  /// - Parameter check: called before each block; an error that it throws ends the work.
  func refreshStaleIndexes(now: Timestamp, check: () throws -> Void = {}) async throws -> RefreshProgress {
    var progress = RefreshProgress()
    while !progress.isDone {
      try check()
      progress = try await refreshBlockPools(after: progress, all: false, now: now)
    }
    return progress
  }
}
