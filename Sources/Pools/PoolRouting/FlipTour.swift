/// A closed tour in an array that is changed by segment reversals, with an undo log.
///
/// Reversing a segment or the rest of the ring gives the same tour, so the shorter of both is reversed: a change moves at most
/// half of the nodes. Arrays are faster than linked tours up to about 10,000 nodes: M. L. Fredman, D. S. Johnson, L. A.
/// McGeoch, G. Ostheimer, "Data Structures for Traveling Salesmen", Journal of Algorithms 18, 1995.
struct FlipTour: ~Copyable {
  let count: Int
  private let order: FlatArray<Int32>
  private let position: FlatArray<Int32>
  /// First and last index of each reversed segment since the log was last emptied.
  private var log = FlatArray<Int32>(repeating: 0, count: 128)
  /// Number of log entries in use; pass an earlier value to `undo(to:)`.
  private(set) var logEnd = 0

  init(_ nodes: [Int32]) {
    count = nodes.count
    order = FlatArray(nodes, filler: 0)
    position = FlatArray(repeating: 0, count: nodes.count)
    for index in 0..<nodes.count { position[order[index]] = Int32(truncatingIfNeeded: index) }
  }

  @inline(__always)
  borrowing func next(_ node: Int32) -> Int32 {
    let place = Int(position[node]) + 1
    return order[place == count ? 0 : place]
  }

  @inline(__always)
  borrowing func previous(_ node: Int32) -> Int32 {
    let place = Int(position[node])
    return order[(place == 0 ? count : place) - 1]
  }

  /// True if a forward walk from `first` reaches `node` before or at `last`.
  @inline(__always)
  borrowing func isBetween(_ first: Int32, _ node: Int32, _ last: Int32) -> Bool {
    let from = position[first]
    let place = position[node]
    let to = position[last]
    return from <= to ? from <= place && place <= to : from <= place || place <= to
  }

  // MARK: Changes

  /// Replaces the edges (a,b) and (c,d) by (a,c) and (b,d).
  ///
  /// Precondition: in one of the two directions, the tour visits a, b, …, c, d with b right after a and d right after c.
  @inline(__always)
  mutating func exchange(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) {
    if next(a) == b {
      turn(Int(position[b]), Int(position[c]))
    } else {
      turn(Int(position[c]), Int(position[b]))
    }
  }

  /// Makes all changes permanent: `undo(to:)` can no longer reach them.
  mutating func emptyLog() { logEnd = 0 }

  /// Undoes every change since `logEnd` was `mark`.
  mutating func undo(to mark: Int) {
    while logEnd > mark {
      logEnd -= 2
      swapThrough(Int(log[logEnd]), Int(log[logEnd + 1]))
    }
  }

  /// Reverses the segment from index `first` forward to index `last`, or the rest of the ring if that is shorter.
  private mutating func turn(_ first: Int, _ last: Int) {
    let length = last >= first ? last - first + 1 : last - first + 1 + count
    var from = first
    var to = last
    if 2 * length > count {
      from = last + 1 == count ? 0 : last + 1
      to = first == 0 ? count - 1 : first - 1
    }
    if logEnd == log.count { growLog() }
    log[logEnd] = Int32(truncatingIfNeeded: from)
    log[logEnd + 1] = Int32(truncatingIfNeeded: to)
    logEnd += 2
    swapThrough(from, to)
  }

  private mutating func growLog() {
    let longer = FlatArray<Int32>(repeating: 0, count: 2 * logEnd)
    longer.copy(logEnd, from: log, at: 0, to: 0)
    log = longer
  }

  /// Swaps the nodes at both ends of a segment and continues inwards until the indices meet.
  private mutating func swapThrough(_ first: Int, _ last: Int) {
    var low = first
    var high = last
    if first <= last {
      while low < high {
        exchangeNodes(low, high)
        low += 1
        high -= 1
      }
      return
    }
    for _ in 0..<(last - first + 1 + count) / 2 {
      exchangeNodes(low, high)
      low = low + 1 == count ? 0 : low + 1
      high = (high == 0 ? count : high) - 1
    }
  }

  @inline(__always)
  private func exchangeNodes(_ low: Int, _ high: Int) {
    let left = order[low]
    let right = order[high]
    order[low] = right
    order[high] = left
    position[right] = Int32(truncatingIfNeeded: low)
    position[left] = Int32(truncatingIfNeeded: high)
  }
}
