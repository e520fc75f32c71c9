/// A set of a store's 64 partitions, which the nodes of a cluster divide among themselves.
///
/// A team's partition is its number modulo 64 and never changes. Work without a team, such as the server's jobs and notices,
/// belongs to partition 0.
package struct PartitionSet: Hashable, Sendable, CustomStringConvertible {
  package static let all = PartitionSet(bits: .max)
  package static let none = PartitionSet(bits: 0)
  /// The partition of the server's own work.
  package static let ofServer = PartitionSet(partition: 0)
  package static let count = 64

  package private(set) var bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  package init(partition: Int) { bits = 1 << UInt64(partition) }

  /// - Parameter partitions: partition numbers from 0 to 63; other numbers are ignored.
  package init(_ partitions: some Sequence<Int>) {
    bits = partitions.reduce(0) { (0..<Self.count).contains($1) ? $0 | 1 << UInt64($1) : $0 }
  }

  /// - Parameter list: comma-separated partition numbers; nil for none.
  package init(list: String?) { self.init((list ?? "").split(separator: ",").compactMap { Int($0) }) }

  /// The partition of a team; 0 for nil, the server.
  package static func partition(of team: TeamID?) -> Int { Int(UInt64(bitPattern: team?.number ?? 0) % UInt64(count)) }

  package init(of team: TeamID?) { self.init(partition: Self.partition(of: team)) }

  package var count: Int { bits.nonzeroBitCount }
  package var isEmpty: Bool { bits == 0 }
  /// The partition numbers in ascending order.
  package var partitions: [Int] { (0..<Self.count).filter { contains($0) } }

  package func contains(_ partition: Int) -> Bool { bits & 1 << UInt64(partition) != 0 }
  package func contains(team: TeamID?) -> Bool { contains(Self.partition(of: team)) }
  package func isSuperset(of other: PartitionSet) -> Bool { other.bits & ~bits == 0 }

  /// The first `count` partitions in ascending order.
  package func first(_ count: Int) -> PartitionSet { PartitionSet(partitions.prefix(count)) }

  package static func + (a: PartitionSet, b: PartitionSet) -> PartitionSet { PartitionSet(bits: a.bits | b.bits) }
  package static func - (a: PartitionSet, b: PartitionSet) -> PartitionSet { PartitionSet(bits: a.bits & ~b.bits) }
  package static func & (a: PartitionSet, b: PartitionSet) -> PartitionSet { PartitionSet(bits: a.bits & b.bits) }

  /// The partition numbers as ranges: `0-20, 63`.
  package var description: String {
    var spans: [ClosedRange<Int>] = []
    for partition in partitions {
      if let last = spans.last, last.upperBound == partition - 1 {
        spans[spans.count - 1] = last.lowerBound...partition
      } else {
        spans.append(partition...partition)
      }
    }
    return spans.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(
      separator: ", ")
  }
}
