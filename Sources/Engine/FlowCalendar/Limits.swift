package import FlowModel

extension Limits {
  /// Maximum times per day that a user's rule may name: once a minute.
  static let slotsPerDay = 1_440
  /// Maximum days of one closure or absence of a technician: at most a sabbatical.
  static let longestDayOffDays = 366
  /// Maximum closed days per year that a pattern may produce; a team that is closed for more than half of the year has a
  /// wrong pattern.
  static let closedDaysPerYear = 183
  /// Maximum bytes of one days-off expression: a pattern with an end and ten exceptions.
  static let closedDaysBytes = 200
  /// Maximum days off imported from one file: 40 holidays a year for 25 years.
  package static let calendarFileEntries = 1_000
  /// Maximum nesting depth of components in a calendar file; RFC 5545 needs three: calendar, event, alarm.
  static let calendarFileDepth = 16
  /// The number of days searched for the next working day; a team that is closed for longer has none.
  static let closedDaysSearched = 400
}
