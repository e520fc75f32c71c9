import FlowModel
import PoolModel

/// Tracks the highest route order of each day while pools are added and moved.
struct CSVRouteOrders {
  /// Indexed from Sunday; nil for a day without pools.
  private var highest: [Int?] = Array(repeating: nil, count: 7)
  /// For each day, the number of pools with each route order; computed at the first move, because few files move a
  /// pool.
  private var counts: [[Int: Int]]?

  init(_ pools: [Pool]) {
    for pool in pools { raise(pool.serviceDay.rawValue - 1, to: pool.routeOrder) }
  }

  /// Adds a pool to a day.
  ///
  /// - Parameter order: the route order in the file; nil if the row has none.
  /// - Returns: `order`, else the highest order of the day plus one, or 0 on an empty day (R-CSV-13).
  mutating func add(_ order: Int?, on day: Weekday) -> Int {
    let position = day.rawValue - 1
    let order = order ?? highest[position].map { $0 + 1 } ?? 0
    raise(position, to: order)
    counts?[position][order, default: 0] += 1
    return order
  }

  /// Moves a pool to another day or route order.
  ///
  /// - Parameters:
  ///   - order: the route order before the move.
  ///   - next: the route order after the move.
  ///   - pools: all pools as they are before the move.
  mutating func move(_ order: Int, from old: Weekday, to new: Weekday, as next: Int, among pools: [Pool]) {
    var counts = self.counts ?? Self.counts(pools)
    self.counts = nil
    let (from, to) = (old.rawValue - 1, new.rawValue - 1)
    let left = (counts[from][order] ?? 0) - 1
    counts[from][order] = left > 0 ? left : nil
    if left <= 0, highest[from] == order { highest[from] = counts[from].keys.max() }
    counts[to][next, default: 0] += 1
    raise(to, to: next)
    self.counts = counts
  }

  private static func counts(_ pools: [Pool]) -> [[Int: Int]] {
    var counts: [[Int: Int]] = Array(repeating: [:], count: 7)
    for pool in pools { counts[pool.serviceDay.rawValue - 1][pool.routeOrder, default: 0] += 1 }
    return counts
  }

  private mutating func raise(_ position: Int, to order: Int) {
    highest[position] = max(highest[position] ?? order, order)
  }
}
