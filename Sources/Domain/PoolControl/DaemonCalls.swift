// The calls of org.poolflow.Daemon.

package enum DaemonCall {
  /// The settings in force, each with its origin.
  package struct Settings: ControlMethod {
    package static let method = "org.poolflow.Daemon.Settings"

    package init() {}

    package struct Reply: Codable, Sendable {
      package let path: String?
      package let files: [String]
      package let loadedAt: String
      package let values: [SettingView]

      package init(path: String?, files: [String], loadedAt: String, values: [SettingView]) {
        self.path = path
        self.files = files
        self.loadedAt = loadedAt
        self.values = values
      }

      private enum CodingKeys: String, CodingKey {
        case path, files, values
        case loadedAt = "loaded_at"
      }
    }
  }

  /// Reads the settings again and applies them, all or nothing; answers once they are in force.
  package struct Reload: ControlMethod {
    package static let method = "org.poolflow.Daemon.Reload"
    package static let work = CallWork.long
    package static let changes = true

    package init() {}

    package struct Reply: Codable, Sendable {
      package let files: [String]
      package let changes: [SettingDifferenceView]
      /// What somebody should know besides, in sentences.
      package let remarks: [String]

      package init(files: [String], changes: [SettingDifferenceView], remarks: [String]) {
        self.files = files
        self.changes = changes
        self.remarks = remarks
      }
    }
  }
}

/// One key of the settings with its value.
package struct SettingView: Codable, Sendable {
  package let section: String
  package let key: String
  /// Nil where nothing is set and the machine decides.
  package let value: String?
  /// `FILE:LINE`; nil for a default.
  package let origin: String?

  package init(section: String, key: String, value: String?, origin: String?) {
    self.section = section
    self.key = key
    self.value = value
    self.origin = origin
  }
}

/// One key whose value is another now.
package struct SettingDifferenceView: Codable, Sendable {
  package let section: String
  package let key: String
  package let before: String?
  package let after: String?
  package let takesRestart: Bool

  package init(section: String, key: String, before: String?, after: String?, takesRestart: Bool) {
    self.section = section
    self.key = key
    self.before = before
    self.after = after
    self.takesRestart = takesRestart
  }

  private enum CodingKeys: String, CodingKey {
    case section, key, before, after
    case takesRestart = "takes_restart"
  }
}

extension ControlError {
  /// `problems` are the mistakes as a compiler shows them, one after another.
  package static func badSettings(_ message: String, problems: String) -> ControlError {
    ControlError(.badSettings, message, facts: ["problems": problems])
  }
}
