package import FlowModel

/// Dates and times in the format of a language. Source: Unicode CLDR 44, `dates`; a test compares every day with ICU.
package struct DateFormats: Sendable {
  private let language: Language
  private let names: Names

  package init(_ language: Language) {
    self.language = language
    names =
      switch language {
      case .english: .english
      case .spanish: .spanish
      case .french: .french
      case .portuguese: .portuguese
      case .german: .german
      }
  }

  /// Names of days and months, from Sunday and January.
  private struct Names {
    let weekdays: [String]
    let shortWeekdays: [String]
    let months: [String]
    let shortMonths: [String]

    init(_ weekdays: String, _ shortWeekdays: String, _ months: String, _ shortMonths: String) {
      func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
      self.weekdays = split(weekdays)
      self.shortWeekdays = split(shortWeekdays)
      self.months = split(months)
      self.shortMonths = split(shortMonths)
    }

    static let english = Names(
      "Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "Sun Mon Tue Wed Thu Fri Sat",
      "January February March April May June July August September October November December",
      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
    static let spanish = Names(
      "domingo lunes martes miércoles jueves viernes sábado", "dom lun mar mié jue vie sáb",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "ene feb mar abr may jun jul ago sept oct nov dic")
    static let french = Names(
      "dimanche lundi mardi mercredi jeudi vendredi samedi", "dim. lun. mar. mer. jeu. ven. sam.",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.")
    static let portuguese = Names(
      "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
      "dom. seg. ter. qua. qui. sex. sáb.",
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.")
    static let german = Names(
      "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "So. Mo. Di. Mi. Do. Fr. Sa.",
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
      "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.")
  }

  package func weekday(_ day: Weekday) -> String { names.weekdays[day.rawValue - 1] }
  package func shortWeekday(_ day: Weekday) -> String { names.shortWeekdays[day.rawValue - 1] }

  /// The date as `Monday, March 2`.
  package func day(_ date: CivilDate) -> String {
    let weekday = weekday(date.weekday)
    let month = names.months[date.month - 1]
    switch language {
    case .english: return "\(weekday), \(month) \(date.day)"
    case .spanish, .portuguese: return "\(weekday), \(date.day) de \(month)"
    case .french: return "\(weekday) \(date.day) \(month)"
    case .german: return "\(weekday), \(date.day). \(month)"
    }
  }

  /// The date as `Mon, Mar 2`.
  package func shortDay(_ date: CivilDate) -> String {
    let weekday = shortWeekday(date.weekday)
    let month = names.shortMonths[date.month - 1]
    switch language {
    case .english: return "\(weekday), \(month) \(date.day)"
    case .spanish: return "\(weekday), \(date.day) \(month)"
    case .french: return "\(weekday) \(date.day) \(month)"
    case .portuguese: return "\(weekday), \(date.day) de \(month)"
    case .german: return "\(weekday) \(date.day). \(month)"
    }
  }

  /// The date as `Mar 2, 2026`.
  package func date(_ date: CivilDate) -> String {
    let month = names.shortMonths[date.month - 1]
    switch language {
    case .english: return "\(month) \(date.day), \(date.year)"
    case .spanish, .french: return "\(date.day) \(month) \(date.year)"
    case .portuguese: return "\(date.day) de \(month) de \(date.year)"
    case .german: return "\(date.day). \(month) \(date.year)"
    }
  }

  /// The month as `March 2026`.
  package func month(_ date: CivilDate) -> String {
    let month = names.months[date.month - 1]
    switch language {
    case .english, .french, .german: return "\(month) \(date.year)"
    case .spanish, .portuguese: return "\(month) de \(date.year)"
    }
  }

  /// `7:05 AM`, or `07:05` if `uses24HourClock` (a 24-hour clock).
  package func time(_ time: TimeOfDay, uses24HourClock: Bool) -> String {
    let minute = padded(time.minute, 2)
    guard !uses24HourClock else {
      return "\(language == .spanish ? String(time.hour) : padded(time.hour, 2)):\(minute)"
    }
    let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
    return "\(hour):\(minute)\u{202F}\(half(of: time))"
  }

  private func half(of time: TimeOfDay) -> String {
    switch language {
    case .english, .french, .portuguese, .german: time.hour < 12 ? "AM" : "PM"
    case .spanish: time.hour < 12 ? "a.\u{202F}m." : "p.\u{202F}m."
    }
  }
}
