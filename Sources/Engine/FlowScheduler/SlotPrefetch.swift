import FlowModel
import FlowWork

/// The decisions that are made before their slot, and the runs that are still to be decided for it.
struct SlotPrefetch {
  /// Decisions prefetched before their slot.
  var decisions = PrefetchedDecisions()
  /// The slot that `decisions` were made for.
  var slot: Timestamp?
  /// The runs of that slot that are not prefetched yet, and the file store for their outcomes.
  var pending: PendingPrefetch?
  /// Number of the current `JobRunner.prefetchRemaining()` call; an earlier call ends when it changes.
  var turn = 0
  /// Changed by `discard()`: decisions that began before it are discarded.
  private(set) var generation = 0
  /// Creates a store for the outcomes of one slot; nil if none can be created.
  let makeStore: @Sendable () -> (any PrefetchStore)?

  init(makeStore: @escaping @Sendable () -> (any PrefetchStore)?) { self.makeStore = makeStore }

  /// Drops all decisions.
  mutating func discard() {
    generation += 1
    decisions = PrefetchedDecisions()
    slot = nil
    pending = nil
  }

  /// Drops the decisions of some partitions.
  mutating func discard(_ partitions: PartitionSet) {
    decisions.forget(partitions)
    pending?.rest.removeAll { partitions.contains(team: $0.teamID) }
  }
}
