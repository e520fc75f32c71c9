internal import FlowModel

/// A string enum declared in a Varlink interface.
package protocol WireWord: RawRepresentable, Codable, Sendable, CaseIterable, CustomStringConvertible
where RawValue == String {}

extension WireWord {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try Self.word(text, at: decoder.codingPath.map(\.onTheWire))
  }

  /// Parses a value typed by a user.
  ///
  /// - Throws: `ControlError` that lists the valid values.
  package init(asked text: String, field: String) throws(ControlError) {
    do {
      self = try Self.word(text, at: [field])
    } catch {
      throw error.refusal
    }
  }

  /// The value for a raw text; `path` locates the text in an error.
  private static func word(_ text: String, at path: [String]) throws(UnknownRawValue) -> Self {
    if let word = Self(rawValue: text) { return word }
    throw UnknownRawValue(text: text, path: path, known: allCases.map(\.rawValue))
  }

  package var description: String { rawValue }
  package var toldWords: String { rawValue }
}

extension WireWord {
  /// The wire value with the same raw value as a domain enum; `WireWordTests` checks that each exists.
  package init(_ ours: some RawRepresentable<String>) { self.init(ours: ours.rawValue) }

  /// The wire value with this raw value, which must exist.
  package init(ours word: String) {
    guard let found = Self(rawValue: word) else { preconditionFailure("the wire has no word '\(word)'") }
    self = found
  }
}

extension RawRepresentable<String> {
  /// The domain value with the same raw value as a wire enum; `WireWordTests` checks that each exists.
  package init(asked word: some WireWord) {
    guard let found = Self(rawValue: word.rawValue) else { preconditionFailure("we have no word '\(word)'") }
    self = found
  }
}

/// A text that is not one of an enum's raw values.
struct UnknownRawValue: Error {
  let text: String
  let path: [String]
  let known: [String]

  /// Error for the caller: `units cannot be 'feet': it is one of imperial, metric`.
  var refusal: ControlError {
    .badValue(
      field: path.wireName, value: text, why: "it is one of \(known.joined(separator: ", "))")
  }
}

extension CodingKey {
  var onTheWire: String { intValue.map(String.init) ?? stringValue }
}

extension [String] {
  /// Dotted path of a parameter, such as `changes.0.key`.
  var wireName: String { drop { $0 == "parameters" }.joined(separator: ".") }
}
