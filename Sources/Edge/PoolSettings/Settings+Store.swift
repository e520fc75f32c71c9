package import PoolModel

extension Settings {
  /// Where the records are kept.
  package struct StoreSettings: Hashable, Sendable {
    package var engine = StoreEngine.sqlite
    /// Of PostgreSQL. It may stand there before the engine is chosen, for `pfctl store copy`.
    package var connection: ConnectionString?
    /// The name of the credential that holds the password; nil where libpq finds it itself, or needs none.
    package var credential: String?
    /// What this daemon is called among several of one store; nil where it is alone.
    package var node: String?

    package init() {}
  }

  static let storeKeys = ["Engine", "Connection", "Credential", "Node"]

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
        problems.append(.badValue(line, expected: "it is the name of a credential, such as store-password", known: []))
      }
    case "Node":
      if line.value == "%H" || (SinkSettings.isName(line.value) && line.value.count <= Limits.nodeNameLength) {
        store.node = line.value
      } else {
        problems.append(
          .badValue(
            line,
            expected: "it is a name of up to \(Limits.nodeNameLength) letters, digits, dots, dashes or underscores, "
              + "or %H",
            known: []))
      }
    default: problems.append(.unknownKey(line, known: Self.storeKeys))
    }
  }
}

extension SettingsProblem {
  /// Tells the mistake without the value: whatever is wrong in it, a password may be part of it.
  static func badConnection(_ line: SettingsLine, _ mistake: ConnectionString.Mistake) -> SettingsProblem {
    let before = line.text.prefix(max(0, line.valueColumn - 1))
    return SettingsProblem(
      file: line.file, line: line.line, column: line.valueColumn, length: 1, text: before + "…",
      message: "\(line.key): \(mistake)", suggestion: nil)
  }
}
