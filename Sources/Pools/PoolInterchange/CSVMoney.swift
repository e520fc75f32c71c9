/// Splits an amount of money into its number and a currency sign before or after it: `$200`, `180,50 €`, `CHF 1'200`.
///
/// - Returns: the number as written, and true if the text had a currency sign.
func moneyNumber(_ text: String) -> (number: Substring, isSigned: Bool) {
  let text = spacesTrimmed(text[...])
  // Fast path for the commonest sign.
  if text.utf8.first == UInt8(ascii: "$"), text.utf8.allSatisfy({ $0 < 0x80 }) {
    return (spacesTrimmed(text.dropFirst()), true)
  }
  let upper = text.uppercased()
  // Upper-casing must not change the length, or the sign could not be cut from `text`; no supported sign changes it.
  guard upper.count == text.count else { return (text, false) }
  if let sign = signs.first(where: { upper.hasPrefix($0) }) { return (spacesTrimmed(text.dropFirst(sign.count)), true) }
  if let sign = signs.first(where: { upper.hasSuffix($0) }) { return (spacesTrimmed(text.dropLast(sign.count)), true) }
  return (text, false)
}

/// Currency signs, the longer one first where two begin alike.
private let signs = [
  "US$", "CA$", "AU$", "MX$", "R$", "C$", "A$", "$", "€", "£", "USD", "EUR", "GBP", "BRL", "CAD", "AUD", "MXN", "CHF",
]

/// Removes white space at both ends, including white space outside ASCII.
func spacesTrimmed(_ text: Substring) -> Substring {
  var rest = text.drop(while: \.isWhitespace)
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return rest
}
