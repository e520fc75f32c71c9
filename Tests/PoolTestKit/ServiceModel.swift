package import FlowModel
package import FlowTestKit
package import PoolModel

/// A random team of pools as a table of dates: which pools are served on which date, by whom, and what follows from it.
///
/// It shares no code with the decisions of poolflow. A team has rules, pauses, closed days, absent technicians, changed dates
/// and visits over two years.
package struct ServiceModel: Sendable {
  package static let first = CivilDate(year: 2026, month: 1, day: 5)
  package static let days = 730
  package static let poolsPerTeam = 12
  package static let technicians = ["anna", "ben", "maria"]
  package static let teams = 20
  /// The local time of visits.
  package static let noon = TimeOfDay(hour: 12, minute: 0) ?? .sevenInTheMorning
  private static let zones = ["America/Phoenix", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]

  /// A stop: its technician, nil for the pool's own, and the batches of the changes that led there.
  package struct Entry: Equatable, Sendable {
    package var technician: Int?
    package var batches: [Int64] = []
  }

  /// A rule written out as arithmetic, and the text that says the same to poolflow.
  package struct Rule: Sendable {
    /// Nil for every week.
    package let text: String?
    package let contains: @Sendable (CivilDate) -> Bool
  }

  /// An arrival window: the text of the customer's profile, and the minutes after midnight that it means; nil for no window.
  package struct Window: Sendable {
    package let text: String
    package let opens: Int?
    package let closes: Int?
  }

  package struct Line: Sendable {
    package let pool: Pool
    package let rule: Rule
    /// A rule that replaces `rule` from a date on; nil for most pools.
    package internal(set) var laterRule: (rule: Rule, from: CivilDate)?
    package internal(set) var pauses: [(first: CivilDate, last: CivilDate)] = []
    package internal(set) var technician = 0
    package internal(set) var window = Window(text: "", opens: nil, closes: nil)
    /// The dates of visits, all at noon, the oldest before the first date of the model.
    package internal(set) var visits: [CivilDate] = []
    package internal(set) var stops: [CivilDate: Entry] = [:]
    /// The ounces of chlorine that each visit adds. The numbers of the pools are powers of 2, so that each sum names its pools.
    package let chlorine: Double

    init(pool: Pool, number: Int, rule: Rule) {
      self.pool = pool
      self.rule = rule
      chlorine = Double(1 << (number - 1))
    }

    package var customer: String { pool.customerName }

    /// The rule that is effective at the end of the two years.
    package var lastRule: Rule { laterRule?.rule ?? rule }

    package func isPaused(_ date: CivilDate) -> Bool { pauses.contains { $0.first <= date && date <= $0.last } }

    /// Nil if the pool is not served.
    package func driver(_ date: CivilDate) -> Int? { stops[date].map { $0.technician ?? technician } }

    /// Fills the table from the rules.
    mutating func fill() {
      // Before the two years, because some answers look back; beyond them, because a stop may be moved up to its next date.
      for offset in -40..<ServiceModel.days + 100 {
        let date = ServiceModel.first.adding(days: offset)
        let rule = laterRule.flatMap { date >= $0.from ? $0.rule : nil } ?? rule
        if rule.contains(date), !isPaused(date) { stops[date] = Entry() }
      }
    }

    func canMove(_ date: CivilDate, to other: CivilDate) -> Bool {
      guard stops[date] != nil, stops[other] == nil else { return false }
      return !stops.keys.contains { min(date, other) < $0 && $0 < max(date, other) }
    }

    /// Whether no visit counts for a date of service: one counts that is within three days, and for which no other date of
    /// service is nearer.
    func isMissed(_ date: CivilDate) -> Bool {
      !visits.contains { visit in
        let distance = abs(visit.daysSince1970 - date.daysSince1970)
        return distance <= 3
          && (1 - distance..<max(distance, 1)).allSatisfy { offset in
            stops[visit.adding(days: offset)] == nil
          }
      }
    }
  }

  /// One change of a batch: the new date, nil for a skip.
  package struct Change: Sendable {
    package let pool: Int
    package let from: CivilDate
    package let to: CivilDate?
    package let technician: Int?
  }

  /// Changes that one command made, with the entries that the dates had before.
  package struct Batch: Sendable {
    package let id: Int64
    package let changes: [(change: Change, before: Entry)]
  }

  package let number: Int
  package let zone: String
  package internal(set) var lines: [Line]
  package let closed: [(first: CivilDate, last: CivilDate)]
  /// The days on which each technician is away.
  package let away: [(technician: Int, first: CivilDate, last: CivilDate)]
  package internal(set) var batches: [Batch] = []

  /// - Parameter number: the number of the team, which is also the seed.
  package init(_ number: Int, _ random: inout SeededNumbers) {
    self.number = number
    zone = Self.zones[number % Self.zones.count]
    lines = (1...Self.poolsPerTeam).map { Self.line($0, &random) }
    closed = (0..<3).map { _ in Self.range(&random) }
    away = (0..<6).map { _ in
      let days = Self.range(&random)
      return (Int.random(in: 0..<Self.technicians.count, using: &random), days.first, days.last)
    }
  }

  package var name: String { "team-\(number)" }

  // MARK: Random pools

  private static func line(_ number: Int, _ random: inout SeededNumbers) -> Line {
    let day = Weekday.allCases[Int.random(in: 0..<7, using: &random)]
    var pool = Samples.pool(
      number, customer: "Customer \(number < 10 ? "0" : "")\(number)", day: day,
      order: Int.random(in: 0..<5, using: &random))
    pool.latitude += Double(Int.random(in: 0..<100, using: &random)) / 1_000
    pool.longitude += Double(Int.random(in: 0..<100, using: &random)) / 1_000
    var line = Line(pool: pool, number: number, rule: rule(on: day, &random))
    line.pauses = (0..<Int.random(in: 0...2, using: &random)).map { _ in range(&random) }
    line.technician = Int.random(in: 0..<technicians.count, using: &random)
    line.window = windows[Int.random(in: 0..<windows.count, using: &random)]
    line.fill()
    // Two months of visits near most dates of the rule, and one before the first date.
    let begin = first.adding(days: Int.random(in: 20..<days - 80, using: &random))
    line.visits =
      [first.adding(days: -10)]
      + line.stops.keys.filter { begin <= $0 && $0 < begin.adding(days: 60) }.sorted().compactMap { date in
        let distance = Int.random(in: -4...4, using: &random)
        return Int.random(in: 0..<4, using: &random) == 0 ? nil : date.adding(days: distance)
      }
    line.visits = Set(line.visits).sorted()
    return line
  }

  private static func rule(on day: Weekday, _ random: inout SeededNumbers) -> Rule {
    let word = day.abbreviation
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      let weeks = Int.random(in: 2...6, using: &random)
      var anchor = first.adding(days: Int.random(in: -40..<200, using: &random))
      while anchor.weekday != day { anchor = anchor.adding(days: 1) }
      return Rule(text: "every \(weeks) weeks from \(anchor)") { [anchor] date in
        let distance = date.daysSince1970 - anchor.daysSince1970
        return distance >= 0 && distance % (7 * weeks) == 0
      }
    case 1:
      let other = day.next.next.next
      return Rule(text: "\(word),\(other.abbreviation)") { $0.weekday == day || $0.weekday == other }
    case 2: return Rule(text: "\(word) *-*-1..7") { $0.weekday == day && $0.day <= 7 }
    case 3: return Rule(text: "\(word) *-04..10-*") { $0.weekday == day && (4...10).contains($0.month) }
    case 4:
      let last = first.adding(days: Int.random(in: 1..<days, using: &random))
      return Rule(text: "\(word) *-*-* until \(last)") { $0.weekday == day && $0 <= last }
    case 5: return Rule(text: "*-*-15") { $0.day == 15 }
    default: return Rule(text: nil) { $0.weekday == day }
    }
  }

  private static let windows = [
    Window(text: "", opens: nil, closes: nil), Window(text: "8-10", opens: 480, closes: 600),
    Window(text: "before 11", opens: 0, closes: 660), Window(text: "after 14:00", opens: 840, closes: 1_440),
    Window(text: "1-3pm", opens: 780, closes: 900), Window(text: "dog in the yard", opens: nil, closes: nil),
  ]

  private static func range(_ random: inout SeededNumbers) -> (first: CivilDate, last: CivilDate) {
    let start = first.adding(days: Int.random(in: 0..<days, using: &random))
    return (start, start.adding(days: Int.random(in: 0..<30, using: &random)))
  }

  /// Gives some pools without changed dates another rule from a date on, if the team changes rules.
  ///
  /// - Returns: the indices of these pools.
  mutating func changeRules(_ random: inout SeededNumbers) -> [Int] {
    guard changesRules else { return [] }
    let changed = Set(batches.flatMap(\.changes).map(\.change.pool))
    let unchanged = lines.indices.filter { !changed.contains($0) }.prefix(4)
    for index in unchanged {
      let date = Self.first.adding(days: Int.random(in: 20..<Self.lastRuleDay, using: &random))
      lines[index].laterRule = (Self.rule(on: lines[index].pool.serviceDay, &random), date)
      lines[index].stops = [:]
      lines[index].fill()
    }
    return Array(unchanged)
  }

  private static let lastRuleDay = 120

  /// Every fourth team changes rules. It has few changed dates, so that most of its pools are still without one.
  private var changesRules: Bool { number % 4 == 3 }

  /// The number of commands that change dates.
  var steps: Int { changesRules ? 8 : 50 }

  /// The first date on which no rule changes any more: what begins with the present day can be asked from then on.
  package var firstToday: CivilDate {
    lines.contains { $0.laterRule != nil } ? Self.first.adding(days: Self.lastRuleDay) : Self.first
  }

  // MARK: Questions

  package func isClosed(_ date: CivilDate) -> Bool { closed.contains { $0.first <= date && date <= $0.last } }

  package func isAway(_ technician: Int, _ date: CivilDate) -> Bool {
    away.contains { $0.technician == technician && $0.first <= date && date <= $0.last }
  }

  /// The pools that are served on a date, by customer, with the names of their technicians.
  package func served(_ date: CivilDate) -> [String: String] {
    Dictionary(
      lines.compactMap { line in line.driver(date).map { (line.customer, Self.technicians[$0]) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The same on a working day; empty on a day on which the team is closed.
  package func worked(_ date: CivilDate) -> [String: String] { isClosed(date) ? [:] : served(date) }

  /// The customers whom a technician serves on a date; with a nil technician those of the team.
  package func customers(_ date: CivilDate, of technician: String?) -> Set<String> {
    Set(served(date).filter { technician == nil || $0.value == technician }.keys)
  }

  /// The ounces of chlorine that a date's stops need.
  package func chlorine(_ date: CivilDate, of technician: Int? = nil) -> Double {
    lines.reduce(0) { sum, line in
      line.driver(date).map { technician == nil || $0 == technician } == true ? sum + line.chlorine : sum
    }
  }

  /// The dates among `dates` on which a pool was due and not visited. A visit may still follow for the last three days before
  /// `today`.
  package func missed(_ line: Line, _ dates: [CivilDate], today: CivilDate) -> [CivilDate] {
    dates.filter {
      line.stops[$0] != nil && !isClosed($0) && $0.adding(days: 3) < today && line.isMissed($0)
    }
  }

  /// The pools with no visit since the same time 35 days ago that were due since.
  ///
  /// - Parameter isAfterNoon: true if the time of day is after noon, at which visits are.
  package func stale(_ date: CivilDate, isAfterNoon: Bool) -> Set<String> {
    let limit = date.adding(days: -35)
    return Set(
      lines.filter { line in
        !line.visits.contains { isAfterNoon ? limit < $0 && $0 <= date : limit <= $0 && $0 < date }
          && (0..<35).contains { line.stops[limit.adding(days: $0)] != nil }
      }.map(\.customer))
  }

  /// The first date of service from a date on, within the two years; nil if there is none.
  package func next(_ line: Line, onOrAfter date: CivilDate) -> CivilDate? {
    line.stops.keys.filter { $0 >= date }.min()
  }

  /// The first day after a date on which the team works.
  package func nextWorkingDay(after date: CivilDate) -> CivilDate {
    var day = date.adding(days: 1)
    while isClosed(day) { day = day.adding(days: 1) }
    return day
  }

  /// The changes of dates and technicians that were not undone.
  package var changes: [Change] { batches.flatMap(\.changes).map(\.change) }

  /// The dates that a mistake would show first: those of changes, and the first and last days of pauses, days off and rules,
  /// each with the days beside it.
  package var notableDates: [CivilDate] {
    var dates: Set<CivilDate> = []
    for change in batches.flatMap(\.changes).map(\.change) {
      dates.formUnion([change.from, change.to ?? change.from])
    }
    for range in lines.flatMap(\.pauses) + closed + away.map({ (first: $0.first, last: $0.last) }) {
      dates.formUnion([range.first.adding(days: -1), range.first, range.last, range.last.adding(days: 1)])
    }
    for rule in lines.compactMap(\.laterRule) { dates.formUnion([rule.from.adding(days: -1), rule.from]) }
    return dates.filter { Self.first <= $0 && $0 < Self.first.adding(days: Self.days) }.sorted()
  }
}

// MARK: Changes

extension ServiceModel {
  /// Whether a stop can be moved to a date and technician; nil for the pool's own.
  func canMove(_ pool: Int, from: CivilDate, to: CivilDate, technician: Int?) -> Bool {
    let line = lines[pool]
    guard let driver = line.driver(from), to >= Self.first, from >= Self.first, !isClosed(to) else { return false }
    let next = technician ?? line.technician
    guard !isAway(next, to) else { return false }
    return from == to ? next != driver : !line.isPaused(to) && line.canMove(from, to: to)
  }

  /// Whether an absent technician's stops can be given to others.
  func canCover(_ date: CivilDate, of absent: Int, by others: [Int]) -> Bool {
    date >= Self.first && !others.isEmpty && !others.contains(absent) && !isClosed(date)
      && others.allSatisfy { !isAway($0, date) } && lines.contains { $0.driver(date) == absent }
  }

  /// Applies changes as one batch.
  mutating func apply(_ changes: [Change], batch: Int64) {
    var made: [(change: Change, before: Entry)] = []
    for change in changes {
      guard let before = lines[change.pool].stops.removeValue(forKey: change.from) else { continue }
      made.append((change, before))
      if let date = change.to {
        lines[change.pool].stops[date] = Entry(
          technician: change.technician, batches: before.batches + [batch])
      }
    }
    batches.append(Batch(id: batch, changes: made))
  }

  /// Whether no later change moved the stops of a batch, and the dates that they had are free.
  func canUndo(_ batch: Batch) -> Bool {
    batch.changes.allSatisfy { change, _ in
      let stops = lines[change.pool].stops
      guard change.from >= Self.first else { return false }
      if let date = change.to { guard stops[date]?.batches.last == batch.id else { return false } }
      return change.to == change.from || stops[change.from] == nil
    }
  }

  mutating func undo(_ batch: Batch) {
    for (change, before) in batch.changes {
      if let date = change.to { lines[change.pool].stops[date] = nil }
      lines[change.pool].stops[change.from] = before
    }
    batches.removeAll { $0.id == batch.id }
  }
}
