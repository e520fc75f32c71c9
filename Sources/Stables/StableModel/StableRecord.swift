/// A record that a stable's decision writes in the transaction of its run.
package enum StableRecord: Hashable, Sendable {
  /// Closes the board of the day; has no effect on a day that is closed already.
  case closeDay(FeedDay)
  /// The blanket advice for a night; written even if no notice is sent.
  case advice(BlanketNight)
}
