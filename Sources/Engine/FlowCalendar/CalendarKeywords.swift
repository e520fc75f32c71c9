import FlowModel

/// Keywords of calendar expressions, and suggestions for misspelt ones.
enum CalendarKeywords {
  /// Monday first, the order of weekday ranges.
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  static let fullWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  static let shorthands = [
    "minutely", "hourly", "daily", "weekly", "monthly", "quarterly", "semiannually", "yearly", "annually",
    "semi-annually", "biannually", "bi-annually", "anually",
  ]

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  static let units = ["days", "weeks", "months", "years", "day", "week", "month", "year"]

  /// Suggestion for an unknown keyword at the start of an expression; nil if none is likely.
  static func suggestion(for word: String) -> String? {
    let lower = word.lowercased()
    switch lower {
    case "secondly": return "*:*:*"
    case "fortnightly", "biweekly", "bi-weekly": return "every 2 weeks from DATE"
    case "weekdays", "workdays": return "Mon..Fri"
    case "weekends", "weekend": return "Sat,Sun"
    case "midnight": return "daily"
    case "noon": return "12:00"
    default:
      return nearest(to: lower, among: weekdays + fullWeekdays + shorthands + ["every"])
    }
  }

  /// Suggestion for an unknown name in a list of weekdays; nil if none is likely.
  static func weekdaySuggestion(for word: String) -> String? {
    nearest(to: word.lowercased(), among: weekdays)
  }

  /// The most similar of `words`; nil if two weekdays are equally similar.
  static func nearest(to lower: String, among words: [String]) -> String? {
    if let weekday = translatedWeekday(lower) { return weekday }
    guard let found = Suggestion.nearest(to: lower, among: words, completing: false) else { return nil }
    guard let day = weekday(Array(found.utf8)[...]) else { return found }
    let others = words.filter { weekday(Array($0.utf8)[...]).map { $0 != day } ?? false }
    let rival = Suggestion.nearest(to: lower, among: others, completing: false)
    let distances = [found, rival].map { $0.map { Suggestion.distance(Array(lower), Array($0.lowercased())) } }
    return distances[0] == distances[1] ? nil : found
  }

  /// Weekday for a German, Spanish, French or Portuguese name, checked first because edit distance misleads: `lun` is near
  /// `Sun`.
  private static func translatedWeekday(_ lower: String) -> String? {
    translatedWeekdays.firstIndex { $0.contains(lower) }.map { weekdays[$0] }
  }

  /// Monday first. `mar` is left out because it can mean March.
  private static let translatedWeekdays: [Set<String>] = [
    ["mo", "montag", "lun", "lunes", "lundi", "seg", "segunda"],
    ["di", "die", "dienstag", "martes", "mardi", "ter"],
    ["mi", "mit", "mittwoch", "mie", "mier", "miercoles", "mer", "mercredi", "qua", "quarta"],
    ["do", "don", "donnerstag", "jue", "jueves", "jeu", "jeudi", "qui", "quinta"],
    ["fr", "freitag", "vie", "viernes", "ven", "vendredi", "sex", "sexta"],
    ["sa", "sam", "samstag", "samedi", "sab", "sabado"],
    ["so", "son", "sonntag", "dom", "domingo", "dim", "dimanche"],
  ]

  /// Index of a weekday name, Monday = 0; three letters or the full name, in any case.
  static func weekday(_ word: ArraySlice<UInt8>) -> Int? {
    guard word.count >= 3 else { return nil }
    let start = word.startIndex
    let key = UInt32(word[start] | 32) << 16 | UInt32(word[start + 1] | 32) << 8 | UInt32(word[start + 2] | 32)
    let index: Int
    switch key {
    case 0x6d6f6e: index = 0
    case 0x747565: index = 1
    case 0x776564: index = 2
    case 0x746875: index = 3
    case 0x667269: index = 4
    case 0x736174: index = 5
    case 0x73756e: index = 6
    default: return nil
    }
    if word.count == 3 { return index }
    return equals(word, fullWeekdays[index]) ? index : nil
  }

  /// Compares ASCII text case-insensitively.
  static func equals(_ word: ArraySlice<UInt8>, _ other: String) -> Bool {
    let utf8 = other.utf8
    guard word.count == utf8.count else { return false }
    return zip(word, utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 32 : byte
  }
}
