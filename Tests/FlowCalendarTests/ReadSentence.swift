import FlowModel

/// Parses a rule's English sentence back without any product code, as a reader would understand it.
struct ReadSentence {
  /// The numbers named in a sentence, and the count of those it only mentions.
  struct Numbers: Equatable {
    var named: Set<Int> = []
    var more = 0

    func isAmong(_ all: Set<Int>) -> Bool { named.isSubset(of: all) && named.count + more == all.count }
  }
  struct Unreadable: Error {
    let rest: String
  }

  var weekdays: Set<Int>?
  var days: Numbers?
  var countsFromEnd = false
  var months: Numbers?
  var years: Numbers?
  var repetition: (count: Int, unit: String, anchor: CivilDate)?
  var hours = Numbers()
  var minutes = Numbers()
  var seconds = Numbers(named: [0])
  /// Explicit times; the three fields above are empty then.
  var clockTimes: Set<Int>?
  var last: CivilDate?
  var exceptions: [ClosedRange<Int>] = []
  var yearlyExceptions: [(month: Int, day: Int)] = []
  private var words: [Substring] = []

  /// - Parameter isDaysOnly: the sentence contains no times.
  init(_ sentence: String, isDaysOnly: Bool = false) throws {
    words = sentence.replacing(",", with: " ,").split(separator: " ")
    try readDays()
    if !isDaysOnly {
      _ = take(",")
      try readTimes()
    }
    if take("until") { last = try date() }
    if take("except") { try readExceptions() }
    guard words.isEmpty else { throw failure }
  }

  private var failure: Unreadable { Unreadable(rest: words.joined(separator: " ")) }

  // MARK: Words

  private mutating func take(_ text: String) -> Bool {
    let wanted = text.split(separator: " ")
    guard words.starts(with: wanted) else { return false }
    words.removeFirst(wanted.count)
    return true
  }

  private mutating func expect(_ text: String) throws { guard take(text) else { throw failure } }

  private mutating func number() -> Int? {
    guard let word = words.first, let number = Int(word) else { return nil }
    words.removeFirst()
    return number
  }

  /// `22nd`
  private mutating func ordinal() -> Int? {
    guard let word = words.first, let number = Int(word.dropLast(2)) else { return nil }
    let endings = (11...13).contains(number % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    guard word.hasSuffix(endings) else { return nil }
    words.removeFirst()
    return number
  }

  private mutating func date() throws -> CivilDate {
    guard let word = words.first, let date = CivilDate(word) else { throw failure }
    words.removeFirst()
    return date
  }

  /// `a`, `a to b`, `a, b to c and d`, `a, b and 7 more`.
  private mutating func list(_ item: (inout ReadSentence) -> Int?) throws -> Numbers {
    var found = Numbers()
    repeat {
      let before = self
      if !found.named.isEmpty, let more = number() {
        if take("more") {
          found.more = more
          return found
        }
        self = before
      }
      guard let first = item(&self) else { throw failure }
      if take("to") {
        guard let last = item(&self) else { throw failure }
        found.named.formUnion(min(first, last)...max(first, last))
      } else {
        found.named.insert(first)
      }
    } while takeSeparator(before: item)
    return found
  }

  /// Consumes a comma or `and` if another list item follows.
  private mutating func takeSeparator(before item: (inout ReadSentence) -> Int?) -> Bool {
    var rest = self
    guard rest.take(",") || rest.take("and") else { return false }
    let next = rest
    let goesOn = item(&rest) != nil || rest.number() != nil && rest.take("more")
    if goesOn { self = next }
    return goesOn
  }

  // MARK: Days

  private static let weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  private mutating func weekday() -> Int? {
    guard let index = words.first.flatMap({ word in Self.weekdayNames.firstIndex { word == $0 || word == $0 + "s" } })
    else {
      return nil
    }
    words.removeFirst()
    return index
  }

  private mutating func month() -> Int? {
    guard let index = words.first.flatMap({ word in Self.monthNames.firstIndex { word == $0 } }) else { return nil }
    words.removeFirst()
    return index + 1
  }

  private mutating func readDays() throws {
    if take("every year on") || take("every year") {
      if !words.isEmpty, words[0] != "from" || Int(words[1]) != nil { return try readYearly() }
      words = ["every", "year"] + words
    }
    if try readRepetition() { return }
    if take("every day") {
      try readMonthsAndYears()
    } else if let word = words.first, Self.weekdayNames.contains(where: { word == $0 || word == $0 + "s" }) {
      weekdays = try list { $0.weekday() }.named
      if take("that fall") { try readDaysOfMonth() } else { try readMonthsAndYears() }
    } else if take("on") {
      if words.first != "the" {
        weekdays = try list { $0.weekday() }.named
        try expect(",")
        guard try readRepetition() else { throw failure }
      } else {
        words.insert("on", at: 0)
        try readDaysOfMonth()
      }
    } else if words.first == "from" || words.count > 2 && words[0] == "every" && words[2] == "day" {
      try readDaysOfMonth()
    }
  }

  /// `25 December`, `from 24 to 26 December`, `the 4th Thursday of November`, each optionally with ` from 2026 on`.
  private mutating func readYearly() throws {
    if take("from") {
      guard let first = number(), take("to"), let last = number() else { throw failure }
      days = Numbers(named: Set(first...last))
    } else if let day = number() {
      days = Numbers(named: [day])
    } else {
      try readWeekdayOfMonth()
      try expect("of")
    }
    guard let month = month() else { throw failure }
    months = Numbers(named: [month])
    try readYears()
  }

  private mutating func readRepetition() throws -> Bool {
    let before = self
    guard take("every") else { return false }
    let count = number() ?? 1
    guard let unit = words.first, ["day", "week", "month", "year"].contains(count == 1 ? unit : unit.dropLast()),
      words.count > 2, words[1] == "from", CivilDate(words[2]) != nil
    else {
      self = before
      return false
    }
    words.removeFirst(2)
    repetition = (count, count == 1 ? String(unit) : String(unit.dropLast()), try date())
    if take(", where there is a") {
      guard ordinal() == repetition?.anchor.day else { throw failure }
    }
    if take(", only") { weekdays = try list { $0.weekday() }.named }
    if repetition?.unit == "week", weekdays == nil {
      weekdays = repetition.map { [($0.anchor.weekday.rawValue + 5) % 7] }
    }
    return true
  }

  /// `on the 1st and the 15th of every month of 2027` and similar.
  private mutating func readDaysOfMonth() throws {
    if take("on") {
      if !readsAsWeekdayOfMonth { days = try list { $0.dayOfMonth() } } else { try readWeekdayOfMonth() }
    } else {
      var step = 1
      if take("every") {
        guard let found = ordinal(), take("day") else { throw failure }
        step = found
      }
      guard take("from"), let first = dayOfMonth(), take("to"), let last = dayOfMonth() else { throw failure }
      days = Numbers(named: Set(stride(from: min(first, last), through: max(first, last), by: step)))
    }
    if countsFromEnd { _ = take("day") }
    try expect("of")
    if take("every month") {
      if words.first == "from", words.count > 1, Int(words[1]) == nil { try readMonths() }
    } else {
      try readMonths()
    }
    try readYears()
  }

  /// `the 3rd`, `the 3rd last`, `the last`.
  private mutating func dayOfMonth() -> Int? {
    guard take("the") else { return nil }
    if take("last") {
      countsFromEnd = true
      return 1
    }
    let found = ordinal()
    if take("last") { countsFromEnd = true }
    return found
  }

  private var readsAsWeekdayOfMonth: Bool {
    var rest = self
    return rest.dayOfMonth() != nil && rest.weekday() != nil
  }

  /// `the 4th Thursday`, `the last Monday`.
  private mutating func readWeekdayOfMonth() throws {
    guard let week = dayOfMonth(), let weekday = weekday() else { throw failure }
    weekdays = [weekday]
    days = Numbers(named: Set((week * 7 - 6)...min(31, week * 7)))
  }

  private mutating func readMonthsAndYears() throws {
    if words.count > 1, ["in", "from"].contains(words[0]), Self.monthNames.contains(String(words[1])) {
      words.removeFirst()
      try readMonths()
    }
    try readYears()
  }

  private mutating func readMonths() throws {
    _ = take("from")
    months = try list { $0.month() }
  }

  private mutating func readYears() throws {
    if take("from") {
      years = Numbers(named: Set(try years(step: 1)))
    } else if take("of every") || take("in every") {
      guard let step = ordinal(), take("year from") else { throw failure }
      years = Numbers(named: Set(try years(step: step)))
    } else if take("of") || take("in") {
      years = try list { $0.number() }
    }
  }

  private mutating func years(step: Int) throws -> StrideThrough<Int> {
    guard let first = number() else { throw failure }
    if take("on") { return stride(from: first, through: 2_199, by: step) }
    guard take("to"), let last = number() else { throw failure }
    return stride(from: first, through: last, by: step)
  }

  // MARK: Times

  private static func clock(_ word: Substring) -> Int? {
    let parts = word.split(separator: ":").map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1], let second = parts.last ?? 0 else {
      return nil
    }
    return hour * 3_600 + minute * 60 + (parts.count == 3 ? second : 0)
  }

  private mutating func clockTime() -> Int? {
    guard let word = words.first, let time = Self.clock(word) else { return nil }
    words.removeFirst()
    return time
  }

  private mutating func readTimes() throws {
    if take("at") {
      if words.first.flatMap(Self.clock) != nil {
        let times = try list { $0.clockTime() }
        guard times.more == 0 else { throw failure }
        clockTimes = times.named
        return
      }
      return try readFields()
    }
    try expect("every")
    let count = number() ?? 1
    if take(count == 1 ? "hour" : "hours") {
      (hours, minutes) = (Numbers(named: Set(0..<24)), Numbers(named: [0]))
      if take(",") {
        guard let minute = number(), take("minutes past") else { throw failure }
        minutes.named = [minute]
      } else if take("from") {
        guard let first = clockTime(), take("to"), let last = clockTime() else { throw failure }
        clockTimes = Set(stride(from: first, through: last, by: count * 3_600))
      } else if count > 1 {
        throw failure
      }
    } else if take(count == 1 ? "minute" : "minutes") {
      (hours, minutes) = (Numbers(named: Set(0..<24)), Numbers(named: Set(stride(from: 0, to: 60, by: count))))
      if take("from") {
        guard let first = clockTime(), take("to"), let last = clockTime() else { throw failure }
        clockTimes = Set(stride(from: first, through: last, by: count * 60))
      }
    } else if take("second") {
      (hours, minutes, seconds) = (
        Numbers(named: Set(0..<24)), Numbers(named: Set(0..<60)), Numbers(named: Set(0..<60))
      )
    } else {
      throw failure
    }
  }

  /// `seconds 5 and 10 of every minute of the hours 8 to 16`.
  private mutating func readFields() throws {
    if let found = try field("second", "seconds", 0..<60) {
      seconds = found
      try expect("of")
    }
    guard let minutes = try field("minute", "minutes", 0..<60), take("of"),
      let hours = try field("hour", "the hours", 0..<24)
    else { throw failure }
    (self.minutes, self.hours) = (minutes, hours)
  }

  private mutating func field(_ one: String, _ several: String, _ all: Range<Int>) throws -> Numbers? {
    if take("every \(one)") { return Numbers(named: Set(all)) }
    if take(several) { return try list { $0.number() } }
    if take(one) { return number().map { Numbers(named: [$0]) } }
    guard words.count > 2, words[0] == "every", words[2] == one else { return nil }
    words.removeFirst()
    guard let step = ordinal(), take("\(one) from"), let first = number(), take("to"), let last = number() else {
      throw failure
    }
    return Numbers(named: Set(stride(from: first, through: last, by: step)))
  }

  // MARK: Restrictions

  private mutating func readExceptions() throws {
    repeat {
      if take("every") {
        guard let month = month(), let day = number() else { throw failure }
        yearlyExceptions.append((month, day))
      } else {
        let first = try date().daysSince1970
        exceptions.append(first...(take("to") ? try date().daysSince1970 : first))
      }
    } while take(",") || take("and")
  }

  // MARK: Meaning

  /// Whether the sentence names this date; all lists must be complete.
  func names(_ date: CivilDate) -> Bool {
    var rule = WrittenRule()
    rule.weekdays = weekdays ?? rule.weekdays
    rule.years = years?.named
    rule.months = months?.named
    rule.days = days?.named
    rule.countsFromEnd = countsFromEnd
    rule.repetition = repetition
    rule.lastDay = last?.daysSince1970
    rule.exceptions = exceptions
    rule.yearlyExceptions = yearlyExceptions
    return rule.names(date: date)
  }

  /// Seconds of the day.
  var times: Set<Int> {
    clockTimes
      ?? Set(
        hours.named.flatMap { hour in
          minutes.named.flatMap { minute in seconds.named.map { hour * 3_600 + minute * 60 + $0 } }
        })
  }
}
