package import FlowControl
package import FlowModel

extension SettingChangeView {
  /// True for on, yes, true or 1; false for off, no, false or 0.
  package func flag() throws(ControlError) -> Bool {
    switch value.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: throw ControlError.badValue(field: key, value: value, why: "write on or off")
    }
  }

  package func time() throws(ControlError) -> TimeOfDay {
    do throws(TimeOfDayFault) { return try TimeOfDay(typed: value) } catch {
      throw ControlError.badValue(field: key, value: value, why: "\(error)")
    }
  }

  /// The enum value with this raw value.
  package func word<Word: RawRepresentable<String> & CaseIterable>() throws(ControlError) -> Word {
    try FieldValue.word(value, field: key)
  }
}

extension FieldValue {
  /// The enum value with this raw value.
  ///
  /// - Throws: `ControlError` that lists the valid values.
  package static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, field: String
  ) throws(ControlError) -> Word {
    try word(text, field: field, among: Array(Word.allCases))
  }

  /// The value with this raw value.
  ///
  /// - Throws: `ControlError` that lists the valid values.
  package static func word<Word: RawRepresentable<String>>(
    _ text: String, field: String, among values: [Word]
  ) throws(ControlError) -> Word {
    guard let word = Word(rawValue: text), values.contains(where: { $0.rawValue == text }) else {
      let known = values.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(field: field, value: text, why: "it is one of \(known)")
    }
    return word
  }
}
