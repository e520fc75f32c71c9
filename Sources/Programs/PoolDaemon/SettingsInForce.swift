import PoolControl
import PoolDelivery
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings

/// The settings that the daemon acts on, and their exchange while it runs: all or nothing.
actor SettingsInForce {
  /// What cannot be taken over now, in words for whoever asked.
  enum Refusal: Error, CustomStringConvertible {
    case underWay

    var description: String { "the settings are being read already; try again in a moment" }
  }

  typealias MadeSinks = (sinks: [any Sink], folders: [String: String])

  private(set) var reading: SettingsReading
  private(set) var dropFolders: [String: String]
  private(set) var loadedAt: Timestamp
  /// What is in force: of keys that take a restart, what they were at the start.
  private(set) var values: [SettingsValue]
  private let atStart: [String: SettingsValue]
  private let configPath: String?
  private let environment: [String: String]
  private let make: @Sendable ([Settings.SinkSettings]) throws -> MadeSinks
  private let apply: @Sendable ([any Sink]?, [SinkRoute]) async -> Void
  private let spread: @Sendable ([JobKind: Duration]) async throws -> Void
  private let plan: @Sendable (Settings) async throws -> Void
  private var isReloading = false

  /// - Parameters:
  ///   - make: builds sinks without using them; a refusal changes nothing.
  ///   - apply: delivers to these sinks (nil: to those of now), by these routes, from now on; it cannot fail.
  ///   - spread: begins the runs of each kind so far after their slots from now on.
  ///   - plan: sets the rules of the server's own jobs.
  init(
    reading: SettingsReading, options: DaemonOptions, environment: [String: String], folders: [String: String],
    now: Timestamp, make: @escaping @Sendable ([Settings.SinkSettings]) throws -> MadeSinks,
    apply: @escaping @Sendable ([any Sink]?, [SinkRoute]) async -> Void,
    spread: @escaping @Sendable ([JobKind: Duration]) async throws -> Void,
    plan: @escaping @Sendable (Settings) async throws -> Void
  ) {
    self.reading = reading
    self.environment = environment
    self.make = make
    self.apply = apply
    self.spread = spread
    self.plan = plan
    configPath = options.configPath
    dropFolders = folders
    loadedAt = now
    values = reading.values
    atStart = Dictionary(
      reading.values.map { ("\($0.section)\n\($0.key)", $0) }, uniquingKeysWith: { _, last in last })
  }

  var path: String? { reading.settings.path }

  /// What is on disk now, mistakes and all; changes nothing.
  func fresh() throws(SettingsError) -> SettingsReading {
    try SettingsReading(
      configPath: configPath, environment: environment, terminal: ProcessIdentity.standardOutputIsTerminal)
  }

  /// Reads the files again and applies what they say.
  ///
  /// - Returns: What is different now; what takes a restart is listed and not in force yet.
  /// - Throws: `SettingsError`, `SystemFailure` or `Refusal`; everything is then as it was.
  func reload(at now: Timestamp) async throws -> [SettingsDifference] {
    guard !isReloading else { throw Refusal.underWay }
    isReloading = true
    defer { isReloading = false }
    let fresh = try fresh()
    guard fresh.problems.isEmpty else { throw SettingsError.mistakes(fresh.problems) }
    let differences = SettingsDifference.between(values, fresh.values)
    let routes = fresh.settings.sinks.map(\.route)
    if fresh.settings.sinks.map(\.withoutRoute) != reading.settings.sinks.map(\.withoutRoute) {
      let (sinks, folders) = try make(fresh.settings.sinks)
      await apply(sinks, routes)
      dropFolders = folders
    } else if fresh.settings.sinks != reading.settings.sinks {
      // What is written from now on goes other ways; the sinks themselves work on undisturbed.
      await apply(nil, routes)
    }
    if fresh.settings.jobs != reading.settings.jobs { try await spread(fresh.settings.jobs.mapValues(\.jitter)) }
    if fresh.settings.backupTime != reading.settings.backupTime { try await plan(fresh.settings) }
    reading = fresh
    loadedAt = now
    values = fresh.values.map { $0.takesRestart ? atStart["\($0.section)\n\($0.key)"] ?? $0 : $0 }
    return differences
  }
}

extension SettingsDifference {
  /// `[Sink drop] MaxFiles: 100000 → 500`.
  var words: String {
    "[\(section)] \(key): \(before ?? "not set") → \(after ?? "not set")" + (takesRestart ? ", after a restart" : "")
  }
}
