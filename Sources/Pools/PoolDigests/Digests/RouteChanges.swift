import FlowModel
import PoolModel

/// The differences between a weekday's routes and the last digest of that weekday.
package struct RouteChanges: Hashable, Sendable, Decodable {
  /// One change of a stop.
  package struct Change: Hashable, Sendable, Decodable {
    /// The way in which a stop's position in the routes changed.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Decodable {
      case added
      /// The pool was moved to another weekday.
      case movedToDay = "moved-to-day"
      case movedToTechnician = "moved-to-technician"
      case removed, reordered
    }

    package let kind: Kind
    package let customer: String
    /// The technician whose section has the stop, or had it if the stop is gone.
    package let technician: String
    var day: Weekday?
    var fromTechnician: String?
    var place: Int?
    var placeBefore: Int?

    enum CodingKeys: String, CodingKey {
      case kind, customer, technician, day, place
      case fromTechnician = "from_technician"
      case placeBefore = "place_before"
    }
  }

  /// The date of the earlier digest: `2026-02-23`.
  package let since: String
  package let changes: [Change]

  /// The changes that affect one technician's route.
  func only(_ technician: String) -> RouteChanges {
    RouteChanges(
      since: since, changes: changes.filter { $0.technician == technician || $0.fromTechnician == technician })
  }
}

extension RouteChanges {
  /// Compares two days' routes. A stop counts as reordered only if it is outside the longest subsequence that kept its order,
  /// so that one new stop does not mark all later ones as changed. A stop that is absent on one of the two dates only because
  /// its pool is not served then is no change.
  init(from last: SentRoute, to now: [SentRoute.Stop], on date: CivilDate, by services: ServiceCalendar) {
    since = last.date.description
    let before = Dictionary(last.stops.map { ($0.poolID, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(now.map(\.poolID))
    var changes: [Change] = []
    for place in now {
      guard let old = before[place.poolID] else {
        if let service = services[place.poolID], !service.isServed(on: last.date) { continue }
        changes.append(Change(kind: .added, customer: place.customer, technician: place.technician))
        continue
      }
      guard old.technician != place.technician else { continue }
      changes.append(
        Change(
          kind: .movedToTechnician, customer: place.customer, technician: place.technician,
          fromTechnician: old.technician))
    }
    for old in last.stops where !after.contains(old.poolID) {
      var change = Change(kind: .removed, customer: old.customer, technician: old.technician)
      let service = services[old.poolID]
      if let service, service.isServed(on: last.date) { continue }
      if let day = service.map({ $0.next(onOrAfter: date)?.weekday }) ?? last.currentDays[old.poolID] {
        change = Change(kind: .movedToDay, customer: old.customer, technician: old.technician, day: day)
      }
      changes.append(change)
    }
    self.changes = changes + Self.reordered(from: last, to: now)
  }

  /// The stops that stayed with their technician but left the longest subsequence in unchanged order.
  private static func reordered(from last: SentRoute, to now: [SentRoute.Stop]) -> [Change] {
    var changes: [Change] = []
    var names: [String] = []
    for place in now where !names.contains(place.technician) { names.append(place.technician) }
    for name in names {
      let route = now.filter { $0.technician == name }
      var places: [PoolID: Int] = [:]
      for (index, stop) in last.stops.filter({ $0.technician == name }).enumerated() { places[stop.poolID] = index }
      let kept = route.enumerated().compactMap { index, place in places[place.poolID].map { (index, $0) } }
      let steady = longestRise(kept.map(\.1))
      for (number, (index, old)) in kept.enumerated() where !steady.contains(number) {
        changes.append(
          Change(
            kind: .reordered, customer: route[index].customer, technician: name, place: index + 1,
            placeBefore: old + 1))
      }
    }
    return changes
  }

  /// The indices of a longest strictly increasing subsequence; the earliest of several.
  ///
  /// Source: Craige Schensted, "Longest increasing and decreasing subsequences", Canadian Journal of Mathematics 13 (1961);
  /// patience sorting with back links.
  static func longestRise(_ values: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var rise: Set<Int> = []
    var next = tails.last
    while let index = next {
      rise.insert(index)
      next = previous[index]
    }
    return rise
  }
}
