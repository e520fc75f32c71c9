import PoolWork
import PoolControl
import PoolDelivery
import PoolJobs
import PoolModel
import PoolNotices
import PoolScheduler
import PoolSettings
import PoolStore

/// Reloads the settings while the daemon runs: all or nothing.
actor SettingsReload {
  /// Why a reload is refused, as a message for the caller.
  enum Refusal: Error, CustomStringConvertible {
    case underWay
    /// Records are not copied by a reload: the other store would be empty.
    case otherEngine(now: StoreEngine, asked: StoreEngine)

    var description: String {
      switch self {
      case .underWay: "the settings are being read already; try again in a moment"
      case .otherEngine(let now, let asked):
        "[Store] Engine = \(asked.rawValue) takes a restart: this daemon's records are in \(now.name), and are not brought over "
          + "by themselves; stop it, `pfctl store copy`, and start it again"
      }
    }
  }

  private let inForce: SettingsInForce
  private let maker: SinkMaker
  private let dispatcher: Dispatcher
  private let runner: JobRunner
  private let scheduler: Scheduler
  private let work: ServerWork
  private let taken: @Sendable () -> Void
  private var isUnderWay = false

  /// Makes a reload of the effective settings.
  ///
  /// - Parameter taken: called after each reload, so that readers of configured folders check them.
  init(
    of inForce: SettingsInForce, maker: SinkMaker, dispatcher: Dispatcher, runner: JobRunner, scheduler: Scheduler,
    work: ServerWork, taken: @escaping @Sendable () -> Void
  ) {
    self.inForce = inForce
    self.maker = maker
    self.dispatcher = dispatcher
    self.runner = runner
    self.scheduler = scheduler
    self.work = work
    self.taken = taken
  }

  /// Reads the files again and checks them; changes nothing.
  ///
  /// - Throws: the errors that a reload would throw.
  func check() async throws {
    let fresh = try await inForce.fresh()
    guard fresh.problems.isEmpty else { throw SettingsError.mistakes(fresh.problems) }
    try Self.refuseOtherEngine(await inForce.reading.settings, fresh.settings)
    try maker.check(fresh.settings.sinks)
  }

  /// Reads the files again and applies the settings.
  ///
  /// - Returns: the differences; keys that need a restart are listed but not effective yet.
  /// - Throws: `SettingsError`, `SystemFailure` or `Refusal`; the settings are unchanged then.
  func callAsFunction(at now: Timestamp) async throws -> [SettingDifferenceView] {
    guard !isUnderWay else { throw Refusal.underWay }
    isUnderWay = true
    defer { isUnderWay = false }
    let fresh = try await inForce.fresh()
    guard fresh.problems.isEmpty else { throw SettingsError.mistakes(fresh.problems) }
    let before = await inForce.reading.settings
    try Self.refuseOtherEngine(before, fresh.settings)
    let differences = SettingDifferenceView.between(await inForce.values, fresh.values)
    let folders = try await exchangeSinks(before, fresh.settings)
    if fresh.settings.jobs != before.jobs {
      try await scheduler.use(jitter: fresh.settings.jobs.compactMapValues(\.jitter))
      await scheduler.lookNow(beforeChanging: nil)
      if work.notices.isTheOne, try await work.planTeams(by: fresh.settings) {
        try await scheduler.planAll()
      }
    }
    if work.notices.isTheOne, fresh.settings.backupTime != before.backupTime || fresh.settings.jobs != before.jobs {
      // Jobs due by the old rule run before the rule changes.
      await scheduler.lookNow()
      try await work.plan(by: fresh.settings)
      try await scheduler.replan(team: nil)
    }
    await inForce.take(fresh, folders: folders, at: now)
    taken()
    return differences
  }

  /// Refuses another store engine, which needs a restart and a copy of the records.
  private static func refuseOtherEngine(_ before: Settings, _ fresh: Settings) throws(Refusal) {
    let (now, asked) = (before.store.engine, fresh.store.engine)
    guard now == asked else { throw .otherEngine(now: now, asked: asked) }
  }

  /// Replaces sinks and routes by those of the new settings.
  ///
  /// - Returns: the folders of new sinks; nil if the sinks are unchanged.
  private func exchangeSinks(_ before: Settings, _ fresh: Settings) async throws -> [String: String]? {
    guard fresh.sinks != before.sinks else { return nil }
    var folders: [String: String]?
    if fresh.sinks.map(\.withoutRoute) != before.sinks.map(\.withoutRoute) {
      // Create all sinks before using any, so that an error changes nothing.
      let made = try maker.make(fresh.sinks)
      await dispatcher.replace(sinks: made.sinks)
      folders = made.folders
    }
    // Notices from now on use the new routes.
    await runner.use(routes: fresh.sinks.map(\.route))
    return folders
  }
}
