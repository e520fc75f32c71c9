import FlowModel

/// A random rule as text for the parser, and as the sets of numbers that the text means.
struct WrittenRule {
  var text = ""
  var weekdays: Set<Int> = Set(0..<7)
  var years: Set<Int>?
  var months: Set<Int>?
  var days: Set<Int>?
  var countsFromEnd = false
  var hours: [Int] = [0]
  var minutes: [Int] = [0]
  var seconds: [Int] = [0]
  var isInterval = false
  var repetition: (count: Int, unit: String, anchor: CivilDate)?
  var lastDay: Int?
  var exceptions: [ClosedRange<Int>] = []
  var yearlyExceptions: [(month: Int, day: Int)] = []

  /// By definition, one date at a time. Monday is weekday 0.
  func names(date: CivilDate) -> Bool {
    let day = date.daysSince1970
    let weekday = (date.weekday.rawValue + 5) % 7
    guard weekdays.contains(weekday), day <= lastDay ?? day else { return false }
    if exceptions.contains(where: { $0.contains(day) }) { return false }
    if yearlyExceptions.contains(where: { $0.month == date.month && $0.day == date.day }) { return false }
    if let repetition {
      let anchor = repetition.anchor.daysSince1970
      guard day >= anchor else { return false }
      let months = (date.year - repetition.anchor.year) * 12 + date.month - repetition.anchor.month
      switch repetition.unit {
      case "day": return (day - anchor) % repetition.count == 0
      case "week":
        let monday = anchor - (repetition.anchor.weekday.rawValue + 5) % 7
        return (day - monday) / 7 % repetition.count == 0
      case "month": return date.day == repetition.anchor.day && months % repetition.count == 0
      default: return date.day == repetition.anchor.day && months % (repetition.count * 12) == 0
      }
    }
    if let years, !years.contains(date.year) { return false }
    if let months, !months.contains(date.month) { return false }
    let length = CivilDate.length(ofMonth: date.month, year: date.year)
    return days?.contains(countsFromEnd ? length - date.day + 1 : date.day) ?? true
  }

  static func random(using random: inout some RandomNumberGenerator) -> WrittenRule {
    var rule = WrittenRule()
    var pieces: [String] = []
    let hasRepetition = Int.random(in: 0..<8, using: &random) == 0
    if Int.random(in: 0..<3, using: &random) == 0 {
      let (text, days) = weekdays(using: &random)
      pieces.append(text)
      rule.weekdays = days
    }
    if hasRepetition {
      pieces.append(rule.addRepetition(hasWeekdays: !pieces.isEmpty, using: &random))
    } else if Int.random(in: 0..<3, using: &random) == 0 || pieces.isEmpty && Bool.random(using: &random) {
      pieces.append(rule.addDate(using: &random))
    }
    pieces.append(rule.addTime(using: &random))
    if Int.random(in: 0..<8, using: &random) == 0 {
      let last = Int.random(in: 0...84_005, using: &random)
      rule.lastDay = last
      pieces.append("until \(CivilDate(daysSince1970: last))")
    }
    if Int.random(in: 0..<8, using: &random) == 0 { pieces.append(rule.addExceptions(using: &random)) }
    rule.text = pieces.joined(separator: " ")
    return rule
  }

  /// Every day, some seconds before and after quarters of an hour, where the generated clock changes are.
  static func aboutQuarters(using random: inout some RandomNumberGenerator) -> WrittenRule {
    func some(_ numbers: [Int]) -> [Int] {
      let found = numbers.filter { _ in Bool.random(using: &random) }
      return found.isEmpty ? [numbers[0]] : found
    }
    var rule = WrittenRule()
    let first = Int.random(in: 0..<20, using: &random)
    (rule.hours, rule.minutes, rule.seconds) = (
      some(Array(first..<first + 4)), some([0, 14, 15, 29, 30, 44, 45, 59]), some([0, 1, 58, 59])
    )
    rule.text = [rule.hours, rule.minutes, rule.seconds].map { $0.map(String.init).joined(separator: ",") }
      .joined(separator: ":")
    return rule
  }

  private static func weekdays(using random: inout some RandomNumberGenerator) -> (String, Set<Int>) {
    let names = ["Mon", "Tue", "Wednesday", "thu", "Fri", "Saturday", "SUN"]
    var texts: [String] = []
    var days: Set<Int> = []
    for _ in 0...Int.random(in: 0...2, using: &random) {
      let first = Int.random(in: 0..<7, using: &random)
      let last = Bool.random(using: &random) ? first : Int.random(in: first..<7, using: &random)
      texts.append(first == last ? names[first] : "\(names[first])..\(names[last])")
      days.formUnion(first...last)
    }
    return (texts.joined(separator: ","), days)
  }

  private mutating func addDate(using random: inout some RandomNumberGenerator) -> String {
    var text = ""
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let (list, numbers) = Self.list(1_970...2_199, open: true, using: &random)
      years = numbers
      text = list + "-"
    case 1...3: text = "*-"
    default: break
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let (list, numbers) = Self.list(1...12, open: true, using: &random)
      months = numbers
      text += list
    } else {
      text += "*"
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: text += "-*"
    case 1:
      let (list, numbers) = Self.list(1...28, open: false, using: &random)
      countsFromEnd = true
      days = numbers
      text += "~" + list
    default:
      let (list, numbers) = Self.list(1...31, open: true, using: &random)
      days = numbers
      text += "-" + list
    }
    return text
  }

  private mutating func addTime(using random: inout some RandomNumberGenerator) -> String {
    func part(_ range: ClosedRange<Int>, every: Int) -> (String, [Int], Bool) {
      let dice = Int.random(in: 0..<20, using: &random)
      if dice < every { return ("*", Array(range), true) }
      // Half of the rules have fixed times, for which the policies exist.
      if dice < 13 {
        let number = Int.random(in: range, using: &random)
        return (String(number), [number], false)
      }
      let (text, numbers) = Self.list(range, open: true, using: &random)
      return (text, numbers.sorted(), text.contains("/") || text.contains(".."))
    }
    let (hour, hours, hourRuns) = part(0...23, every: 3)
    let (minute, minutes, minuteRuns) = part(0...59, every: 2)
    self.hours = hours
    self.minutes = minutes
    isInterval = hourRuns || minuteRuns
    guard Int.random(in: 0..<4, using: &random) == 0 else { return "\(hour):\(minute)" }
    let (second, seconds, secondRuns) = part(0...59, every: 1)
    self.seconds = seconds
    isInterval = isInterval || secondRuns
    return "\(hour):\(minute):\(second)"
  }

  /// One to three items with their meaning. Only repetitions and ranges with at least two numbers, so that the text determines
  /// whether the rule is an interval.
  private static func list(
    _ range: ClosedRange<Int>, open: Bool, using random: inout some RandomNumberGenerator
  ) -> (String, Set<Int>) {
    var texts: [String] = []
    var numbers: Set<Int> = []
    for _ in 0...Int.random(in: 0...2, using: &random) {
      let kind = Int.random(in: 0..<5, using: &random)
      let start = Int.random(in: range, using: &random)
      if kind >= 2 || start == range.upperBound {
        texts.append(String(start))
        numbers.insert(start)
      } else if kind == 0, open {
        let step = Int.random(in: 1...(range.upperBound - start), using: &random)
        texts.append("\(start)/\(step)")
        numbers.formUnion(stride(from: start, through: range.upperBound, by: step))
      } else {
        let stop = Int.random(in: (start + 1)...range.upperBound, using: &random)
        let step = Int.random(in: 1...(stop - start), using: &random)
        texts.append(step == 1 ? "\(start)..\(stop)" : "\(start)..\(stop)/\(step)")
        numbers.formUnion(stride(from: start, through: stop, by: step))
      }
    }
    return (texts.joined(separator: ","), numbers)
  }

  private mutating func addRepetition(hasWeekdays: Bool, using random: inout some RandomNumberGenerator) -> String {
    let unit = ["day", "week", "week", "month", "year"].randomElement(using: &random) ?? "day"
    let anchor = CivilDate(daysSince1970: Int.random(in: 0...84_005, using: &random))
    let count = Int.random(in: 1...(unit == "year" ? 5 : 40), using: &random)
    repetition = (count, unit, anchor)
    if unit == "week", !hasWeekdays { weekdays = [(anchor.weekday.rawValue + 5) % 7] }
    return count == 1 ? "every \(unit) from \(anchor)" : "every \(count) \(unit)s from \(anchor) at"
  }

  private mutating func addExceptions(using random: inout some RandomNumberGenerator) -> String {
    var texts: [String] = []
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let first = CivilDate(daysSince1970: Int.random(in: 0...84_005, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        yearlyExceptions.append((first.month, first.day))
        texts.append("*-\(padded(first.month, 2))-\(padded(first.day, 2))")
      case 1:
        exceptions.append(first.daysSince1970...first.daysSince1970)
        texts.append("\(first)")
      default:
        let length = Int.random(in: 0...9_000, using: &random)
        let last = CivilDate(daysSince1970: min(84_005, first.daysSince1970 + length))
        exceptions.append(first.daysSince1970...last.daysSince1970)
        texts.append("\(first)..\(last)")
      }
    }
    return "except " + texts.joined(separator: ",")
  }
}
