/// A search text for names and addresses that ignores case and accents: `muller` finds `Müller`.
package struct SearchText: Hashable, Sendable {
  private let wanted: String

  /// - Returns: nil for a text that is empty after trimming.
  package init?(_ text: String) {
    wanted = Self.folded(trimmingSpaces(text))
    if wanted.isEmpty { return nil }
  }

  /// Whether the search text occurs anywhere in `text`.
  package func isFound(in text: String) -> Bool { Self.folded(text).contains(wanted) }

  /// `text` in lower case without accents.
  static func folded(_ text: String) -> String {
    let lower = text.lowercased()
    if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
    var result = ""
    for scalar in lower.unicodeScalars {
      switch scalar {
      // A combining accent after its letter.
      case "\u{300}"..."\u{36F}": continue
      case "ß": result += "ss"
      default: result.unicodeScalars.append(scalar.isASCII ? scalar : base(of: scalar) ?? scalar)
      }
    }
    return result
  }

  /// The base letter of an accented one, from its Unicode name: `e` for LATIN SMALL LETTER E WITH ACUTE.
  private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let start = "LATIN SMALL LETTER "
    guard let name = scalar.properties.name, name.hasPrefix(start) else { return nil }
    let words = name.dropFirst(start.count).split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "WITH", words[0].unicodeScalars.count == 1 else { return nil }
    return words[0].lowercased().unicodeScalars.first
  }
}
