package import FlowModel
import FlowPlatform
package import FlowWork

// Decisions that are made before their slot.
extension JobRunner {
  /// Prefetches the decisions for `slot`, so that its notices can be sent as soon as the slot falls due. If the slot is
  /// prepared already, only new runs are decided.
  ///
  /// Nothing is claimed. Holds, rules and days off are checked again when the slot falls due.
  ///
  /// - Parameter inMemory: number of decisions made at once and kept in memory; `prefetchRemaining()` decides the rest.
  package func prepare(_ ticks: [JobTick], for slot: Timestamp, inMemory: Int = Limits.prefetchedRunsInMemory) async {
    if slot != prefetch.slot { discardPrefetched() }
    prefetch.slot = slot
    let runs = ticks.flatMap(\.claims).map { ClaimedRun(expected: $0) }.filter { !prefetch.decisions.contains($0) }
    let atOnce = runs.prefix(max(0, inMemory - prefetch.decisions.countInMemory))
    let generation = prefetch.generation
    let first = await DecidedBatch(Array(atOnce), by: decider(at: slot))
    // `discardPrefetched()` ran in the meantime, for example because time zone data changed.
    guard generation == prefetch.generation else { return }
    prefetch.decisions.add(PrefetchedDecisions(first))
    let rest = runs.dropFirst(atOnce.count).filter { !prefetch.decisions.contains($0) }
      .prefix(Limits.prefetchedRunsInFile)
    if !rest.isEmpty, let prefetchStore = prefetch.pending?.prefetchStore ?? prefetch.makeStore() {
      prefetch.pending = PendingPrefetch(slot: slot, rest: rest, prefetchStore: prefetchStore)
    }
  }

  /// Prefetches the remaining decisions of the prepared slot to disk, `Limits.prefetchedRunsPerStep` at a time. Ends when all are
  /// decided, shortly before the slot, on `stopPrefetching()` or on cancellation; the next call continues.
  package func prefetchRemaining() async {
    prefetch.turn += 1
    let turn = prefetch.turn
    while turn == prefetch.turn, !Task.isCancelled, let at = prefetch.pending, !at.rest.isEmpty,
      at.slot.since(clock.now()) > Limits.prefetchEndBeforeSlot
    {
      let runs = Array(at.rest.prefix(Limits.prefetchedRunsPerStep))
      prefetch.pending?.rest.removeFirst(runs.count)
      let found = await PrefetchedDecisions.prefetching(runs, by: decider(at: at.slot), on: at.prefetchStore)
      // While this batch was decided, another slot may have been prepared or the decisions may have been dropped.
      if prefetch.pending?.prefetchStore === at.prefetchStore { prefetch.decisions.add(found) }
    }
  }

  /// Ends a running `prefetchRemaining()` after its current batch.
  package func stopPrefetching() { prefetch.turn += 1 }

  /// Drops all prefetched decisions, because they were made with outdated time zone data or for another slot.
  package func discardPrefetched() { prefetch.discard() }

  /// Drops the prefetched decisions of partitions that were acquired or released: another node may change their facts.
  package func discardPrefetched(of partitions: PartitionSet) { prefetch.discard(partitions) }
}
