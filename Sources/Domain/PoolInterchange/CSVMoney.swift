/// A sum of money with its sign, as people and programs write it: `$200`, `€ 180`, `$1,200.50`, `1.200,50 €`.
///
/// The sign says that the number is money, and money has at most two decimals: so three digits behind a comma are
/// thousands. Three digits behind the only point could be either, as `1.200` is a plain decimal (R-CSV-10), and are not
/// taken.
///
/// - Returns: nil for anything that could mean two things, is below 0 or has no sign.
func moneyAmount(_ text: String) -> Double? {
  guard let number = withoutSign(spacesTrimmed(text[...])), number.utf8.count <= 20 else { return nil }
  guard let mark = number.lastIndex(where: { !isDigit($0) }) else { return value(of: number, decimals: "") }
  let tail = number[number.index(after: mark)...]
  let head = number[..<mark]
  switch tail.count {
  case 1, 2:
    let isMark = number[mark] == "." || number[mark] == ","
    guard isMark, !head.contains(number[mark]), let whole = ungrouped(head) else { return nil }
    return value(of: whole, decimals: tail)
  case 3:
    guard number[mark] != "." || head.contains("."), let whole = ungrouped(number) else { return nil }
    return value(of: whole, decimals: "")
  default: return nil
  }
}

/// The longer of two that begin alike stands first.
private let signs = [
  "US$", "CA$", "AU$", "MX$", "R$", "C$", "A$", "$", "€", "£", "USD", "EUR", "GBP", "BRL", "CAD", "AUD", "MXN", "CHF",
]

/// What stands beside the one sign, before or behind it; nil without a sign.
private func withoutSign(_ text: Substring) -> Substring? {
  let upper = text.uppercased()
  // A text that grows with its case has no sign of ours.
  guard upper.count == text.count else { return nil }
  if let sign = signs.first(where: { upper.hasPrefix($0) }) { return spacesTrimmed(text.dropFirst(sign.count)) }
  if let sign = signs.first(where: { upper.hasSuffix($0) }) { return spacesTrimmed(text.dropLast(sign.count)) }
  return nil
}

/// The digits of a whole number whose groups of three are parted by one kind of mark; nil where they are not.
private func ungrouped(_ text: Substring) -> Substring? {
  guard let mark = text.first(where: { !isDigit($0) }) else { return text.isEmpty ? nil : text }
  guard groupMarks.contains(mark) else { return nil }
  let groups = text.split(separator: mark, omittingEmptySubsequences: false)
  guard groups.allSatisfy({ $0.allSatisfy(isDigit) }), (1...3).contains(groups[0].count),
    groups.dropFirst().allSatisfy({ $0.count == 3 })
  else { return nil }
  return Substring(groups.joined())
}

/// Commas, points, the Swiss apostrophes, and the spaces of French.
private let groupMarks: Set<Character> = [",", ".", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"]

private func isDigit(_ letter: Character) -> Bool { ("0"..."9").contains(letter) }

private func value(of whole: Substring, decimals: Substring) -> Double? {
  guard !whole.isEmpty, whole.allSatisfy(isDigit) else { return nil }
  return plainDecimal(decimals.isEmpty ? String(whole) : "\(whole).\(decimals)")
}

private func spacesTrimmed(_ text: Substring) -> Substring {
  var rest = text.drop(while: \.isWhitespace)
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return rest
}
