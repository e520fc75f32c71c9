package import PoolModel
package import PoolNotices
internal import Synchronization

/// Keeps a folder of pages for a web server as its source says, after every change of the records and of the folder.
///
/// A notice is no file here: it only says that its team's pages may be others now, and counts as delivered once they were
/// brought up to date. A page that cannot be written is an obstacle: it is named and tried again, and all others are written.
/// Whatever a crash leaves, the next round repairs: every file is the old one or the new one.
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
  private let state: Mutex<PublishState>

  /// - Parameters:
  ///   - path: the folder; it must exist when the first page is due, not before.
  ///   - allowance: a round ends after so long, and the next one continues.
  ///   - checkInterval: how often all files are compared with those that were written.
  package init(
    name: String, path: String, source: any SiteSource, timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil,
    allowance: Duration = Limits.siteRound, checkInterval: Duration = Limits.siteCheck,
    calls: any SiteCalls = LinuxFileCalls()
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
    state = Mutex(PublishState(checkInterval: checkInterval))
  }

  /// The pages that are not as they should be, and why.
  package var pageObstacles: [SiteObstacle] { state.withLock { $0.obstacles } }

  package var obstacles: [DeliveryError] { pageObstacles.map(\.error) }

  package func deliver(_ entries: [OutboxEntry]) async -> [Verdict] {
    guard !entries.isEmpty else { return [] }
    do throws(SinkError) {
      guard source.isOurs else {
        forget()
        try await asked { try await source.passOn() }
        return entries.map { _ in .delivered }
      }
      return try await deliverOurs(entries)
    } catch {
      return entries.map { _ in .stalled(error) }
    }
  }

  private func deliverOurs(_ entries: [OutboxEntry]) async throws(SinkError) -> [Verdict] {
    let deadline = ContinuousClock.now.advanced(by: allowance)
    let marks = try await asked { try await source.marks() }
    state.withLock { $0.retryObstacles() }
    var round = Round()
    try await tidy(&round)
    var verdicts: [TeamID?: Verdict] = [:]
    for entry in entries where verdicts[entry.notice.teamID] == nil {
      let team = entry.notice.teamID
      do throws(SinkError) {
        if !verdicts.isEmpty, Task.isCancelled || ContinuousClock.now > deadline {
          throw .temporary(.diskSlow(path: path, allowance: allowance))
        }
        if let team, let mark = marks[team] { try await write(team, mark, &round) }
        verdicts[team] = .delivered
      } catch { verdicts[team] = .stalled(error) }
    }
    try await judge(round)
    return entries.compactMap { verdicts[$0.notice.teamID] }
  }

  /// Another may write there meanwhile.
  private func forget() {
    state.withLock { $0.forget() }
  }

  package func tend() async throws(SinkError) -> Bool {
    guard source.isOurs else {
      forget()
      return true
    }
    let deadline = ContinuousClock.now.advanced(by: allowance)
    let marks = try await asked { try await source.marks() }
    state.withLock { $0.begin(marks.keys, now: .now) }
    var round = Round()
    try await tidy(&round)
    for (team, mark) in marks.sorted(by: { $0.key.number < $1.key.number }) {
      guard try await !isCurrent(team, mark) else { continue }
      try await write(team, mark, &round)
      if Task.isCancelled { return true }
      if ContinuousClock.now > deadline {
        try await judge(round)
        return false
      }
    }
    try await judge(round)
    return true
  }

  /// Removes the folders of all names that are withdrawn.
  ///
  /// - Returns: those that could not be removed whole.
  package func withdraw() async throws(SinkError) -> [SiteObstacle] {
    let names = try await asked { try await source.names() }
    let known = state.withLock { $0.known }
    let withdrawal = try await perform(on: withdrawals) { [self] () throws(DeliveryError) -> SiteFolder.Withdrawal in
      try SiteFolder(path: path, calls: calls).withdraw(allBut: names, known: known)
    }
    state.withLock { $0.take(withdrawal, names: names) }
    return withdrawal.obstacles
  }

  /// A web server's root that says nothing to whoever knows no name.
  private static let root: [String: [UInt8]] = [
    "index.html": Array(
      ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">"
        + "<title></title></head><body></body></html>\n").utf8),
    "robots.txt": Array("User-agent: *\nDisallow: /\n".utf8),
  ]

  /// What a round has met so far.
  private struct Round {
    var hasWritten = false
    /// The first failure that may be the disk's, and so every page's.
    var failure: DeliveryError?

    mutating func take(_ outcome: SiteOutcome) {
      hasWritten = hasWritten || outcome.hasWritten
      failure = failure ?? outcome.obstacles.first { !$0.error.isOfOnePage }?.error
    }
  }

  /// Brings the root up to date, and removes what is withdrawn.
  private func tidy(_ round: inout Round) async throws(SinkError) {
    let names = try await asked { try await source.names() }
    let (isDue, known) = state.withLock { ($0.isWithdrawalDue(names), $0.known) }
    let (root, withdrawal) = try await perform(on: queue) {
      [self] () throws(DeliveryError) -> (SiteOutcome, SiteFolder.Withdrawal?) in
      let folder = try SiteFolder(path: path, calls: calls)
      let root = folder.putRoot(Self.root)
      return (root, try isDue ? folder.withdraw(allBut: names, known: known) : nil)
    }
    round.take(root)
    if let withdrawal { round.take(SiteOutcome(obstacles: withdrawal.obstacles)) }
    state.withLock {
      $0.root = root.obstacles
      if let withdrawal { $0.take(withdrawal, names: names) }
    }
  }

  /// Whether a team's pages were written at this mark, and are as they were written.
  private func isCurrent(_ team: TeamID, _ mark: String) async throws(SinkError) -> Bool {
    guard let written = state.withLock({ $0.teams[team] }), written.mark == mark else { return false }
    guard state.withLock({ $0.unchecked.remove(team) }) != nil else { return true }
    guard written.obstacles.isEmpty else { return false }
    return try await perform(on: queue) { [self] () throws(DeliveryError) -> Bool in
      let folder = try SiteFolder(path: path, calls: calls)
      return written.stamps.allSatisfy { name, stamps in folder.stamps(of: stamps.keys, in: name) == stamps }
    }
  }

  private func write(_ team: TeamID, _ mark: String, _ round: inout Round) async throws(SinkError) {
    let sites = try await asked { try await source.pages(of: team) }
    // A name that was changed meanwhile is none any more.
    let names = try await asked { try await source.names() }
    let outcomes = try await perform(on: queue) { [self] () throws(DeliveryError) -> [(String, SiteOutcome)] in
      let folder = try SiteFolder(path: path, calls: calls)
      return sites.filter { names.contains($0.name) }.map { ($0.name, folder.put($0)) }
    }
    for (_, outcome) in outcomes { round.take(outcome) }
    state.withLock {
      $0.teams[team] = PublishState.Team(
        mark: mark, stamps: Dictionary(outcomes.map { ($0, $1.stamps) }, uniquingKeysWith: { $1 }),
        obstacles: outcomes.flatMap(\.1.obstacles))
    }
  }

  /// Tells one page's obstacle from a disk that takes nothing: where no page was written, another file is tried.
  private func judge(_ round: Round) async throws(SinkError) {
    guard !round.hasWritten, let failure = round.failure else { return }
    let takesFiles = try await perform(on: queue) { [self] () throws(DeliveryError) -> Bool in
      let folder = try SiteFolder(path: path, calls: calls)
      do throws(DeliveryError) { try folder.probe() } catch { return false }
      return true
    }
    guard !takesFiles else { return }
    // At the sink's next try, not at the next comparison of all files.
    state.withLock { $0.retryObstacles() }
    throw .temporary(failure.ofSink)
  }

  private func asked<Value>(_ ask: () async throws -> Value) async throws(SinkError) -> Value {
    do { return try await ask() } catch { throw .temporary(.store(sink: name, sentence: "\(error)")) }
  }

  private func perform<Value: Sendable>(
    on queue: WorkQueue, _ work: @escaping @Sendable () throws(DeliveryError) -> Value
  ) async throws(SinkError) -> Value {
    let result = await queue.perform { () -> Result<Value, DeliveryError> in
      do throws(DeliveryError) { return .success(try work()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw .temporary(error)
    case nil: throw .temporary(.stuck(sink: name, limit: timeout))
    }
  }
}
