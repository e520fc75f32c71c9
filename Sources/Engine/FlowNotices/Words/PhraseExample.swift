package import FlowModel

/// A text of one language with an example, for a native reader who reviews the language.
package struct PhraseExample: Hashable, Sendable {
  /// The text's name, for a plural with its form: `stops.one`.
  package let name: String
  /// The text with its placeholders: `{0} stop`.
  package let text: String
  /// The text with sample values: `1 stop`.
  package let example: String
  /// False if a placeholder has no sample value.
  package let isComplete: Bool

  /// - Parameter values: the sample values of the placeholders.
  package init(_ name: String, _ sentence: Sentence, _ values: [String]) {
    self.name = name
    text = sentence.template
    example = sentence.filled(values)
    isComplete = sentence.placeholders.allSatisfy { values.indices.contains($0) && !values[$0].isEmpty }
  }

  /// The texts of a value that has one property for each text, with their plural forms.
  ///
  /// - Parameter values: the sample values of a property's placeholders, by the property's name. Those of a plural begin
  ///   with the placeholder after its count, `{1}`; of a sentence about two counts, with the one after both.
  package static func all(
    of phrases: Any, in language: Language, values: (_ name: String) -> [String]
  ) -> [PhraseExample] {
    Mirror(reflecting: phrases).children.flatMap { child -> [PhraseExample] in
      let name = child.label ?? ""
      return switch child.value {
      case let sentence as Sentence: [PhraseExample(name, sentence, values(name))]
      case let counted as PluralSentence: forms(of: counted, name, in: language, counts: [], values(name))
      case let counted as TwoPluralSentence:
        language.pluralClasses.flatMap { first in
          forms(
            of: counted.form(first), "\(name).\(first)", in: language, counts: [example(of: first, in: language)],
            values(name))
        }
      case let sentences as any PhraseTable:
        sentences.named.map { PhraseExample("\(name).\($0.name)", $0.sentence, values(name)) }
      default: []
      }
    }
  }

  private static func forms(
    of counted: PluralSentence, _ name: String, in language: Language, counts: [String], _ values: [String]
  ) -> [PhraseExample] {
    language.pluralClasses.map { plural in
      PhraseExample(
        "\(name).\(plural)", counted.form(plural), counts + [example(of: plural, in: language)] + values)
    }
  }

  /// The least count above zero of a plural category.
  private static func example(of plural: PluralClass, in language: Language) -> String {
    let numerals = Numerals(language)
    return switch plural {
    case .one: numerals.text(1)
    case .many: numerals.text(1_000_000)
    case .other: numerals.text(2)
    }
  }
}

/// A table of texts by a value, such as the kinds of care.
package protocol PhraseTable {
  var named: [(name: String, sentence: Sentence)] { get }
}

extension Dictionary: PhraseTable where Key: RawRepresentable<String>, Value == Sentence {
  package var named: [(name: String, sentence: Sentence)] {
    map { (name: $0.key.rawValue, sentence: $0.value) }.sorted { $0.name < $1.name }
  }
}

extension CommonPhrases {
  /// The engine's texts with examples.
  package static func examples(in language: Language) -> [PhraseExample] {
    let format = RegionalFormat(language: language, units: .imperial, clock: .automatic, currency: .euro)
    let values: [String: [String]] = [
      "testBody": ["Maria"], "undeliveredOne": ["Keisha", language.commonPhrases.testTitle()],
      "undeliveredMany": ["Keisha, Maria"],
      "pageMade": [format.moment(LocalDateTime(date: CivilDate(daysSince1970: 20_514), time: .sevenInTheMorning))],
    ]
    return PhraseExample.all(of: language.commonPhrases, in: language) { values[$0] ?? [] }
  }
}
