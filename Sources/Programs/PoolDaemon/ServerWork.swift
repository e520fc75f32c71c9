import PoolBackup
import PoolCalendar
import PoolChemistry
import PoolDelivery
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore
import PoolWork
import PoolTrades

/// The heavy work behind the server's own jobs: what a run of the ledger performs instead of deciding.
struct ServerWork: Sendable {
  let store: any ServerJobs & Teams & Timings & Troubles & Water
  let keeper: BackupKeeper
  let planner: RoutePlanner
  let clock: any WallClock
  /// The machine's own.
  let zone: Zone
  let log: DaemonLog
  let settings: SettingsInForce
  let notices: OperatorNotices

  /// Nil where the run is a decision.
  func labour(for run: ClaimedRun) -> (any Labour)? {
    Self.labours[run.kind]?(self, run)
  }

  private static let labours: [JobKind: @Sendable (ServerWork, ClaimedRun) -> any Labour] = [
    .backup: { BackupWork(server: $0, reason: $1.cause == .schedule ? BackupWork.nightly : "run by hand") },
    .lsiRefresh: { server, _ in RefreshWork(server: server) },
    .routePrecompute: { server, _ in RouteWork(server: server) },
  ]

  /// The rules of the server's jobs by these settings. A job that is new to the ledger is settled up to when its work was
  /// last done, so that a store of an older daemon catches up on its last night.
  func plan(by settings: Settings) async throws {
    let settled: [JobKind: Timestamp?] = [
      .backup: try await store.newestBackup(reason: BackupWork.nightly), .lsiRefresh: try await store.lastRefresh(),
    ]
    let plans = JobPlan.server(.every, backup: settings.backupTime, defaults: settings.jobDefaults) {
      settled[$0] ?? nil
    }
    try await store.planServerJobs(plans, zone: zone.name, now: clock.now())
  }

  /// The rules of all teams' jobs, where these settings say something else of a kind than those they were planned by.
  ///
  /// - Returns: whether anything was planned anew.
  @discardableResult
  func planTeams(by settings: Settings) async throws -> Bool {
    let defaults = settings.jobDefaults.filter { !$0.key.isServers }
    let isAsBefore = try await store.defaultTimings() == defaults
    var isOld = false
    for trade in Trade.allCases where !isOld {
      isOld = try await store.lacksJobs(of: JobCatalogue.of(trade).ofTeam, trade: trade)
    }
    guard isOld || !isAsBefore else { return false }
    let zones = SystemZones()
    try await store.planAllTeams(defaults: defaults, now: clock.now()) { team in
      JobPlan.all(of: team, in: .of(team.trade), zone: try zones.zone(named: team.zone), defaults: defaults)
    }
    return true
  }
}

/// Backs the store up and lets old backups go. A failure is told to the operator, and the ledger tries again.
private struct BackupWork: Labour {
  let server: ServerWork
  let reason: String

  /// What `backup list` gives as the reason.
  static let nightly = "nightly"

  func perform() async throws -> Outcome {
    do {
      return try await backUp()
    } catch let error as CancellationError {
      // The daemon stops, somebody cancelled it, or its time is over; of that the ledger tells the operator.
      throw error
    } catch let failure as SecondPlaceFailure {
      // The backup itself is whole: another one in an hour would help nobody, the next night copies the next one.
      await tell("\(failure)")
      return Outcome(result: .failed, reason: "second-place", detail: "\(failure)", notice: nil)
    } catch {
      await tell("\(error)")
      throw error
    }
  }

  private func backUp() async throws -> Outcome {
    let inForce = await server.settings.reading.settings
    let line = try await server.keeper.create(
      reason: reason, second: inForce.backupDirectory, planLimits: inForce.planLimits
    ) { _ in try Task.checkCancellation() }
    let (removed, kept) = try await server.keeper.prune(inForce.backupRetention, zone: server.zone, rehearse: false)
    let words =
      "backup \(line.id) was made and \(line.manifest?.hasSnapshot == false ? "its archives read back" : "restored for proof"), "
      + "\(sizeText(line.bytes)); \(removed.count) old ones went, "
      + "\(kept.count) stay"
    server.log.tell(.backupMade, .info, words, [("POOLFLOW_BACKUP", line.id)])
    let troubles = line.manifest?.troubles ?? []
    guard !troubles.isEmpty else { return Outcome(result: .done, reason: nil, detail: words, notice: nil) }
    // Another try in an hour would find the same records; the next night looks again.
    let without = Self.words(of: troubles)
    server.log.tell(.backupFailed, .error, "backup \(line.id) lacks archives: \(without)")
    await server.notices.tellTroubles()
    return Outcome(result: .done, reason: "archives-missing", detail: "\(words); \(without)", notice: nil)
  }

  private static func words(of troubles: [BackupManifest.Trouble]) -> String {
    var words = troubles.prefix(Limits.troublesShown).map { "no archive of team '\($0.team)': \($0.why)" }
    if troubles.count > words.count { words.append("and of \(troubles.count - words.count) more teams") }
    return words.joined(separator: "; ")
  }

  private func tell(_ reason: String) async {
    server.log.tell(.backupFailed, .error, "the backup failed: \(reason)")
    do {
      // Once a day is enough to be heard.
      try await server.notices.tellOnce(.backupFailed(reason: reason), now: server.clock.now())
    } catch {
      server.log.error("the operator could not be told of the backup: \(error)")
    }
  }
}

/// Looks at every pool whose readings changed, block by block, so that other work of the store comes in between. What it
/// finds the digests and `pfctl health` tell.
private struct RefreshWork: Labour {
  let server: ServerWork

  func perform() async throws -> Outcome {
    let now = server.clock.now()
    var progress = RefreshProgress()
    while !progress.isDone {
      try Task.checkCancellation()
      progress = try await server.store.refreshBlock(after: progress, all: false, now: now)
    }
    try await server.store.noteRefresh(at: now)
    try await server.notices.store.tellOthers()
    let troubles = progress.troubles.mapValues {
      "no index can be worked out for \($0.pools) pools, such as \($0.example): their readings are no numbers that water has"
    }
    try await server.store.setTroubles(troubles, with: JobKind.lsiRefresh.rawValue, of: .all, now: now)
    if !troubles.isEmpty { await server.notices.tellTroubles() }
    guard progress.pools > 0 else {
      return Outcome(result: .done, reason: nil, detail: "no readings have changed since the last look", notice: nil)
    }
    var words =
      "looked at the water of \(progress.pools) pools: \(progress.changed) indexes changed, "
      + "\(progress.crossed) crossed a limit"
    if !troubles.isEmpty { words += "; \(troubles.count) teams have readings that cannot be used" }
    server.log.info(words)
    return Outcome(result: .done, reason: nil, detail: words, notice: nil)
  }
}

/// Puts the days of every team in order whose plan holds that, team by team; what has not changed is passed over.
private struct RouteWork: Labour {
  let server: ServerWork

  func perform() async throws -> Outcome {
    let limited = await server.settings.reading.settings.planLimits
    var sum = RoutePlanner.Tally()
    var closed = 0
    var troubles: [TeamID: String] = [:]
    var told = ContinuousClock.now - Limits.newsQuiet
    for team in try await server.store.teams() {
      try Task.checkCancellation()
      guard !limited || team.plan.allows(.routeOptimization, pools: 0, at: server.clock.now()) else {
        closed += 1
        continue
      }
      let tally: RoutePlanner.Tally
      do {
        tally = try await server.planner.plan(ofNight: team)
      } catch {
        guard Self.isTeams(error) else { throw error }
        troubles[team.id] = "\(error)"
        server.log.error("the routes of team '\(team.name)' were not planned: \(error)")
        continue
      }
      if tally.planned > 0, !server.notices.store.shares.contains(team: team.id),
        ContinuousClock.now - told > Limits.newsQuiet
      {
        // Whoever works the team may be about to tell its route.
        try await server.notices.store.tellOthers()
        told = .now
      }
      sum.planned += tally.planned
      sum.unchanged += tally.unchanged
      sum.savedMinutes += tally.savedMinutes
      sum.applied += tally.applied
    }
    var words =
      "put \(sum.planned) days in order, \(sum.unchanged) had not changed; "
      + "\(decimalText(sum.savedMinutes, places: 0)) minutes could be saved a week"
    if sum.planned > 0 { try await server.notices.store.tellOthers() }
    if sum.applied > 0 { words += "; \(sum.applied) days have their best order now" }
    if closed > 0 { words += "; \(closed) teams are on the free plan" }
    try await server.store.setTroubles(
      troubles, with: JobKind.routePrecompute.rawValue, of: .all, now: server.clock.now())
    if !troubles.isEmpty {
      words += "; those of \(troubles.count) teams could not be planned"
      await server.notices.tellTroubles()
    }
    server.log.info(words)
    return Outcome(result: .done, reason: nil, detail: words, notice: nil)
  }

  /// What one team's records hold stops nobody else's routes.
  private static func isTeams(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.isAboutData
    case is CancellationError: false
    default: true
    }
  }
}
