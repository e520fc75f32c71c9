package import FlowModel

/// A sentence of one language with numbered placeholders: `{0} moved to {1}.`
///
/// `{^0}` begins the value with a capital letter. `{de 0}` writes the French preposition before it: `de chlore`,
/// `d'acide`. A space before `:`, `;`, `!`, `?` or `»`, or after `«`, becomes one that does not break, as French writes it;
/// no other language has such a space.
package struct Sentence: Hashable, Sendable, ExpressibleByStringLiteral {
  /// How a value is written.
  private enum Form: Hashable, Sendable {
    case plain, capital, afterDe
  }

  /// A literal part or a placeholder.
  private enum Piece: Hashable, Sendable {
    case text(String)
    case placeholder(Int, Form)
  }

  private let pieces: [Piece]

  /// The sentence as written, with its placeholders.
  package let template: String

  package init(stringLiteral literal: String) {
    template = Self.keepingTogether(literal)
    var pieces: [Piece] = []
    var text = ""
    var rest = template[...]
    while let character = rest.popFirst() {
      if character == "{", let end = rest.firstIndex(of: "}"), let placeholder = Self.placeholder(rest[..<end]) {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(placeholder)
        rest = rest[rest.index(after: end)...]
      } else {
        text.append(character)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    self.pieces = pieces
  }

  private static func placeholder(_ text: Substring) -> Piece? {
    if text.hasPrefix("^") { return Int(text.dropFirst()).map { .placeholder($0, .capital) } }
    if text.hasPrefix("de ") { return Int(text.dropFirst(3)).map { .placeholder($0, .afterDe) } }
    return Int(text).map { .placeholder($0, .plain) }
  }

  /// The text with spaces that do not break around French punctuation. Source: Imprimerie nationale, Lexique des règles
  /// typographiques, 2002, "Ponctuation": a full space before a colon and inside quotation marks, else a narrow one.
  private static func keepingTogether(_ text: String) -> String {
    var result = text
    for sign in [":", "»"] { result.replace(" \(sign)", with: "\u{A0}\(sign)") }
    for sign in [";", "!", "?"] { result.replace(" \(sign)", with: "\u{202F}\(sign)") }
    result.replace("« ", with: "«\u{A0}")
    return result
  }

  /// The placeholder numbers in the sentence.
  package var placeholders: Set<Int> {
    Set(pieces.compactMap { if case .placeholder(let placeholder, _) = $0 { placeholder } else { nil } })
  }

  /// The sentence with its placeholders replaced; a placeholder without a value becomes empty.
  package func callAsFunction(_ values: String...) -> String { filled(values) }

  /// The sentence with its placeholders replaced; a placeholder without a value becomes empty.
  package func filled(_ values: [String]) -> String {
    var text = ""
    let stop = UInt8(ascii: ".")
    for piece in pieces {
      switch piece {
      // The full stop of an abbreviation, such as a German month's, ends the sentence, too.
      case .text(let part): text += part.utf8.first == stop && text.utf8.last == stop ? part.dropFirst() : part[...]
      case .placeholder(let placeholder, let form):
        if values.indices.contains(placeholder) { text += Self.written(values[placeholder], form) }
      }
    }
    return text
  }

  private static func written(_ value: String, _ form: Form) -> String {
    switch form {
    case .plain: value
    case .capital: value.prefix(1).uppercased() + value.dropFirst()
    case .afterDe: value.first.map { vowels.contains($0) } ?? false ? "d'\(value)" : "de \(value)"
    }
  }

  /// The characters before which `de` is elided.
  private static let vowels = Set("aeiouyàâéèêëîïôöûùüœæAEIOUYÀÂÉÈÊËÎÏÔÖÛÙÜŒÆ")
}

/// The forms of a text for the plural categories of a count. A missing `many` falls back to `other`; a test checks that no
/// required form is missing.
package struct PluralForms<Form: Hashable & Sendable>: Hashable, Sendable {
  package let one: Form
  /// The form for languages with a separate plural of millions.
  package let many: Form?
  package let other: Form

  package init(one: Form, many: Form? = nil, other: Form) {
    self.one = one
    self.many = many
    self.other = other
  }

  /// The form for a plural category.
  package func form(_ plural: PluralClass) -> Form {
    switch plural {
    case .one: one
    case .many: many ?? other
    case .other: other
    }
  }
}

/// A sentence about a count, `{0}`.
package typealias PluralSentence = PluralForms<Sentence>

/// A sentence about two counts, `{0}` and `{1}`: the forms of the second for each plural category of the first.
package typealias TwoPluralSentence = PluralForms<PluralSentence>

extension PluralForms where Form == Sentence {
  /// Whether every plural category of `language` has its own form.
  package func isComplete(in language: Language) -> Bool { !language.pluralClasses.contains(.many) || many != nil }
}

extension PluralForms where Form == PluralSentence {
  /// The form for the plural categories of both counts.
  package func form(_ first: PluralClass, _ second: PluralClass) -> Sentence { form(first).form(second) }

  /// Whether every combination of plural categories of `language` has its own form.
  package func isComplete(in language: Language) -> Bool {
    one.isComplete(in: language) && other.isComplete(in: language)
      && (!language.pluralClasses.contains(.many) || many?.isComplete(in: language) == true)
  }
}
