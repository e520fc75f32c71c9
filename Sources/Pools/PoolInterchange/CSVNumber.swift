/// The mark between the whole part of a number and its fraction.
enum DecimalMark: Hashable, Sendable { case point, comma }

/// A number in digits and marks, in the formats of several countries: `1,234.56`, `1.234,56`, `1 234,56`, `1'234.50`,
/// `-111.8`.
struct CSVNumber: Hashable {
  /// The value of the number, or both values if its only mark is ambiguous.
  enum Meaning: Hashable {
    case number(Double)
    /// Exactly three digits after the only point or comma: `15.000` is 15 or 15,000.
    case either(fraction: Double, grouped: Double)
  }

  let meaning: Meaning
  /// The number of digits after the decimal mark; 0 for a whole number.
  let fractionDigits: Int
  /// The decimal mark that this number proves for its file; nil if it is consistent with both.
  let decimal: DecimalMark?
  /// The point or comma of `Meaning.either`; otherwise nil.
  let onlyMark: DecimalMark?

  /// Parses a number.
  ///
  /// - Returns: nil for text that is not a number, or whose digit groups do not have three digits each.
  init?(_ text: some StringProtocol) {
    if let short = CSVNumber(short: text.utf8) {
      self = short
      return
    }
    // No valid value is longer: plain decimals have at most 40 digits (R-CSV-10).
    guard text.utf8.count <= 64 else { return nil }
    var rest = Substring(text)
    let sign = rest.first.flatMap { $0 == "-" || $0 == "+" ? $0 : nil }
    if sign != nil { rest = rest.dropFirst() }
    guard let (groups, marks) = Self.cut(rest) else { return nil }
    let minus = sign == "-" ? "-" : ""
    func value(_ whole: some Sequence<Substring>, _ fraction: Substring = "") -> Double? {
      plainDecimal(minus + whole.joined() + (fraction.isEmpty ? "" : ".\(fraction)"))
    }
    guard let last = marks.last else {
      guard let number = value(groups) else { return nil }
      self.init(.number(number))
      return
    }
    let head = groups.dropLast()
    let tail = groups[groups.count - 1]
    guard let mark = DecimalMark(last) else {
      // Spaces and apostrophes only separate groups; they are never decimal marks.
      guard Self.areGroups(groups, marks), let number = value(groups) else { return nil }
      self.init(.number(number))
      return
    }
    if marks.count == 1 {
      guard tail.count == 3, (1...3).contains(groups[0].count), groups[0].first != "0" else {
        guard let number = value(head, tail) else { return nil }
        self.init(.number(number), fractionDigits: tail.count, decimal: mark)
        return
      }
      guard let fraction = value(head, tail), let grouped = value(groups) else { return nil }
      self.init(.either(fraction: fraction, grouped: grouped), fractionDigits: 3, onlyMark: mark)
      return
    }
    if marks.dropLast().contains(last) {
      guard Self.areGroups(groups, marks), let number = value(groups) else { return nil }
      self.init(.number(number), decimal: mark == .point ? .comma : .point)
      return
    }
    guard Self.areGroups(Array(head), marks.dropLast()), !tail.isEmpty, let number = value(head, tail) else {
      return nil
    }
    self.init(.number(number), fractionDigits: tail.count, decimal: mark)
  }

  /// Fast path for nearly every number of a file: an optional sign and at most fifteen digits with at most one point or
  /// comma among them. Digits and power of ten are exact as doubles, as in `shortDecimal`.
  ///
  /// - Returns: nil for anything else, which may still be a number.
  init?(short bytes: some Sequence<UInt8>) {
    var (digits, wholeDigits, value, power) = (0, 0, 0, 1.0)
    var (isFirst, isNegative, beginsWithZero) = (true, false, false)
    var mark: DecimalMark?
    for byte in bytes {
      defer { isFirst = false }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard digits < 15 else { return nil }
        if digits == 0 { beginsWithZero = byte == UInt8(ascii: "0") }
        value = value * 10 + Int(byte & 15)
        digits += 1
        if mark != nil { power *= 10 }
      case UInt8(ascii: "."), UInt8(ascii: ","):
        guard mark == nil else { return nil }
        mark = byte == UInt8(ascii: ".") ? .point : .comma
        wholeDigits = digits
      case UInt8(ascii: "-"), UInt8(ascii: "+"):
        guard isFirst else { return nil }
        isNegative = byte == UInt8(ascii: "-")
      default: return nil
      }
    }
    guard digits > 0 else { return nil }
    let whole = isNegative ? -Double(value) : Double(value)
    guard let mark else {
      self.init(.number(whole))
      return
    }
    let fractionDigits = digits - wholeDigits
    if fractionDigits == 3, (1...3).contains(wholeDigits), !beginsWithZero {
      self.init(.either(fraction: whole / power, grouped: whole), fractionDigits: 3, onlyMark: mark)
    } else {
      self.init(.number(whole / power), fractionDigits: fractionDigits, decimal: mark)
    }
  }

  private init(
    _ meaning: Meaning, fractionDigits: Int = 0, decimal: DecimalMark? = nil, onlyMark: DecimalMark? = nil
  ) {
    self.meaning = meaning
    self.fractionDigits = fractionDigits
    self.decimal = decimal
    self.onlyMark = onlyMark
  }

  /// The digit groups between the marks; the first and last may be empty. Nil if there is any other character.
  private static func cut(_ text: Substring) -> (groups: [Substring], marks: [Character])? {
    var marks: [Character] = []
    let groups = text.split(omittingEmptySubsequences: false) { letter in
      guard isMark(letter) else { return false }
      marks.append(letter)
      return true
    }
    let digits = groups.reduce(0) { $0 + $1.count }
    guard digits > 0, digits <= 40, groups.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      groups.dropFirst().dropLast().allSatisfy({ !$0.isEmpty })
    else { return nil }
    return (groups, marks)
  }

  /// True if all marks are the same and every group after the first has three digits.
  private static func areGroups(_ groups: [Substring], _ marks: some Collection<Character>) -> Bool {
    Set(marks).count <= 1 && (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
  }

  /// True for commas, points, Swiss apostrophes and the spaces used in French.
  private static func isMark(_ letter: Character) -> Bool {
    switch letter {
    case ",", ".", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}", "\u{2009}": true
    default: false
    }
  }
}

extension DecimalMark {
  fileprivate init?(_ letter: Character) {
    switch letter {
    case ".": self = .point
    case ",": self = .comma
    default: return nil
    }
  }
}

/// The result of reading an amount: a value, an ambiguous number or an unreadable one.
enum CSVAmount: Hashable {
  case value(Double)
  /// One of two possible values, chosen by the file's decimal mark or because only one of them is plausible.
  case decided(Double)
  case ambiguous
  case unreadable
}

extension CSVAmount {
  /// Reads a monthly fee, with or without a currency sign (`moneyNumber`).
  ///
  /// Money has at most two decimals, so three digits after a mark can only be thousands. Without a currency sign,
  /// `1.200` is also a plain decimal (R-CSV-10); it is read as 1,200 only if the file's other numbers use a decimal
  /// comma.
  init(fee text: String, decimal: DecimalMark?) {
    let (number, isSigned) = moneyNumber(text)
    guard let parsed = CSVNumber(number), !isSigned || !number.hasPrefix("-") && !number.hasPrefix("+") else {
      self = .unreadable
      return
    }
    switch parsed.meaning {
    case .number(let value): self = isSigned && parsed.fractionDigits > 2 ? .unreadable : .value(value)
    case .either(_, let grouped):
      if isSigned, parsed.onlyMark == .comma, decimal != .comma {
        self = .value(grouped)
      } else if let decimal, decimal != parsed.onlyMark {
        self = .decided(grouped)
      } else {
        self = .ambiguous
      }
    }
  }

  /// Reads a pool's volume into US gallons.
  ///
  /// - Parameter usual: the range of usual volumes; an ambiguous number takes the value within it, if only one is.
  init(volume text: String, unit: CSVVolumeUnit, decimal: DecimalMark?, usual: ClosedRange<Double>) {
    let (number, own) = CSVVolumeUnit.split(text)
    guard let parsed = CSVNumber(spacesTrimmed(number)) else {
      self = .unreadable
      return
    }
    let unit = own ?? unit
    switch parsed.meaning {
    case .number(let value): self = .value(unit.gallons(value))
    case .either(let fraction, let grouped):
      let (fraction, grouped) = (unit.gallons(fraction), unit.gallons(grouped))
      if let decimal {
        self = .decided(decimal == parsed.onlyMark ? fraction : grouped)
      } else if usual.contains(fraction) != usual.contains(grouped) {
        self = .decided(usual.contains(fraction) ? fraction : grouped)
      } else {
        self = .ambiguous
      }
    }
  }
}

/// Reads decimal degrees with a point or a comma. A single comma is always the decimal mark, because degrees have no
/// thousands.
func decimalDegrees(_ text: String) -> Double? {
  plainDecimal(text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1 ? text.replacing(",", with: ".") : text)
}
