/// Parser for the customer's `preferredArrivalWindow`, a free-text profile field.
///
/// Times are minutes after local midnight. Accepted texts: `8-10`, `08:00-10:30`, `8am to 10am`, `1-3pm`, `before 10`, `by
/// 10:00`, `after 14:00`, `from 9`, `morning`, `afternoon`.
package enum ArrivalWindow {
  /// - Returns: the window, or nil if the text names no time; such a text is shown to people and does not restrict the route.
  package static func read(_ text: String) -> RouteProblem.Window? {
    guard !text.isEmpty else { return nil }
    var words = text.lowercased()
    // Replacing is slow, and this is read for each stop of each day that is made.
    if words.utf8.contains(where: { $0 >= 0x80 }) { words.replace("–", with: "-") }
    if words.utf8.contains(UInt8(ascii: " ")) {
      words = words.replacing(" to ", with: "-").replacing(" and ", with: "-")
    }
    switch words.filter({ $0 != " " }) {
    case "morning", "am": return window(8 * 60, noon)
    case "afternoon", "pm": return window(noon, 17 * 60)
    default: break
    }
    for (prefix, isEnd) in [("before", true), ("by", true), ("until", true), ("after", false), ("from", false)]
    where words.hasPrefix(prefix) {
      guard let time = time(words.dropFirst(prefix.count)).map({ guessed($0) }) else { return nil }
      return isEnd ? window(0, time) : window(time, midnight)
    }
    let range = words.hasPrefix("between") ? words.dropFirst("between".count) : words[...]
    let ends = range.split(separator: "-")
    guard ends.count == 2, let first = time(ends[0]), let last = time(ends[1]) else { return nil }
    let closes = guessed(last)
    // `1-3pm`: the suffix of the second time also applies to the first, unless the window would then end before it begins.
    var opens = guessed(first)
    if !first.isMarked, last.isMarked {
      let same = minutes(first.hour, first.minute, isAfternoon: last.isAfternoon)
      opens = same <= closes ? same : opens
    }
    return window(opens, closes)
  }

  private static let noon = 12 * 60
  private static let midnight = 24 * 60

  /// A parsed time of day; without a suffix it can mean morning or afternoon.
  private struct Time {
    let hour: Int
    let minute: Int
    /// The text has an am or pm suffix.
    let isMarked: Bool
    let isAfternoon: Bool
  }

  /// The window in minutes after midnight; nil if it would end before it begins.
  private static func window(_ opens: Int, _ closes: Int) -> RouteProblem.Window? {
    opens < closes ? RouteProblem.Window(opens: Double(opens), closes: Double(closes)) : nil
  }

  /// Minutes after midnight; a bare 1 to 6 means the afternoon, because no visits happen between midnight and 7:00.
  private static func guessed(_ time: Time) -> Int {
    if time.isMarked { return minutes(time.hour, time.minute, isAfternoon: time.isAfternoon) }
    return (time.hour < 7 && time.hour > 0 ? time.hour + 12 : time.hour) * 60 + time.minute
  }

  private static func minutes(_ hour: Int, _ minute: Int, isAfternoon: Bool) -> Int {
    (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + minute
  }

  /// Parses `8`, `08:30`, `8am` or `8 p.m.`; nil for other texts.
  private static func time(_ text: some StringProtocol) -> Time? {
    var digits = String(text.filter { $0 != " " && $0 != "." })
    var isAfternoon = false
    var isMarked = false
    for (mark, afternoon) in [("am", false), ("pm", true)] where digits.hasSuffix(mark) {
      digits.removeLast(2)
      (isMarked, isAfternoon) = (true, afternoon)
    }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.count) }), let hour = Int(parts[0]),
      let minute = parts.count == 2 ? Int(parts[1]) : 0, (0..<60).contains(minute),
      isMarked ? (1...12).contains(hour) : (0...24).contains(hour)
    else { return nil }
    return Time(hour: hour, minute: minute, isMarked: isMarked, isAfternoon: isAfternoon)
  }
}
