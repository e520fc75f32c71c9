package import FlowModel
package import FlowNotices

/// A recurring or single reminder with a text written by the team.
package struct Reminder: Hashable, Sendable {
  /// The condition under which a reminder is sent on a day.
  package enum Condition: String, Sendable, CaseIterable {
    case always
    /// The day has a stop; for a technician's reminder, one of that technician's.
    case stops
    /// A chemical is below its threshold.
    case lowStock = "low-stock"
  }

  package let name: ReminderName
  /// The title; empty for the default one.
  package let title: ReminderText
  package let text: ReminderText
  /// The technician to remind; nil for the whole team.
  package let technicianID: TechnicianID?
  package let severity: Severity
  package let condition: Condition
  /// The remaining number of occurrences; nil for unlimited.
  package let timesLeft: Int?

  package init(
    name: ReminderName, title: ReminderText, text: ReminderText, technicianID: TechnicianID?, severity: Severity,
    condition: Condition, timesLeft: Int?
  ) {
    self.name = name
    self.title = title
    self.text = text
    self.technicianID = technicianID
    self.severity = severity
    self.condition = condition
    self.timesLeft = timesLeft
  }

  /// Whether the text or the condition needs the stops.
  package var needsStops: Bool {
    condition == .stops || placeholders.contains(.poolsToday) || placeholders.contains(.poolsTomorrow)
  }

  /// Whether the text or the condition needs the stock.
  package var needsStock: Bool { condition == .lowStock || placeholders.contains(.lowStock) }

  private var placeholders: Set<ReminderText.Placeholder> { title.placeholders.union(text.placeholders) }
}

/// A reminder's name: 1 to 40 lower-case letters, digits and `-`, beginning and ending with a letter or digit, so that it
/// needs no quoting in a job's name, a command line and a file name.
package struct ReminderName: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String

  /// Nil for a text that is not a valid name.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    func isPlain(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...122).contains(byte) }
    guard let first = bytes.first, let last = bytes.last, bytes.count <= Limits.reminderNameLength, isPlain(first),
      isPlain(last), bytes.allSatisfy({ isPlain($0) || $0 == 45 })
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  package static func < (left: ReminderName, right: ReminderName) -> Bool { left.text < right.text }
}

/// A text with placeholders: `Order cartridges for {pools.today} pools`.
package struct ReminderText: Hashable, Sendable, CustomStringConvertible {
  /// The placeholders, without their braces.
  package enum Placeholder: String, Sendable, CaseIterable {
    case team
    /// The technician's name, or the team's name in a reminder for the whole team.
    case technician
    case date, weekday
    case poolsToday = "pools.today"
    case poolsTomorrow = "pools.tomorrow"
    /// The names of the items below their threshold.
    case lowStock = "low-stock"
  }

  /// A literal part or a placeholder.
  private enum Part: Hashable, Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]
  package let description: String

  package static let empty = ReminderText()

  private init() {
    parts = []
    description = ""
  }

  /// Parses a template; `{{` and `}}` are literal braces.
  ///
  /// - Throws: `ReminderTextError` with the column in characters, from 1.
  package init(_ text: String) throws(ReminderTextError) {
    var parts: [Part] = []
    var plain = ""
    var rest = Substring(text)
    func column(_ at: Substring) -> Int { text.distance(from: text.startIndex, to: at.startIndex) + 1 }
    while let letter = rest.first {
      if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
        plain.append(letter)
        rest = rest.dropFirst(2)
        continue
      }
      guard letter == "{" || letter == "}" else {
        plain.append(letter)
        rest = rest.dropFirst()
        continue
      }
      guard letter == "{", let end = rest.firstIndex(of: "}") else {
        throw ReminderTextError(column: column(rest), name: nil, brace: String(letter))
      }
      let name = String(rest[rest.index(after: rest.startIndex)..<end])
      guard let placeholder = Placeholder(rawValue: name) else {
        throw ReminderTextError(column: column(rest), name: name, brace: "{")
      }
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = ""
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: end)...]
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    self.parts = parts
    description = text
  }

  package var isEmpty: Bool { parts.isEmpty }

  package var placeholders: Set<Placeholder> {
    Set(parts.compactMap { part in if case .placeholder(let placeholder) = part { placeholder } else { nil } })
  }

  /// The text with each placeholder replaced by its value.
  func filled(_ value: (Placeholder) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let placeholder): value(placeholder)
      }
    }.joined()
  }
}

/// A syntax error in a reminder's template.
package struct ReminderTextError: Error, Hashable, CustomStringConvertible {
  package let column: Int
  /// The unknown placeholder; nil for an unmatched brace.
  package let name: String?
  let brace: String

  package var description: String {
    let known = ReminderText.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    guard let name else {
      return "column \(column): '\(brace)' has no partner; write a brace in the text as '\(brace)\(brace)'"
    }
    let near = Suggestion.nearest(to: name, among: ReminderText.Placeholder.allCases.map(\.rawValue))
    let hint = near.map { "did you mean {\($0)}?" } ?? "there are \(known)"
    return "column \(column): there is no placeholder {\(TextRule.shown.truncated(name))}; \(hint)"
  }
}
