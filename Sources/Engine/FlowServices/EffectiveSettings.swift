package import FlowControl
package import FlowModel
import FlowPlatform
package import FlowSettings
package import FlowWork

/// The effective settings; `SettingsReload` replaces them.
package actor EffectiveSettings {
  package private(set) var reading: SettingsReading
  package private(set) var dropFolders: [String: String]
  package private(set) var loadedAt: Timestamp
  /// Effective values: keys that need a restart keep their values from the start.
  package private(set) var values: [SettingView]
  private let atStart: [String: SettingView]
  private let configPath: String?
  private let environment: [String: String]
  private let catalogue: JobCatalogue

  /// - Parameter catalogue: the kinds of jobs that the settings may name.
  package init(
    reading: SettingsReading, catalogue: JobCatalogue, configPath: String?, environment: [String: String],
    folders: [String: String] = [:], now: Timestamp
  ) {
    self.reading = reading
    self.configPath = configPath
    self.environment = environment
    self.catalogue = catalogue
    dropFolders = folders
    loadedAt = now
    values = reading.values
    atStart = Dictionary(reading.values.map { (Self.key(of: $0), $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Identifies a setting by section and key.
  private static func key(of value: SettingView) -> String { "\(value.section)\n\(value.key)" }

  package var path: String? { reading.settings.path }

  /// Reads the settings on disk, including their errors; changes nothing.
  package func onDisk() throws(SettingsError) -> SettingsReading {
    try SettingsReading(
      configPath: configPath, environment: environment, terminal: ProcessIdentity.standardOutputIsTerminal,
      catalogue: catalogue)
  }

  /// Makes these settings effective.
  ///
  /// - Parameter folders: the folders of new sinks; nil if the sinks are unchanged.
  package func take(_ onDisk: SettingsReading, folders: [String: String]?, at now: Timestamp) {
    reading = onDisk
    if let folders { dropFolders = folders }
    loadedAt = now
    values = onDisk.values.map { $0.takesRestart ? atStart[Self.key(of: $0)] ?? $0 : $0 }
  }
}
