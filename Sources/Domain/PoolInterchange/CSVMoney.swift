/// The number of a sum of money, which may have the sign of its money before or behind it: `$200`, `180,50 €`, `CHF 1'200`.
///
/// - Returns: the number as it is written, and whether it had a sign.
func moneyNumber(_ text: String) -> (number: Substring, isSigned: Bool) {
  let text = spacesTrimmed(text[...])
  let upper = text.uppercased()
  // A text that grows with its case has no sign of ours.
  guard upper.count == text.count else { return (text, false) }
  if let sign = signs.first(where: { upper.hasPrefix($0) }) { return (spacesTrimmed(text.dropFirst(sign.count)), true) }
  if let sign = signs.first(where: { upper.hasSuffix($0) }) { return (spacesTrimmed(text.dropLast(sign.count)), true) }
  return (text, false)
}

/// The longer of two that begin alike comes first.
private let signs = [
  "US$", "CA$", "AU$", "MX$", "R$", "C$", "A$", "$", "€", "£", "USD", "EUR", "GBP", "BRL", "CAD", "AUD", "MXN", "CHF",
]

/// Without the spaces around it, also those outside ASCII.
func spacesTrimmed(_ text: Substring) -> Substring {
  var rest = text.drop(while: \.isWhitespace)
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return rest
}
