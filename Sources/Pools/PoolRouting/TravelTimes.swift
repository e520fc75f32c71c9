/// A source of driving times between locations: a measured table or an estimate.
package protocol TravelTimes: Sendable {
  /// Name of this source in results: `haversine` or `table`.
  var provider: String { get }
  /// - Returns: the minutes, or nil if this source has no time for the pair.
  func minutes(from: Coordinate, to: Coordinate) -> Double?
}

/// Estimate from the great-circle distance, which never returns nil. Source: product.md, Routes.
package struct EstimatedTravelTimes: TravelTimes {
  package let provider = "haversine"

  package init() {}

  package func minutes(from: Coordinate, to: Coordinate) -> Double? {
    LegEstimate.minutes(miles: from.miles(to: to))
  }
}

/// Measured times between known locations, for example from a routing service; nil for pairs that the table lacks.
package struct TabledTravelTimes: TravelTimes {
  package let provider = "table"
  private let numbers: [Cell: Int]
  private let minutes: [Double]
  private let count: Int

  /// A location rounded to 0.0001 degree (about 10 m), finer than routing services snap to roads; equal cells count as the same
  /// location.
  private struct Cell: Hashable {
    let latitude: Int
    let longitude: Int

    init(_ coordinate: Coordinate) {
      latitude = Int((coordinate.latitude * 10_000).rounded())
      longitude = Int((coordinate.longitude * 10_000).rounded())
    }
  }

  /// One week, in minutes; some services report an unreachable pair as a larger number.
  private static let longestLeg = 7.0 * 1_440

  /// - Parameters:
  ///   - minutes: row-major square matrix over `places`; nil, or more than a week, if no route was found.
  /// - Throws: `RouteError.matrixShape` if the number of values is wrong, `.matrixValue` if a value is negative or not finite.
  package init(places: [Coordinate], minutes: [Double?]) throws(RouteError) {
    guard minutes.count == places.count * places.count else {
      throw .matrixShape(stops: places.count, expected: places.count * places.count, found: minutes.count)
    }
    for (index, value) in minutes.enumerated() {
      if let value, !(value >= 0 && value.isFinite) {
        throw .matrixValue(from: index / places.count, to: index % places.count, value: value)
      }
    }
    count = places.count
    self.minutes = minutes.map { leg in leg.map { $0 <= Self.longestLeg ? $0 : .nan } ?? .nan }
    // If two locations round to the same cell, the row of the first is used for both.
    numbers = Dictionary(places.enumerated().map { (Cell($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func minutes(from: Coordinate, to: Coordinate) -> Double? {
    guard let row = numbers[Cell(from)], let column = numbers[Cell(to)] else { return nil }
    let value = minutes[row * count + column]
    return value.isNaN ? nil : value
  }
}
