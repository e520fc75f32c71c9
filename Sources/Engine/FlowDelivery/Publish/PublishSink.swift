package import FlowModel
package import FlowNotices
internal import Synchronization

/// Keeps the pages in a web server's folder as its `PublishedPageSource` supplies them, after every change of the records or the folder.
///
/// A notice is not written as a file here: it signals that its team's pages may have changed, and counts as delivered once they
/// are up to date. A page that cannot be written is reported as an obstacle and retried, while all other pages are written. The
/// next round repairs the effects of a crash; at any time every file is either the old or the new version.
package final class PublishSink: MaintainedSink {
  package let name: String
  package let kind = SinkKind.publish
  package var rate: SinkRate? { bounds.rate }
  private let path: String
  private let source: any PublishedPageSource
  private let calls: any SiteFileSystemCalls
  private let bounds: Bounds
  private let queue: WorkQueue
  private let withdrawals: WorkQueue
  /// Held while a thread of one of the queues changes folders of pages: a folder is either written or removed.
  private let folderLock = Mutex(())
  private let state: Mutex<PublishState>

  /// The bounds on time and rate.
  package struct Bounds: Sendable {
    /// The time after which the disk counts as not answering.
    let timeout: Duration
    let rate: SinkRate?
    /// The maximum duration of a round; the next round continues.
    let roundTime: Duration
    /// The interval between comparisons of all files with their last written versions.
    let checkInterval: Duration

    package init(
      timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil, roundTime: Duration = Limits.siteWriteTime,
      checkInterval: Duration = Limits.siteCheckInterval
    ) {
      self.timeout = timeout
      self.rate = rate
      self.roundTime = roundTime
      self.checkInterval = checkInterval
    }
  }

  /// - Parameter path: the folder; it must exist when the first page is due, but not before.
  package init(
    name: String, path: String, source: any PublishedPageSource, bounds: Bounds = Bounds(),
    calls: any SiteFileSystemCalls = LinuxFileSystemCalls()
  ) {
    self.name = name
    self.path = path
    self.source = source
    self.bounds = bounds
    self.calls = calls
    queue = WorkQueue(name, limit: bounds.timeout)
    withdrawals = WorkQueue(name + ".withdraw", limit: bounds.timeout)
    state = Mutex(PublishState(checkInterval: bounds.checkInterval))
  }

  /// The pages that are not up to date, and the reasons.
  package var pageObstacles: [SiteObstacle] { state.withLock { $0.obstacles } }

  package var obstacles: [DeliveryError] { pageObstacles.map(\.error) }

  package func deliver(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    guard !entries.isEmpty else { return [] }
    do throws(SinkError) {
      guard source.publishesHere else {
        forget()
        try await callSource { try await source.notifyPublisher() }
        return entries.map { _ in .delivered }
      }
      return try await deliverOurs(entries)
    } catch {
      return entries.map { _ in .stalled(error) }
    }
  }

  /// Updates the pages of the entries' teams; the rest of a batch that exceeds `roundTime` is stalled.
  private func deliverOurs(_ entries: [OutboxEntry]) async throws(SinkError) -> [SinkVerdict] {
    let deadline = ContinuousClock.now.advanced(by: bounds.roundTime)
    let pageVersions = try await callSource { try await source.pageVersions() }
    state.withLock { $0.retryObstacles() }
    var round = RoundResult()
    try await updateRoot(&round)
    var verdicts: [TeamID?: SinkVerdict] = [:]
    for entry in entries where verdicts[entry.notice.teamID] == nil {
      let team = entry.notice.teamID
      do throws(SinkError) {
        if !verdicts.isEmpty, Task.isCancelled || ContinuousClock.now > deadline {
          throw .temporary(.diskSlow(path: path, timeBudget: bounds.roundTime))
        }
        if let team, let version = pageVersions[team] { try await write(team, version, &round) }
        verdicts[team] = .delivered
      } catch { verdicts[team] = .stalled(error) }
    }
    try await throwIfDiskFailed(round)
    return entries.compactMap { verdicts[$0.notice.teamID] }
  }

  /// Discards all knowledge about the folder, because another process may write to it.
  private func forget() {
    state.withLock { $0.forget() }
  }

  package func maintain() async throws(SinkError) -> Bool {
    guard source.publishesHere else {
      forget()
      return true
    }
    let deadline = ContinuousClock.now.advanced(by: bounds.roundTime)
    let pageVersions = try await callSource { try await source.pageVersions() }
    state.withLock { $0.begin(pageVersions.keys, now: .now) }
    var round = RoundResult()
    try await updateRoot(&round)
    for (team, version) in pageVersions.sorted(by: { $0.key.number < $1.key.number }) {
      guard try await !isCurrent(team, version) else { continue }
      try await write(team, version, &round)
      if Task.isCancelled { return true }
      if ContinuousClock.now > deadline {
        try await throwIfDiskFailed(round)
        return false
      }
    }
    try await throwIfDiskFailed(round)
    return true
  }

  /// Removes the folders of all withdrawn names.
  ///
  /// - Returns: the folders that could not be removed completely.
  package func withdraw() async throws(SinkError) -> [SiteObstacle] {
    let names = try await callSource { try await source.names() }
    return try await withdraw(allBut: names, on: withdrawals)
  }

  /// Removes the folders without a present name.
  ///
  /// - Parameter written: names whose folders have just been written, so that they are certainly poolflow's.
  private func withdraw(
    allBut names: Set<String>, written: Set<String> = [], on queue: WorkQueue
  ) async throws(SinkError) -> [SiteObstacle] {
    let known = state.withLock { $0.known }.union(written)
    let withdrawal = try await perform(on: queue) { [self] () throws(DeliveryError) -> SiteFolder.Withdrawal in
      try removeFolders(allBut: names, known: known)
    }
    state.withLock { $0.record(withdrawal, names: names) }
    return withdrawal.obstacles
  }

  private func removeFolders(
    allBut names: Set<String>, known: Set<String>
  ) throws(DeliveryError) -> SiteFolder.Withdrawal {
    let folder = try SiteFolder(path: path, calls: calls)
    return try folderLock.withLock { _ throws(DeliveryError) in try folder.withdraw(allBut: names, known: known) }
  }

  /// The files of the web server's root, which reveal nothing to a visitor without a secret name.
  private static let root: [String: [UInt8]] = [
    "index.html": Array(
      ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">"
        + "<title></title></head><body></body></html>\n").utf8),
    "robots.txt": Array("User-agent: *\nDisallow: /\n".utf8),
  ]

  /// The results of the current round so far.
  private struct RoundResult {
    var hasWritten = false
    /// The first failure that may concern the whole disk, and so every page.
    var failure: DeliveryError?

    mutating func record(_ outcome: SiteOutcome) {
      hasWritten = hasWritten || outcome.hasWritten
      failure = failure ?? outcome.obstacles.first { !$0.error.concernsOnePage }?.error
    }
  }

  /// Brings the root's files up to date, and removes withdrawn folders if that is due.
  private func updateRoot(_ round: inout RoundResult) async throws(SinkError) {
    let names = try await callSource { try await source.names() }
    let (isDue, known) = state.withLock { ($0.isWithdrawalDue(names), $0.known) }
    let (root, withdrawal) = try await perform(on: queue) {
      [self] () throws(DeliveryError) -> (SiteOutcome, SiteFolder.Withdrawal?) in
      let folder = try SiteFolder(path: path, calls: calls)
      let root = folder.writeRootFiles(Self.root)
      return (root, try isDue ? removeFolders(allBut: names, known: known) : nil)
    }
    round.record(root)
    if let withdrawal { round.record(SiteOutcome(obstacles: withdrawal.obstacles)) }
    state.withLock {
      $0.root = root.obstacles
      if let withdrawal { $0.record(withdrawal, names: names) }
    }
  }

  /// Whether a team's pages were written for this mark, and their files have not changed since.
  private func isCurrent(_ team: TeamID, _ version: String) async throws(SinkError) -> Bool {
    guard let written = state.withLock({ $0.teams[team] }), written.version == version else { return false }
    guard state.withLock({ $0.unchecked.remove(team) }) != nil else { return true }
    guard written.obstacles.isEmpty else { return false }
    return try await perform(on: queue) { [self] () throws(DeliveryError) -> Bool in
      let folder = try SiteFolder(path: path, calls: calls)
      return written.stamps.allSatisfy { name, stamps in folder.stamps(of: stamps.keys, in: name) == stamps }
    }
  }

  /// Writes a team's pages and remembers their mark, stamps and obstacles. A folder whose name was withdrawn while it was
  /// written is removed again.
  private func write(_ team: TeamID, _ version: String, _ round: inout RoundResult) async throws(SinkError) {
    let sites = try await callSource { try await source.pages(of: team) }
    // Read the names again: a name changed in the meantime must not be published.
    let names = try await callSource { try await source.names() }
    let all = try await perform(on: queue) { [self] () throws(DeliveryError) -> [(String, SiteOutcome)] in
      let folder = try SiteFolder(path: path, calls: calls)
      return folderLock.withLock { _ in
        sites.filter { names.contains($0.name) }.map { ($0.name, folder.writePages($0)) }
      }
    }
    let written = Set(all.map(\.0))
    let presentNames = try await callSource { try await source.names() }
    if !written.isSubset(of: presentNames) {
      let obstacles = try await withdraw(allBut: presentNames, written: written, on: queue)
      round.record(SiteOutcome(obstacles: obstacles))
    }
    let outcomes = all.filter { presentNames.contains($0.0) }
    for (_, outcome) in outcomes { round.record(outcome) }
    state.withLock {
      $0.teams[team] = PublishState.Team(
        version: version, stamps: Dictionary(outcomes.map { ($0, $1.stamps) }, uniquingKeysWith: { $1 }),
        obstacles: outcomes.flatMap(\.1.obstacles))
    }
  }

  /// Distinguishes an obstacle of one page from a failure of the disk: if no page was written, it tries to write a probe file.
  ///
  /// - Throws: the failure, if the probe file cannot be written either.
  private func throwIfDiskFailed(_ round: RoundResult) async throws(SinkError) {
    guard !round.hasWritten, let failure = round.failure else { return }
    let canWrite = try await perform(on: queue) { [self] () throws(DeliveryError) -> Bool in
      let folder = try SiteFolder(path: path, calls: calls)
      do throws(DeliveryError) { try folder.probe() } catch { return false }
      return true
    }
    guard !canWrite else { return }
    // Check the failed pages at the next try, instead of at the next comparison of all files.
    state.withLock { $0.retryObstacles() }
    throw .temporary(failure.withoutPage)
  }

  /// Calls the source, and reports its errors as `DeliveryError.store`.
  private func callSource<Value>(_ call: () async throws -> Value) async throws(SinkError) -> Value {
    do { return try await call() } catch { throw .temporary(.store(sink: name, sentence: "\(error)")) }
  }

  /// Runs `work` on a queue, and throws its failure or `DeliveryError.timedOut`.
  private func perform<Value: Sendable>(
    on queue: WorkQueue, _ work: @escaping @Sendable () throws(DeliveryError) -> Value
  ) async throws(SinkError) -> Value {
    let result = await queue.perform { () -> Result<Value, DeliveryError> in
      do throws(DeliveryError) { return .success(try work()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw .temporary(error)
    case nil: throw .temporary(.timedOut(sink: name, limit: bounds.timeout))
    }
  }
}
