import FlowModel

// Dates, times and lists of numbers.
extension CalendarParser {
  /// A parsed list of numbers whose field is not known yet.
  struct RawField {
    let start: Int
    var items: [FieldItem] = []
  }

  /// Parses a date, a time or both, or `@` with seconds since 1970.
  mutating func takeDateAndTime() throws(CalendarError) {
    guard index < end, !isAtRestriction else { return }
    if bytes[index] == UInt8(ascii: "@") {
      try takeEpochSeconds()
      return
    }
    if try takeHalfDayTime() { return }
    let first = try rawField()
    if index < end, bytes[index] == UInt8(ascii: ":") {
      try takeTime(hour: first)
      return
    }
    guard index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "~") else {
      throw failure("':' of a time or '-' of a date")
    }
    try takeDate(first: first)
    hints.writesDate = true
    skipSpaces()
    try takeTimeAtEnd()
  }

  /// Parses an optional time after the days.
  mutating func takeTimeAtEnd() throws(CalendarError) {
    guard index < end, !isAtRestriction else { return }
    if try takeHalfDayTime() { return }
    let hour = try rawField()
    guard index < end, bytes[index] == UInt8(ascii: ":") else { throw failure("':' between hour and minute") }
    try takeTime(hour: hour)
  }

  /// Parses the rest of `[year-]month-day` after its first field; `~` instead of the last `-` counts from the month's end.
  private mutating func takeDate(first: RawField) throws(CalendarError) {
    var fromEnd = bytes[index] == UInt8(ascii: "~")
    index += 1
    let second = try rawField()
    if index == end || bytes[index] == UInt8(ascii: " ") {
      try setDate(year: nil, month: first, day: second, fromEnd: fromEnd)
      return
    }
    guard !fromEnd else { throw failure("a space: '~' stands only before the day, as in *-*~1") }
    fromEnd = bytes[index] == UInt8(ascii: "~")
    guard fromEnd || bytes[index] == UInt8(ascii: "-") else { throw failure("'-' or a space after the date") }
    index += 1
    let third = try rawField()
    guard index == end || bytes[index] == UInt8(ascii: " ") else { throw failure("a space after the date") }
    try setDate(year: first, month: second, day: third, fromEnd: fromEnd)
  }

  private mutating func setDate(
    year: RawField?, month: RawField, day: RawField, fromEnd: Bool
  ) throws(CalendarError) {
    if let year { parts.year = try field(year, .year) }
    parts.month = try field(month, .month)
    parts.day = try field(day, fromEnd ? .dayFromEnd : .day)
    parts.countsFromEnd = fromEnd && !parts.day.isEvery
  }

  /// Parses `hour ':' minute [':' second]` from the first colon on.
  mutating func takeTime(hour: RawField) throws(CalendarError) {
    index += 1
    let minute = try rawField()
    parts.hour = try field(hour, .hour)
    parts.minute = try field(minute, .minute)
    parts.second = .only(0)
    guard index < end, bytes[index] != UInt8(ascii: " ") else { return }
    guard take(":") else { throw failure("':' before the seconds, or the end of the time") }
    parts.second = try field(try rawField(), .second)
    hints.writesSeconds = true
    guard index == end || bytes[index] == UInt8(ascii: " ") else { throw failure("the end of the time") }
  }

  /// Parses `6:30am` or `6 PM`; false if no am or pm follows the numbers.
  private mutating func takeHalfDayTime() throws(CalendarError) -> Bool {
    var stop = index
    while stop < end, Self.isDigit(bytes[stop]) || bytes[stop] == UInt8(ascii: ":") { stop += 1 }
    guard stop > index else { return false }
    let half = stop < end && bytes[stop] == UInt8(ascii: " ") ? stop + 1 : stop
    guard word(at: half, is: "am") || word(at: half, is: "pm") else { return false }
    let text = String(decoding: bytes[index..<half + 2], as: UTF8.self)
    do throws(TimeOfDayFault) {
      let time = try TimeOfDay(typed: text)
      (parts.hour, parts.minute, parts.second) = (.only(time.hour), .only(time.minute), .only(time.second))
    } catch {
      let means: String? = if case .hourOfHalfDay(let time?) = error { "\(time)" } else { nil }
      throw CalendarError(
        column: column(index), expected: "a time with an hour from 1 to 12 before am or pm",
        found: String(text.prefix(Self.longestQuote)), suggestion: means)
    }
    index = half + 2
    hints.writesHalfDay = true
    guard index == end || bytes[index] == UInt8(ascii: " ") else { throw failure("the end of the time") }
    return true
  }

  /// Parses `@` and seconds since 1970: one instant in UTC.
  private mutating func takeEpochSeconds() throws(CalendarError) {
    let start = index
    index += 1
    guard index < end, Self.isDigit(bytes[index]) else {
      let suggestion = CalendarKeywords.suggestion(for: word(at: index))
      throw failure("seconds since 1970 after '@'", at: start, suggestion: suggestion)
    }
    let seconds = number()
    guard seconds < 7_258_118_400 else { throw failure("an instant before the year 2200", at: start) }
    guard index == end else { throw failure("the end, as '@' names one instant") }
    guard parts.zoneName == nil || parts.zoneName == "UTC" else { throw failure("no zone but UTC after '@'") }
    let local = LocalDateTime(secondsAsIfUTC: Int64(seconds))
    parts = CalendarParts(time: local.time)
    parts.year = .only(local.date.year)
    parts.month = .only(local.date.month)
    parts.day = .only(local.date.day)
    parts.zoneName = "UTC"
    hints.writesDate = true
  }

  // MARK: Lists

  /// Parses `*` or a comma-separated list.
  mutating func rawField() throws(CalendarError) -> RawField {
    var field = RawField(start: index)
    if take("*") {
      if index < end, bytes[index] == UInt8(ascii: "/") {
        throw failure(
          "no step after '*'", suggestion: smallestValue(ofFieldAt: field.start).map { "\($0)\(rest() ?? "")" })
      }
      if index < end, bytes[index] == UInt8(ascii: ",") { throw failure("no list after '*', which names all already") }
      return field
    }
    repeat {
      guard field.items.count < Self.mostItems else { throw failure("at most \(Self.mostItems) items in a list") }
      field.items.append(try item())
    } while take(",")
    return field
  }

  /// Minimum value of the field at `position`: 0 in a time, 1 for a month or day; nil for a year, which has no minimum.
  private func smallestValue(ofFieldAt position: Int) -> Int? {
    let word = (bytes[..<position].lastIndex(of: UInt8(ascii: " ")) ?? -1) + 1
    let fields = bytes[word..<end].prefix { $0 != UInt8(ascii: " ") }
    if fields.contains(UInt8(ascii: ":")) { return 0 }
    let isSeparator: (UInt8) -> Bool = { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~") }
    return position == word && fields.count(where: isSeparator) == 2 ? nil : 1
  }

  /// Parses `n`, `n..m`, `n/step` or `n..m/step`.
  private mutating func item() throws(CalendarError) -> FieldItem {
    var item = FieldItem(start: try wholeNumber(), stop: nil, step: 0)
    if takeDots() {
      item.stop = try wholeNumber()
      item.step = 1
    }
    if take("/") {
      let start = index
      item.step = try wholeNumber()
      guard item.step > 0 else { throw failure("a step of at least 1", at: start) }
    }
    return item
  }

  private mutating func wholeNumber() throws(CalendarError) -> Int {
    guard index < end, Self.isDigit(bytes[index]) else { throw failure("a number or '*'") }
    let value = number()
    if index < end, bytes[index] == UInt8(ascii: "."), index + 1 == end || bytes[index + 1] != UInt8(ascii: ".") {
      throw failure("a whole number: slots are whole seconds")
    }
    return value
  }

  /// Parses digits; values above 2⁴⁰ are clamped, which keeps them out of every field's range.
  mutating func number() -> Int {
    var value = 0
    while index < end, Self.isDigit(bytes[index]) {
      value = min(value * 10 + Int(bytes[index] - 48), 1 << 40)
      index += 1
    }
    return value
  }

  /// The normal form of a field.
  /// - Throws: `CalendarError` for the first invalid item.
  func field(_ raw: RawField, _ kind: FieldKind) throws(CalendarError) -> CalendarField {
    var items = raw.items
    for position in items.indices {
      guard let item = normalized(items[position], kind) else { throw rangeError(raw, position, kind) }
      items[position] = item
    }
    if case .second = kind, items.contains(where: { $0.start == 0 && $0.stop == nil && $0.step == 1 }) { return .every }
    if items.count > 1 {
      items.sort()
      var last: FieldItem?
      items.removeAll { item in
        defer { last = item }
        return item == last
      }
    }
    return CalendarField(items: items)
  }

  /// Expands two-digit years and trims a range to its last match; nil if the item is out of range or never matches.
  private func normalized(_ raw: FieldItem, _ kind: FieldKind) -> FieldItem? {
    var item = raw
    if case .year = kind {
      item.start = fullYear(item.start)
      item.stop = item.stop.map(fullYear)
    }
    if let stop = item.stop {
      var last = stop
      if last > item.start { last -= (last - item.start) % item.step }
      item.stop = last
      if last == item.start { (item.stop, item.step) = (nil, 0) }
    }
    let range = kind.range
    guard range.contains(item.start), item.step <= range.upperBound - range.lowerBound else { return nil }
    if let stop = item.stop {
      return range.contains(stop) && item.start + item.step <= stop ? item : nil
    }
    if case .dayFromEnd = kind { return item.start - item.step >= range.lowerBound ? item : nil }
    return item.start + item.step <= range.upperBound ? item : nil
  }

  /// Two-digit years become 1970 to 2069, as in systemd.
  private func fullYear(_ year: Int) -> Int {
    year < 70 ? year + 2_000 : year < 100 ? year + 1_900 : year
  }

  /// Error for item number `position` of a field.
  private func rangeError(_ raw: RawField, _ position: Int, _ kind: FieldKind) -> CalendarError {
    var at = raw.start
    for _ in 0..<position { at = (bytes[at..<end].firstIndex(of: UInt8(ascii: ",")) ?? at) + 1 }
    var stop = at
    while stop < end, Self.isDigit(bytes[stop]) || [UInt8(ascii: "."), UInt8(ascii: "/")].contains(bytes[stop]) {
      stop += 1
    }
    let found = String(decoding: bytes[at..<min(stop, at + 40)], as: UTF8.self)
    let item = raw.items[position]
    let expected: String
    let start = if case .year = kind { fullYear(item.start) } else { item.start }
    if !kind.range.contains(start) {
      expected = kind.description
    } else if let last = item.stop {
      let stop = if case .year = kind { fullYear(last) } else { last }
      expected = stop < start ? "a range that runs upwards" : "a range within \(kind.description)"
    } else if case .dayFromEnd = kind {
      expected = "a step that fits before the end of the month"
    } else {
      expected = "a step that comes again by \(kind.range.upperBound)"
    }
    return CalendarError(
      column: column(at), expected: expected, found: found, suggestion: wrappedRangeSuggestion(item, kind))
  }

  /// Suggestion for a range across the end of the field: `22..23,0..6` for the hours `22..6`; nil for other faults.
  private func wrappedRangeSuggestion(_ item: FieldItem, _ kind: FieldKind) -> String? {
    let all = kind.range
    guard let last = item.stop, item.step == 1, last < item.start, all.contains(item.start), all.contains(last)
    else { return nil }
    switch kind {
    case .year, .dayFromEnd: return nil
    case .month, .day, .hour, .minute, .second: break
    }
    func range(_ first: Int, _ last: Int) -> String { first == last ? "\(first)" : "\(first)..\(last)" }
    return "\(range(item.start, all.upperBound)),\(range(all.lowerBound, last))"
  }
}
