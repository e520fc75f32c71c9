/// Lin-Kernighan local search: chains of 3-opt exchanges, each starting at the closing edge of the last.
///
/// An exchange removes (t1,t2), (t3,t4), (t5,t6) and adds (t2,t3), (t4,t5) and the closing edge (t6,t1). It is followed only
/// while removed edges cost more than added ones, and only to candidate neighbours. If no exchange gains, the one with the best
/// partial gain is applied tentatively, and the next starts at its closing edge. Nodes with unchanged surroundings are skipped.
///
/// Sources: S. Lin, B. W. Kernighan, "An Effective Heuristic Algorithm for the Traveling-Salesman Problem", Operations Research
/// 21, 1973; the basis move and its repetition after K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling
/// salesman heuristic", European Journal of Operational Research 126, 2000; don't-look bits of J. L. Bentley, ORSA Journal on
/// Computing 4, 1992.
struct FlipSearch: ~Copyable {
  var tour: FlipTour
  private let legs: IntegerLegs
  let neighbours: NeighbourList
  private let queue: FlatArray<Int32>
  private let isQueued: FlatArray<Bool>
  private var queueHead = 0
  private var queueCount = 0
  /// Endpoints of the edges exchanged in this attempt.
  private let touched: FlatArray<Int32>
  private var touchedCount = 0

  /// Number of neighbours tried for the second added edge of a 3-opt exchange; `thirdWidth` is the number for the third.
  private static let secondWidth = 5
  private static let thirdWidth = 3
  /// Exchanges chained in one attempt; a fourth gains little, with two the search gets stuck.
  private static let depth = 3

  init(count: Int, legs: consuming IntegerLegs, neighbours: consuming NeighbourList) {
    tour = FlipTour((0..<count).map { Int32(truncatingIfNeeded: $0) })
    self.legs = legs
    self.neighbours = neighbours
    queue = FlatArray(repeating: 0, count: count)
    isQueued = FlatArray(repeating: false, count: count)
    touched = FlatArray(repeating: 0, count: 5 * Self.depth)
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Int { legs.cost(from, to) }

  /// Makes `nodes` the tour and improves it to a local optimum.
  mutating func improveTour(_ nodes: [Int32]) {
    tour = FlipTour(nodes)
    for node in nodes { enqueue(at: node) }
    _ = improveToOptimum()
    tour.emptyLog()
  }

  /// Improves the tour until no queued node has an exchange that gains.
  ///
  /// - Returns: the total cost reduction.
  mutating func improveToOptimum() -> Int {
    var gained = 0
    while queueCount > 0 {
      let node = queue[queueHead]
      queueHead = queueHead + 1 == queue.count ? 0 : queueHead + 1
      queueCount -= 1
      isQueued[node] = false
      var gain = improve(node)
      while gain > 0 {
        gained += gain
        gain = improve(node)
      }
    }
    return gained
  }

  @inline(__always)
  /// Queues `node` for improvement, unless it is queued already.
  mutating func enqueue(at node: Int32) {
    guard !isQueued[node] else { return }
    isQueued[node] = true
    var slot = queueHead + queueCount
    if slot >= queue.count { slot -= queue.count }
    queue[slot] = node
    queueCount += 1
  }

  // MARK: One attempt

  /// An exchange: the one that gains, or else the one with the best partial gain.
  private struct Step {
    var kept = 0
    var kind = Kind.none
    var t3: Int32 = 0
    var t4: Int32 = 0
    var t5: Int32 = 0
    var t6: Int32 = 0
  }

  /// The forms of an exchange.
  private enum Kind {
    case none
    /// 2-opt on (t1,t2) and (t3,t4): one segment is reversed.
    case turn
    /// A `turn`, followed by a second one from t4.
    case twoTurns
    /// Two adjacent segments are swapped.
    case swap
    /// Two adjacent segments are each reversed in position.
    case bothTurned
  }

  /// Tries to improve the tour by a chain of exchanges that starts at an edge of `t1`.
  ///
  /// - Returns: the gain; 0 if the tour is unchanged.
  private mutating func improve(_ t1: Int32) -> Int {
    let mark = tour.logEnd
    for index in 0..<2 {
      let forward = index == 0
      touchedCount = 0
      var t2 = forward ? tour.next(t1) : tour.previous(t1)
      var kept = cost(t1, t2)
      for level in 0..<Self.depth {
        // Direction from t1 to t2; it can flip when `FlipTour` reverses the rest of the ring.
        let isForward = tour.next(t1) == t2
        var step = Step()
        let gain = bestStep(t1, t2, isForward, kept, &step)
        if step.kind == .none { break }
        apply(step, t1, t2)
        if gain > 0 {
          enqueue(at: t1)
          enqueue(at: t2)
          for index in 0..<touchedCount { enqueue(at: touched[index]) }
          return gain
        }
        if level + 1 == Self.depth { break }
        t2 = step.kind == .turn ? step.t4 : step.t6
        kept = step.kept
      }
      tour.undo(to: mark)
    }
    return 0
  }

  /// Applies an exchange to the tour as up to three segment reversals, and records its endpoints in `touched`.
  private mutating func apply(_ step: Step, _ t1: Int32, _ t2: Int32) {
    switch step.kind {
    case .none: return
    case .turn: tour.exchange(t1, t2, step.t4, step.t3)
    case .twoTurns:
      tour.exchange(t1, t2, step.t4, step.t3)
      tour.exchange(t1, step.t4, step.t6, step.t5)
    case .bothTurned:
      tour.exchange(t1, t2, step.t6, step.t5)
      tour.exchange(t2, step.t5, step.t3, step.t4)
    case .swap:
      tour.exchange(t1, t2, step.t3, step.t4)
      tour.exchange(t1, step.t3, step.t6, step.t5)
      tour.exchange(step.t3, step.t5, t2, step.t4)
    }
    touched[touchedCount] = t2
    touched[touchedCount + 1] = step.t3
    touched[touchedCount + 2] = step.t4
    touchedCount += 3
    if step.kind != .turn {
      touched[touchedCount] = step.t5
      touched[touchedCount + 1] = step.t6
      touchedCount += 2
    }
  }

  /// Searches for an exchange that starts by removing the edge (t1,t2).
  ///
  /// - Parameter kept: removed cost minus added cost so far, the edge (t1,t2) included.
  /// - Returns: the gain of `step`, or 0 if `step` only has the best partial gain.
  private borrowing func bestStep(
    _ t1: Int32, _ t2: Int32, _ isForward: Bool, _ kept: Int, _ step: inout Step
  ) -> Int {
    let beforeT2 = isForward ? tour.next(t2) : tour.previous(t2)
    // 2-opt first: cheapest to check and most often successful.
    for slot in 0..<neighbours.width {
      let opened = kept &- neighbours.cost(t2, slot)
      if opened <= 0 { break }
      let t3 = neighbours.node(t2, slot)
      if t3 == t1 || t3 == beforeT2 { continue }
      let t4 = isForward ? tour.previous(t3) : tour.next(t3)
      let removed = opened &+ cost(t3, t4)
      let gain = removed &- cost(t4, t1)
      if gain > 0 || removed > step.kept {
        step = Step(kept: removed, kind: .turn, t3: t3, t4: t4)
        if gain > 0 { return gain }
      }
    }
    for slot in 0..<min(Self.secondWidth, neighbours.width) {
      let opened = kept &- neighbours.cost(t2, slot)
      if opened <= 0 { break }
      let t3 = neighbours.node(t2, slot)
      if t3 == t1 || t3 == beforeT2 { continue }
      let next = tour.next(t3)
      let previous = tour.previous(t3)
      let turned = isForward ? previous : next
      var gain = bestTurn(t1, t2, t3, turned, isForward, opened &+ cost(t3, turned), &step)
      if gain > 0 { return gain }
      let beyond = isForward ? next : previous
      if beyond == t1 { continue }
      gain = bestOpening(t1, t2, t3, beyond, isForward, opened &+ cost(t3, beyond), &step)
      if gain > 0 { return gain }
    }
    return 0
  }

  /// Searches the third edge after a 2-opt exchange that already closed a tour.
  @inline(__always)
  private borrowing func bestTurn(
    _ t1: Int32, _ t2: Int32, _ t3: Int32, _ t4: Int32, _ isForward: Bool, _ kept: Int, _ step: inout Step
  ) -> Int {
    let beforeT4 = isForward ? tour.previous(t4) : tour.next(t4)
    for slot in 0..<min(Self.thirdWidth, neighbours.width) {
      let opened = kept &- neighbours.cost(t4, slot)
      if opened <= 0 { break }
      let t5 = neighbours.node(t4, slot)
      if t5 == t3 || t5 == t1 || t5 == beforeT4 { continue }
      let isInside = isForward ? tour.isBetween(t2, t5, t4) : tour.isBetween(t4, t5, t2)
      let t6 = isInside == isForward ? tour.next(t5) : tour.previous(t5)
      let removed = opened &+ cost(t5, t6)
      let gain = removed &- cost(t6, t1)
      if gain > 0 || removed > step.kept {
        step = Step(kept: removed, kind: .twoTurns, t3: t3, t4: t4, t5: t5, t6: t6)
        if gain > 0 { return gain }
      }
    }
    return 0
  }

  /// Searches the third edge after a second one that split off a ring from t2 to t3, which the third edge must reopen.
  @inline(__always)
  private borrowing func bestOpening(
    _ t1: Int32, _ t2: Int32, _ t3: Int32, _ t4: Int32, _ isForward: Bool, _ kept: Int, _ step: inout Step
  ) -> Int {
    for slot in 0..<min(Self.thirdWidth, neighbours.width) {
      let opened = kept &- neighbours.cost(t4, slot)
      if opened <= 0 { break }
      let t5 = neighbours.node(t4, slot)
      if t5 == t3 { continue }
      guard isForward ? tour.isBetween(t2, t5, t3) : tour.isBetween(t3, t5, t2) else { continue }
      for turns in 0..<2 {
        let kind = turns == 0 ? Kind.swap : .bothTurned
        if kind == .bothTurned, t5 == t2 { break }
        let t6 = (kind == .swap) == isForward ? tour.next(t5) : tour.previous(t5)
        let removed = opened &+ cost(t5, t6)
        let gain = removed &- cost(t6, t1)
        if gain > 0 || removed > step.kept {
          step = Step(kept: removed, kind: kind, t3: t3, t4: t4, t5: t5, t6: t6)
          if gain > 0 { return gain }
        }
      }
    }
    return 0
  }
}
