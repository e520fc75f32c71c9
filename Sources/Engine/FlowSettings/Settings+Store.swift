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

  static let storeKeys = ["Engine", "Connection", "Credential", "Node"]

  /// Applies one key of the `[Store]` section.
  mutating func applyStore(_ line: SettingsLine, _ problems: inout [SettingsProblem]) {
    switch line.key {
    case "Engine":
      if let engine = StoreEngine(rawValue: line.value) {
        store.engine = engine
      } else {
        problems.append(.badValue(line, expected: "an engine is", known: StoreEngine.allCases.map(\.rawValue)))
      }
    case "Connection":
      do throws(ConnectionString.Mistake) {
        store.connection = try ConnectionString(line.value)
      } catch {
        problems.append(.badConnection(line, error))
      }
    case "Credential":
      if SinkSettings.isName(line.value), !line.value.isEmpty {
        store.credential = line.value
      } else {
        problems.append(
          .badValue(line, expected: "it must be the name of a credential, such as store-password", known: []))
      }
    case "Node":
      if line.value == "%H" || (SinkSettings.isName(line.value) && line.value.count <= Limits.nodeNameLength) {
        store.node = line.value
      } else {
        problems.append(
          .badValue(
            line,
            expected: "it must be a name of up to \(Limits.nodeNameLength) letters, digits, "
              + "dots, dashes or underscores, "
              + "or %H",
            known: []))
      }
    default: problems.append(.unknownKey(line, known: Self.storeKeys))
    }
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
