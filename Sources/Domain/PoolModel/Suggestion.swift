/// "Did you mean": the known word most similar to a mistyped one.
package enum Suggestion {
  /// The nearest of `words` by edit distance (swapped neighbours count as one edit), if it is within one edit per three
  /// characters and three edits in total. Example: `staus` → `status`.
  ///
  /// - Parameter completing: whether a prefix of exactly one word also matches.
  package static func nearest(
    to word: String, among words: some Sequence<String>, completing: Bool = true
  ) -> String? {
    let typed = Array(word.lowercased())
    guard !typed.isEmpty, typed.count <= 200 else { return nil }
    let allowed = min(3, max(1, typed.count / 3))
    var best: (word: String, edits: Int)?
    for candidate in words {
      let characters = Array(candidate.lowercased())
      guard abs(characters.count - typed.count) <= allowed else { continue }
      let edits = distance(typed, characters)
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    if let best { return best.word }
    // A prefix of three characters or more matches if exactly one word begins with it.
    guard completing, typed.count >= 3 else { return nil }
    let longer = words.filter { $0.lowercased().hasPrefix(word.lowercased()) }
    return longer.count == 1 ? longer.first : nil
  }

  /// The number of edits between two words: insert, delete, replace, swap neighbours.
  ///
  /// Source: optimal string alignment; F. Damerau, "A technique for computer detection and correction of spelling errors"
  /// (1964). `staus` to `status` is 1.
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
