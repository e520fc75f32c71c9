/// A set of a store's 64 partitions, which the nodes of a cluster divide among themselves.
///
/// A team's partition is its number modulo 64 and never changes. Work without a team, such as the server's jobs and notices,
/// belongs to partition 0.
package struct ShareSet: Hashable, Sendable, CustomStringConvertible {
  package static let all = ShareSet(bits: .max)
  package static let none = ShareSet(bits: 0)
  /// The partition of the server's own work.
  package static let ofServer = ShareSet(share: 0)
  package static let count = 64

  package private(set) var bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  package init(share: Int) { bits = 1 << UInt64(share) }

  /// - Parameter shares: partition numbers from 0 to 63; other numbers are ignored.
  package init(_ shares: some Sequence<Int>) {
    bits = shares.reduce(0) { (0..<Self.count).contains($1) ? $0 | 1 << UInt64($1) : $0 }
  }

  /// - Parameter list: comma-separated partition numbers; nil for none.
  package init(list: String?) { self.init((list ?? "").split(separator: ",").compactMap { Int($0) }) }

  /// The partition of a team; 0 for nil, the server.
  package static func share(of team: TeamID?) -> Int { Int(UInt64(bitPattern: team?.number ?? 0) % UInt64(count)) }

  package init(of team: TeamID?) { self.init(share: Self.share(of: team)) }

  package var count: Int { bits.nonzeroBitCount }
  package var isEmpty: Bool { bits == 0 }
  /// The partition numbers in ascending order.
  package var shares: [Int] { (0..<Self.count).filter { contains($0) } }

  package func contains(_ share: Int) -> Bool { bits & 1 << UInt64(share) != 0 }
  package func contains(team: TeamID?) -> Bool { contains(Self.share(of: team)) }
  package func isSuperset(of other: ShareSet) -> Bool { other.bits & ~bits == 0 }

  /// The first `count` partitions in ascending order.
  package func first(_ count: Int) -> ShareSet { ShareSet(shares.prefix(count)) }

  package static func + (a: ShareSet, b: ShareSet) -> ShareSet { ShareSet(bits: a.bits | b.bits) }
  package static func - (a: ShareSet, b: ShareSet) -> ShareSet { ShareSet(bits: a.bits & ~b.bits) }
  package static func & (a: ShareSet, b: ShareSet) -> ShareSet { ShareSet(bits: a.bits & b.bits) }

  /// The partition numbers as ranges: `0-20, 63`.
  package var description: String {
    var spans: [ClosedRange<Int>] = []
    for share in shares {
      if let last = spans.last, last.upperBound == share - 1 {
        spans[spans.count - 1] = last.lowerBound...share
      } else {
        spans.append(share...share)
      }
    }
    return spans.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(
      separator: ", ")
  }
}
