/// What legs cost in whole numbers, which add up to the same in any sequence, for the search.
///
/// Home, the last node, stands between the last stop and the first. Home and the first stop are so cheap a pair that no
/// exchange parts them: the day begins there.
protocol WholeCosts: ~Copyable {
  borrowing func cost(_ from: Int32, _ to: Int32) -> Int
}

/// How legs become whole numbers.
private enum Whole {
  /// The longest leg becomes a number up to this, so that the nine legs of the longest exchange stay below the worth of
  /// home's first leg: 60 miles are counted in tenths of an inch.
  static let longest = 0x1p25
  static let homeToFirst = Int32.min

  /// A power of two, which keeps whole numbers whole.
  static func scale(_ largest: Double) -> Double {
    var scale = 1.0
    guard largest > 0, largest.isFinite else { return scale }
    while scale * largest > longest { scale /= 2 }
    while 2 * scale * largest <= longest, scale < 0x1p900 { scale *= 2 }
    return scale
  }

  /// A table may hold any number; what does not fit is as far as can be.
  static func number(_ cost: Double) -> Int32 {
    guard cost.magnitude <= 2 * longest else { return Int32(cost < 0 ? -2 * longest : 2 * longest) }
    return Int32(cost.rounded())
  }
}

/// Every leg in a table, with the Held-Karp prices of both ends.
///
/// Home is as far from every stop as its price: every order keeps its distance from every other, but a leg shows what it
/// is worth.
struct WholeLegs: WholeCosts, ~Copyable {
  private let table: FlatArray<Int32>
  private let stride: Int

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
    let scale = Whole.scale(largest)
    for from in 0..<stops {
      let end = Whole.number(prices[from] * scale)
      table[from * stride + stops] = end
      table[stops * stride + from] = end
      for to in 0..<from {
        let leg = legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to))
        let cost = Whole.number((leg + (prices[from] + prices[to])) * scale)
        table[from * stride + to] = cost
        table[to * stride + from] = cost
      }
    }
    table[stops] = Whole.homeToFirst
    table[stops * stride] = Whole.homeToFirst
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Int { Int(table[Int(from) * stride + Int(to)]) }
}

/// Great-circle legs, rounded when asked: for days whose table would not fit. Home is as near to every stop.
struct WholeSphere: WholeCosts, ~Copyable {
  private let legs: SphereLegs
  private let home: Int32
  private let scale: Double

  init(_ legs: consuming SphereLegs, stops: Int) {
    // No leg is longer than the two by way of the first stop.
    var farthest = 0.0
    for stop in 1..<Int32(truncatingIfNeeded: stops) { farthest = max(farthest, legs.cost(0, stop)) }
    scale = Whole.scale(2 * farthest)
    home = Int32(truncatingIfNeeded: stops)
    self.legs = legs
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Int {
    guard from != home, to != home else { return from + to == home ? Int(Whole.homeToFirst) : 0 }
    return Int((legs.cost(from, to) * scale).rounded())
  }
}

/// The candidates of every node, cheapest first, with what they cost beside them.
struct NeighbourList: ~Copyable {
  let width: Int
  /// Node and cost for each slot. No slot costs as much as an empty one.
  private let entries: FlatArray<Int32>
  static let emptySlot = Int(Int32.max)

  /// - Parameters:
  ///   - count: Of the nodes, home among them.
  ///   - most: Of the candidates of a node, the cheapest.
  init<Legs: WholeCosts & ~Copyable>(
    _ graph: borrowing CandidateGraph, count: Int, legs: borrowing Legs, most: Int = .max
  ) {
    width = min(graph.width, most)
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
