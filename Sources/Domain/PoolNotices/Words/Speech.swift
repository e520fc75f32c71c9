package import PoolChemistry
package import PoolModel

/// How a team is spoken to: its language with its numbers and dates, its units, its clock, its money.
package struct Speech: Sendable {
  package let language: Language
  package let units: UnitSystem
  let currency: Currency
  let phrases: Phrases
  let numerals: Numerals
  let almanac: Almanac
  private let countsOn: Bool

  package init(_ team: Team) {
    self.init(language: team.language, units: team.units, clock: team.clock, currency: team.currency)
  }

  package init(language: Language, units: UnitSystem, clock: ClockFormat, currency: Currency) {
    self.language = language
    self.units = units
    self.currency = currency
    phrases = language.phrases
    numerals = Numerals(language)
    almanac = Almanac(language)
    countsOn = clock.countsOn(language: language, units: units)
  }

  /// A sentence about `count`; `rest` fills its further places.
  func say(_ sentence: Counted, _ count: Int, _ rest: String...) -> String {
    sentence.form(language.pluralClass(of: count)).filled([String(count)] + rest)
  }

  func say(_ sentence: CountedTwice, _ first: Int, _ second: Int) -> String {
    sentence.form(language.pluralClass(of: first), language.pluralClass(of: second)).filled(
      [String(first), String(second)])
  }

  package func time(_ time: TimeOfDay) -> String { almanac.time(time, countsOn: countsOn) }

  /// `Mon, Mar 2, 7:00 AM`.
  package func moment(_ local: LocalDateTime) -> String { "\(almanac.shortDay(local.date)), \(time(local.time))" }

  /// `Mon 7:00 AM`.
  package func clock(_ local: LocalDateTime) -> String {
    "\(almanac.shortWeekday(local.date.weekday)) \(time(local.time))"
  }

  /// What a notice that comes late says first.
  package func late(due: String, sent: String) -> String { phrases.late(due, sent) }

  package func money(_ amount: Double) -> String { language.money(amount, currency) }

  /// A chemical's amount: `2 lb(s) 3 oz` is English alone, and the point becomes the language's comma.
  package func quantity(ounces: Double, of type: ChemicalType) -> String {
    let text = QuantityText.text(ounces: ounces, of: type, in: units)
    guard language != .english else { return text }
    return text.replacing("lb(s)", with: "lb").replacing(".", with: numerals.decimal)
  }

  /// What lies on a shelf: ounces, as the app counts them, or a metric amount.
  func stock(ounces: Double, of type: ChemicalType?) -> String {
    switch units {
    case .imperial:
      let tenths = (ounces * 10).rounded() / 10
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

  /// `31.4 mi`, `50.5 km`.
  func distance(miles: Double) -> String {
    switch units {
    case .imperial: numerals.text(miles, places: 1) + " mi"
    case .metric: numerals.text(miles * 1.609344, places: 1) + " km"
    }
  }

  func speed(milesPerHour: Double) -> String {
    switch units {
    case .imperial: numerals.text(milesPerHour) + " mph"
    case .metric: numerals.text(milesPerHour * 1.609344) + " km/h"
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
