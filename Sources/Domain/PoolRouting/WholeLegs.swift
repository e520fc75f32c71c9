/// What legs cost in whole numbers, which add up to the same in any sequence, with the Held-Karp prices of both ends.
///
/// Home, the last node, is as far from every stop as its price: every order keeps its distance from every other, but a
/// leg shows what it is worth. Home and the first stop are so cheap a pair that no exchange parts them: the day begins
/// there.
struct WholeLegs: ~Copyable {
  private let table: FlatArray<Int32>
  private let stride: Int

  /// The longest leg becomes a number up to this, so that the nine legs of the longest exchange stay below the worth of
  /// home's first leg: 60 miles are counted in tenths of an inch.
  private static let longest = 0x1p25
  private static let homeToFirst = Int32.min

  init<Legs: LegCosts & ~Copyable>(_ legs: borrowing Legs, prices: [Double]) {
    let stops = prices.count
    stride = stops + 1
    table = FlatArray(repeating: 0, count: stride * stride)
    var largest = 0.0
    for from in 0..<stops {
      largest = max(largest, 2 * prices[from].magnitude)
      for to in 0..<from {
        largest = max(largest, legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to)))
      }
    }
    let scale = Self.scale(largest)
    for from in 0..<stops {
      let end = Self.whole(prices[from] * scale)
      table[from * stride + stops] = end
      table[stops * stride + from] = end
      for to in 0..<from {
        let leg = legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to))
        let cost = Self.whole((leg + (prices[from] + prices[to])) * scale)
        table[from * stride + to] = cost
        table[to * stride + from] = cost
      }
    }
    table[stops] = Self.homeToFirst
    table[stops * stride] = Self.homeToFirst
  }

  /// A power of two, which keeps whole numbers whole.
  private static func scale(_ largest: Double) -> Double {
    var scale = 1.0
    guard largest > 0, largest.isFinite else { return scale }
    while scale * largest > longest { scale /= 2 }
    while 2 * scale * largest <= longest, scale < 0x1p900 { scale *= 2 }
    return scale
  }

  /// A table may hold any number; what does not fit is as far as can be.
  private static func whole(_ cost: Double) -> Int32 {
    guard cost.magnitude <= 2 * longest else { return Int32(cost < 0 ? -2 * longest : 2 * longest) }
    return Int32(cost.rounded())
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Int { Int(table[Int(from) * stride + Int(to)]) }
}

/// The candidates of every node, cheapest first, with what they cost beside them.
struct NeighbourList: ~Copyable {
  let width: Int
  /// Node and cost for each slot. No slot costs as much as an empty one.
  private let entries: FlatArray<Int32>
  static let emptySlot = Int(Int32.max)

  /// - Parameter count: Of the nodes, home among them.
  init(_ graph: borrowing CandidateGraph, count: Int, legs: borrowing WholeLegs) {
    width = graph.width
    entries = FlatArray(repeating: .max, count: 2 * count * width)
    var row: [(cost: Int, node: Int32)] = []
    for stop in 0..<Int32(truncatingIfNeeded: count) {
      row.removeAll(keepingCapacity: true)
      for slot in 0..<width {
        let node = graph.node(stop, slot)
        if node < 0 { break }
        row.append((legs.cost(stop, node), node))
      }
      row.sort { ($0.cost, $0.node) < ($1.cost, $1.node) }
      for (slot, entry) in row.enumerated() {
        entries[2 * (Int(stop) * width + slot)] = entry.node
        entries[2 * (Int(stop) * width + slot) + 1] = Int32(truncatingIfNeeded: entry.cost)
      }
    }
  }

  @inline(__always)
  borrowing func node(_ stop: Int32, _ slot: Int) -> Int32 { entries[2 * (Int(stop) * width + slot)] }

  @inline(__always)
  borrowing func cost(_ stop: Int32, _ slot: Int) -> Int { Int(entries[2 * (Int(stop) * width + slot) + 1]) }
}
