package import FlowModel

extension Settings {
  /// The settings of the database.
  package struct StoreSettings: Hashable, Sendable {
    package var engine = StoreEngine.sqlite
    /// For PostgreSQL. May be set before the engine is chosen, for `pfctl store copy`.
    package var connection: ConnectionString?
    /// The name of the credential with the password; nil if libpq finds the password itself or needs none.
    package var credential: String?
    /// The name of this daemon among several that share the store; nil if it is the only one.
    package var node: String?

    package init() {}
  }
}

extension SettingsProblem {
  /// Reports the mistake without the value, because any part of the value may be a password.
  static func badConnection(_ line: SettingsLine, _ mistake: ConnectionString.Mistake) -> SettingsProblem {
    let before = line.text.prefix(max(0, line.valueColumn - 1))
    return SettingsProblem(
      file: line.file, line: line.line, column: line.valueColumn, length: 1, text: before + "…",
      message: "\(line.key): \(mistake)", suggestion: nil)
  }
}
