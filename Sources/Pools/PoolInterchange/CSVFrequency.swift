import FlowCalendar
import FlowModel
import PoolModel

/// The frequency of service that a cell names.
enum CSVFrequency: Hashable, Sendable {
  case weekly
  /// Every `count` weeks.
  case weeks(Int)
  /// On this many days of a week.
  case days(Int)
  /// Once a month.
  case monthly
  /// Every week of the warm half of the year: April to October, south of the equator October to April.
  case seasonal
  /// A rule of dates in poolflow's own syntax.
  case rule(CalendarDates)

  /// Nil for a text that names none of these.
  init?(_ text: String) {
    if CSVKeywords.isWeekly(text) {
      self = .weekly
      return
    }
    let word = CSVColumn.normalized(text)
    if let known = Self.words[word] ?? Self.counted(word) {
      self = known
      return
    }
    guard text.utf8.count <= Limits.serviceRuleBytes,
      !Self.calendarWords.contains(String(word.prefix { $0 != "_" }))
    else { return nil }
    do throws(CalendarDatesError) {
      let dates = try CalendarDates(text.split(separator: " ").joined(separator: " "))
      guard dates.onlyWeekday == nil else { return nil }
      self = .rule(dates)
    } catch { return nil }
  }

  /// Words of the calendar syntax that name dates of a month or a year without the pool's weekday.
  private static let calendarWords: Set<String> = [
    "daily", "weekly", "monthly", "quarterly", "semiannually", "semi", "yearly", "annually", "hourly", "minutely",
  ]

  /// `every_3_weeks`, `alle_3_wochen`, `3x_week`, `3_times_a_week`.
  private static func counted(_ word: String) -> CSVFrequency? {
    let parts = word.split(separator: "_")
    for (index, part) in parts.enumerated() {
      let rest = (parts[..<index] + parts[(index + 1)...]).joined(separator: "_")
      if let count = Int(part), (2...52).contains(count), weekWords.contains(rest) { return .weeks(count) }
      if part.last == "x", let count = Int(part.dropLast()), (2...7).contains(count), timesAWeek.contains(rest) {
        return .days(count)
      }
      if let count = Int(part), (2...7).contains(count), timesInAWeek.contains(rest) { return .days(count) }
    }
    return nil
  }

  private static let weekWords: Set<String> = [
    "every_weeks", "every_week", "weeks", "every_wks", "wks", "alle_wochen", "wöchentlich", "wöchig", "cada_semanas",
    "toutes_les_semaines", "a_cada_semanas",
  ]
  private static let timesInAWeek: Set<String> = [
    "times_a_week", "times_per_week", "times_weekly", "mal_pro_woche", "veces_por_semana", "vezes_por_semana",
    "fois_par_semaine",
  ]
  private static let timesAWeek: Set<String> = [
    "week", "weekly", "a_week", "per_week", "pro_woche", "por_semana", "par_semaine",
  ]

  private static let words: [String: CSVFrequency] = {
    var words: [String: CSVFrequency] = [:]
    for (frequency, names) in [
      (
        CSVFrequency.weeks(2),
        """
        biweekly bi_weekly every_other_week every_two_weeks every_second_week alternate_weeks fortnightly fortnight eow
        every_14_days 14_days 14_tägig vierzehntägig zweiwöchentlich 14_täglich alle_14_tage alle_zwei_wochen
        jede_zweite_woche quincenal quinzenal cada_14_días cada_15_días a_cada_duas_semanas a_cada_15_dias cada_dos_semanas cada_quince_días toutes_les_deux_semaines tous_les_15_jours tous_les_quinze_jours
        """
      ),
      (
        .days(2),
        """
        twice_a_week twice_weekly twice_per_week two_times_a_week 2_times_a_week 2_times_per_week 2x_weekly semiweekly
        semi_weekly zweimal_pro_woche zweimal_wöchentlich dos_veces_por_semana duas_vezes_por_semana
        deux_fois_par_semaine
        """
      ),
      (
        .monthly,
        "monthly once_a_month once_per_month every_month 1x_month monatlich mensual mensuel mensal every_1_months"
      ), (.seasonal, "seasonal season in_season saisonal saison saisonnier estacional temporada sazonal"),
    ] {
      for name in names.split(whereSeparator: \.isWhitespace) { words[String(name)] = frequency }
    }
    return words
  }()

  /// The rule of this frequency for a pool; nil for every week.
  ///
  /// - Parameters:
  ///   - weekday: the pool's weekday.
  ///   - days: all weekdays that the file names for it; several only for a pool with several visits a week.
  ///   - present: the pool's present rule. A repetition in weeks is kept, so that a second import does not move its dates.
  ///   - today: the date of the import, in the team's zone.
  ///   - isSouthern: true for a pool south of the equator.
  /// - Returns: `.failure` if the file does not name as many weekdays as visits.
  func rule(
    on weekday: Weekday, days: [Weekday], present: CalendarDates?, today: CivilDate, isSouthern: Bool
  ) -> Result<CalendarDates?, MissingWeekdays> {
    let day = weekday.abbreviation
    switch self {
    case .weekly: return .success(nil)
    case .weeks(let count):
      let every = "every \(count) weeks from "
      if let present, present.description.hasPrefix(every), present.weekdays == [weekday] { return .success(present) }
      let first = PoolService(weekday: weekday).next(onOrAfter: today) ?? today
      return .success(dates(every + first.description))
    case .days(let count):
      if let present, days.count < 2, present.weekdays.count == count, present.weekdays.contains(weekday) {
        return .success(present)
      }
      guard Set(days).count == count else { return .failure(MissingWeekdays()) }
      return .success(dates(days.map(\.abbreviation).joined(separator: ",")))
    case .monthly: return .success(dates("\(day) *-*-1..7"))
    case .seasonal: return .success(dates("\(day) *-\(isSouthern ? "01..04,10..12" : "04..10")-*"))
    case .rule(let dates): return .success(dates)
    }
  }

  /// The file does not say on which days of a week the pool is served.
  struct MissingWeekdays: Error {}

  private func dates(_ text: String) -> CalendarDates? {
    do throws(CalendarDatesError) { return try CalendarDates(text) } catch {
      preconditionFailure("'\(text)' is no rule: \(error)")
    }
  }
}
