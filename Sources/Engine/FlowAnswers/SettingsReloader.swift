package import FlowControl
package import FlowModel

/// Reloads the settings while the daemon runs: all or nothing.
package protocol SettingsReloader: Sendable {
  /// Reads the files again and checks them; changes nothing.
  ///
  /// - Throws: the errors that a reload would throw.
  func check() async throws

  /// Reads the files again and applies the settings.
  ///
  /// - Returns: the differences; keys that need a restart are listed but not effective yet.
  /// - Throws: `ReloadUnderWay`, or an error about the settings; the settings are unchanged then.
  func callAsFunction(at now: Timestamp) async throws -> [SettingDifferenceView]
}

/// The refusal of a reload while another one is running.
package struct ReloadUnderWay: Error, CustomStringConvertible {
  package let description = "the settings are being read already; try again in a moment"

  package init() {}
}

extension SettingDifferenceView {
  /// The change as text, such as `[Sink drop] MaxFiles: 100000 → 500`.
  package var words: String {
    "[\(section)] \(key): \(before ?? "not set") → \(after ?? "not set")" + (takesRestart ? ", after a restart" : "")
  }
}
