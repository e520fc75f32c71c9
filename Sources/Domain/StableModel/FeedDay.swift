package import PoolModel

/// All that the feed board of one local date is made of.
package struct FeedDay: Hashable, Sendable {
  package var date: CivilDate
  /// Of the whole barn, by name.
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// Of this date.
  package var marks: [FeedMark]
  /// Nil while the day is open; by name.
  package var closed: [FeedRow]?
  /// The highest number of any marking of the team so far.
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
