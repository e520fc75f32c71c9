package import PoolChemistry
package import PoolModel
package import PoolNotices

/// How a team is spoken to: the sentences of its language, with its numbers, dates, units, clock and money.
package struct Speech: Sendable {
  package let format: RegionalFormat
  let phrases: PhraseBook
  private let doses: DoseUnits

  package init(_ team: Team) { self.init(RegionalFormat(team), doses: team.settings.doseUnits) }

  init(_ format: RegionalFormat, doses: DoseUnits) {
    self.format = format
    self.doses = doses
    phrases = format.language.phrases
  }

  package var language: Language { format.language }
  package var units: UnitSystem { format.units }
  private var shownUnits: ShownUnits { format.shownUnits }
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
  ///
  /// - Parameter largest: of the amounts that stand beside it, so that all are told in one unit.
  package func quantity(
    ounces: Double, of type: ChemicalType, isDry: Bool = false, besides largest: Double = 0
  ) -> String {
    shownUnits.text { units in
      local(QuantityText.text(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry, besides: largest))
    }
  }

  private func local(_ text: String) -> String {
    guard language != .english else { return text }
    return text.replacing("lb(s)", with: "lb").replacing(".", with: numerals.decimal)
  }

  /// What lies on a shelf, in the units of what is poured beside it.
  package func stock(
    ounces: Double, of type: ChemicalType?, isDry: Bool = false, besides largest: Double = 0
  ) -> String {
    shownUnits.text { stock(ounces: ounces, of: type, isDry: isDry, besides: largest, in: $0) }
  }

  private func stock(
    ounces: Double, of type: ChemicalType?, isDry: Bool, besides largest: Double, in units: UnitSystem
  ) -> String {
    local(
      QuantityText.stock(
        ounces: ounces, of: type ?? .base, in: units, doses: doses, isDry: isDry, besides: largest))
  }

  /// What `there` lacks of `wanted`: the difference of both as they are told beside `largest`.
  func missing(
    _ wanted: Double, from there: Double, of type: ChemicalType?, isDry: Bool, besides largest: Double
  ) -> String {
    shownUnits.text { units in
      func told(_ ounces: Double) -> Double {
        QuantityText.told(
          ounces: ounces, of: type ?? .base, in: units, doses: doses, isDry: isDry, besides: largest)
      }
      return stock(
        ounces: max(0, told(wanted) - told(there)), of: type, isDry: isDry, besides: largest, in: units)
    }
  }

  /// `15,000 gal`, `56.781 L`.
  package func volume(gallons: Double) -> String {
    shownUnits.text { units in
      switch units {
      case .imperial: numerals.text(gallons) + " gal"
      case .metric: numerals.text(UnitConversion.liters(gallons: gallons)) + " L"
      }
    }
  }

  /// `8:35 AM` of a stop or an end; on another day than `date` with that day's name.
  func time(_ text: String, daysLater: Int?, than date: CivilDate) -> String {
    let time = TimeOfDay(text).map(format.time) ?? text
    // Of a stored digest it may be any number.
    guard let daysLater, (1...365).contains(daysLater) else { return time }
    return "\(time) \(almanac.shortWeekday(date.adding(days: daysLater).weekday))"
  }

  func temperature(fahrenheit: Double) -> String {
    shownUnits.text { units in
      numerals.text(UnitConversion.wholeDegrees(fahrenheit: fahrenheit, in: units))
        + (units == .imperial ? "\u{A0}°F" : "\u{A0}°C")
    }
  }

  /// Where people measure in inches they print to Letter. Source of the units: `Region`.
  var paper: Document.Paper { units == .imperial ? .letter : .a4 }

  /// A saturation index: `+0.15`, `-0.12`, `0.00`. Source: product.md, Water.
  package func index(_ lsi: Double) -> String { numerals.signed(lsi, places: 2) }

  package func condition(_ condition: WaterCondition) -> String {
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
