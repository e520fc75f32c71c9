internal import FlowModel
internal import Glibc

/// Leg costs between stops, as the searches need them.
protocol LegCosts: ~Copyable {
  borrowing func cost(_ from: Int32, _ to: Int32) -> Double
}

/// Great-circle miles between stops, computed on each call, for days whose cost table would not fit the CPU cache.
///
/// Each stop is a point on the unit sphere. With half the chord s between two points, the angle is 2 asin s. For legs below 250
/// miles the asin series up to s⁹ is exact to 1 part in 10¹⁴.
struct SphereLegs: LegCosts, ~Copyable {
  /// x, y, z and one unused number per stop, so that each stop fits one cache line.
  private let points: FlatArray<Double>
  private static let seriesUpTo = 0.001

  init(_ stops: [Coordinate]) {
    points = FlatArray(repeating: 0, count: 4 * stops.count)
    for (index, stop) in stops.enumerated() {
      let point = UnitPoint(stop)
      points[4 * index] = point.x
      points[4 * index + 1] = point.y
      points[4 * index + 2] = point.z
    }
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Double {
    let a = 4 * Int(from)
    let b = 4 * Int(to)
    let x = points[a] - points[b]
    let y = points[a + 1] - points[b + 1]
    let z = points[a + 2] - points[b + 2]
    let square = (x * x + y * y + z * z) / 4
    let half = square.squareRoot()
    guard square < Self.seriesUpTo else { return 2 * Earth.meanRadiusMiles * asin(min(1, half)) }
    let series = 1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336 + square * (105.0 / 3_456))))
    return 2 * Earth.meanRadiusMiles * half * series
  }
}

/// A location as a point on the unit sphere.
struct UnitPoint {
  let x: Double
  let y: Double
  let z: Double

  init(_ coordinate: Coordinate) {
    let latitude = coordinate.latitude * .pi / 180
    let longitude = coordinate.longitude * .pi / 180
    x = cos(latitude) * cos(longitude)
    y = cos(latitude) * sin(longitude)
    z = sin(latitude)
  }
}

/// Leg costs stored in a row-major table.
struct TableLegs: LegCosts, ~Copyable {
  private let table: FlatArray<Double>
  private let stride: Int

  /// Number of stops.
  var count: Int { stride }

  init(stops: Int, _ cost: (Int, Int) -> Double) {
    stride = stops
    table = FlatArray(repeating: 0, count: stops * stops)
    for from in 0..<stops {
      for to in 0..<stops where to != from { table[from * stops + to] = cost(from, to) }
    }
  }

  /// All legs of `problem` by `RouteProblem.legCost`, in the objective's unit.
  init(_ problem: RouteProblem) {
    stride = problem.count
    table = FlatArray(repeating: 0, count: stride * stride)
    for from in 0..<stride {
      for to in 0..<stride where to != from && (to > from || !problem.isSymmetric) {
        let cost = problem.legCost(from, to)
        table[from * stride + to] = cost
        if problem.isSymmetric { table[to * stride + from] = cost }
      }
    }
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Double { table[Int(from) * stride + Int(to)] }
}

/// Great-circle legs converted to the objective's unit.
struct ObjectiveLegs: LegCosts, ~Copyable {
  private let legs: SphereLegs
  private let inMiles: Bool

  init(_ legs: consuming SphereLegs, objective: TravelObjective) {
    self.legs = legs
    inMiles = objective == .distance
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Double {
    let miles = legs.cost(from, to)
    return inMiles ? miles : LegEstimate.minutes(miles: miles)
  }
}
