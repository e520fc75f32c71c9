/// What a stable's decision leaves behind, written with its run.
package enum StableRecord: Hashable, Sendable {
  /// The board of the day is closed; where it is closed already, nothing changes.
  case closeDay(FeedDay)
  /// What was advised for a night, also where nobody was told.
  case advice(BlanketNight)
}
