internal import FlowModel
internal import FlowWork

/// A setting as declared: its documentation and how a line of a settings file sets it.
///
/// The declarations give everything else: parsing, the valid keys of a section, the effective values and differences of `pfctl
/// config`, its explanations and the manual page.
struct Setting<Target>: Sendable {
  let key: SettingsKey
  /// Sets the value of the line, or reports its mistakes. The catalogue has the kinds of work that the value may name.
  let apply: @Sendable (SettingsLine, inout Target, JobCatalogue, inout [SettingsProblem]) -> Void
}

extension SettingsKey {
  /// The setting whose value is read by `apply`.
  func setting<Target>(
    _ apply: @escaping @Sendable (SettingsLine, inout Target, JobCatalogue, inout [SettingsProblem]) -> Void
  ) -> Setting<Target> { Setting(key: self, apply: apply) }

  /// The setting that sets a property.
  ///
  /// - Parameters:
  ///   - expected: the sentence about an invalid value.
  ///   - known: the valid values, if they can be listed.
  ///   - parse: nil for an invalid value.
  func sets<Target, Value>(
    _ property: any WritableKeyPath<Target, Value> & Sendable, expected: String, known: [String] = [],
    parse: @escaping @Sendable (String) -> Value?
  ) -> Setting<Target> {
    Setting(key: self) { line, target, _, problems in
      if let value = parse(line.value) {
        target[keyPath: property] = value
      } else {
        problems.append(.badValue(line, expected: expected, known: known))
      }
    }
  }

  /// The setting that sets a property to one of its type's values.
  func sets<Target, Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ property: any WritableKeyPath<Target, Value> & Sendable, expected: String
  ) -> Setting<Target> {
    sets(property, expected: expected, known: Value.allCases.map(\.rawValue)) { Value(rawValue: $0) }
  }

  /// The setting that sets a property which is nil without it.
  func setsOptional<Target, Value>(
    _ property: any WritableKeyPath<Target, Value?> & Sendable, expected: String,
    parse: @escaping @Sendable (String) -> Value?
  ) -> Setting<Target> {
    sets(property, expected: expected) { text in parse(text).map { .some($0) } }
  }

  /// The setting that sets an absolute path.
  func setsPath<Target>(_ property: any WritableKeyPath<Target, String?> & Sendable) -> Setting<Target> {
    setsOptional(property, expected: "a path begins with /") { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The setting that sets a property to true or false, which are written as these words.
  func sets<Target>(
    _ property: any WritableKeyPath<Target, Bool> & Sendable, true yes: String, false no: String
  ) -> Setting<Target> {
    sets(property, expected: "it is", known: [yes, no]) { $0 == yes ? true : $0 == no ? false : nil }
  }
}

extension SettingsLine {
  /// Applies the line to the section that has these settings.
  func apply<Target>(
    to target: inout Target, _ settings: [Setting<Target>], _ catalogue: JobCatalogue,
    _ problems: inout [SettingsProblem]
  ) {
    guard let setting = settings.first(where: { $0.key.name == key }) else {
      return problems.append(.unknownKey(self, known: settings.map(\.key.name)))
    }
    setting.apply(self, &target, catalogue, &problems)
  }

  /// The words of a list: separated by spaces, tabs or commas.
  var words: [String] { value.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init) }
}
