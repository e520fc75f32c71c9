/// Conversion of leg costs to integers.
private enum IntegerCost {
  /// Upper limit of a scaled leg: nine such legs, as in the longest exchange, sum to less than the magnitude of `homeToFirst`.
  /// A 60-mile leg is resolved to a tenth of an inch.
  static let longest = 0x1p25
  static let homeToFirst = Int32.min

  /// - Returns: the power of two that scales `largest` to at most `longest`; a power of two keeps integers exact.
  static func scale(_ largest: Double) -> Double {
    var scale = 1.0
    guard largest > 0, largest.isFinite else { return scale }
    while scale * largest > longest { scale /= 2 }
    while 2 * scale * largest <= longest, scale < 0x1p900 { scale *= 2 }
    return scale
  }

  /// The scaled cost, rounded; values beyond ±2 × `longest` are clamped, because a table can contain any number.
  static func number(_ cost: Double) -> Int32 {
    guard cost.magnitude <= 2 * longest else { return Int32(cost < 0 ? -2 * longest : 2 * longest) }
    return Int32(cost.rounded())
  }
}

/// Table of every leg plus the Held-Karp prices of both ends, as integers, so that sums do not depend on the order of addition.
///
/// The extra node home connects the last stop with the first. No exchange removes the leg from home to the first stop, because
/// it is very cheap; this keeps the first stop first.
///
/// The leg from home to a stop costs the stop's price. The prices shift all tours by the same constant, so their ranking is
/// unchanged.
struct IntegerLegs: ~Copyable {
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
    let scale = IntegerCost.scale(largest)
    for from in 0..<stops {
      let end = IntegerCost.number(prices[from] * scale)
      table[from * stride + stops] = end
      table[stops * stride + from] = end
      for to in 0..<from {
        let leg = legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to))
        let cost = IntegerCost.number((leg + (prices[from] + prices[to])) * scale)
        table[from * stride + to] = cost
        table[to * stride + from] = cost
      }
    }
    table[stops] = IntegerCost.homeToFirst
    table[stops * stride] = IntegerCost.homeToFirst
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Int { Int(table[Int(from) * stride + Int(to)]) }
}

/// Candidate neighbours of every node with their leg costs, cheapest first.
struct NeighbourList: ~Copyable {
  let width: Int
  /// Node and cost per slot; `emptySlot`, the cost of an empty slot, is higher than any real cost.
  private let entries: FlatArray<Int32>
  static let emptySlot = Int(Int32.max)

  /// - Parameter count: number of nodes, home included.
  init(_ graph: borrowing CandidateGraph, count: Int, legs: borrowing IntegerLegs) {
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
