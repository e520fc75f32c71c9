/// A closed tour in an array, with the place of every node and a journal that takes changes back.
///
/// A change replaces up to five edges at once: the tour falls into as many segments, the longest stays where it is and
/// the others are written anew behind it. What they overwrite goes to the journal, so that taking a change back is one
/// copy. Array tours beat linked ones up to some 10,000 nodes: M. L. Fredman, D. S. Johnson, L. A. McGeoch,
/// G. Ostheimer, "Data Structures for Traveling Salesmen", Journal of Algorithms 18, 1995.
struct Tour: ~Copyable {
  let count: Int
  private let order: FlatArray<Int32>
  private let position: FlatArray<Int32>
  private var journal: FlatArray<Int32>
  private var journalEnd = 0

  /// The most edges that one change replaces.
  static let widestChange = 6

  init(_ nodes: [Int32]) {
    count = nodes.count
    order = FlatArray(nodes, filler: 0)
    position = FlatArray(repeating: 0, count: nodes.count)
    journal = FlatArray(repeating: 0, count: 8 * nodes.count + 64)
    for index in 0..<nodes.count { position[order[index]] = Int32(truncatingIfNeeded: index) }
  }

  borrowing func copyNodes(to nodes: borrowing FlatArray<Int32>) { nodes.copy(count, from: order, at: 0, to: 0) }

  @inline(__always)
  borrowing func node(at place: Int) -> Int32 { order[place] }

  @inline(__always)
  borrowing func place(of node: Int32) -> Int { Int(position[node]) }

  @inline(__always)
  borrowing func next(_ node: Int32) -> Int32 {
    let place = Int(position[node]) + 1
    return order[place == count ? 0 : place]
  }

  @inline(__always)
  borrowing func previous(_ node: Int32) -> Int32 {
    let place = Int(position[node])
    return order[place == 0 ? count - 1 : place - 1]
  }

  // MARK: Changes

  /// How the tour is put together again: its segments in their new sequence, the longest first and not turned.
  struct Splice {
    /// First and last place of each segment, in the old tour; a segment may go past the array's end.
    var first: InlineArray<6, Int32> = .init(repeating: 0)
    var last: InlineArray<6, Int32> = .init(repeating: 0)
    var turned: InlineArray<6, Bool> = .init(repeating: false)
    var count = 0
  }

  /// The splice that removes the edges (t0,t1), (t2,t3), … and adds (t1,t2), …, (t₂ₖ₋₁,t0), or nil where that makes
  /// more than one ring.
  borrowing func splice(_ ends: borrowing FlatArray<Int32>, edges: Int) -> Splice? {
    // Where each removed edge cuts: after this place.
    var cuts: InlineArray<6, Int32> = .init(repeating: 0)
    var forward: InlineArray<6, Bool> = .init(repeating: false)
    var sorted: InlineArray<6, Int> = .init(repeating: 0)
    for edge in 0..<edges {
      let from = ends[2 * edge]
      let isForward = next(from) == ends[2 * edge + 1]
      forward[edge] = isForward
      cuts[edge] = position[isForward ? from : ends[2 * edge + 1]]
      var slot = edge
      while slot > 0, cuts[sorted[slot - 1]] > cuts[edge] {
        sorted[slot] = sorted[slot - 1]
        slot -= 1
      }
      sorted[slot] = edge
    }
    // Segment r ends at the r-th cut; its left end is number 2r, its right end 2r + 1.
    var endOf: InlineArray<12, Int> = .init(repeating: 0)
    for rank in 0..<edges {
      let edge = sorted[rank]
      let right = 2 * rank + 1
      let left = rank + 1 == edges ? 0 : 2 * (rank + 1)
      endOf[2 * edge] = forward[edge] ? right : left
      endOf[2 * edge + 1] = forward[edge] ? left : right
    }
    var link: InlineArray<12, Int> = .init(repeating: 0)
    for edge in 0..<edges {
      let from = endOf[2 * edge + 1]
      let to = endOf[edge + 1 == edges ? 0 : 2 * (edge + 1)]
      link[from] = to
      link[to] = from
    }
    return ring(link, cuts: cuts, sorted: sorted, edges: edges)
  }

  private borrowing func ring(
    _ link: borrowing InlineArray<12, Int>, cuts: borrowing InlineArray<6, Int32>,
    sorted: borrowing InlineArray<6, Int>, edges: Int
  ) -> Splice? {
    var longest = 0
    var longestLength = -1
    for rank in 0..<edges {
      let before = rank == 0 ? Int(cuts[sorted[edges - 1]]) - count : Int(cuts[sorted[rank - 1]])
      let length = Int(cuts[sorted[rank]]) - before
      if length > longestLength {
        longest = rank
        longestLength = length
      }
    }
    var splice = Splice()
    var end = 2 * longest + 1
    repeat {
      let rank = end / 2
      let before = Int(cuts[sorted[rank == 0 ? edges - 1 : rank - 1]]) + 1
      splice.first[splice.count] = Int32(truncatingIfNeeded: before == count ? 0 : before)
      splice.last[splice.count] = cuts[sorted[rank]]
      // Left by its right end, a segment is as it was.
      splice.turned[splice.count] = end & 1 == 0
      splice.count += 1
      end = link[end] ^ 1
    } while end != 2 * longest + 1 && splice.count < edges
    return end == 2 * longest + 1 && splice.count == edges ? splice : nil
  }

  /// Puts the tour together as `splice` says; `undo` takes it back.
  mutating func apply(_ splice: borrowing Splice) {
    let start = place(after: Int(splice.last[0]))
    let length = span(start, place(before: Int(splice.first[0])))
    reserve(length + 2)
    keep(from: start, length)
    let kept = journalEnd - length - 2
    var target = start
    for index in 1..<splice.count {
      let first = span(start, Int(splice.first[index])) - 1 + kept
      let last = span(start, Int(splice.last[index])) - 1 + kept
      var source = splice.turned[index] ? last : first
      let step = splice.turned[index] ? -1 : 1
      for _ in first...last {
        let node = journal[source]
        order[target] = node
        position[node] = Int32(truncatingIfNeeded: target)
        source += step
        target += 1
        if target == count { target = 0 }
      }
    }
  }

  /// Takes back every change since the journal was last emptied.
  mutating func undoAll() {
    while journalEnd > 0 {
      let length = Int(journal[journalEnd - 1])
      var target = Int(journal[journalEnd - 2])
      journalEnd -= length + 2
      for offset in 0..<length {
        let node = journal[journalEnd + offset]
        order[target] = node
        position[node] = Int32(truncatingIfNeeded: target)
        target += 1
        if target == count { target = 0 }
      }
    }
  }

  mutating func emptyJournal() { journalEnd = 0 }

  private mutating func keep(from start: Int, _ length: Int) {
    let untilEnd = min(length, count - start)
    journal.copy(untilEnd, from: order, at: start, to: journalEnd)
    journal.copy(length - untilEnd, from: order, at: 0, to: journalEnd + untilEnd)
    journalEnd += length
    journal[journalEnd] = Int32(truncatingIfNeeded: start)
    journal[journalEnd + 1] = Int32(truncatingIfNeeded: length)
    journalEnd += 2
  }

  private mutating func reserve(_ more: Int) {
    guard journalEnd + more > journal.count else { return }
    let wider = FlatArray<Int32>(repeating: 0, count: 2 * (journalEnd + more))
    wider.copy(journalEnd, from: journal, at: 0, to: 0)
    journal = wider
  }

  private borrowing func place(after place: Int) -> Int { place + 1 == count ? 0 : place + 1 }
  private borrowing func place(before place: Int) -> Int { place == 0 ? count - 1 : place - 1 }

  /// Places from `first` to `last`, both counted, going forward.
  private borrowing func span(_ first: Int, _ last: Int) -> Int {
    last >= first ? last - first + 1 : last - first + 1 + count
  }
}
