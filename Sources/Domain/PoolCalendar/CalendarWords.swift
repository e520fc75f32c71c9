/// The words of calendar expressions.
enum CalendarWords {
  /// Monday first, as ranges of weekdays run.
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  static let fullWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  static let shorthands = [
    "minutely", "hourly", "daily", "weekly", "monthly", "quarterly", "semiannually", "yearly", "annually",
    "semi-annually", "biannually", "bi-annually", "anually",
  ]

  static let units = ["days", "weeks", "months", "years", "day", "week", "month", "year"]

  /// What someone who wrote `word` at the start of an expression probably meant.
  static func suggestion(for word: String) -> String? {
    let lower = word.lowercased()
    switch lower {
    case "secondly": return "*:*:*"
    case "fortnightly", "biweekly", "bi-weekly": return "every 2 weeks from DATE"
    case "weekdays", "workdays": return "Mon..Fri"
    case "weekends", "weekend": return "Sat,Sun"
    case "midnight": return "daily"
    case "noon": return "12:00"
    default: return nearest(to: lower, among: weekdays + fullWeekdays + shorthands + ["every"])
    }
  }

  /// The index of a weekday's name, Monday = 0; any case, three letters or all.
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

  /// Compares ASCII without regard to case.
  static func equals(_ word: ArraySlice<UInt8>, _ other: String) -> Bool {
    let utf8 = other.utf8
    guard word.count == utf8.count else { return false }
    return zip(word, utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 32 : byte
  }
}

/// The candidate nearest to `word`, or nil where none is near enough to have been meant.
///
/// Nearness is the optimal string alignment distance without regard to case: letters added, lost, changed, or two
/// neighbours swapped; at most one for words of three letters, a third of the length for longer ones.
/// Source: Boytsov, "Indexing Methods for Approximate Dictionary Searching" (2011), §2.1.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let wanted = word.utf8.prefix(64).map(CalendarWords.lowercased)
  guard !wanted.isEmpty else { return nil }
  var best: String?
  var bestDistance = max(1, min(3, wanted.count / 3)) + 1
  for candidate in candidates {
    let length = candidate.utf8.count
    guard abs(length - wanted.count) < bestDistance else { continue }
    let distance = alignmentDistance(wanted, candidate.utf8.map(CalendarWords.lowercased))
    if distance < bestDistance {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

private func alignmentDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  var current = last
  for row in 0..<left.count {
    current[0] = row + 1
    for column in 0..<right.count {
      var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (left[row] == right[column] ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current[column + 1] = cost
    }
    (beforeLast, last, current) = (last, current, beforeLast)
  }
  return last[right.count]
}
