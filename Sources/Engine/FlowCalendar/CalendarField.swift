/// One list item of a field: a number, a range `start..stop`, or either with a step.
struct FieldItem: Hashable, Sendable, Comparable {
  var start: Int
  /// Last number of a range; nil for a single number or an open repetition (`start/step`).
  var stop: Int?
  /// Distance between numbers; 0 for a single number.
  var step: Int

  static func < (left: FieldItem, right: FieldItem) -> Bool {
    (left.start, left.stop ?? -1, left.step) < (right.start, right.stop ?? -1, right.step)
  }

  /// True for a single number.
  var isPlain: Bool { step == 0 }
}

/// The numeric fields of a calendar expression, with their valid ranges.
enum FieldKind: Sendable {
  case year, month, day, dayFromEnd, hour, minute, second

  var range: ClosedRange<Int> {
    switch self {
    case .year: 1_970...2_199
    case .month: 1...12
    case .day: 1...31
    // Only days that exist in every month can be counted from the end.
    case .dayFromEnd: 1...28
    case .hour: 0...23
    case .minute, .second: 0...59
    }
  }

  /// Name and range for error messages: "a minute (0 to 59)".
  var description: String {
    let name =
      switch self {
      case .year: "a year"
      case .month: "a month"
      case .day: "a day"
      case .dayFromEnd: "a day counted from the end of the month"
      case .hour: "an hour"
      case .minute: "a minute"
      case .second: "a second"
      }
    return "\(name) (\(range.lowerBound) to \(range.upperBound))"
  }
}

/// A field in normal form: items sorted, without duplicates, ranges trimmed to their last match. No items mean `*`.
struct CalendarField: Hashable, Sendable {
  var items: [FieldItem]

  static let every = CalendarField(items: [])
  static func only(_ number: Int) -> CalendarField {
    CalendarField(items: [FieldItem(start: number, stop: nil, step: 0)])
  }

  /// Single numbers, given in ascending order.
  static func list(_ numbers: [Int]) -> CalendarField {
    CalendarField(items: numbers.map { FieldItem(start: $0, stop: nil, step: 0) })
  }

  var isEvery: Bool { items.isEmpty }
  /// True for a list of single numbers: no `*`, range or repetition.
  var isPlain: Bool { !items.isEmpty && items.allSatisfy(\.isPlain) }

  /// Calls `body` with every number of the field, item by item.
  func forEach(_ kind: FieldKind, _ body: (Int) -> Void) {
    if isEvery {
      for number in kind.range { body(number) }
      return
    }
    for item in items {
      guard item.step > 0 else {
        body(item.start)
        continue
      }
      if let stop = item.stop {
        for number in stride(from: item.start, through: stop, by: item.step) { body(number) }
      } else if case .dayFromEnd = kind {
        // An open repetition runs towards the end of the month: 7th last, 6th last …
        for number in stride(from: item.start, through: 1, by: -item.step) { body(number) }
      } else {
        for number in stride(from: item.start, through: kind.range.upperBound, by: item.step) { body(number) }
      }
    }
  }

  /// Bit set of the numbers: bit n is set if the field contains n. Not usable for years.
  func mask(_ kind: FieldKind) -> UInt64 {
    var mask: UInt64 = 0
    forEach(kind) { mask |= 1 << UInt64($0) }
    return mask
  }

  /// Appends the normal form, each number zero-padded to `width` digits.
  func write(width: Int, to text: inout String) {
    guard !isEvery else {
      text.append("*")
      return
    }
    var isFirst = true
    for item in items {
      if !isFirst { text.append(",") }
      isFirst = false
      writePadded(item.start, width, to: &text)
      if let stop = item.stop {
        text.append("..")
        writePadded(stop, width, to: &text)
        if item.step != 1 { text.append("/\(item.step)") }
      } else if item.step > 0 {
        text.append("/\(item.step)")
      }
    }
  }
}

/// Appends `number`, zero-padded to `width` digits.
func writePadded(_ number: Int, _ width: Int, to text: inout String) {
  let digits = String(number)
  for _ in 0..<max(0, width - digits.utf8.count) { text.append("0") }
  text.append(digits)
}
