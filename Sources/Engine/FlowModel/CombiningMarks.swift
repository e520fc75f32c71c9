/// Whether a character of `text` has at least `most` combining marks.
///
/// Comparing or hashing Unicode strings sorts the marks of a character, in time quadratic in their number: a moment for a
/// thousand, minutes for a hundred thousand. No language uses more than a few; UAX #15, §13 (Stream-Safe Text Format) allows
/// 30.
///
/// - Parameter most: a thousand for dictionary keys; more for a text that is compared only once or twice.
package func hasTooManyCombiningMarks(_ text: String, most: Int = 1_000) -> Bool {
  // The first combining mark is U+0300, encoded as 0xCC 0x80.
  guard text.utf8.count > most, text.utf8.contains(where: { $0 >= 0xCC }) else { return false }
  var marks = 0
  for scalar in text.unicodeScalars {
    guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
      marks = 0
      continue
    }
    marks += 1
    if marks >= most { return true }
  }
  return false
}
