import FlowModel

/// Left-to-right parser for calendar expressions.
///
/// Accepts and rejects the same texts as `calendarspec.c` of systemd 252, with these differences: fractions of a second and
/// abbreviated zones are rejected; lists after `~` may contain all of 1 to 28 (systemd 252 shrinks the range by three days per
/// additional item, so it rejects `*-*~1,27`); any word of letters at the end is taken as a zone, which the `ZoneSource` then
/// checks; repetition and exceptions are extensions.
struct CalendarParser {
  let bytes: [UInt8]
  var index = 0
  /// Index at which the expression ends and an optional zone suffix begins.
  var end: Int
  var parts = CalendarParts()
  var hints = SpellingHints()

  /// Size limit in bytes; 240 items in each of six fields fit.
  static let longestText = 8_192
  /// Limit of items in one list, as in systemd's parser.
  static let mostItems = 240
  /// Maximum length of a quotation in an error message.
  static let longestQuote = 40

  init(_ text: String) {
    bytes = Array(text.utf8)
    end = bytes.count
  }

  mutating func expression() throws(CalendarError) -> CalendarExpression {
    guard bytes.count <= Self.longestText else {
      throw CalendarError(column: 1, expected: "at most \(Self.longestText) characters", found: "\(bytes.count)")
    }
    guard !bytes.isEmpty else { throw failure("a calendar expression such as 'Mon..Fri 07:00'") }
    takeZone()
    if try !takeShorthand() {
      try takeWeekdays()
      if word(at: index, is: "every") {
        try takeRepetition()
      } else {
        try takeDateAndTime()
      }
      // All seven weekdays are no restriction, except that they override the anchor's weekday of a weekly repetition.
      if parts.weekdays == 127, parts.repetition?.unit != .week { parts.weekdays = nil }
    }
    try takeLastDate()
    try takeExceptions()
    guard index == end else { throw failure(expectedAtEnd) }
    return CalendarExpression(parts: parts, hints: hints)
  }

  private var expectedAtEnd: String {
    bytes[index] == UInt8(ascii: " ")
      ? "nothing more, or one space and a zone such as Europe/Berlin" : "a space and a zone, or the end"
  }

  // MARK: Zone

  /// Cuts off a zone suffix: a last word of letters that is not a keyword.
  private mutating func takeZone() {
    guard let space = bytes.lastIndex(of: UInt8(ascii: " ")), space > 0, space + 1 < bytes.count else { return }
    let name = bytes[(space + 1)...]
    guard Self.isLetter(bytes[space + 1]), name.allSatisfy(Self.isZoneByte), !isKeyword(name) else { return }
    end = space
    parts.zoneName = CalendarKeywords.equals(name, "UTC") ? "UTC" : String(decoding: name, as: UTF8.self)
  }

  /// True if the last word has a meaning other than a zone's name.
  private func isKeyword(_ name: ArraySlice<UInt8>) -> Bool {
    if CalendarKeywords.weekday(name) != nil { return true }
    if name.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_") }) { return false }
    for words in [
      CalendarKeywords.shorthands, ["every", "from", "until", "except", "at", "am", "pm"], CalendarKeywords.units,
    ] {
      for candidate in words where CalendarKeywords.equals(name, candidate) { return true }
    }
    return false
  }

  // MARK: Words

  /// Parses a shorthand such as `daily`; false if none comes first.
  /// - Throws: `CalendarError` for an unknown first word.
  private mutating func takeShorthand() throws(CalendarError) -> Bool {
    guard index < end, Self.isLetter(bytes[index]) else { return false }
    var stop = index
    while stop < end, Self.isLetter(bytes[stop]) { stop += 1 }
    if CalendarKeywords.weekday(bytes[index..<stop]) != nil { return false }
    while stop < end, Self.isLetter(bytes[stop]) || bytes[stop] == UInt8(ascii: "-") { stop += 1 }
    let text = bytes[index..<stop]
    if CalendarKeywords.equals(text, "every") { return false }
    guard let shorthand = CalendarKeywords.shorthands.first(where: { CalendarKeywords.equals(text, $0) }) else {
      let found = String(decoding: text.prefix(Self.longestQuote), as: UTF8.self)
      throw CalendarError(
        column: column(index), expected: "a weekday, a date, a time or a word such as daily", found: found,
        suggestion: CalendarKeywords.suggestion(for: found))
    }
    index = stop
    hints.writesDate = true
    applyShorthand(shorthand)
    return true
  }

  private mutating func applyShorthand(_ word: String) {
    let january = CalendarField.only(1)
    switch word {
    case "minutely": (parts.hour, parts.minute) = (.every, .every)
    case "hourly": parts.hour = .every
    case "daily": break
    case "weekly": parts.weekdays = 1
    case "monthly": parts.day = .only(1)
    case "quarterly": (parts.month, parts.day) = (.list([1, 4, 7, 10]), .only(1))
    case "yearly", "annually", "anually": (parts.month, parts.day) = (january, .only(1))
    default: (parts.month, parts.day) = (.list([1, 7]), .only(1))
    }
  }

  /// Parses an optional list of weekdays and ranges, such as `Mon..Fri,Sun`.
  private mutating func takeWeekdays() throws(CalendarError) {
    var days: UInt8 = 0
    var rangeStart: (day: Int, position: Int)?
    while index < end {
      let start = index
      guard let day = takeWeekdayName() else {
        if days == 0 { return }
        let found = self.word(at: index)
        throw CalendarError(
          column: column(index), expected: "a weekday (Mon to Sun)", found: found.isEmpty ? rest() : found,
          suggestion: CalendarKeywords.weekdaySuggestion(for: found))
      }
      if let (first, position) = rangeStart {
        guard first <= day else { throw reversedWeekdaysError(from: first, to: day, at: position) }
        for between in first...day { days |= 1 << UInt8(between) }
      }
      days |= 1 << UInt8(day)
      if index == end || bytes[index] == UInt8(ascii: " ") { break }
      if bytes[index] == UInt8(ascii: ",") {
        index += 1
        rangeStart = nil
        // A trailing comma is allowed.
        if index == end || bytes[index] == UInt8(ascii: " ") { break }
      } else if rangeStart == nil, takeRangeSign() {
        rangeStart = (day, start)
        guard index < end, bytes[index] != UInt8(ascii: " ") else { throw failure("a weekday that ends the range") }
      } else {
        throw failure("a space, ',' or '..' after the weekday")
      }
    }
    guard days != 0 else { return }
    hints.writesDate = true
    parts.weekdays = days
    skipSpaces()
  }

  /// Error that suggests two ranges: `Fri..Sun,Mon` for `Fri..Mon`.
  private func reversedWeekdaysError(from first: Int, to last: Int, at position: Int) -> CalendarError {
    func range(_ first: Int, _ last: Int) -> String {
      let (first, last) = (CalendarKeywords.weekdays[first], CalendarKeywords.weekdays[last])
      return first == last ? first : "\(first)..\(last)"
    }
    return CalendarError(
      column: column(position), expected: "a range of weekdays that runs upwards, as weeks begin on Monday",
      found: String(decoding: bytes[position..<index], as: UTF8.self),
      suggestion: "\(range(first, 6)),\(range(0, last))")
  }

  private mutating func takeWeekdayName() -> Int? {
    var stop = index
    while stop < end, Self.isLetter(bytes[stop]) { stop += 1 }
    guard let day = CalendarKeywords.weekday(bytes[index..<stop]) else { return nil }
    index = stop
    return day
  }

  /// Consumes `..`, or the deprecated `-`, if one comes next.
  private mutating func takeRangeSign() -> Bool {
    if take("-") { return true }
    return takeDots()
  }

  // MARK: Small steps

  /// Consumes the character, if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < end, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

  /// Consumes `..`, if it comes next.
  mutating func takeDots() -> Bool {
    let dot = UInt8(ascii: ".")
    guard index + 1 < end, bytes[index] == dot, bytes[index + 1] == dot else { return false }
    index += 2
    return true
  }

  mutating func skipSpaces() {
    while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
  }

  /// The letters from `start` on, at most `longestQuote`.
  func word(at start: Int) -> String {
    var stop = start
    while stop < end, Self.isLetter(bytes[stop]), stop - start < Self.longestQuote { stop += 1 }
    return String(decoding: bytes[start..<stop], as: UTF8.self)
  }

  /// True if the word at `start` equals `wanted` in any case.
  func word(at start: Int, is wanted: String) -> Bool {
    guard start < end, bytes[start] | 32 == wanted.utf8.first else { return false }
    var stop = start
    while stop < end, Self.isLetter(bytes[stop]) { stop += 1 }
    return CalendarKeywords.equals(bytes[start..<stop], wanted)
  }

  /// The text from `start` (default: the current position) to the next space, truncated for a message; nil at the end.
  func rest(at start: Int? = nil) -> String? {
    let start = start ?? index
    guard start < bytes.count else { return nil }
    var stop = start + 1
    while stop < bytes.count, bytes[stop] != UInt8(ascii: " "),
      stop - start < Self.longestQuote || bytes[stop] & 0xC0 == 0x80
    { stop += 1 }
    return String(decoding: bytes[start..<stop], as: UTF8.self)
  }

  /// A parse error at `position` (default: the current position).
  func failure(_ expected: String, at position: Int? = nil, suggestion: String? = nil) -> CalendarError {
    CalendarError(
      column: column(position ?? index), expected: expected, found: rest(at: position ?? index), suggestion: suggestion)
  }

  /// Column of a byte index, counted in characters from 1.
  func column(_ index: Int) -> Int {
    1 + bytes[..<min(index, bytes.count)].count { $0 & 0xC0 != 0x80 }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isZoneByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: isLetter(byte) || isDigit(byte)
    }
  }
}
