package import FlowControl
package import FlowModel

/// Parses the text of one value of a record. Each refusal is a sentence that names the value's key.
package struct FieldValue: Sendable {
  package let key: String
  package let text: String

  package init(_ change: SettingChangeView) {
    self.init(change.key, change.value)
  }

  package init(_ key: String, _ text: String) {
    self.key = key
    self.text = trimmingSpaces(text)
  }

  /// Parses changes into fields; refuses a key that is named twice.
  package static func unique(_ changes: [SettingChangeView]) throws(ControlError) -> [FieldValue] {
    var keys: Set<String> = []
    for change in changes where !keys.insert(change.key).inserted {
      throw ControlError.badValue(field: change.key, value: "…", why: "it is named twice")
    }
    return changes.map(FieldValue.init)
  }

  /// Checks that `number` is in `range`.
  ///
  /// - Parameter field: name of the counted thing, for the refusal.
  package static func check(_ number: Int, in range: ClosedRange<Int>, field: String) throws(ControlError) {
    guard !range.contains(number) else { return }
    throw ControlError.badValue(
      field: field, value: String(number), why: "must be between \(range.lowerBound) and \(range.upperBound)")
  }

  /// The refusal of this value.
  package func refusal(_ why: String) -> ControlError {
    ControlError.badValue(field: key, value: text, why: why)
  }

  package func wholeNumber(in range: ClosedRange<Int>) throws(ControlError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw refusal("write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The text, checked against a rule.
  ///
  /// - Parameter isSensitive: true if a refusal must not repeat the text.
  package func words(_ rule: TextRule, isRequired: Bool = false, isSensitive: Bool = false) throws(ControlError)
    -> String
  {
    let shown = isSensitive ? "…" : text
    if let fault = rule.fault(in: text) {
      throw ControlError.badValue(field: key, value: shown, why: "it \(fault)")
    }
    guard !isRequired || !text.isEmpty else {
      throw ControlError.badValue(field: key, value: shown, why: "write something")
    }
    return text
  }

  /// Checks a name that is stored with its leading and trailing spaces.
  package static func checkName(_ text: String, field: String) throws(ControlError) {
    guard !trimmingSpaces(text).isEmpty else {
      throw ControlError.badValue(field: field, value: "", why: "write something")
    }
    if let fault = TextRule.name.fault(in: text) {
      throw ControlError.badValue(field: field, value: text, why: "it \(fault)")
    }
  }

  /// The refusal of a key that is not in `known`; suggests the nearest known key.
  package func unknown(among known: [String]) -> ControlError {
    let near = Suggestion.nearest(to: key, among: known)
    return ControlError.badValue(
      field: "key", value: key,
      why: near.map { "this value does not exist; did you mean '\($0)'?" }
        ?? "the values are \(known.joined(separator: ", "))")
  }
}
