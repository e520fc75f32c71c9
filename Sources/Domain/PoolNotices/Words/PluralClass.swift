package import PoolModel

/// How a language counts: the classes of whole numbers that its sentences tell apart.
package enum PluralClass: String, Hashable, Sendable, CaseIterable {
  case one, many, other
}

extension Language {
  /// The class of a count.
  ///
  /// Source: Unicode CLDR 44, `plurals.xml`, cardinal rules for whole numbers: en and de have "one" for 1; es for 1, and
  /// "many" for millions; fr and pt have "one" for 0 and 1, and "many" for millions.
  package func pluralClass(of count: Int) -> PluralClass {
    let magnitude = count.magnitude
    let isMillions = magnitude != 0 && magnitude.isMultiple(of: 1_000_000)
    switch self {
    case .english, .german: return magnitude == 1 ? .one : .other
    case .spanish: return magnitude == 1 ? .one : isMillions ? .many : .other
    case .french, .portuguese: return magnitude <= 1 ? .one : isMillions ? .many : .other
    }
  }

  /// The classes that its counts can have.
  package var pluralClasses: [PluralClass] {
    switch self {
    case .english, .german: [.one, .other]
    case .spanish, .french, .portuguese: [.one, .many, .other]
    }
  }
}
