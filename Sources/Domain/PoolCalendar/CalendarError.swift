/// Why a text is no calendar expression: where, what belongs there, and what was probably meant.
package struct CalendarError: Error, Hashable, CustomStringConvertible {
  /// The column of the first character that does not fit, counted from 1.
  package let column: Int
  /// What would have fitted, such as "an hour (0 to 23)".
  package let expected: String
  /// What stands there, or nil at the end of the text.
  package let found: String?
  /// The text that was probably meant, to stand in place of `found`.
  package let suggestion: String?

  init(column: Int, expected: String, found: String? = nil, suggestion: String? = nil) {
    self.column = column
    self.expected = expected
    self.found = found
    self.suggestion = suggestion
  }

  package var description: String {
    let place = "column \(column): expected \(expected)"
    let seen = found.map { ", found '\($0)'" } ?? ", found the end"
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return place + seen + hint
  }
}
