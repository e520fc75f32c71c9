import PoolModel
import PoolPlatform
import PoolStore

/// Works out at once what an import left stale.
struct WaterRefresh: Sendable {
  let store: any Water
  let clock: any WallClock
  let log: DaemonLog

  /// A failure is told and left to the night.
  func refresh() async {
    do {
      var progress = RefreshProgress()
      while !progress.isDone { progress = try await store.refreshBlock(after: progress, all: false, now: clock.now()) }
    } catch {
      log.error("saturation indexes could not be refreshed after an import: \(error); trying again at night")
    }
  }
}
