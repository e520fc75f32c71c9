extension Duration {
  /// Parses `90s`, `10min`, `5h`, `2d`, `1w`, or seconds without a unit; nil for any other format.
  package init?(shortText text: some StringProtocol) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= 6, let number = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "", "s", "sec": self = .seconds(number)
    case "min", "m": self = .minutes(number)
    case "h", "hr": self = .hours(number)
    case "d": self = .hours(24 * number)
    case "w": self = .hours(168 * number)
    default: return nil
    }
  }

  /// The duration in the largest unit that divides it evenly: `90s`, `10min`, `5h`, `2d`.
  package var shortText: String {
    let seconds = components.seconds
    if seconds == 0 { return "0" }
    for (unit, size) in [("d", 86_400), ("h", 3_600), ("min", 60)] as [(String, Int64)] where seconds % size == 0 {
      return "\(seconds / size)\(unit)"
    }
    return "\(seconds)s"
  }
}
