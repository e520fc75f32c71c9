package import FlowModel

/// Numbers in the format of a language. Source: Unicode CLDR 44, `numbers`; a test compares with ICU.
package struct Numerals: Hashable, Sendable {
  package let decimal: String
  /// The separator of thousands.
  let group: String
  /// The least number of digits before the first separator: 2 in Spanish, which writes 1234 but 12.345.
  let minGroupedDigits: Int
  /// The separator between a number and `%`.
  let percentSpace: String
  /// The separator between a number and a unit, which in French does not break.
  package let unitSpace: String

  private static let noBreak = "\u{A0}"
  private static let narrow = "\u{202F}"

  package init(_ language: Language) {
    unitSpace = language == .french ? Self.noBreak : " "
    switch language {
    case .english: (decimal, group, minGroupedDigits, percentSpace) = (".", ",", 1, "")
    case .spanish: (decimal, group, minGroupedDigits, percentSpace) = (",", ".", 2, Self.noBreak)
    case .french: (decimal, group, minGroupedDigits, percentSpace) = (",", Self.narrow, 1, Self.noBreak)
    case .portuguese: (decimal, group, minGroupedDigits, percentSpace) = (",", ".", 1, "")
    case .german: (decimal, group, minGroupedDigits, percentSpace) = (",", ".", 1, Self.noBreak)
    }
  }

  /// `12,345.68`, rounded as by `decimalText`; from 10¹⁵ on without separators, because the digits are in scientific
  /// notation.
  package func text(_ value: Double, places: Int = 0) -> String {
    let plain = decimalText(value, places: places)
    guard value.magnitude < 1e15 else { return plain }
    // Most figures have neither separators of thousands nor another decimal separator.
    if value.magnitude < 999, places == 0 || decimal == "." { return plain }
    let isNegative = plain.hasPrefix("-")
    let parts = (isNegative ? plain.dropFirst() : plain[...]).split(separator: ".", omittingEmptySubsequences: false)
    let whole = Array(parts[0].utf8)
    var digits = ""
    for (index, byte) in whole.enumerated() {
      let left = whole.count - index
      if index > 0, left.isMultiple(of: 3), whole.count >= 3 + minGroupedDigits { digits += group }
      digits.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return (isNegative ? "-" : "") + digits + (parts.count > 1 ? decimal + parts[1] : "")
  }

  package func text(_ count: Int) -> String { text(Double(count)) }

  /// `+0.15`, `-0.12`, `0.00`: the sign of the rounded figure; a rounded 0 has none.
  package func signed(_ value: Double, places: Int) -> String {
    let text = text(value, places: places)
    let isAboveZero = value > 0 && text.contains { ("1"..."9").contains($0) }
    return isAboveZero ? "+" + text : text
  }

  /// A fraction as a whole percentage: `67%` for 0.673.
  package func percent(_ fraction: Double) -> String {
    text((fraction * 100).rounded(.toNearestOrEven)) + percentSpace + "%"
  }
}

extension Language {
  /// An amount of money, `$1,234.50` or `1.234,50 €`, by default with two decimals. Source: Unicode CLDR 44; a test compares
  /// with ICU.
  package func money(_ amount: Double, _ currency: Currency, places: Int = 2) -> String {
    let number = Numerals(self).text(abs(amount), places: places)
    // An amount that rounds to 0 has no sign.
    let sign = amount < 0 && number.contains(where: { ("1"..."9").contains($0) }) ? "-" : ""
    let symbol = symbol(of: currency)
    switch self {
    case .english: return sign + symbol + (currency == .franc ? "\u{A0}" : "") + number
    case .portuguese: return sign + symbol + "\u{A0}" + number
    case .spanish, .french, .german: return sign + number + "\u{A0}" + symbol
    }
  }

  private func symbol(of currency: Currency) -> String {
    switch (currency, self) {
    case (.usDollar, .english), (.usDollar, .german): "$"
    case (.usDollar, .spanish), (.usDollar, .portuguese): "US$"
    case (.usDollar, .french): "$US"
    case (.euro, _): "€"
    case (.real, .spanish), (.pound, .spanish), (.canadianDollar, .spanish), (.australianDollar, .spanish),
      (.mexicanPeso, .spanish), (.franc, _):
      currency.rawValue
    case (.real, _): "R$"
    case (.pound, .french): "£GB"
    case (.pound, _): "£"
    case (.canadianDollar, .french): "$CA"
    case (.canadianDollar, _): "CA$"
    case (.australianDollar, .french): "$AU"
    case (.australianDollar, .english): "A$"
    case (.australianDollar, _): "AU$"
    case (.mexicanPeso, .french): "$MX"
    case (.mexicanPeso, _): "MX$"
    }
  }
}
