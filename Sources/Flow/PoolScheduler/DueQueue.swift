import PoolModel

/// Jobs by the instant of their next slot: a binary heap with a place for each job, so that changing one is logarithmic.
struct DueQueue: Sendable {
  struct Place: Sendable {
    let job: JobID
    let instant: Timestamp
  }

  private var heap: [Place] = []
  private var positions: [JobID: Int] = [:]

  var first: Place? { heap.first }

  mutating func set(_ job: JobID, at instant: Timestamp) {
    remove(job)
    heap.append(Place(job: job, instant: instant))
    positions[job] = heap.count - 1
    rise(from: heap.count - 1)
  }

  mutating func remove(_ job: JobID) {
    guard let position = positions.removeValue(forKey: job) else { return }
    let last = heap.removeLast()
    guard position < heap.count else { return }
    heap[position] = last
    positions[last.job] = position
    sink(from: position)
    rise(from: position)
  }

  private func comesFirst(_ left: Place, _ right: Place) -> Bool {
    (left.instant, left.job) < (right.instant, right.job)
  }

  // Both move a hole and put the place down once: half the writes of swapping it step by step.
  private mutating func rise(from start: Int) {
    let place = heap[start]
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) / 2
      guard comesFirst(place, heap[parent]) else { break }
      put(heap[parent], at: hole)
      hole = parent
    }
    if hole != start { put(place, at: hole) }
  }

  private mutating func sink(from start: Int) {
    let place = heap[start]
    var hole = start
    while true {
      var least = 2 * hole + 1
      guard least < heap.count else { break }
      if least + 1 < heap.count, comesFirst(heap[least + 1], heap[least]) { least += 1 }
      guard comesFirst(heap[least], place) else { break }
      put(heap[least], at: hole)
      hole = least
    }
    if hole != start { put(place, at: hole) }
  }

  private mutating func put(_ place: Place, at index: Int) {
    heap[index] = place
    positions[place.job] = index
  }
}
