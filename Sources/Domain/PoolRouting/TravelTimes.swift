/// What somebody knows about the way between two places.
package protocol TravelTimes: Sendable {
  /// The word that results carry: `haversine`, `table`.
  var provider: String { get }
  /// Minutes, or nil where it does not know this pair.
  func minutes(from: Coordinate, to: Coordinate) -> Double?
}

/// The estimate that always has an answer. Source: PRODUCT.md, Routes.
package struct EstimatedTravelTimes: TravelTimes {
  package let provider = "haversine"

  package init() {}

  package func minutes(from: Coordinate, to: Coordinate) -> Double? {
    LegEstimate.minutes(miles: from.miles(to: to))
  }
}

/// Measured times between known places, such as a routing service's table; pairs without a time are nobody's.
package struct TabledTravelTimes: TravelTimes {
  package let provider = "table"
  private let numbers: [Cell: Int]
  private let minutes: [Double]
  private let count: Int

  /// Places are the same within some 10 metres: four decimals of a degree, as routing services snap further than that.
  private struct Cell: Hashable {
    let latitude: Int
    let longitude: Int

    init(_ place: Coordinate) {
      latitude = Int((place.latitude * 10_000).rounded())
      longitude = Int((place.longitude * 10_000).rounded())
    }
  }

  /// A week: what takes longer is how some services write that there is no way.
  private static let longestLeg = 7.0 * 1_440

  /// - Parameters:
  ///   - minutes: Row by row, as many rows and columns as places; nil, or more than a week, where no way was found.
  /// - Throws: `RouteError.matrixShape` or `.matrixValue` for another number of values and for negative or endless ones.
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
    // Of two places in one cell the first speaks for both.
    numbers = Dictionary(places.enumerated().map { (Cell($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func minutes(from: Coordinate, to: Coordinate) -> Double? {
    guard let row = numbers[Cell(from)], let column = numbers[Cell(to)] else { return nil }
    let value = minutes[row * count + column]
    return value.isNaN ? nil : value
  }
}
