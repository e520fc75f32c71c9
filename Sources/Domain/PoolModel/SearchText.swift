/// What somebody looks for in names and addresses, whatever its case and accents: `muller` finds `Müller`.
package struct SearchText: Hashable, Sendable {
  private let wanted: String

  /// - Returns: nil where there is nothing to look for.
  package init?(_ text: String) {
    wanted = Self.folded(trimmingSpaces(text))
    if wanted.isEmpty { return nil }
  }

  package func isFound(in text: String) -> Bool { Self.folded(text).contains(wanted) }

  /// Lower case, without accents.
  static func folded(_ text: String) -> String {
    let lower = text.lowercased()
    if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
    var result = ""
    for scalar in lower.unicodeScalars {
      switch scalar {
      // An accent of its own, after its letter.
      case "\u{300}"..."\u{36F}": continue
      case "ß": result += "ss"
      default: result.unicodeScalars.append(scalar.isASCII ? scalar : base(of: scalar) ?? scalar)
      }
    }
    return result
  }

  /// `e` of `é`: Unicode's name of such a letter is LATIN SMALL LETTER E WITH ACUTE.
  private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let start = "LATIN SMALL LETTER "
    guard let name = scalar.properties.name, name.hasPrefix(start) else { return nil }
    let words = name.dropFirst(start.count).split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "WITH", words[0].unicodeScalars.count == 1 else { return nil }
    return words[0].lowercased().unicodeScalars.first
  }
}
