package import FlowModel

/// A sentence of one language with numbered placeholders: `{0} moved to {1}.`
package struct Sentence: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A literal part or a placeholder.
  private enum Piece: Hashable, Sendable {
    case text(String)
    case placeholder(Int)
  }

  private let pieces: [Piece]

  package init(stringLiteral template: String) {
    var pieces: [Piece] = []
    var text = ""
    var rest = template[...]
    while let character = rest.popFirst() {
      if character == "{", let end = rest.firstIndex(of: "}"), let placeholder = Int(rest[..<end]) {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.placeholder(placeholder))
        rest = rest[rest.index(after: end)...]
      } else {
        text.append(character)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    self.pieces = pieces
  }

  /// The placeholder numbers in the sentence.
  package var placeholders: Set<Int> {
    Set(pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } })
  }

  /// The sentence with its placeholders replaced; a placeholder without a value becomes empty.
  package func callAsFunction(_ values: String...) -> String { filled(values) }

  /// The sentence with its placeholders replaced; a placeholder without a value becomes empty.
  package func filled(_ values: [String]) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .placeholder(let placeholder): if values.indices.contains(placeholder) { text += values[placeholder] }
      }
    }
    return text
  }
}

/// A sentence about a count, `{0}`, with a form for each plural category of the language. A missing `many` falls back to
/// `other`; a test checks that no required form is missing.
package struct PluralSentence: Hashable, Sendable {
  package let one: Sentence
  /// The form for languages with a separate plural of millions.
  package let many: Sentence?
  package let other: Sentence

  package init(one: Sentence, many: Sentence? = nil, other: Sentence) {
    self.one = one
    self.many = many
    self.other = other
  }

  /// The form for a plural category.
  package func form(_ plural: PluralClass) -> Sentence {
    switch plural {
    case .one: one
    case .many: many ?? other
    case .other: other
    }
  }

  /// Whether every plural category of `language` has its own form.
  package func isComplete(in language: Language) -> Bool { !language.pluralClasses.contains(.many) || many != nil }
}

/// A sentence about two counts, `{0}` and `{1}`: the forms of the second for each plural category of the first.
package struct TwoPluralSentence: Hashable, Sendable {
  let one: PluralSentence
  let many: PluralSentence?
  let other: PluralSentence

  package init(one: PluralSentence, many: PluralSentence? = nil, other: PluralSentence) {
    self.one = one
    self.many = many
    self.other = other
  }

  /// The form for the plural categories of both counts.
  package func form(_ first: PluralClass, _ second: PluralClass) -> Sentence {
    switch first {
    case .one: one.form(second)
    case .many: (many ?? other).form(second)
    case .other: other.form(second)
    }
  }

  /// Whether every combination of plural categories of `language` has its own form.
  package func isComplete(in language: Language) -> Bool {
    one.isComplete(in: language) && other.isComplete(in: language)
      && (!language.pluralClasses.contains(.many) || many?.isComplete(in: language) == true)
  }
}
