package import FlowModel

/// A team's formats: numbers and dates of its language, its units, its clock and its currency.
package struct RegionalFormat: Sendable {
  package let language: Language
  /// The units of volumes, temperatures and weights; distances and speeds are always in the team's own units only.
  package let shownUnits: ShownUnits
  package let numerals: Numerals
  package let dateFormats: DateFormats
  private let currency: Currency
  /// Whether times use a 24-hour clock.
  private let uses24HourClock: Bool

  package init(_ team: Team) {
    self.init(
      language: team.language, units: team.units, showsBothUnits: team.settings.showsBothUnits, clock: team.clock,
      currency: team.currency)
  }

  package init(
    language: Language, units: UnitSystem, showsBothUnits: Bool = false, clock: ClockFormat, currency: Currency
  ) {
    self.language = language
    shownUnits = ShownUnits(units, isBoth: showsBothUnits)
    self.currency = currency
    numerals = Numerals(language)
    dateFormats = DateFormats(language)
    uses24HourClock = clock.uses24HourClock(language: language, units: units)
  }

  package var units: UnitSystem { shownUnits.own }

  /// A time of day in the team's clock format.
  package func time(_ time: TimeOfDay) -> String { dateFormats.time(time, uses24HourClock: uses24HourClock) }

  /// A date and time as `Mon, Mar 2, 7:00 AM`.
  package func moment(_ local: LocalDateTime) -> String { "\(dateFormats.shortDay(local.date)), \(time(local.time))" }

  /// A weekday and time as `Mon 7:00 AM`.
  package func clock(_ local: LocalDateTime) -> String {
    "\(dateFormats.shortWeekday(local.date.weekday)) \(time(local.time))"
  }

  package func money(_ amount: Double, places: Int = 2) -> String { language.money(amount, currency, places: places) }

  /// A distance in the team's units: `31.4 mi` or `50.5 km`.
  package func distance(miles: Double) -> String {
    switch units {
    case .imperial: numerals.text(miles, places: 1) + numerals.unitSpace + "mi"
    case .metric: numerals.text(miles * 1.609344, places: 1) + numerals.unitSpace + "km"
    }
  }

  package func speed(milesPerHour: Double) -> String {
    switch units {
    case .imperial: numerals.text(milesPerHour) + numerals.unitSpace + "mph"
    case .metric: numerals.text(milesPerHour * 1.609344) + numerals.unitSpace + "km/h"
    }
  }
}
