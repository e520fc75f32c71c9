import PoolModel

/// Places of jobs by the instant of their next slot.
///
/// Jobs share instants by the thousand, so the heap holds each instant once and a bucket beside it the places that are due
/// then: putting a place in costs a look-up, not a climb. A place that moved stays in its old bucket until that one's
/// turn; `instants` is the truth about each place.
struct DueQueue: Sendable {
  typealias Place = Int32

  private var heap: [Timestamp] = []
  private var buckets: [Timestamp: [Place]] = [:]
  /// The earliest instant, where what is left of its bucket lies in the reverse of its turn.
  private var ordered: Timestamp?
  /// By place; nil where it is not queued.
  private var instants: [Timestamp?] = []
  /// Entries of buckets that mean nothing any more.
  private var stale = 0
  private var queued = 0

  mutating func set(_ place: Place, at instant: Timestamp) {
    let index = Int(place)
    if index >= instants.count {
      instants.append(contentsOf: repeatElement(nil, count: index + 1 - instants.count))
    }
    if instants[index] == instant { return }
    remove(place)
    instants[index] = instant
    queued += 1
    put(place, at: instant)
  }

  mutating func remove(_ place: Place) {
    let index = Int(place)
    guard index < instants.count, instants[index] != nil else { return }
    instants[index] = nil
    queued -= 1
    stale += 1
    // A team whose settings change all day must not leave a bucket's entry for each change.
    if stale > queued + 1_024 { compact() }
  }

  /// When the place is due; nil where it is not queued.
  subscript(place: Place) -> Timestamp? { Int(place) < instants.count ? instants[Int(place)] : nil }

  /// The earliest instant at which anything is due.
  mutating func first() -> Timestamp? {
    while let earliest = heap.first {
      if let places = buckets[earliest], places.contains(where: { instants[Int($0)] == earliest }) { return earliest }
      removeFirst()
    }
    return nil
  }

  /// One of the places that are due at the earliest instant; all of them stay.
  mutating func peek() -> (instant: Timestamp, place: Place)? {
    guard let earliest = first(), let place = buckets[earliest]?.first(where: { instants[Int($0)] == earliest }) else {
      return nil
    }
    return (earliest, place)
  }

  /// So many of those that are due at the earliest instant, in their turn, and of one turn in the order of places; they are
  /// queued no more. The others stay, and are put in order only once.
  mutating func takeFirst(
    _ limit: Int, turn: (Place) -> Int
  ) -> (instant: Timestamp, places: [Place])? {
    guard limit > 0, let earliest = first(), var places = buckets[earliest] else { return nil }
    if places.count <= limit { return takeFirst() }
    buckets[earliest] = []
    if ordered != earliest {
      places.sort { (turn($1), $1) < (turn($0), $0) }
      ordered = earliest
    }
    var taken: [Place] = []
    while taken.count < limit, let place = places.popLast() {
      // A place may stand in its bucket twice, after it moved away and back.
      guard instants[Int(place)] == earliest else {
        stale = max(0, stale - 1)
        continue
      }
      instants[Int(place)] = nil
      queued -= 1
      taken.append(place)
    }
    buckets[earliest] = places
    if places.isEmpty { removeFirst() }
    return (earliest, taken)
  }

  /// Everything that is due at the earliest instant, in the order of places; they are queued no more.
  mutating func takeFirst() -> (instant: Timestamp, places: [Place])? {
    guard let earliest = first(), var places = buckets[earliest] else { return nil }
    removeFirst()
    var taken = 0
    for index in places.indices {
      let place = places[index]
      // A place may stand in its bucket twice, after it moved away and back.
      guard instants[Int(place)] == earliest else { continue }
      instants[Int(place)] = nil
      queued -= 1
      places[taken] = place
      taken += 1
    }
    stale = max(0, stale - (places.count - taken))
    places.removeSubrange(taken...)
    places.sort()
    return (earliest, places)
  }

  /// The instants at which something is due, the earliest first, while `take` wants more; nothing changes.
  func forEachInstant(_ take: (Timestamp, LazyFilterSequence<[Place]>) -> Bool) {
    for instant in heap.sorted() {
      // A place may stand in its bucket twice: who takes it says so.
      guard let places = buckets[instant], take(instant, places.lazy.filter { instants[Int($0)] == instant }) else {
        return
      }
    }
  }

  private mutating func compact() {
    let known = instants
    self = DueQueue()
    for (index, instant) in known.enumerated() {
      if let instant { set(Place(index), at: instant) }
    }
  }

  // MARK: The heap of instants

  private mutating func put(_ place: Place, at instant: Timestamp) {
    if ordered == instant { ordered = nil }
    if buckets[instant]?.append(place) != nil { return }
    buckets[instant] = [place]
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
