internal import FlowModel
internal import Glibc
internal import PoolModel

/// Search for problems in which a stop's position matters: the balanced objective, pins, arrival windows, or asymmetric tables.
///
/// Simulated annealing with reversed segments, moved segments and swapped stops. Source: S. Kirkpatrick, C. D. Gelatt, M. P.
/// Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
struct AnnealedSearch<Legs: LegCosts & ~Copyable>: ~Copyable {
  private let problem: RouteProblem
  private let legs: Legs
  private var random: SplitMix
  private var order: [Int]
  /// Unpinned positions in ascending order; moves change only these.
  private let freePositions: [Int]
  private var cost: Double
  private let maxSegmentLength: Int
  private var segment: [Int] = []
  /// Arrival times; nil if no stop has an arrival window.
  private var clock: DayClock?

  /// Maximum length of the segment that a move changes; longer moves rarely succeed and take more time.
  private static var maxSegment: Int { 60 }

  init(_ problem: RouteProblem, legs: consuming Legs, from order: [Int], seed: UInt64) {
    self.problem = problem
    self.legs = legs
    self.order = order
    random = SplitMix(seed: seed)
    freePositions = (1..<problem.count).filter { problem.pinned[$0] == nil }
    maxSegmentLength = min(freePositions.count, Self.maxSegment)
    cost = problem.cost(of: order)
    clock = problem.hasWindows ? DayClock(problem, order: order) : nil
  }

  /// - Parameter moves: number of changes tried.
  /// - Returns: the best order found, or the initial order if none was better.
  mutating func run(moves: Int) -> [Int] {
    guard freePositions.count > 1, moves > 0 else { return order }
    var best = order
    var bestCost = cost
    let mean = cost / Double(problem.count)
    let warm = 0.5 * mean
    let cold = 0.002 * mean
    let cooling = pow(cold / max(warm, .leastNormalMagnitude), 1 / Double(moves))
    var heat = warm
    for _ in 0..<moves {
      heat *= cooling
      let (first, last) = propose()
      let change = change(first, last)
      guard change <= 0 || random.unit() < exp(-change / heat) else { continue }
      accept(first, last, change)
      if cost < bestCost - 1e-9 {
        bestCost = cost
        best = order
      }
    }
    order = best
    return order
  }

  /// Fills `segment` with a random new sequence for a random range of `freePositions`.
  ///
  /// - Returns: the first and last index of the range.
  private mutating func propose() -> (Int, Int) {
    let length = 2 + random.below(maxSegmentLength - 1)
    let first = random.below(freePositions.count - length + 1)
    let last = first + length - 1
    segment.removeAll(keepingCapacity: true)
    for slot in first...last { segment.append(order[freePositions[slot]]) }
    switch random.below(4) {
    case 0: segment.reverse()
    case 1: segment.swapAt(0, length - 1)
    default:
      // Move up to three stops from one end of the segment to the other, reversed half of the time.
      let moved = 1 + random.below(min(3, length - 1))
      let fromFront = random.below(2) == 0
      var piece = Array(fromFront ? segment.prefix(moved) : segment.suffix(moved))
      if random.below(2) == 0 { piece.reverse() }
      if fromFront {
        segment.removeFirst(moved)
        segment += piece
      } else {
        segment.removeLast(moved)
        segment.insert(contentsOf: piece, at: 0)
      }
    }
    return (first, last)
  }

  /// The change of the day's cost if `segment` replaces the stops at `freePositions[first...last]`.
  private mutating func change(_ first: Int, _ last: Int) -> Double {
    var change = 0.0
    let from = freePositions[first]
    let to = freePositions[last]
    // The range can contain pinned stops, whose adjacent legs change too.
    var before = Int32(truncatingIfNeeded: order[from - 1])
    var beforeOld = before
    var slot = first
    for position in from...to {
      let old = order[position]
      var new = old
      if freePositions[slot] == position {
        new = segment[slot - first]
        slot += 1
      }
      change += legs.cost(before, Int32(truncatingIfNeeded: new)) - legs.cost(beforeOld, Int32(truncatingIfNeeded: old))
      change += problem.placeCost(new, at: position) - problem.placeCost(old, at: position)
      before = Int32(truncatingIfNeeded: new)
      beforeOld = Int32(truncatingIfNeeded: old)
    }
    if to + 1 < order.count {
      let after = Int32(truncatingIfNeeded: order[to + 1])
      change += legs.cost(before, after) - legs.cost(beforeOld, after)
    }
    if let late = lateness(first, last) { change += late * RouteFigures.costOfLateMinute }
    return change
  }

  /// The change of total lateness in minutes; nil if no stop has an arrival window.
  private func lateness(_ first: Int, _ last: Int) -> Double? {
    var next = first
    return clock?.change(in: order, from: freePositions[first], to: freePositions[last]) { position in
      guard freePositions[next] == position else { return order[position] }
      next += 1
      return segment[next - 1 - first]
    }
  }

  /// Writes `segment` to the positions `freePositions[first...last]` of the order.
  private mutating func put(_ first: Int, _ last: Int) {
    for slot in first...last { order[freePositions[slot]] = segment[slot - first] }
  }

  /// Applies a proposed move and updates cost and arrival times.
  private mutating func accept(_ first: Int, _ last: Int, _ change: Double) {
    put(first, last)
    cost += change
    clock?.follow(order, from: freePositions[first])
  }
}
