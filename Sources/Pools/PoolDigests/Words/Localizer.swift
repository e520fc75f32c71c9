package import FlowModel
package import FlowNotices
package import PoolChemistry

/// The texts and formats for a team: its language, numbers, dates, units, clock and currency.
package struct Localizer: Sendable {
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
  var dateFormats: DateFormats { format.dateFormats }

  /// The text for entries that are not listed: `and 3 more`.
  var more: PluralSentence { language.commonPhrases.more }

  /// A sentence about `count`; `rest` fills the further placeholders.
  func say(_ sentence: PluralSentence, _ count: Int, _ rest: String...) -> String {
    sentence.form(language.pluralClass(of: count)).filled([String(count)] + rest)
  }

  func say(_ sentence: TwoPluralSentence, _ first: Int, _ second: Int) -> String {
    sentence.form(language.pluralClass(of: first), language.pluralClass(of: second)).filled(
      [String(first), String(second)])
  }

  /// The amount of a chemical. `2 lb(s) 3 oz` is used only in English; other languages have their own decimal separator.
  ///
  /// - Parameter largest: the largest amount shown next to this one, so that all use the same unit.
  package func quantity(
    ounces: Double, of type: ChemicalType, isDry: Bool = false, besides largest: Double = 0
  ) -> String {
    shownUnits.text { units in
      local(QuantityText.text(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry, besides: largest))
    }
  }

  /// An advised amount, rounded as people measure it.
  func dose(ounces: Double, of type: ChemicalType, isDry: Bool) -> String {
    shownUnits.text { units in
      let amount =
        units == self.units
        ? ounces : QuantityText.measuredAmount(ounces: ounces, of: type, in: self.units, doses: doses, isDry: isDry)
      return local(QuantityText.measured(ounces: amount, of: type, in: units, doses: doses, isDry: isDry))
    }
  }

  /// Replaces the English unit, decimal point and spaces in other languages.
  private func local(_ text: String) -> String {
    guard language != .english else { return text }
    return text.replacing("lb(s)", with: "lb").replacing(".", with: numerals.decimal)
      .replacing(" ", with: numerals.unitSpace)
  }

  /// An amount in stock, in the same unit as doses shown next to it.
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

  /// The amount that `there` lacks of `wanted`, computed from both as displayed, in the unit for `largest`.
  func missing(
    _ wanted: Double, from there: Double, of type: ChemicalType?, isDry: Bool, besides largest: Double
  ) -> String {
    shownUnits.text { units in
      func shownAmount(_ ounces: Double) -> Double {
        QuantityText.shownAmount(
          ounces: ounces, of: type ?? .base, in: units, doses: doses, isDry: isDry, besides: largest)
      }
      return stock(
        ounces: max(0, shownAmount(wanted) - shownAmount(there)), of: type, isDry: isDry, besides: largest, in: units)
    }
  }

  /// `15,000 gal` or `56.781 L`.
  package func volume(gallons: Double) -> String {
    shownUnits.text { units in
      switch units {
      case .imperial: numerals.text(gallons) + numerals.unitSpace + "gal"
      case .metric: numerals.text(UnitConversion.liters(gallons: gallons)) + numerals.unitSpace + "L"
      }
    }
  }

  /// A time of the digest as `8:35 AM`; on a day after `date`, followed by the weekday.
  func time(_ text: String, daysLater: Int?, than date: CivilDate) -> String {
    let time = TimeOfDay(text).map(format.time) ?? text
    // Checked, because a stored digest may contain any number.
    guard let daysLater, (1...365).contains(daysLater) else { return time }
    return "\(time) \(dateFormats.shortWeekday(date.adding(days: daysLater).weekday))"
  }

  /// A temperature in whole degrees of the team's unit.
  func temperature(fahrenheit: Double) -> String {
    shownUnits.text { units in
      numerals.text(UnitConversion.wholeDegrees(fahrenheit: fahrenheit, in: units))
        + (units == .imperial ? "\u{A0}°F" : "\u{A0}°C")
    }
  }

  /// Letter paper for imperial units, A4 otherwise. Source of the units: `Region`.
  var paper: Document.Paper { units == .imperial ? .letter : .a4 }

  /// A saturation index with its sign: `+0.15`, `-0.12`, `0.00`. Source: product.md, Water.
  package func index(_ lsi: Double) -> String { numerals.signed(lsi, places: 2) }

  package func condition(_ condition: WaterCondition) -> String {
    switch condition {
    case .corrosive: phrases.corrosive()
    case .balanced: phrases.balanced()
    case .scaleForming: phrases.scaleForming()
    }
  }

  /// The name of a chemical type, for use without a stock item; nil for types that are not chemicals.
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
