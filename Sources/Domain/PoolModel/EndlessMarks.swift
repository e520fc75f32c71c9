/// Whether a letter has a thousand marks on it, or more.
///
/// To compare two texts of Unicode, or to look one up, marks are brought into their order, and that takes the square of their
/// number: of a thousand a moment, of a hundred thousand minutes. No language has more than a few; UAX #15, §13 (Stream-Safe Text
/// Format) allows 30.
package func hasEndlessMarks(_ text: String) -> Bool {
  // The first of them is U+0300.
  guard text.utf8.count > mostMarks, text.utf8.contains(where: { $0 >= 0xCC }) else { return false }
  var marks = 0
  for scalar in text.unicodeScalars {
    guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
      marks = 0
      continue
    }
    marks += 1
    if marks >= mostMarks { return true }
  }
  return false
}

private let mostMarks = 1_000
