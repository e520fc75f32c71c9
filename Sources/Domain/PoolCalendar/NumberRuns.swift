/// The numbers of a field as a sentence names them: single numbers, runs, or one repetition in equal steps.
struct NumberRuns {
  /// Ascending, without doubles.
  let numbers: [Int]
  /// The same, those that follow each other joined.
  private let runs: [ClosedRange<Int>]

  /// Fewer numbers than this are shorter as a list.
  private static let fewestSteps = 5
  /// A sentence that names more has to be read twice; the others are counted.
  private static let mostNames = 12

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

  func isAll(_ kind: FieldKind) -> Bool { numbers.count == kind.range.count }

  /// All numbers, be it one or two, as a range; nil where one between them is left out.
  var onlyRun: ClosedRange<Int>? { runs.count == 1 ? runs.first : nil }

  /// All numbers as a range of three or more.
  var longRun: ClosedRange<Int>? { onlyRun.flatMap { $0.count > 2 ? $0 : nil } }

  /// First, last and distance of at least `fewestSteps` numbers that are equally far from each other, and not 1.
  var steps: (range: ClosedRange<Int>, step: Int)? {
    guard numbers.count >= Self.fewestSteps, let first = numbers.first, let last = numbers.last else { return nil }
    let step = numbers[1] - first
    guard step > 1, numbers == Array(stride(from: first, through: last, by: step)) else { return nil }
    return (first...last, step)
  }

  /// `the 1st, the 5th to the 9th and the 20th`; a list that is too long for a sentence ends in `and 4 more`.
  func list(_ name: (Int) -> String) -> String {
    let ranges = runs.flatMap { $0.count > 2 ? [$0] : $0.map { $0...$0 } }
    let named = ranges.count > Self.mostNames ? ranges.prefix(Self.mostNames) : ranges[...]
    let names = named.map { range in
      let first = name(range.lowerBound)
      return range.count == 1 ? first : "\(first) to \(name(range.upperBound))"
    }
    let rest = numbers.count - named.reduce(0) { $0 + $1.count }
    return rest > 0 ? "\(names.joined(separator: ", ")) and \(rest) more" : joined(names)
  }
}

/// `a, b and c`.
func joined(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " and " + last
}

/// `1st`, `22nd`, `113th`.
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
