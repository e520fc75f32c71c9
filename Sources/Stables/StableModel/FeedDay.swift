package import FlowModel

/// The data of the feed board of one local date.
package struct FeedDay: Hashable, Sendable {
  package var date: CivilDate
  /// All horses of the barn, sorted by name.
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// The marks of this date.
  package var marks: [FeedMark]
  /// The rows of a closed day, sorted by name; nil while the day is open.
  package var closed: [FeedRow]?
  /// The highest marking number of the team so far.
  package var lastMarking: Int64

  package init(
    date: CivilDate, horses: [Horse] = [], schedules: [HorseID: FeedSchedule] = [:], marks: [FeedMark] = [],
    closed: [FeedRow]? = nil, lastMarking: Int64 = 0
  ) {
    self.date = date
    self.horses = horses
    self.schedules = schedules
    self.marks = marks
    self.closed = closed
    self.lastMarking = lastMarking
  }
}
