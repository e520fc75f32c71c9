import FlowModel

extension ICalendarEvent {
  /// True if the calendar marks the event as an observance, such as Valentine's Day, rather than a day off.
  ///
  /// TRANSP and the busy status are ignored, because publishers set them alike for days off and observances.
  var isObservance: Bool {
    let lines = text("DESCRIPTION").lines
    // Google adds a hint below each observance, in the calendar's language, that contains "google".
    if lines.dropFirst().contains(where: { $0.contains("google") }) { return true }
    if let first = lines.first, Self.holidayPhrases.contains(where: { first.hasPrefix($0) }) { return true }
    if Self.nonHolidayPhrases.contains(where: { text("SUMMARY").contains($0) || lines.first?.contains($0) == true }) {
      return true
    }
    return all("CATEGORIES").contains { line in
      line.text(.shown).lowercased().split(separator: ",").contains { $0.contains("observance") }
    }
  }

  /// The property's value in lower case; empty if the property is missing.
  private func text(_ name: String) -> String { first(name)?.value.lowercased() ?? "" }

  /// First words of observance descriptions from Google and others, in poolflow's languages.
  private static let holidayPhrases = [
    "observance", "gedenktag", "celebración", "conmemoración", "fecha conmemorativa", "commémoration",
    "journée commémorative", "data comemorativa", "comemoração",
  ]

  /// Phrases with which officeholidays.com marks observances.
  private static let nonHolidayPhrases = ["not a public holiday", "kein gesetzlicher feiertag"]
}

extension String {
  /// The lines of an escaped iCalendar text, split at `\n`.
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
