import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import PoolChemistry
import PoolDigests
import Testing

/// The tables of numbers, money and dates compared with ICU through Foundation.
struct RegionalFormatTests {
  private static let utc = TimeZone(secondsFromGMT: 0)

  private func amounts() -> [Double] {
    var random = SeededNumbers(seed: 20_260_302)
    return [0, 0.5, 1, 9.99, 12, 123, 999, 1_000, 1_234.5, 9_999, 10_000, 12_345.678, 999_999, 1_234_567.1, 1e9]
      + (0..<500).map { _ in Double(Int.random(in: 0...100_000_000, using: &random)) / 64 }
  }

  @Test(arguments: Language.allCases)
  func `numbers equal ICU's`(language: Language) {
    let numerals = Numerals(language)
    let locale = Locale(identifier: language.rawValue)
    for places in 0...2 {
      let icu = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(places)).locale(locale)
      for amount in amounts() {
        // ICU keeps the minus sign of a value that rounds to zero; poolflow does not.
        let isNothing = (amount * pow(10, Double(places))).rounded(.toNearestOrEven) == 0
        for value in isNothing ? [amount] : [amount, -amount] {
          #expect(numerals.text(value, places: places) == value.formatted(icu))
        }
      }
    }
    let percent = FloatingPointFormatStyle<Double>.Percent.percent.precision(.fractionLength(0)).locale(locale)
    for share in [0, 0.01, 0.25, 0.673, 1, -0.4, 12.5] {
      #expect(numerals.percent(share) == share.formatted(percent))
    }
  }

  @Test(arguments: Language.allCases)
  func `money equals ICU's in every currency`(language: Language) {
    for currency in Currency.allCases {
      let icu = FloatingPointFormatStyle<Double>.Currency(
        code: currency.rawValue, locale: Locale(identifier: language.rawValue)
      ).precision(.fractionLength(2))
      for amount in amounts() where amount > 0.01 {
        for value in [amount, -amount] {
          #expect(language.money(value, currency) == value.formatted(icu), "\(currency)")
        }
      }
    }
    #expect(!language.money(-0.001, .usDollar).contains("-"))
  }

  @Test(arguments: Language.allCases)
  func `dates equal ICU's on every day of two years`(language: Language) throws {
    let dateFormats = DateFormats(language)
    func icu(_ template: String) -> DateFormatter {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: language.rawValue)
      formatter.timeZone = Self.utc
      formatter.setLocalizedDateFormatFromTemplate(template)
      return formatter
    }
    let (day, short, date, month) = (icu("EEEEMMMMd"), icu("EEEMMMd"), icu("yMMMd"), icu("yMMMM"))
    let first = CivilDate(year: 2027, month: 1, day: 1)
    for number in 0..<731 {
      let civil = first.adding(days: number)
      let instant = Date(timeIntervalSince1970: Double(civil.daysSince1970) * 86_400)
      #expect(dateFormats.day(civil) == day.string(from: instant))
      #expect(dateFormats.shortDay(civil) == short.string(from: instant))
      #expect(dateFormats.date(civil) == date.string(from: instant))
      #expect(dateFormats.month(civil) == month.string(from: instant))
    }
    let weekday = icu("EEEE")
    for number in 0..<7 {
      let civil = first.adding(days: number)
      let instant = Date(timeIntervalSince1970: Double(civil.daysSince1970) * 86_400)
      #expect(dateFormats.weekday(civil.weekday) == weekday.string(from: instant))
    }
  }

  @Test(arguments: Language.allCases)
  func `times of day equal ICU's in both clock formats`(language: Language) throws {
    let dateFormats = DateFormats(language)
    for (template, uses24HourClock) in [("hmm", false), ("Hmm", true)] {
      let icu = DateFormatter()
      icu.locale = Locale(identifier: language.rawValue)
      icu.timeZone = Self.utc
      icu.setLocalizedDateFormatFromTemplate(template)
      for minute in stride(from: 0, to: 1_440, by: 7) {
        let time = try #require(TimeOfDay(secondOfDay: minute * 60))
        #expect(
          dateFormats.time(time, uses24HourClock: uses24HourClock)
            == icu.string(from: Date(timeIntervalSince1970: Double(minute * 60))))
      }
    }
  }

  @Test func `a team's clock and currency default to its language, units and zone`() {
    func team(_ language: Language, _ units: UnitSystem, _ zone: String) -> Team {
      var team = Samples.team(zone: zone)
      team.language = language
      team.units = units
      return team
    }
    let phoenix = team(.english, .imperial, "America/Phoenix")
    #expect(Localizer(phoenix).format.time(.sevenInTheMorning) == "7:00\u{202F}AM")
    #expect(Localizer(phoenix).format.money(1_234.5) == "$1,234.50")
    var german = team(.german, .metric, "Europe/Berlin")
    #expect(Localizer(german).format.time(.sevenInTheMorning) == "07:00")
    #expect(Localizer(german).format.money(1_234.5) == "1.234,50\u{A0}€")
    german.clock = .twelveHours
    german.chosenCurrency = .franc
    #expect(Localizer(german).format.time(.sevenInTheMorning) == "7:00\u{202F}AM")
    #expect(Localizer(german).format.money(1) == "1,00\u{A0}CHF")
    #expect(team(.spanish, .imperial, "America/Phoenix").currency == .usDollar)
    #expect(team(.portuguese, .metric, "America/Sao_Paulo").currency == .real)
    #expect(team(.english, .metric, "Europe/London").currency == .pound)
    #expect(Localizer(team(.english, .metric, "Europe/London")).format.time(.sevenInTheMorning) == "07:00")
    #expect(
      Localizer(german).quantity(ounces: 200, of: .acid) == "5,9 L"
        && Localizer(phoenix).quantity(ounces: 19, of: .base) == "1 lb 3 oz")
  }
}
