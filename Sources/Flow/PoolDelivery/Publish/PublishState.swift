import PoolModel

/// What a `PublishSink` knows of its folder. A new process knows nothing, and so writes and compares everything.
struct PublishState {
  /// A team's pages as they were written last.
  struct Team: Sendable {
    let mark: String
    /// Of each folder, by its secret name.
    let stamps: [String: [String: FileStamp]]
    let obstacles: [SiteObstacle]
  }

  let checkInterval: Duration
  var teams: [TeamID: Team] = [:]
  var root: [SiteObstacle] = []
  /// The teams whose files are still to be compared in this round.
  var unchecked: Set<TeamID> = []
  /// Earlier names below which something may be left, and the names of today.
  private(set) var known: Set<String> = []
  private var withdrawn: [SiteObstacle] = []
  /// The names for which the folder was tidied last.
  private var names: Set<String>?
  private var mustWithdraw = true
  private var nextCheck: ContinuousClock.Instant?

  init(checkInterval: Duration) { self.checkInterval = checkInterval }

  var obstacles: [SiteObstacle] {
    root + teams.sorted { $0.key.number < $1.key.number }.flatMap(\.value.obstacles) + withdrawn
  }

  /// Another process may write from now on.
  mutating func forget() { self = PublishState(checkInterval: checkInterval) }

  /// A round over these teams begins; all files are compared where that is due.
  mutating func begin(_ teams: some Sequence<TeamID>, now: ContinuousClock.Instant) {
    let all = Set(teams)
    self.teams = self.teams.filter { all.contains($0.key) }
    unchecked.formIntersection(all)
    if let nextCheck, now < nextCheck { return }
    nextCheck = now.advanced(by: checkInterval)
    unchecked = all
    mustWithdraw = true
  }

  /// A notice came by: an obstacle may be gone.
  mutating func retryObstacles() {
    unchecked.formUnion(teams.filter { !$0.value.obstacles.isEmpty }.keys)
    if !withdrawn.isEmpty { mustWithdraw = true }
  }

  func isWithdrawalDue(_ names: Set<String>) -> Bool { mustWithdraw || self.names != names }

  mutating func take(_ withdrawal: SiteFolder.Withdrawal, names: Set<String>) {
    withdrawn = withdrawal.obstacles
    known = names.union(withdrawal.left)
    self.names = names
    mustWithdraw = false
  }
}
