package import FlowModel

/// The CLDR plural categories of whole numbers in the supported languages.
package enum PluralClass: String, Hashable, Sendable, CaseIterable {
  case one, many, other
}

extension Language {
  /// The plural category of a count.
  ///
  /// Source: Unicode CLDR 44, `plurals.xml`, cardinal rules for whole numbers. English and German: "one" for 1. Spanish:
  /// "one" for 1, "many" for millions. French and Portuguese: "one" for 0 and 1, "many" for millions.
  package func pluralClass(of count: Int) -> PluralClass {
    let magnitude = count.magnitude
    let isMillions = magnitude != 0 && magnitude.isMultiple(of: 1_000_000)
    switch self {
    case .english, .german: return magnitude == 1 ? .one : .other
    case .spanish: return magnitude == 1 ? .one : isMillions ? .many : .other
    case .french, .portuguese: return magnitude <= 1 ? .one : isMillions ? .many : .other
    }
  }

  /// The plural categories that the language uses.
  package var pluralClasses: [PluralClass] {
    switch self {
    case .english, .german: [.one, .other]
    case .spanish, .french, .portuguese: [.one, .many, .other]
    }
  }
}
