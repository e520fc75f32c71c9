/// Whether a letter has so many marks on it, or more.
///
/// To compare two texts of Unicode, or to look one up, marks are brought into their order, and that takes the square of their
/// number: of a thousand a moment, of a hundred thousand minutes. No language has more than a few; UAX #15, §13 (Stream-Safe Text
/// Format) allows 30.
///
/// - Parameter most: a thousand for what is looked up among others, more for what is compared once or twice.
package func hasEndlessMarks(_ text: String, most: Int = 1_000) -> Bool {
  // The first of them is U+0300.
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
