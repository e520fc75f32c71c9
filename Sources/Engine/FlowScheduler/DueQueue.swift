import FlowModel

/// Priority queue of jobs, ordered by the instant of their next slot. A `Index` is a job's index in `SchedulerState.entries`.
///
/// Thousands of jobs share an instant. The heap therefore holds each instant once, and a bucket holds the indexes that are due
/// at that instant: queueing an index is a dictionary lookup instead of a climb through the heap. An index that moves to
/// another instant stays in its old bucket until that bucket is read; `instants` has the current instant of each index.
struct DueQueue: Sendable {
  typealias Index = Int32

  private var heap: [Timestamp] = []
  private var buckets: [Timestamp: [Index]] = [:]
  /// The earliest instant if its bucket is already sorted, with the next index to take at the end.
  private var ordered: Timestamp?
  /// The instant at which each index is due; nil if it is not queued.
  private var instants: [Timestamp?] = []
  /// Number of outdated bucket entries: their index has moved or was removed.
  private var stale = 0
  private var queued = 0

  /// Queues the index at `instant`; moves it if it is queued already.
  mutating func set(_ index: Index, at instant: Timestamp) {
    let offset = Int(index)
    if offset >= instants.count {
      instants.append(contentsOf: repeatElement(nil, count: offset + 1 - instants.count))
    }
    if instants[offset] == instant { return }
    remove(index)
    instants[offset] = instant
    queued += 1
    put(index, at: instant)
  }

  /// Removes the index from the queue; its bucket entry becomes outdated.
  mutating func remove(_ index: Index) {
    let offset = Int(index)
    guard offset < instants.count, instants[offset] != nil else { return }
    instants[offset] = nil
    queued -= 1
    stale += 1
    // Each settings change of a team leaves an outdated entry; compacting bounds their number.
    if stale > queued + 1_024 { compact() }
  }

  /// The instant at which the index is due; nil if it is not queued.
  subscript(index: Index) -> Timestamp? { Int(index) < instants.count ? instants[Int(index)] : nil }

  /// The earliest instant at which an index is due; nil if the queue is empty.
  mutating func first() -> Timestamp? {
    while let earliest = heap.first {
      if let indexes = buckets[earliest], indexes.contains(where: { instants[Int($0)] == earliest }) { return earliest }
      removeFirst()
    }
    return nil
  }

  /// One index of the earliest instant; the queue stays as it is. Nil if the queue is empty.
  mutating func peek() -> (instant: Timestamp, index: Index)? {
    guard let earliest = first(), let index = buckets[earliest]?.first(where: { instants[Int($0)] == earliest }) else {
      return nil
    }
    return (earliest, index)
  }

  /// Removes and returns at most `limit` indexes of the earliest instant, ordered by `turn`, then by index.
  ///
  /// The bucket is sorted once; later calls take the rest from it.
  mutating func takeFirst(
    _ limit: Int, turn: (Index) -> Int
  ) -> (instant: Timestamp, indexes: [Index])? {
    guard limit > 0, let earliest = first(), var indexes = buckets[earliest] else { return nil }
    if indexes.count <= limit { return takeFirst() }
    buckets[earliest] = []
    if ordered != earliest {
      indexes.sort { (turn($1), $1) < (turn($0), $0) }
      ordered = earliest
    }
    var taken: [Index] = []
    while taken.count < limit, let index = indexes.popLast() {
      // A bucket holds an index twice after the index moved away and back; it is taken once.
      guard instants[Int(index)] == earliest else {
        stale = max(0, stale - 1)
        continue
      }
      instants[Int(index)] = nil
      queued -= 1
      taken.append(index)
    }
    buckets[earliest] = indexes
    if indexes.isEmpty { removeFirst() }
    return (earliest, taken)
  }

  /// Removes and returns all indexes of the earliest instant, in ascending order.
  mutating func takeFirst() -> (instant: Timestamp, indexes: [Index])? {
    guard let earliest = first(), var indexes = buckets[earliest] else { return nil }
    removeFirst()
    var taken = 0
    for offset in indexes.indices {
      let index = indexes[offset]
      // A bucket holds an index twice after the index moved away and back; it is taken once.
      guard instants[Int(index)] == earliest else { continue }
      instants[Int(index)] = nil
      queued -= 1
      indexes[taken] = index
      taken += 1
    }
    stale = max(0, stale - (indexes.count - taken))
    indexes.removeSubrange(taken...)
    indexes.sort()
    return (earliest, indexes)
  }

  /// Passes the queued instants to `take` in ascending order with their indexes, until it returns false. An index may occur twice.
  func forEachInstant(_ take: (Timestamp, LazyFilterSequence<[Index]>) -> Bool) {
    for instant in heap.sorted() {
      guard let indexes = buckets[instant], take(instant, indexes.lazy.filter { instants[Int($0)] == instant }) else {
        return
      }
    }
  }

  /// Rebuilds the queue without outdated entries.
  private mutating func compact() {
    let known = instants
    self = DueQueue()
    for (offset, instant) in known.enumerated() {
      if let instant { set(Index(offset), at: instant) }
    }
  }

  // MARK: The heap of instants

  private mutating func put(_ index: Index, at instant: Timestamp) {
    if ordered == instant { ordered = nil }
    if buckets[instant]?.append(index) != nil { return }
    buckets[instant] = [index]
    var hole = heap.count
    heap.append(instant)
    while hole > 0, instant < heap[(hole - 1) / 2] {
      heap[hole] = heap[(hole - 1) / 2]
      hole = (hole - 1) / 2
    }
    heap[hole] = instant
  }

  private mutating func removeFirst() {
    guard let earliest = heap.first else { return }
    buckets[earliest] = nil
    if ordered == earliest { ordered = nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    var hole = 0
    while true {
      var least = 2 * hole + 1
      guard least < heap.count else { break }
      if least + 1 < heap.count, heap[least + 1] < heap[least] { least += 1 }
      guard heap[least] < last else { break }
      heap[hole] = heap[least]
      hole = least
    }
    heap[hole] = last
  }
}
