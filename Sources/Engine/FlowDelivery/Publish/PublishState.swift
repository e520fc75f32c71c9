import FlowModel

/// The knowledge of a `PublishSink` about its folder. A new process starts without any, so it writes and compares everything.
struct PublishState {
  /// The last written state of a team's pages.
  struct Team: Sendable {
    let version: String
    /// The file stamps by the folder's secret name and the file name.
    let stamps: [String: [String: FileStamp]]
    let obstacles: [SiteObstacle]
  }

  let checkInterval: Duration
  var teams: [TeamID: Team] = [:]
  var root: [SiteObstacle] = []
  /// The teams whose files are still to be compared with their stamps in this round.
  var unchecked: Set<TeamID> = []
  /// The present names, and earlier names whose folders could not be removed completely.
  private(set) var known: Set<String> = []
  private var withdrawn: [SiteObstacle] = []
  /// The names at the last removal of withdrawn folders.
  private var names: Set<String>?
  private var mustWithdraw = true
  private var nextCheck: ContinuousClock.Instant?

  init(checkInterval: Duration) { self.checkInterval = checkInterval }

  var obstacles: [SiteObstacle] {
    root + teams.sorted { $0.key.number < $1.key.number }.flatMap(\.value.obstacles) + withdrawn
  }

  /// Discards everything, because another process may write to the folder from now on.
  mutating func forget() { self = PublishState(checkInterval: checkInterval) }

  /// Begins a round over these teams; if a comparison is due, all files are compared.
  mutating func begin(_ teams: some Sequence<TeamID>, now: ContinuousClock.Instant) {
    let all = Set(teams)
    self.teams = self.teams.filter { all.contains($0.key) }
    unchecked.formIntersection(all)
    if let nextCheck, now < nextCheck { return }
    nextCheck = now.advanced(by: checkInterval)
    unchecked = all
    mustWithdraw = true
  }

  /// Checks pages with obstacles again in the next round, after a notice arrived.
  mutating func retryObstacles() {
    unchecked.formUnion(teams.filter { !$0.value.obstacles.isEmpty }.keys)
    if !withdrawn.isEmpty { mustWithdraw = true }
  }

  /// Whether withdrawn folders may exist: names changed, a comparison is due, or the last removal was incomplete.
  func isWithdrawalDue(_ names: Set<String>) -> Bool { mustWithdraw || self.names != names }

  /// Stores the outcome of removing withdrawn folders.
  mutating func record(_ withdrawal: SiteFolder.Withdrawal, names: Set<String>) {
    withdrawn = withdrawal.obstacles
    known = names.union(withdrawal.left)
    self.names = names
    mustWithdraw = false
  }
}
