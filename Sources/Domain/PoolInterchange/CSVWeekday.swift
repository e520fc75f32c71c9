package import PoolModel

/// Reads a service day: 1 (Sunday) to 7, an English name, or a name of the file's language, in any case, with or without
/// accents and punctuation. Source: PRODUCT.md, Customers files; names from CLDR 44; readings R-DAY-1, R-DAY-2.
package enum CSVWeekday {
  /// - Returns: nil for a token that names no day.
  package static func day(_ text: String, locale: Language) -> Weekday? {
    if hasEndlessMarks(text) { return nil }
    // Most files name their days as we do.
    if let day = english[text] { return day }
    let token = folded(text)
    if token.isEmpty { return nil }
    if let number = Int(token) { return Weekday(rawValue: number) }
    if let day = english[token] { return day }
    // Where a short name fits several days, the first from Sunday on: "T" is Tuesday.
    for day in Weekday.allCases where names(locale)[day.rawValue - 1].contains(token) { return day }
    return nil
  }

  private static let english: [String: Weekday] = [
    "sun": .sunday, "sunday": .sunday, "mon": .monday, "monday": .monday, "tue": .tuesday, "tues": .tuesday,
    "tuesday": .tuesday, "wed": .wednesday, "wednesday": .wednesday, "thu": .thursday, "thur": .thursday,
    "thurs": .thursday, "thursday": .thursday, "fri": .friday, "friday": .friday, "sat": .saturday,
    "saturday": .saturday,
  ]

  /// Sunday first: full, abbreviated, short and narrow names, folded.
  private static func names(_ locale: Language) -> [[String]] {
    switch locale {
    case .english:
      [["su", "s"], ["mo", "m"], ["tu", "t"], ["we", "w"], ["th", "t"], ["fr", "f"], ["sa", "s"]]
    case .spanish:
      [
        ["domingo", "dom", "do", "d"], ["lunes", "lun", "lu", "l"], ["martes", "mar", "ma", "m"],
        ["miercoles", "mie", "mi", "x"], ["jueves", "jue", "ju", "j"], ["viernes", "vie", "vi", "v"],
        ["sabado", "sab", "sa", "s"],
      ]
    case .french:
      [
        ["dimanche", "dim", "di", "d"], ["lundi", "lun", "lu", "l"], ["mardi", "mar", "ma", "m"],
        ["mercredi", "mer", "me", "m"], ["jeudi", "jeu", "je", "j"], ["vendredi", "ven", "ve", "v"],
        ["samedi", "sam", "sa", "s"],
      ]
    case .portuguese:
      [
        ["domingo", "dom", "d"], ["segundafeira", "segunda", "seg", "s"], ["tercafeira", "terca", "ter", "t"],
        ["quartafeira", "quarta", "qua", "q"], ["quintafeira", "quinta", "qui", "q"],
        ["sextafeira", "sexta", "sex", "s"], ["sabado", "sab", "s"],
      ]
    case .german:
      [
        ["sonntag", "so", "s"], ["montag", "mo", "m"], ["dienstag", "di", "d"], ["mittwoch", "mi", "m"],
        ["donnerstag", "do", "d"], ["freitag", "fr", "f"], ["samstag", "sonnabend", "sa", "s"],
      ]
    }
  }

  /// Lower-case letters without accents, and digits; everything else is dropped.
  private static func folded(_ text: String) -> String {
    var result = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": result.unicodeScalars.append(scalar)
      case "á", "à", "â", "ã", "ä": result += "a"
      case "é", "è", "ê", "ë": result += "e"
      case "í", "ì", "î", "ï": result += "i"
      case "ó", "ò", "ô", "õ", "ö": result += "o"
      case "ú", "ù", "û", "ü": result += "u"
      case "ç": result += "c"
      // An accent of its own, after its letter.
      case "\u{300}"..."\u{36F}": continue
      default:
        if scalar.properties.isAlphabetic { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
