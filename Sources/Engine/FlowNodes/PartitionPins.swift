internal import FlowModel
internal import FlowStore

/// Partitions that calls of people need: those of running calls, and those acquired for a call within the last
/// `Limits.partitionStickyTime`.
struct PartitionPins {
  /// Number of running calls that need a partition, by partition.
  private var counts: [Int: Int] = [:]
  /// Uptime at which a partition was acquired for a call.
  private var acquired: [Int: Duration] = [:]

  /// Partitions that running calls need.
  var pinned: PartitionSet { PartitionSet(counts.keys) }

  mutating func pin(_ partitions: PartitionSet) {
    for partition in partitions.partitions { counts[partition, default: 0] += 1 }
  }

  /// Ends one `pin` of these partitions.
  mutating func unpin(_ partitions: PartitionSet) {
    for partition in partitions.partitions {
      let left = (counts[partition] ?? 1) - 1
      counts[partition] = left > 0 ? left : nil
    }
  }

  mutating func acquiredForCall(_ partitions: PartitionSet, at now: Duration) {
    for partition in partitions.partitions { acquired[partition] = now }
  }

  /// Forgets when these partitions were acquired, because they are handed off.
  mutating func forget(_ partitions: PartitionSet) {
    for partition in partitions.partitions { acquired[partition] = nil }
  }

  /// Partitions to keep at an uptime; drops those acquired too long ago.
  mutating func sticky(at now: Duration) -> PartitionSet {
    acquired = acquired.filter { now - $0.value < Limits.partitionStickyTime }
    return pinned + PartitionSet(acquired.keys)
  }
}
