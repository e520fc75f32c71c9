internal import FlowModel
internal import PoolModel

/// Cache of leg times between locations: measured where the provider knows the pair, estimated otherwise.
///
/// In memory and bounded: two generations of `limit` pairs each. When the younger one is full, the older one is dropped; a hit
/// in the older one moves the pair to the younger. `DistanceTable` computes misses in blocks.
package actor TravelTimeCache {
  /// Minutes and miles of one day's legs as row-major matrices, with the source of the times.
  package struct Legs: Hashable, Sendable {
    package let count: Int
    package let minutes: [Double]
    /// Great-circle miles, even if the minutes are measured.
    package let miles: [Double]
    /// `haversine`, `table`, or `table+haversine` if some pairs were estimated.
    package let provider: String

    package func minutes(from: Int, to: Int) -> Double { minutes[from * count + to] }
    package func miles(from: Int, to: Int) -> Double { miles[from * count + to] }
  }

  /// Hit and miss counters since the start, and the number of pairs in the cache.
  package struct Figures: Hashable, Sendable {
    package fileprivate(set) var hits = 0
    package fileprivate(set) var misses = 0
    package fileprivate(set) var pairs = 0
    /// Hits divided by lookups, 0 to 1; 0 before the first lookup.
    package var hitRate: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
  }

  /// Cache key: a directed pair of locations.
  private struct Pair: Hashable {
    let from: Coordinate
    let to: Coordinate
  }

  /// Cache entry: one leg's time and distance.
  private struct Leg {
    let minutes: Double
    let miles: Double
    let isMeasured: Bool
  }

  private let measured: (any TravelTimes)?
  private let limit: Int
  private var young: [Pair: Leg] = [:]
  private var old: [Pair: Leg] = [:]
  private var counts = Figures()

  package init(measured: (any TravelTimes)? = nil, limit: Int = Limits.cachedTravelTimes) {
    self.measured = measured
    self.limit = limit
  }

  package var figures: Figures {
    var figures = counts
    figures.pairs = young.count + old.count
    return figures
  }

  /// Legs between all `coordinates`; the leg from a location to itself is 0.
  package func legs(between coordinates: [Coordinate]) -> Legs {
    let count = coordinates.count
    var minutes = [Double](repeating: 0, count: count * count)
    var miles = minutes
    var measuredPairs = 0
    var table: [Double]?
    for from in 0..<count {
      for to in 0..<count where from != to {
        let pair = Pair(from: coordinates[from], to: coordinates[to])
        let leg: Leg
        if let known = find(pair) {
          counts.hits += 1
          leg = known
        } else {
          counts.misses += 1
          let distances = table ?? Self.distances(coordinates)
          table = distances
          leg = workOut(pair, miles: distances[from * count + to])
          keep(pair, leg)
        }
        minutes[from * count + to] = leg.minutes
        miles[from * count + to] = leg.miles
        if leg.isMeasured { measuredPairs += 1 }
      }
    }
    let provider = name(measuredPairs, of: count * (count - 1))
    return Legs(count: count, minutes: minutes, miles: miles, provider: provider)
  }

  /// Provider name for a day of which `measuredPairs` of `pairs` legs were measured.
  private func name(_ measuredPairs: Int, of pairs: Int) -> String {
    let estimate = EstimatedTravelTimes().provider
    guard let measured, measuredPairs > 0 else { return estimate }
    return measuredPairs == pairs ? measured.provider : "\(measured.provider)+\(estimate)"
  }

  private static func distances(_ coordinates: [Coordinate]) -> [Double] {
    let table = DistanceTable(from: coordinates, to: coordinates)
    var miles: [Double] = []
    for row in coordinates.indices {
      for column in coordinates.indices { miles.append(table[row: row, column: column]) }
    }
    return miles
  }

  private func workOut(_ pair: Pair, miles: Double) -> Leg {
    if let minutes = measured?.minutes(from: pair.from, to: pair.to) {
      return Leg(minutes: minutes, miles: miles, isMeasured: true)
    }
    return Leg(minutes: LegEstimate.minutes(miles: miles), miles: miles, isMeasured: false)
  }

  /// The cached leg, moved to the younger generation; nil on a miss.
  private func find(_ pair: Pair) -> Leg? {
    if let leg = young[pair] { return leg }
    guard let leg = old[pair] else { return nil }
    keep(pair, leg)
    return leg
  }

  private func keep(_ pair: Pair, _ leg: Leg) {
    if young.count >= limit {
      old = young
      young = [:]
    }
    young[pair] = leg
  }
}
