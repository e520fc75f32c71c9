/// The numbers of a field, grouped for an English phrase: single numbers, ranges, or an equidistant series.
struct NumberSeries {
  /// Ascending, without duplicates.
  let numbers: [Int]
  /// `numbers` with consecutive numbers joined into ranges.
  private let runs: [ClosedRange<Int>]

  /// Minimum number of equidistant numbers that are described as a series; fewer are listed.
  private static let minStepNumbers = 5
  /// Maximum number of entries in a list; further ones are counted (`and 4 more`), which keeps the sentence readable.
  private static let maxListedNames = 12

  init(_ field: CalendarField, _ kind: FieldKind) {
    var found: Set<Int> = []
    field.forEach(kind) { found.insert($0) }
    numbers = found.sorted()
    runs = numbers.reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
  }

  /// True if every valid number of the field is included.
  func isAll(_ kind: FieldKind) -> Bool { numbers.count == kind.range.count }

  /// All numbers as one range, also for a single number; nil if the numbers have gaps.
  var onlyRun: ClosedRange<Int>? { runs.count == 1 ? runs.first : nil }

  /// `onlyRun`, if it has three numbers or more.
  var longRun: ClosedRange<Int>? { onlyRun.flatMap { $0.count > 2 ? $0 : nil } }

  /// Range and step of at least `minStepNumbers` equidistant numbers with a step above 1; nil otherwise.
  var steps: (range: ClosedRange<Int>, step: Int)? {
    guard numbers.count >= Self.minStepNumbers, let first = numbers.first, let last = numbers.last else { return nil }
    let step = numbers[1] - first
    guard step > 1, numbers == Array(stride(from: first, through: last, by: step)) else { return nil }
    return (first...last, step)
  }

  /// List such as `the 1st, the 5th to the 9th and the 20th`; a long list ends in `and 4 more`.
  func list(_ name: (Int) -> String) -> String {
    let ranges = runs.flatMap { $0.count > 2 ? [$0] : $0.map { $0...$0 } }
    let named = ranges.count > Self.maxListedNames ? ranges.prefix(Self.maxListedNames) : ranges[...]
    let names = named.map { range in
      let first = name(range.lowerBound)
      return range.count == 1 ? first : "\(first) to \(name(range.upperBound))"
    }
    let rest = numbers.count - named.reduce(0) { $0 + $1.count }
    return rest > 0 ? "\(names.joined(separator: ", ")) and \(rest) more" : joined(names)
  }
}

/// Joins phrases to a list: `a, b and c`.
func joined(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " and " + last
}

/// English ordinal number: `1st`, `22nd`, `113th`.
func ordinal(_ number: Int) -> String {
  let suffix =
    switch (number % 100, number % 10) {
    case (11...13, _): "th"
    case (_, 1): "st"
    case (_, 2): "nd"
    case (_, 3): "rd"
    default: "th"
    }
  return "\(number)\(suffix)"
}
