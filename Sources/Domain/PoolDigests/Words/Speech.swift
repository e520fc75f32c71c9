package import PoolChemistry
package import PoolModel
package import PoolNotices

/// How a team is spoken to: the sentences of its language, with its numbers, dates, units, clock and money.
package struct Speech: Sendable {
  package let format: RegionalFormat
  let phrases: Phrases

  package init(_ team: Team) { self.init(RegionalFormat(team)) }

  init(_ format: RegionalFormat) {
    self.format = format
    phrases = format.language.phrases
  }

  package var language: Language { format.language }
  package var units: UnitSystem { format.units }
  var numerals: Numerals { format.numerals }
  var almanac: Almanac { format.almanac }

  /// A sentence about `count`; `rest` fills its further places.
  func say(_ sentence: Counted, _ count: Int, _ rest: String...) -> String {
    sentence.form(language.pluralClass(of: count)).filled([String(count)] + rest)
  }

  func say(_ sentence: CountedTwice, _ first: Int, _ second: Int) -> String {
    sentence.form(language.pluralClass(of: first), language.pluralClass(of: second)).filled(
      [String(first), String(second)])
  }

  /// A chemical's amount: `2 lb(s) 3 oz` is English alone, and the point becomes the language's comma.
  package func quantity(ounces: Double, of type: ChemicalType) -> String {
    let text = QuantityText.text(ounces: ounces, of: type, in: units)
    guard language != .english else { return text }
    return text.replacing("lb(s)", with: "lb").replacing(".", with: numerals.decimal)
  }

  /// What lies on a shelf: ounces, as the app counts them, or a metric amount.
  package func stock(ounces: Double, of type: ChemicalType?) -> String {
    switch units {
    case .imperial:
      let tenths = finite(ounces * 10).rounded() / 10
      return numerals.text(tenths, places: tenths == tenths.rounded() ? 0 : 1) + " oz"
    case .metric: return ounces > 0 ? quantity(ounces: ounces, of: type ?? .base) : "0"
    }
  }

  /// `15,000 gal`, `56.781 L`.
  func volume(gallons: Double) -> String {
    switch units {
    case .imperial: numerals.text(gallons) + " gal"
    case .metric: numerals.text(UnitConversion.liters(gallons: gallons)) + " L"
    }
  }

  func temperature(fahrenheit: Double) -> String {
    switch units {
    case .imperial: numerals.text(fahrenheit) + "\u{A0}°F"
    case .metric: numerals.text(UnitConversion.celsius(fahrenheit: fahrenheit)) + "\u{A0}°C"
    }
  }

  func index(_ lsi: Double) -> String { numerals.text(lsi, places: 2) }

  func condition(_ condition: WaterCondition) -> String {
    switch condition {
    case .corrosive: phrases.corrosive()
    case .balanced: phrases.balanced()
    case .scaleForming: phrases.scaleForming()
    }
  }

  /// What a chemical is called where no stock item names it; nil for what is not poured.
  func chemical(_ type: ChemicalType) -> String? {
    switch type {
    case .acid: phrases.acid()
    case .base: phrases.base()
    case .calcium: phrases.calcium()
    case .alkalinity: phrases.alkalinity()
    case .chlorine: phrases.chlorine()
    case .stabilizer: phrases.stabilizer()
    case .dilution, .none: nil
    }
  }
}
