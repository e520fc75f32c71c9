package import PoolModel
package import PoolNotices
internal import Synchronization

/// Keeps a folder of pages for a web server: what its source says, whenever that may have become something else.
///
/// A notice is no file here: it only says that its team's pages may be others now, and counts as delivered once they are
/// written. Whatever a crash leaves, the next look brings to what it should be: every file is the old one or the new one.
package final class PublishSink: TendedSink {
  package let name: String
  package let kind = SinkKind.publish
  package let rate: SinkRate?
  private let path: String
  private let source: any SiteSource
  private let calls: any SiteCalls
  private let timeout: Duration
  private let allowance: Duration
  private let queue: WorkQueue
  private let withdrawals: WorkQueue

  private struct State {
    /// What was written last of each team; a new process writes all of them.
    var marks: [TeamID: String] = [:]
    /// Whose folders stand, as far as this process has seen to it.
    var names: Set<String>?
  }
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: the folder; it must exist when the first page is due, not before.
  ///   - allowance: after so long a look ends, and goes on with the next one.
  package init(
    name: String, path: String, source: any SiteSource, timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil,
    allowance: Duration = Limits.siteRound, calls: any SiteCalls = LinuxFileCalls()
  ) {
    self.name = name
    self.path = path
    self.source = source
    self.timeout = timeout
    self.rate = rate
    self.allowance = allowance
    self.calls = calls
    queue = WorkQueue(name, limit: timeout)
    withdrawals = WorkQueue(name + ".withdraw", limit: timeout)
  }

  package func deliver(_ entries: [OutboxEntry]) async -> [Verdict] {
    guard !entries.isEmpty else { return [] }
    guard source.isOurs else {
      forget()
      do throws(SinkError) { try await asked { try await source.passOn() } } catch {
        return entries.map { _ in .stalled(error) }
      }
      return entries.map { _ in .delivered }
    }
    let deadline = ContinuousClock.now.advanced(by: allowance)
    let marks: [TeamID: String]
    do throws(SinkError) { marks = try await asked { try await source.marks() } } catch {
      return entries.map { _ in .stalled(error) }
    }
    var verdicts: [TeamID?: Verdict] = [:]
    for entry in entries where verdicts[entry.notice.teamID] == nil {
      let verdict: Verdict
      do throws(SinkError) {
        if !verdicts.isEmpty, Task.isCancelled || ContinuousClock.now > deadline {
          throw .temporary(.diskSlow(path: path, allowance: allowance))
        }
        // Of no team, or of one that is gone: the folder is looked at all the same.
        let teams = entry.notice.teamID.flatMap { team in marks[team].map { [team: $0] } } ?? [:]
        try await write(teams)
        verdict = .delivered
      } catch { verdict = .stalled(error) }
      verdicts[entry.notice.teamID] = verdict
    }
    return entries.compactMap { verdicts[$0.notice.teamID] }
  }

  /// Another may write there meanwhile.
  private func forget() {
    state.withLock { $0 = State() }
  }

  package func tend() async throws(SinkError) -> Bool {
    guard source.isOurs else {
      forget()
      return true
    }
    let deadline = ContinuousClock.now.advanced(by: allowance)
    let marks = try await asked { try await source.marks() }
    try await write([:])
    for (team, mark) in marks.sorted(by: { $0.key.number < $1.key.number }) {
      if state.withLock({ $0.marks[team] == mark }) { continue }
      try await write([team: mark])
      if Task.isCancelled { return true }
      if ContinuousClock.now > deadline { return false }
    }
    state.withLock { $0.marks = $0.marks.filter { marks[$0.key] != nil } }
    return true
  }

  /// Takes the folders of all names away that are none any more.
  package func withdraw() async throws(SinkError) {
    let names = try await asked { try await source.names() }
    try await perform(on: withdrawals) { [self] () throws(DeliveryError) in
      try SiteFolder(path: path, calls: calls).keep(only: names)
    }
  }

  /// A web server's root that says nothing to whoever knows no name.
  private static let root: [String: [UInt8]] = [
    "index.html": Array(
      ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">"
        + "<title></title></head><body></body></html>\n").utf8),
    "robots.txt": Array("User-agent: *\nDisallow: /\n".utf8),
  ]

  /// Brings the root, the folders and these teams' pages to what they should be.
  private func write(_ teams: [TeamID: String]) async throws(SinkError) {
    var pages: [String: [String: [UInt8]]] = [:]
    for team in teams.keys { pages.merge(try await asked { try await source.pages(of: team) }) { _, own in own } }
    let names = try await asked { try await source.names() }
    let (written, isTidy) = (pages, state.withLock { $0.names == names })
    try await perform(on: queue) { [self] () throws(DeliveryError) in
      let folder = try SiteFolder(path: path, calls: calls)
      if !isTidy { try folder.keep(only: names) }
      try folder.putRoot(Self.root)
      // A name that was changed meanwhile is none any more.
      for (name, files) in written.sorted(by: { $0.key < $1.key }) where names.contains(name) {
        try folder.put(files, of: name)
      }
    }
    state.withLock {
      $0.names = names
      $0.marks.merge(teams) { _, new in new }
    }
  }

  private func asked<Value>(_ ask: () async throws -> Value) async throws(SinkError) -> Value {
    do { return try await ask() } catch { throw .temporary(.store(sink: name, sentence: "\(error)")) }
  }

  private func perform(
    on queue: WorkQueue, _ work: @escaping @Sendable () throws(DeliveryError) -> Void
  ) async throws(SinkError) {
    let result = await queue.perform { () -> Result<Void, DeliveryError> in
      do throws(DeliveryError) {
        try work()
        return .success(())
      } catch { return .failure(error) }
    }
    switch result {
    case .success: return
    case .failure(let error): throw .temporary(error)
    case nil: throw .temporary(.stuck(sink: name, limit: timeout))
    }
  }
}
