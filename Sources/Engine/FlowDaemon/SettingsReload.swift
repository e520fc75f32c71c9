import FlowAnswers
import FlowControl
import FlowDelivery
import FlowModel
import FlowNodes
import FlowNotices
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Reloads the settings while the daemon runs: all or nothing.
actor SettingsReload: SettingsReloader {
  /// Why a reload is refused, as a message for the caller.
  enum Refusal: Error, CustomStringConvertible {
    /// Records are not copied by a reload: the other store would be empty.
    case otherEngine(now: StoreEngine, asked: StoreEngine)

    var description: String {
      switch self {
      case .otherEngine(let now, let asked):
        "[Store] Engine = \(asked.rawValue) needs a restart: this daemon's records are in \(now.name), and are not copied "
          + "automatically; stop the daemon, run `pfctl store copy`, and start it again"
      }
    }
  }

  private let effectiveSettings: EffectiveSettings
  private let sinkFactory: SinkFactory
  private let dispatcher: Dispatcher
  private let runner: JobRunner
  private let scheduler: Scheduler
  private let work: ServerWork
  private let didReload: @Sendable () -> Void
  private var isUnderWay = false

  /// Makes a reload of the effective settings.
  ///
  /// - Parameter didReload: called after each reload, so that readers of configured folders check them.
  init(
    of effectiveSettings: EffectiveSettings, sinkFactory: SinkFactory, dispatcher: Dispatcher, runner: JobRunner,
    scheduler: Scheduler,
    work: ServerWork, didReload: @escaping @Sendable () -> Void
  ) {
    self.effectiveSettings = effectiveSettings
    self.sinkFactory = sinkFactory
    self.dispatcher = dispatcher
    self.runner = runner
    self.scheduler = scheduler
    self.work = work
    self.didReload = didReload
  }

  /// Reads the files again and checks them; changes nothing.
  ///
  /// - Throws: the errors that a reload would throw.
  func check() async throws {
    let onDisk = try await effectiveSettings.onDisk()
    guard onDisk.problems.isEmpty else { throw SettingsError.mistakes(onDisk.problems) }
    try Self.refuseOtherEngine(await effectiveSettings.reading.settings, onDisk.settings)
    try sinkFactory.check(onDisk.settings.sinks)
  }

  /// Reads the files again and applies the settings.
  ///
  /// - Returns: the differences; keys that need a restart are listed but not effective yet.
  /// - Throws: `SettingsError`, `SystemFailure`, `Refusal` or `ReloadUnderWay`; the settings are unchanged then.
  func callAsFunction(at now: Timestamp) async throws -> [SettingDifferenceView] {
    guard !isUnderWay else { throw ReloadUnderWay() }
    isUnderWay = true
    defer { isUnderWay = false }
    let onDisk = try await effectiveSettings.onDisk()
    guard onDisk.problems.isEmpty else { throw SettingsError.mistakes(onDisk.problems) }
    let before = await effectiveSettings.reading.settings
    try Self.refuseOtherEngine(before, onDisk.settings)
    let differences = SettingDifferenceView.between(await effectiveSettings.values, onDisk.values)
    let folders = try await replaceSinks(before, onDisk.settings)
    if onDisk.settings.jobs != before.jobs {
      try await scheduler.use(jitter: onDisk.settings.jobs.compactMapValues(\.jitter))
      try await scheduler.changeDefaults {
        // Otherwise another node plans the teams' jobs, and this node reads the plan that it wrote.
        guard work.notices.ownsServerWork else { return true }
        return try await work.planTeams(by: onDisk.settings)
      }
    }
    if work.notices.ownsServerWork,
      onDisk.settings.backupTime != before.backupTime || onDisk.settings.jobs != before.jobs
    {
      try await scheduler.perform(.serverRules) { try await work.plan(by: onDisk.settings) }
    }
    await effectiveSettings.take(onDisk, folders: folders, at: now)
    didReload()
    return differences
  }

  /// Refuses another store engine, which needs a restart and a copy of the records.
  private static func refuseOtherEngine(_ before: Settings, _ onDisk: Settings) throws(Refusal) {
    let (now, asked) = (before.store.engine, onDisk.store.engine)
    guard now == asked else { throw .otherEngine(now: now, asked: asked) }
  }

  /// Replaces sinks and routes by those of the new settings.
  ///
  /// - Returns: the folders of new sinks; nil if the sinks are unchanged.
  private func replaceSinks(_ before: Settings, _ onDisk: Settings) async throws -> [String: String]? {
    guard onDisk.sinks != before.sinks else { return nil }
    var folders: [String: String]?
    if onDisk.sinks.map(\.withoutRoute) != before.sinks.map(\.withoutRoute) {
      // Create all sinks before using any, so that an error changes nothing.
      let made = try sinkFactory.make(onDisk.sinks)
      await dispatcher.replace(sinks: made.sinks)
      folders = made.folders
    }
    // Notices from now on use the new routes.
    await runner.use(routes: onDisk.sinks.map(\.route))
    return folders
  }
}
