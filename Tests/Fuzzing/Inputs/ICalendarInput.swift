import PoolCalendar
import PoolModel

/// Bytes as a holiday calendar: gives days, warnings or a refusal, and no day for a cancelled event.
enum ICalendarInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let promise: Duration = .milliseconds(5) + .microseconds(20 * bytes.count)
    guard let read = try limit.call("reading", promise, { days(bytes) }) else { return }
    try require(read.entries.count <= Limits.calendarFileEntries, "\(read.entries.count) entries")
    try require(read.warnings.count <= Limits.problemsShown + 1, "\(read.warnings.count) warnings")
    for warning in read.warnings {
      try require(warning.hasPrefix("line ") || warning.hasPrefix("and "), "'\(warning)' names no line")
      try require(!hasControls(warning), "a warning has control characters")
    }
    for entry in read.entries {
      try require(DaySpan(stored: entry.span.description) == entry.span, "'\(entry.span)' does not read back")
      try require(!entry.span.inWords.isEmpty, "'\(entry.span)' has no sentence")
      try require(TextRule.holdNote.fault(in: entry.summary) == nil, "a title breaks its rule")
    }
    try checkCancelled(bytes)
  }

  /// Checks the same calendar with METHOD:CANCEL.
  private static func checkCancelled(_ bytes: [UInt8]) throws(BrokenLaw) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isOther = { (line: ArraySlice<UInt8>) in
      String(decoding: line, as: UTF8.self).uppercased().contains("METHOD")
    }
    // A folded line may contain a METHOD that would take precedence.
    let isFolded = lines.contains { $0.first == UInt8(ascii: " ") || $0.first == UInt8(ascii: "\t") }
    guard let last = lines.lastIndex(where: { String(decoding: $0, as: UTF8.self).hasPrefix("END:VCALENDAR") }),
      !isFolded, !lines.contains(where: isOther),
      lines.count(where: { String(decoding: $0, as: UTF8.self).uppercased().contains("VCALENDAR") }) == 2
    else { return }
    let cancelled = lines[..<last] + [Array("METHOD:CANCEL".utf8)[...]] + lines[last...]
    guard let read = days(Array(cancelled.joined(separator: [UInt8(ascii: "\n")]))) else { return }
    try require(read.entries.isEmpty, "a cancelled calendar closes \(read.entries.count) days")
  }

  private static func days(_ bytes: [UInt8]) -> ICalendarDays? {
    do throws(ICalendarError) { return try ICalendarDays(bytes, zone: zone) } catch { return nil }
  }

  private static let zone = SmallZone.make("Test/New_York", "EST5EDT,M3.2.0,M11.1.0")
}
