import FlowControl
import FlowModel
import FlowPlatform
import FlowSettings
import FlowWork

/// The effective settings; `SettingsReload` replaces them.
actor EffectiveSettings {
  private(set) var reading: SettingsReading
  private(set) var dropFolders: [String: String]
  private(set) var loadedAt: Timestamp
  /// Effective values: keys that need a restart keep their values from the start.
  private(set) var values: [SettingView]
  private let atStart: [String: SettingView]
  private let jobs: JobCatalogue
  private let configPath: String?
  private let environment: [String: String]

  init(
    reading: SettingsReading, jobs: JobCatalogue, configPath: String?, environment: [String: String],
    folders: [String: String] = [:], now: Timestamp
  ) {
    self.jobs = jobs
    self.reading = reading
    self.configPath = configPath
    self.environment = environment
    dropFolders = folders
    loadedAt = now
    values = reading.values
    atStart = Dictionary(reading.values.map { (Self.key(of: $0), $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Identifies a setting by section and key.
  private static func key(of value: SettingView) -> String { "\(value.section)\n\(value.key)" }

  var path: String? { reading.settings.path }

  /// Reads the settings on disk, including their errors; changes nothing.
  func onDisk() throws(SettingsError) -> SettingsReading {
    try SettingsReading(
      configPath: configPath, environment: environment, terminal: ProcessIdentity.standardOutputIsTerminal,
      catalogue: jobs)
  }

  /// Makes these settings effective.
  ///
  /// - Parameter folders: the folders of new sinks; nil if the sinks are unchanged.
  func take(_ onDisk: SettingsReading, folders: [String: String]?, at now: Timestamp) {
    reading = onDisk
    if let folders { dropFolders = folders }
    loadedAt = now
    values = onDisk.values.map { $0.takesRestart ? atStart[Self.key(of: $0)] ?? $0 : $0 }
  }
}

extension SettingDifferenceView {
  /// The change as text, such as `[Sink drop] MaxFiles: 100000 → 500`.
  var words: String {
    "[\(section)] \(key): \(before ?? "not set") → \(after ?? "not set")" + (takesRestart ? ", after a restart" : "")
  }
}
