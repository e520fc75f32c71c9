import PoolDigests
import PoolJobs
import PoolModel
import PoolNotices
import PoolWork
import StableDigests
import Synchronization

/// What notices with pages were made of, from the commit of their runs until their pages are made: a page is then not made
/// of its notice's text, which takes longer than all of its words did.
///
/// Bounded: while it is full what comes new is not kept, and its page is made of the text, as after a restart. What the store
/// has is what counts: a digest stands for a notice only while both say the same, byte by byte.
final class FreshDigests: Sendable {
  /// What a page is made of, or itself where it was made ahead.
  private enum Made {
    case digest(any PagedDigest)
    case page(LaidPage)
  }

  private struct Entry {
    let made: Made
    let text: String
    /// How many sinks have still to make its page.
    var left: Int
    let since: ContinuousClock.Instant
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var readers = 0
    /// When a page was last made of one.
    var lastTaken = ContinuousClock.now
    /// Nobody waits for a sink that was waited for in vain, until there is room again.
    var isGivenUp = false

    mutating func isAwaited() -> Bool {
      if entries.count + Limits.runsPerBatch <= Limits.freshDigests { isGivenUp = false }
      return entries.count + Limits.runsPerBatch > Limits.freshDigests && !isGivenUp
        && ContinuousClock.now - lastTaken < Limits.sinkIsAtWork
    }
  }

  private let state = Mutex(State())

  /// - Parameter readers: how many sinks make pages; each takes an entry once.
  func use(readers: Int) {
    state.withLock { $0.readers = readers }
  }

  /// Whether any sink makes pages.
  var isRead: Bool { state.withLock { $0.readers > 0 } }

  var count: Int { state.withLock { $0.entries.count } }

  func remember(_ settlements: [RunSettlement]) {
    let made = settlements.flatMap { Self.made(by: $0.outcome) }
    guard !made.isEmpty else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      guard state.readers > 0 else { return }
      for (notice, one) in made {
        if state.entries.count >= Limits.freshDigests {
          // A sink that is sick, or takes no such notice, never asks for them.
          state.entries = state.entries.filter { now - $0.value.since < Limits.digestIsFresh }
          if state.entries.count >= Limits.freshDigests { return }
        }
        state.entries[notice.id] = Entry(made: one, text: notice.dataJSON, left: state.readers, since: now)
      }
    }
  }

  private static func made(by outcome: Outcome) -> [(notice: Notice, made: Made)] {
    guard let laid = outcome.account as? LaidAccount else { return outcome.digests.map { ($0, .digest($1)) } }
    return outcome.notices.compactMap { notice in
      laid.pages[notice.id].map { (notice, .page($0)) }
    }
  }

  /// Waits while it is full and pages are made: who decides faster than a sink writes would have most pages made of their
  /// text. A sink that makes no page, or too few, for a while is not waited for, so that the other sinks have what is theirs;
  /// nor does one who is to stop wait.
  func room() async {
    let end = ContinuousClock.now + Limits.sinkIsAtWork
    while state.withLock({ $0.isAwaited() }) {
      guard ContinuousClock.now < end else { return state.withLock { $0.isGivenUp = true } }
      do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
    }
  }

  /// What a notice was made of; nil for one that is about no route, or that cannot be read any more.
  func digest(of notice: Notice) -> MorningDigest? {
    guard NoticeIdentifier.isRoute(notice.identifier) else { return nil }
    if case .digest(let digest as MorningDigest) = take(notice) { return digest }
    return NoticePage.morning(of: notice)
  }

  /// The notice's page without what only a sensitive sink may have; nil for one that has none.
  func page(of notice: Notice) -> [UInt8]? {
    switch take(notice) {
    case .digest(let digest): return digest.page
    case .page(let page): if let bytes = page.bytes() { return bytes }
    case nil: break
    }
    return NoticePage.html(notice) ?? BarnPage.html(notice)
  }

  private func take(_ notice: Notice) -> Made? {
    let fresh = state.withLock { state -> Entry? in
      guard var entry = state.entries[notice.id] else { return nil }
      entry.left -= 1
      state.lastTaken = ContinuousClock.now
      state.entries[notice.id] = entry.left > 0 ? entry : nil
      return entry
    }
    return fresh?.text == notice.dataJSON ? fresh?.made : nil
  }
}
