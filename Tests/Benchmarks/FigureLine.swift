import Foundation

/// One printed line of a benchmark, parsed: `  NAME: MEDIAN  (LOW to HIGH)  promised at most 20: kept`.
///
/// All parts after the median are optional. Fields are separated by two spaces.
struct FigureLine: Equatable {
  /// The result of comparing a figure with its bound.
  enum Verdict: String {
    case kept, broken = "BROKEN"
  }

  var name: String
  var median: Double?
  /// The median as printed, with its range.
  var text: String
  /// Such as `at most 20`; empty if there is none.
  var bound = ""
  var verdict: Verdict?

  /// Nil if the line is a heading or has no figure.
  init?(_ line: Substring) {
    guard line.hasPrefix("  ") else { return nil }
    let fields = line.drop { $0 == " " }.components(separatedBy: "  ").filter { !$0.isEmpty }
    guard let first = fields.first else { return nil }
    if let missing = first.range(of: ": not measured, ") {
      name = String(first[..<missing.lowerBound])
      text = ""
      bound = "not measured: " + first[missing.upperBound...]
      return
    }
    // A name may have a colon, too: the figure follows the last one.
    guard let colon = first.range(of: ": ", options: .backwards), let value = Double(first[colon.upperBound...]) else {
      return nil
    }
    name = String(first[..<colon.lowerBound])
    median = value
    text = String(first[colon.upperBound...])
    for field in fields.dropFirst() { read(field) }
  }

  private mutating func read(_ field: String) {
    if field.hasPrefix("(") { return text += " " + field }
    var rest = field
    for known in [Verdict.kept, .broken] where field.hasSuffix(": \(known.rawValue)") {
      verdict = known
      rest = String(field.dropLast(known.rawValue.count + 2))
    }
    bound = rest.hasPrefix("promised ") ? String(rest.dropFirst(9)) : rest
  }

  /// The figure of a line that an older build printed: with spaces instead of the colon, or with text after the number.
  static func older(_ line: Substring) -> (name: String, median: Double)? {
    guard line.hasPrefix("  ") else { return nil }
    let text = line.drop { $0 == " " }
    for separator in [": ", "  "] {
      guard let range = text.range(of: separator) else { continue }
      let number = text[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "." }
      if let value = Double(number) { return (String(text[..<range.lowerBound]), value) }
    }
    return nil
  }
}
