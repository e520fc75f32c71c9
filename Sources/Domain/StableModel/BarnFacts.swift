package import PoolCalendar
package import PoolModel

/// What a stable's decisions look at, all of one moment.
package struct BarnFacts: Sendable {
  package var team: Team
  package var settings: BarnSettings
  /// By name.
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// Of the days that were asked for.
  package var marks: [FeedMark]
  /// The closed ones of the days that were asked for, each with a row for every horse it had, none for a barn without any.
  package var closedDays: [CivilDate: [FeedRow]]
  /// Before the first mark nothing counts as missed: the board was not in use.
  package var boardStart: BoardStart
  /// All of the team's, in no order.
  package var care: [CareEvent]
  /// The newest; nil where none was ever imported.
  package var forecast: Forecast?
  /// Of the last night before the decision's that had advice.
  package var lastNight: BlanketNight?
  package var daysOff: DaysOff
  package var people: [Person]
  /// Who works there; nobody where none of them is known to be told anything.
  package var staff: [Technician]
  /// A count of the store's changes, asked for before anything was read.
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

/// The first slot in which a horse was marked as fed.
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

  /// The board was kept on all days that are known.
  package static let always = BoardStart(date: nil, slot: .am, isNever: false)
  /// No horse was ever marked.
  package static let never = BoardStart(date: nil, slot: .am, isNever: true)

  /// Whether the board was kept in a slot.
  package func covers(_ date: CivilDate, _ slot: FeedSlot) -> Bool {
    guard !isNever else { return false }
    guard let start = self.date else { return true }
    return start < date || (start == date && (self.slot == .am || slot == .pm))
  }
}
