package import FlowModel

/// Days on which a team is closed or one technician is absent.
package struct DayOff: Hashable, Sendable {
  /// Number within the team, never reused.
  package let id: Int64
  /// The absent technician; nil if the whole team is closed.
  package let technicianID: TechnicianID?
  package let span: DaySpan
  package let note: String
  /// The person who entered it, such as `anna (uid 1000)`.
  package let setBy: String

  package init(id: Int64, technicianID: TechnicianID?, span: DaySpan, note: String, setBy: String) {
    self.id = id
    self.technicianID = technicianID
    self.span = span
    self.note = note
    self.setBy = setBy
  }
}

/// All days off of one team, with lookups by date.
package struct DaysOff: Hashable, Sendable {
  package let all: [DayOff]

  package static let none = DaysOff([])

  package init(_ all: [DayOff]) { self.all = all }

  package var isEmpty: Bool { all.isEmpty }

  /// The entry that closes the team on `date`; nil if the team works.
  package func closure(on date: CivilDate) -> DayOff? {
    all.first { $0.technicianID == nil && $0.span.contains(date) }
  }

  /// The entry for the technician's absence on `date`, team closures not considered; nil if there is none.
  package func absence(of technician: TechnicianID, on date: CivilDate) -> DayOff? {
    all.first { $0.technicianID == technician && $0.span.contains(date) }
  }

  /// The first day after `date` on which the team works; nil if there is none within `Limits.closedDaysSearched` days.
  package func nextWorkingDay(after date: CivilDate) -> CivilDate? {
    (1...Limits.closedDaysSearched).lazy.map { date.adding(days: $0) }.first { closure(on: $0) == nil }
  }

  /// The consecutive closed days from `date` on; empty if the team works on `date`.
  package func closedDays(from date: CivilDate) -> [CivilDate] {
    guard !isEmpty else { return [] }
    return Array(
      (0..<Limits.closedDaysSearched).lazy.map { date.adding(days: $0) }.prefix { closure(on: $0) != nil })
  }

  /// The days off within the `offsets`-th days after `date`. Consecutive days with the same technician and note are joined; the
  /// result is sorted by first day.
  package func ranges(in offsets: ClosedRange<Int>, after date: CivilDate) -> [DaysOffRange] {
    var found: [DaysOffRange] = []
    for off in all {
      for day in offsets.lazy.map({ date.adding(days: $0) }) where off.span.contains(day) {
        if let last = found.last, last.matches(off), last.last.adding(days: 1) == day {
          found[found.count - 1].last = day
        } else {
          found.append(DaysOffRange(first: day, last: day, technicianID: off.technicianID, note: off.note))
        }
      }
    }
    return found.sorted { ($0.first, $0.last, $0.note) < ($1.first, $1.last, $1.note) }
  }
}

/// Consecutive days off with the same technician and note.
package struct DaysOffRange: Hashable, Sendable {
  package let first: CivilDate
  package fileprivate(set) var last: CivilDate
  /// The absent technician; nil if the team is closed.
  package let technicianID: TechnicianID?
  package let note: String

  fileprivate func matches(_ off: DayOff) -> Bool { technicianID == off.technicianID && note == off.note }
}
