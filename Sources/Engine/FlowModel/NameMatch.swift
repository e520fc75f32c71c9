/// The match of a typed person's name against known names, which prevents a typing error from creating a second person.
package enum NameMatch: Hashable, Sendable {
  /// The known name itself, ignoring case, accents and punctuation.
  case same(String)
  /// A part of exactly one known name, such as `Maria` of `Maria Lopez`, or the parts of a known name in another order.
  case part(of: String)
  /// Known names that may be meant, never empty.
  case near([String])
  /// No known name is similar.
  case none

  /// Matches a typed name; an exact match wins over a partial one, and that over a similar one.
  package init(_ typed: String, among known: [String]) {
    let word = trimmingSpaces(typed).lowercased()
    if let same = known.first(where: { trimmingSpaces($0).lowercased() == word }) {
      self = .same(same)
      return
    }
    let parts = Self.parts(typed)
    guard !parts.isEmpty else {
      self = .none
      return
    }
    let equal = known.filter { Self.parts($0) == parts }
    let holding = known.filter { Self.containsAll(Self.parts($0), parts) }
    let near = known.filter { Self.isSimilar(parts, Self.parts($0)) }
    if equal.count == 1 {
      self = .same(equal[0])
    } else if holding.count == 1 {
      self = .part(of: holding[0])
    } else {
      let candidates = equal + (holding + near).filter { !equal.contains($0) }
      var seen: Set<String> = []
      self = candidates.isEmpty ? .none : .near(candidates.filter { seen.insert($0).inserted })
    }
  }

  /// Whether two names are equal, ignoring case, accents and punctuation: `Desert Blue` and `desert-blue`.
  package static func areEqual(_ first: String, _ second: String) -> Bool {
    let parts = parts(first)
    return !parts.isEmpty && parts == Self.parts(second)
  }

  /// The lower-case parts without accents: `obrien` and `zoe` for `O'Brien, Zoë`.
  private static func parts(_ name: String) -> [String] {
    SearchText.folded(name).filter { !"'’`".contains($0) }.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether each typed part is a part of the known name; a single letter matches the beginning of a part.
  private static func containsAll(_ known: [String], _ typed: [String]) -> Bool {
    var rest = known
    var hasWhole = false
    for part in typed {
      guard let index = rest.firstIndex(where: { $0 == part || (part.count == 1 && $0.hasPrefix(part)) }) else {
        return false
      }
      hasWhole = hasWhole || rest[index] == part
      rest.remove(at: index)
    }
    return hasWhole
  }

  /// Whether the typed name is similar to a known one: a typing error, an abbreviation, or a longer form.
  private static func isSimilar(_ typed: [String], _ known: [String]) -> Bool {
    guard !known.isEmpty else { return false }
    // `Maria Lopez` was typed and the known name is only `Maria`.
    if containsAll(typed, known) { return true }
    if isTypo(typed.joined(separator: " "), known.joined(separator: " ")) { return true }
    if typed.count == 1 { return known.contains { isTypo(typed[0], $0) || isAbbreviation(typed[0], for: $0) } }
    // Compared part by part: `Marai Lopez`, or `Alex Kim` for `Alexander Kim`.
    return typed.count == known.count
      && zip(typed, known).allSatisfy {
        $0 == $1 || isTypo($0, $1) || isAbbreviation($0, for: $1) || isAbbreviation($1, for: $0)
      }
  }

  /// Whether the names differ by at most one edit per four characters, three at most. Names of three characters must be
  /// equal, because many of them, such as Dan and Jan, are one edit apart.
  private static func isTypo(_ typed: String, _ known: String) -> Bool {
    guard typed.count <= Limits.nameLength, known.count <= Limits.nameLength else { return false }
    let allowed = min(3, typed.count / 4)
    return allowed > 0 && abs(typed.count - known.count) <= allowed
      && Suggestion.distance(Array(typed), Array(known)) <= allowed
  }

  /// Whether `typed` is an abbreviation of at least three characters.
  private static func isAbbreviation(_ typed: String, for known: String) -> Bool {
    typed.count >= 3 && typed.count < known.count && known.hasPrefix(typed)
  }
}
