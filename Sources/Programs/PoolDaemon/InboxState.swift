import PoolBackup
import PoolModel

/// What the daemon remembers of the inbox between two looks, and when the next one is.
actor InboxState {
  /// A wish for a look; ends when its reader's task is cancelled.
  nonisolated let nudges: AsyncStream<Void>
  private nonisolated let wish: AsyncStream<Void>.Continuation
  private var watch = InboxWatch()
  private var isLooking = false
  /// What was wrong at the last look, so that it is told once.
  private var troubles: Set<String> = []

  init() {
    (nudges, wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  nonisolated func nudge() { wish.yield() }

  /// - Returns: false where somebody looks already.
  func begin() -> Bool {
    guard !isLooking else { return false }
    isLooking = true
    return true
  }

  func end() { isLooking = false }

  func ready(_ waiting: [InboxFolder.Entry], at now: Timestamp) -> [InboxFolder.Entry] {
    watch.ready(waiting, at: now)
  }

  /// - Returns: those that were not there at the last look.
  func newTroubles(of found: [String]) -> [String] {
    defer { troubles = Set(found) }
    return found.filter { !troubles.contains($0) }
  }
}
