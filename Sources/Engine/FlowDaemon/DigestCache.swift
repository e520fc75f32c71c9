import FlowModel
import FlowNotices
import FlowScheduler
import FlowServices
import FlowWork
import Synchronization

/// Keeps the digests of committed notices until their pages are rendered, because rendering from a digest is faster than
/// parsing the notice's text.
///
/// Bounded: new digests are dropped while the cache is full, and their pages are rendered from the text, as after a restart.
/// The store is authoritative: a digest is used only if its text equals the stored text byte for byte.
final class DigestCache: PageBacklog {
  /// The source of a page: a digest, or a page that was prefetched.
  private enum PageSource {
    case digest(any PagedDigest)
    case page(PrefetchedPage)
  }

  /// The source of a notice's page, kept until each sink has taken it.
  private struct Entry {
    let source: PageSource
    let text: String
    /// Number of sinks that have not rendered the page yet.
    var remainingReaders: Int
    let since: ContinuousClock.Instant
  }

  /// Cached entries by notice id, and the state of back-pressure.
  private struct State {
    var entries: [String: Entry] = [:]
    var readers = 0
    /// When a sink last took an entry.
    var lastTaken = ContinuousClock.now
    /// True after deciding waited in vain for a sink; no wait until the cache has space again.
    var hasTimedOut = false

    /// True while deciding should wait for the sinks: the cache is full, a sink took an entry recently, and no wait has timed
    /// out.
    mutating func shouldWait() -> Bool {
      if entries.count + Limits.runsPerBatch <= Limits.cachedDigests { hasTimedOut = false }
      return entries.count + Limits.runsPerBatch > Limits.cachedDigests && !hasTimedOut
        && ContinuousClock.now - lastTaken < Limits.digestCacheWait
    }
  }

  private let trades: DaemonTrades
  private let state = Mutex(State())

  init(trades: DaemonTrades) { self.trades = trades }

  /// Sets how many sinks render pages; each of them takes an entry once.
  func use(readers: Int) {
    state.withLock { $0.readers = readers }
  }

  /// True if a sink renders pages.
  var hasReaders: Bool { state.withLock { $0.readers > 0 } }

  var count: Int { state.withLock { $0.entries.count } }

  /// Caches the digests of committed runs, as far as there is space.
  func remember(_ settlements: [RunSettlement]) {
    let source = settlements.flatMap { Self.source(by: $0.outcome) }
    guard !source.isEmpty else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      guard state.readers > 0 else { return }
      for (notice, one) in source {
        if state.entries.count >= Limits.cachedDigests {
          // An unhealthy sink, or one that accepts no such notices, never takes its entries: drop old ones.
          state.entries = state.entries.filter { now - $0.value.since < Limits.digestCacheMaxAge }
          if state.entries.count >= Limits.cachedDigests { return }
        }
        state.entries[notice.id] = Entry(
          source: one, text: notice.dataJSON, remainingReaders: state.readers, since: now)
      }
    }
  }

  /// The sources of the pages of an outcome's notices.
  private static func source(by outcome: Outcome) -> [(notice: Notice, source: PageSource)] {
    guard let laid = outcome.account as? PrefetchedExplanation else { return outcome.digests.map { ($0, .digest($1)) } }
    return outcome.notices.compactMap { notice in
      laid.pages[notice.id].map { (notice, .page($0)) }
    }
  }

  /// Waits while the cache is full and sinks render pages, at most `Limits.digestCacheWait`. After a timeout no call waits until
  /// the cache has space again, so that one slow sink does not delay the others. Returns early if cancelled.
  func waitForSpace() async {
    let end = ContinuousClock.now + Limits.digestCacheWait
    while state.withLock({ $0.shouldWait() }) {
      guard ContinuousClock.now < end else { return state.withLock { $0.hasTimedOut = true } }
      do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
    }
  }

  /// The digest of a notice from which its trade builds sensitive attachments, from the cache or parsed from the text; nil
  /// for other notices or unreadable text.
  func digest(of notice: Notice) -> (any PagedDigest)? {
    guard let pages = trades.pages(usingDigestOf: notice) else { return nil }
    if case .digest(let digest) = take(notice) { return digest }
    return pages.digest(of: notice)
  }

  /// The notice's page without sensitive data; nil for a notice that has none.
  func page(of notice: Notice) -> [UInt8]? {
    switch take(notice) {
    case .digest(let digest): return digest.page
    case .page(let page): if let bytes = page.bytes() { return bytes }
    case nil: break
    }
    return trades.page(of: notice)
  }

  /// Takes an entry for one sink; the last sink removes it. Nil if the entry is missing or its text differs from the notice's.
  private func take(_ notice: Notice) -> PageSource? {
    let fresh = state.withLock { state -> Entry? in
      guard var entry = state.entries[notice.id] else { return nil }
      entry.remainingReaders -= 1
      state.lastTaken = ContinuousClock.now
      state.entries[notice.id] = entry.remainingReaders > 0 ? entry : nil
      return entry
    }
    return fresh?.text == notice.dataJSON ? fresh?.source : nil
  }
}
