/// Parse error of a calendar expression: column, expected input, and the text that was probably meant.
package struct CalendarError: Error, Hashable, CustomStringConvertible {
  /// Column of the first character that does not parse, counted from 1.
  package let column: Int
  /// Description of the expected input, such as "an hour (0 to 23)".
  package let expected: String
  /// The unexpected text, or nil at the end of the input.
  package let found: String?
  /// The text that was probably meant, as a replacement for `found`; nil if none is known.
  package let suggestion: String?

  init(column: Int, expected: String, found: String? = nil, suggestion: String? = nil) {
    self.column = column
    self.expected = expected
    self.found = found
    self.suggestion = suggestion
  }

  package var description: String {
    let expectation = "column \(column): expected \(expected)"
    let seen = found.map { ", found '\($0)'" } ?? ", found the end"
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return expectation + seen + hint
  }
}
