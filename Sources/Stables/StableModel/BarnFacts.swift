package import FlowCalendar
package import FlowModel

/// The input of a stable's decisions: a snapshot of one team's data at one moment.
package struct BarnFacts: Sendable {
  package var team: Team
  package var settings: BarnSettings
  /// Sorted by name.
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// The marks of the requested days.
  package var marks: [FeedMark]
  /// The closed days among the requested ones. Each has one row per horse that the barn had; none if it had no horses.
  package var closedDays: [CivilDate: [FeedRow]]
  /// The first use of the feed board; slots before it do not count as missed.
  package var boardStart: BoardStart
  /// All care events of the team, unsorted.
  package var care: [CareEvent]
  /// The newest forecast; nil if none was ever imported.
  package var forecast: Forecast?
  /// The last night with advice before the decision's date; nil if there is none.
  package var lastNight: BlanketNight?
  package var daysOff: DaysOff
  package var people: [Person]
  /// The team's technicians; left empty if no person is registered to receive notices.
  package var staff: [Technician]
  /// The counter of store changes, read before all other facts.
  package var changesSeen: Int?

  package init(
    team: Team, settings: BarnSettings = BarnSettings(), horses: [Horse] = [],
    schedules: [HorseID: FeedSchedule] = [:], marks: [FeedMark] = [], closedDays: [CivilDate: [FeedRow]] = [:],
    boardStart: BoardStart = .always, care: [CareEvent] = [], forecast: Forecast? = nil, lastNight: BlanketNight? = nil,
    daysOff: DaysOff = .none,
    people: [Person] = [], staff: [Technician] = [], changesSeen: Int? = nil
  ) {
    self.team = team
    self.settings = settings
    self.horses = horses
    self.schedules = schedules
    self.marks = marks
    self.closedDays = closedDays
    self.boardStart = boardStart
    self.care = care
    self.forecast = forecast
    self.lastNight = lastNight
    self.daysOff = daysOff
    self.people = people
    self.staff = staff
    self.changesSeen = changesSeen
  }
}

/// The first slot in which any horse was marked as fed, which is when the board was first used.
package struct BoardStart: Hashable, Sendable {
  private let date: CivilDate?
  private let slot: FeedSlot
  private let isNever: Bool

  package init(_ date: CivilDate, _ slot: FeedSlot) { self.init(date: date, slot: slot, isNever: false) }

  private init(date: CivilDate?, slot: FeedSlot, isNever: Bool) {
    self.date = date
    self.slot = slot
    self.isNever = isNever
  }

  /// The board was in use on all known days.
  package static let always = BoardStart(date: nil, slot: .am, isNever: false)
  /// No horse was ever marked.
  package static let never = BoardStart(date: nil, slot: .am, isNever: true)

  /// True if the board was in use in this slot.
  package func covers(_ date: CivilDate, _ slot: FeedSlot) -> Bool {
    guard !isNever else { return false }
    guard let start = self.date else { return true }
    return start < date || (start == date && (self.slot == .am || slot == .pm))
  }
}
