/// "Did you mean": the known word nearest to a mistyped one.
package enum Suggestion {
  /// The nearest of `words` by edits (a swap of neighbours counts one), if it is near enough to be meant: one edit for
  /// three letters, at most three. Example: `staus` → `status`.
  ///
  /// - Parameter completing: whether the beginning of one word only is meant, too.
  package static func nearest(
    to word: String, among words: some Sequence<String>, completing: Bool = true
  ) -> String? {
    let typed = Array(word.lowercased())
    guard !typed.isEmpty, typed.count <= 200 else { return nil }
    let allowed = min(3, max(1, typed.count / 3))
    var best: (word: String, edits: Int)?
    for candidate in words {
      let letters = Array(candidate.lowercased())
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let edits = distance(typed, letters)
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    if let best { return best.word }
    // A beginning of three letters or more is meant, if it is the beginning of one word only.
    guard completing, typed.count >= 3 else { return nil }
    let longer = words.filter { $0.lowercased().hasPrefix(word.lowercased()) }
    return longer.count == 1 ? longer.first : nil
  }

  /// Edits between two words: insert, delete, replace, swap neighbours.
  ///
  /// Source: optimal string alignment; F. Damerau, "A technique for computer detection and correction of spelling
  /// errors" (1964). `staus` to `status` is 1.
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var edits = min(last[column + 1] + 1, current[column] + 1, replaced)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          edits = min(edits, beforeLast[column - 1] + 1)
        }
        current.append(edits)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
