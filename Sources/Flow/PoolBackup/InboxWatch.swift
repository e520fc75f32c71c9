package import PoolModel

/// Which of the files that wait are complete: those that looked the same for a while.
package struct InboxWatch: Sendable {
  private var seen: [InboxFolder.Entry: Timestamp] = [:]

  package init() {}

  /// - Returns: those that have not changed for `Limits.inboxQuiet`, the one that waits longest first.
  package mutating func ready(_ waiting: [InboxFolder.Entry], at now: Timestamp) -> [InboxFolder.Entry] {
    // A clock that was set back says nothing about how long a file has been quiet.
    seen = Dictionary(
      waiting.map { entry in (entry, seen[entry].flatMap { $0 <= now ? $0 : nil } ?? now) },
      uniquingKeysWith: { first, _ in first })
    return seen.filter { now.since($0.value) >= Limits.inboxQuiet }.sorted {
      ($0.value, $0.key.place.team, $0.key.name) < ($1.value, $1.key.place.team, $1.key.name)
    }.map(\.key)
  }
}
