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

  private mutating func compact() {
    let known = instants
    self = DueQueue()
    for (index, instant) in known.enumerated() {
      if let instant { set(Place(index), at: instant) }
    }
  }

  // MARK: The heap of instants

  private mutating func put(_ place: Place, at instant: Timestamp) {
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
