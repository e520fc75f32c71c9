internal import FlowControl
package import FlowModel
internal import FlowNotices
internal import FoundationEssentials

/// Numbers and durations as text.
package enum TextFormat {
  /// Help text on how runs and notices are named.
  package static let recordNames = [
    "A run or a notice is named by its id, by a unique beginning of the id, by the",
    "short form that tables show (0302T1400-17: its time in UTC and its job), or by",
    "latest.",
  ]

  /// `1 run`, `2 runs`.
  package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// `12,345`.
  package static func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// `a, b or c`.
  package static func list(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// Lines of at most `width` characters; a longer word gets a line of its own.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The two largest units: `2d 3h`, `2h 25m`, `45s`, `0s`.
  package static func duration(seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "?" }
    let whole = Int(abs(seconds).rounded())
    let parts = [(whole / 86_400, "d"), (whole / 3_600 % 24, "h"), (whole / 60 % 60, "m"), (whole % 60, "s")]
    guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0s" }
    return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }

  /// Seconds from now to the RFC 3339 timestamp `text`, negative if it is past; nil if the text is not a timestamp.
  package static func secondsUntil(_ text: String, from now: Timestamp = .current) -> Double? {
    Timestamp(rfc3339: text).map { Double($0.milliseconds - now.milliseconds) / 1_000 }
  }

  /// `-0.61`, with exactly `places` digits after the point.
  package static func decimal(_ value: Double, places: Int) -> String {
    // Rounded by `decimalText`, as everywhere. NaN also fails this comparison.
    guard abs(value) < 1e15 else { return "?" }
    let digits = decimalText(abs(value), places: places)
    let parts = digits.split(separator: ".")
    guard let first = parts.first, let whole = Int(first) else { return "?" }
    let sign = value < 0 && digits.contains(where: { ("1"..."9").contains($0) }) ? "-" : ""
    return sign + ([grouped(whole)] + parts.dropFirst().map(String.init)).joined(separator: ".")
  }
}

extension Timestamp {
  /// The machine's clock; used only for "in 2h" and "3h ago".
  package static var current: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
