package import FlowModel

/// Reads a service day: 1 (Sunday) to 7, an English name, or a name in the file's language. Case, accents and
/// punctuation are ignored. Source: product.md, Customers files; names from CLDR 44; readings R-DAY-1, R-DAY-2.
package enum CSVWeekday {
  /// The day that a cell names; nil if the text is not a single day.
  package static func day(_ text: String, locale: Language) -> Weekday? {
    if hasTooManyCombiningMarks(text) { return nil }
    // Fast path: most files use these names.
    if let day = english[text] { return day }
    let token = folded(text)
    if token.isEmpty { return nil }
    if let number = Int(token) { return Weekday(rawValue: number) }
    if let day = english[token] { return day }
    // If a short name fits several days, the first one counts, starting from Sunday: "T" is Tuesday.
    for day in Weekday.allCases where names(locale)[day.rawValue - 1].contains(token) { return day }
    return nil
  }

  /// The days found in a longer text, for example one with several days or other words.
  package enum Days: Hashable {
    case none
    /// One day among other words: `Tuesday AM`, `every Friday`, `Mondays`.
    case one(Weekday)
    /// Several days in the order of the text: `Mon, Thu`, `M/W/F`, `MWF`.
    case several([Weekday])
  }

  /// Searches a text for day names; texts over 200 bytes are not searched.
  package static func days(among text: String, locale: Language) -> Days {
    guard text.utf8.count <= 200 else { return .none }
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init)
      .filter { !joining.contains($0.lowercased()) }
    let days = words.compactMap { day($0, locale: locale) }
    if words.count > 1, days.count == words.count { return distinct(days) }
    if words.count == 1, let days = daysInOneWord(words[0], locale) { return distinct(days) }
    // Single letters and numbers beside other words are initials or times, not days.
    let named = words.filter { $0.count > 1 && Int($0) == nil }.compactMap { day($0, locale: locale) ?? plural($0) }
    return named.isEmpty ? .none : distinct(named)
  }

  private static func distinct(_ days: [Weekday]) -> Days {
    let found = days.reduce(into: [Weekday]()) { found, day in if !found.contains(day) { found.append(day) } }
    return found.count == 1 ? .one(found[0]) : .several(found)
  }

  /// An English plural such as `Mondays`; nil for any other word.
  private static func plural(_ word: String) -> Weekday? {
    let word = word.lowercased()
    return word.hasSuffix("days") ? english[String(word.dropLast())] : nil
  }

  /// Splits joined English abbreviations such as `MWF` and `TTh`; nil unless the word consists of at least two.
  private static func daysInOneWord(_ word: String, _ locale: Language) -> [Weekday]? {
    guard locale == .english, word.count <= 14 else { return nil }
    var days: [Weekday] = []
    var rest = word[...]
    while !rest.isEmpty {
      guard rest.first?.isUppercase == true,
        let length = [2, 1].first(where: { short[String(rest.prefix($0))] != nil }),
        let day = short[String(rest.prefix(length))]
      else { return nil }
      days.append(day)
      rest = rest.dropFirst(length)
    }
    return days.count > 1 ? days : nil
  }

  private static let short: [String: Weekday] = [
    "Su": .sunday, "M": .monday, "Mo": .monday, "T": .tuesday, "Tu": .tuesday, "W": .wednesday, "We": .wednesday,
    "Th": .thursday, "F": .friday, "Fr": .friday, "Sa": .saturday,
  ]

  private static let joining: Set<String> = [
    "and", "und", "et", "y", "e", "to", "bis", "à", "a", "au", "até", "through",
  ]

  private static let english: [String: Weekday] = [
    "sun": .sunday, "sunday": .sunday, "mon": .monday, "monday": .monday, "tue": .tuesday, "tues": .tuesday,
    "tuesday": .tuesday, "wed": .wednesday, "wednesday": .wednesday, "thu": .thursday, "thur": .thursday,
    "thurs": .thursday, "thursday": .thursday, "fri": .friday, "friday": .friday, "sat": .saturday,
    "saturday": .saturday,
  ]

  /// Day names in the language, from Sunday: full, abbreviated, short and narrow, each in `folded` form.
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

  /// The text in lower case without accents; characters other than letters and digits are dropped.
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
      // A combining accent after its letter.
      case "\u{300}"..."\u{36F}": continue
      default:
        if scalar.properties.isAlphabetic { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
