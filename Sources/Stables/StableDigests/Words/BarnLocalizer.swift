package import FlowModel
package import FlowNotices
package import StableModel

/// Formats texts for a stable: the phrases of its language, with its numbers, dates, units, clock and currency.
package struct BarnLocalizer: Sendable {
  package let format: RegionalFormat
  package let phrases: BarnPhrases

  package init(_ team: Team) { self.init(RegionalFormat(team)) }

  init(_ format: RegionalFormat) {
    self.format = format
    phrases = format.language.barnPhrases
  }

  package var language: Language { format.language }

  /// Letter for teams with imperial units, otherwise A4.
  package var paper: Document.Paper { format.units == .imperial ? .letter : .a4 }

  /// A sentence with a count, in the plural form of the language.
  package func say(_ sentence: PluralSentence, _ count: Int) -> String {
    sentence.form(language.pluralClass(of: count)).filled([format.numerals.text(count)])
  }

  /// A temperature in whole degrees, in the team's units.
  package func temperature(_ celsius: Double) -> String {
    format.shownUnits.text { units in
      switch units {
      case .metric: format.numerals.text(celsius) + "\u{A0}°C"
      case .imperial: format.numerals.text(celsius * 9 / 5 + 32) + "\u{A0}°F"
      }
    }
  }

  package func money(_ cost: Cost) -> String { format.money(Double(cost.cents) / 100) }

  package func type(_ type: CareType) -> String { phrases.careTypes[type]?() ?? type.rawValue }

  package func advice(_ advice: BlanketAdvice) -> String { phrases.advice[advice]?() ?? advice.rawValue }

  /// The time until a due date in words, such as `due in 3 days`; negative days are overdue.
  package func due(in days: Int) -> String {
    if days == 0 { return phrases.dueToday() }
    return days > 0 ? say(phrases.dueIn, days) : say(phrases.overdue, Int(clamping: days.magnitude))
  }

  /// The medications of a slot with the time of day; nil if there are none.
  func medication(_ meal: BarnDigest.Meal?, _ slot: FeedSlot) -> String? {
    guard let medications = meal?.medications, !medications.isEmpty else { return nil }
    let list = medications.joined(separator: "; ")
    return slot == .am ? phrases.morningMedication(list) : phrases.eveningMedication(list)
  }

  func slot(_ slot: FeedSlot) -> String { slot == .am ? phrases.morning() : phrases.evening() }
}

/// The language and formats of a team, stored as raw values in the digest. A page made from the digest later has the
/// same language and formats as the notice.
package struct BarnLocale: Hashable, Sendable, Decodable {
  package let language: Language
  package let units: UnitSystem
  package let clock: ClockFormat
  package let currency: Currency
  /// Nil instead of false, so that the key is omitted.
  package let showsBothUnits: Bool?

  enum CodingKeys: String, CodingKey {
    case language, units, clock, currency
    case showsBothUnits = "both_units"
  }

  init(_ team: Team) {
    language = team.language
    units = team.units
    clock = team.clock
    currency = team.currency
    showsBothUnits = team.settings.showsBothUnits ? true : nil
  }

  package var localizer: BarnLocalizer {
    BarnLocalizer(
      RegionalFormat(
        language: language, units: units, showsBothUnits: showsBothUnits ?? false, clock: clock, currency: currency))
  }
}

extension BarnLocale: JSONWritable {
  package func members(_ json: inout JSONText) {
    if let showsBothUnits { json.member("both_units", showsBothUnits) }
    json.member("clock", clock)
    json.member("currency", currency)
    json.member("language", language)
    json.member("units", units)
  }
}
