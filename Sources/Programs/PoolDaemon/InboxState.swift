import PoolBackup
import PoolModel

/// State of the inbox between two scans, and the wake-up of its scanner.
actor InboxState {
  /// Requests for a scan; ends when its reader's task is cancelled.
  nonisolated let nudges: AsyncStream<Void>
  private nonisolated let wish: AsyncStream<Void>.Continuation
  private var watch = InboxWatch()
  private var isLooking = false
  /// Failures of the last scan, so that each is logged once.
  private var troubles: Set<String> = []

  init() {
    (nudges, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  nonisolated func nudge() { wish.yield() }

  /// Begins a scan.
  ///
  /// - Returns: false if another scan is running.
  func begin() -> Bool {
    guard !isLooking else { return false }
    isLooking = true
    return true
  }

  func end() { isLooking = false }

  /// The waiting entries that have not changed since an earlier scan.
  func ready(_ waiting: [InboxFolder.Entry], at now: Timestamp) -> [InboxFolder.Entry] {
    watch.ready(waiting, at: now)
  }

  /// Remembers the failures of this scan.
  ///
  /// - Returns: the failures that the last scan did not find.
  func newTroubles(of found: [String]) -> [String] {
    defer { troubles = Set(found) }
    return found.filter { !troubles.contains($0) }
  }
}
