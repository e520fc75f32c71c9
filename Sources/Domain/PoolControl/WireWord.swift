internal import PoolModel

/// A word of a closed set, as the wire knows it: one of an interface's enums.
package protocol WireWord: RawRepresentable, Codable, Sendable, CaseIterable, CustomStringConvertible
where RawValue == String {}

extension WireWord {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try Self.word(text, at: decoder.codingPath.map(\.onTheWire))
  }

  /// A word that somebody typed.
  ///
  /// - Throws: `ControlError` that names the words there are.
  package init(asked text: String, field: String) throws(ControlError) {
    do {
      self = try Self.word(text, at: [field])
    } catch {
      throw error.refusal
    }
  }

  private static func word(_ text: String, at path: [String]) throws(UnknownWord) -> Self {
    if let word = Self(rawValue: text) { return word }
    throw UnknownWord(text: text, path: path, known: allCases.map(\.rawValue))
  }

  package var description: String { rawValue }
  var toldWords: String { rawValue }
}

extension WireWord {
  /// The wire's word for one of ours: there is one for each (`WireWordTests`).
  package init(_ ours: some RawRepresentable<String>) { self.init(ours: ours.rawValue) }

  package init(ours word: String) {
    guard let found = Self(rawValue: word) else { preconditionFailure("the wire has no word '\(word)'") }
    self = found
  }
}

extension RawRepresentable<String> {
  /// Our word for one of the wire's: there is one for each (`WireWordTests`).
  package init(asked word: some WireWord) {
    guard let found = Self(rawValue: word.rawValue) else { preconditionFailure("we have no word '\(word)'") }
    self = found
  }
}

/// A text where one of a few words is wanted.
struct UnknownWord: Error {
  let text: String
  let path: [String]
  let known: [String]

  /// `units cannot be 'feet': it is one of imperial, metric`.
  var refusal: ControlError {
    .badValue(
      field: path.wireName, value: text, why: "it is one of \(known.joined(separator: ", "))")
  }
}

extension CodingKey {
  var onTheWire: String { intValue.map(String.init) ?? stringValue }
}

extension [String] {
  /// The path of a parameter, such as `changes.0.key`.
  var wireName: String { drop { $0 == "parameters" }.joined(separator: ".") }
}
