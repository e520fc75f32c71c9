package import PoolModel

/// Days on which a team is closed, or one of its technicians is away.
package struct DayOff: Hashable, Sendable {
  /// Its number in the team's list; it is given once.
  package let id: Int64
  /// Nil where the whole team is closed.
  package let technicianID: TechnicianID?
  package let span: DaySpan
  package let note: String
  /// Who asked for it, such as `anna (uid 1000)`.
  package let setBy: String

  package init(id: Int64, technicianID: TechnicianID?, span: DaySpan, note: String, setBy: String) {
    self.id = id
    self.technicianID = technicianID
    self.span = span
    self.note = note
    self.setBy = setBy
  }
}

/// All of a team's days off, for questions about one day.
package struct DaysOff: Hashable, Sendable {
  package let all: [DayOff]

  package static let none = DaysOff([])

  package init(_ all: [DayOff]) { self.all = all }

  package var isEmpty: Bool { all.isEmpty }

  /// Why the team is closed on `date`; nil where it works.
  package func closure(on date: CivilDate) -> DayOff? {
    all.first { $0.technicianID == nil && $0.span.contains(date) }
  }

  /// Why a technician is away on `date` while the team works; nil where nothing says so.
  package func absence(of technician: TechnicianID, on date: CivilDate) -> DayOff? {
    all.first { $0.technicianID == technician && $0.span.contains(date) }
  }

  /// The first day after `date` on which the team is not closed; nil where there is none within
  /// `Limits.closedDaysLookedThrough` days.
  package func nextWorkingDay(after date: CivilDate) -> CivilDate? {
    (1...Limits.closedDaysLookedThrough).lazy.map { date.adding(days: $0) }.first { closure(on: $0) == nil }
  }

  /// The closed days from `date` on that follow each other without a day of work; none where `date` is no closed day.
  package func closedDays(from date: CivilDate) -> [CivilDate] {
    guard !isEmpty else { return [] }
    return Array(
      (0..<Limits.closedDaysLookedThrough).lazy.map { date.adding(days: $0) }.prefix { closure(on: $0) != nil })
  }

  /// The days off among the `offsets`-th days after `date`, those that follow each other for one reason as one stretch, in
  /// the order of their first days.
  package func stretches(in offsets: ClosedRange<Int>, after date: CivilDate) -> [DaysOffStretch] {
    var found: [DaysOffStretch] = []
    for off in all {
      for day in offsets.lazy.map({ date.adding(days: $0) }) where off.span.contains(day) {
        if let last = found.last, last.isOf(off), last.last.adding(days: 1) == day {
          found[found.count - 1].last = day
        } else {
          found.append(DaysOffStretch(first: day, last: day, technicianID: off.technicianID, note: off.note))
        }
      }
    }
    return found.sorted { ($0.first, $0.last, $0.note) < ($1.first, $1.last, $1.note) }
  }
}

/// Days off that follow each other for one reason.
package struct DaysOffStretch: Hashable, Sendable {
  package let first: CivilDate
  package fileprivate(set) var last: CivilDate
  /// Nil where the team is closed.
  package let technicianID: TechnicianID?
  package let note: String

  fileprivate func isOf(_ off: DayOff) -> Bool { technicianID == off.technicianID && note == off.note }
}
