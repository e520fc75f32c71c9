import PoolModel

extension ICalendarEvent {
  /// Whether the calendar itself says that this day is remembered and not a day off, such as Valentine's Day.
  ///
  /// TRANSP and the busy status say nothing: publishers of holidays mark days off and observances alike as free time.
  var isObservance: Bool {
    let lines = text("DESCRIPTION").lines
    // Google tells below each observance, in the calendar's language, how to hide those in Google's settings.
    if lines.dropFirst().contains(where: { $0.contains("google") }) { return true }
    if let first = lines.first, Self.beginnings.contains(where: { first.hasPrefix($0) }) { return true }
    if Self.denials.contains(where: { text("SUMMARY").contains($0) || lines.first?.contains($0) == true }) {
      return true
    }
    return all("CATEGORIES").contains { line in
      line.text(.shown).lowercased().split(separator: ",").contains { $0.contains("observance") }
    }
  }

  /// In lower case.
  private func text(_ name: String) -> String { first(name)?.value.lowercased() ?? "" }

  /// How descriptions of Google and others begin, in the languages that poolflow speaks.
  private static let beginnings = [
    "observance", "gedenktag", "celebración", "conmemoración", "fecha conmemorativa", "commémoration",
    "journée commémorative", "data comemorativa", "comemoração",
  ]

  /// As officeholidays.com writes them.
  private static let denials = ["not a public holiday", "kein gesetzlicher feiertag"]
}

extension String {
  /// Of a text as iCalendar escapes it.
  fileprivate var lines: [Substring] {
    var rest = self[...]
    var lines: [Substring] = []
    while let mark = rest.firstRange(of: "\\n") {
      lines.append(rest[..<mark.lowerBound])
      rest = rest[mark.upperBound...]
    }
    return lines + [rest]
  }
}
