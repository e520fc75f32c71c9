import FlowModel
internal import Glibc

/// A location on the Earth, in degrees.
package struct Coordinate: Hashable, Sendable {
  /// -90 (south pole) to 90 (north pole).
  package let latitude: Double
  /// -180 to 180, east positive.
  package let longitude: Double

  /// - Throws: `RouteError.coordinate` if a number is not finite or out of range.
  package init(latitude: Double, longitude: Double) throws(RouteError) {
    guard Limits.latitude.contains(latitude), Limits.longitude.contains(longitude) else {
      throw .coordinate(latitude: latitude, longitude: longitude)
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The location of an address; nil if the numbers are out of range, or both 0, as for an address that is not geocoded.
  init?(ofLatitude latitude: Double, longitude: Double) {
    guard isValidLocation(latitude: latitude, longitude: longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// False if both numbers are 0, which the app stores for an address that it could not geocode. Source: R-ROUTE-8.
  package var isLocated: Bool { isValidLocation(latitude: latitude, longitude: longitude) }

  /// Great-circle distance in statute miles, on a sphere with a radius of 3,958.8 miles.
  ///
  /// Haversine formula: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (2), 1984, p. 159. Half the equator is
  /// 12,436.936997031273 miles.
  package func miles(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let halfLatitude = sin((other.latitude - latitude) * radians / 2)
    let halfLongitude = sin((other.longitude - longitude) * radians / 2)
    let square =
      halfLatitude * halfLatitude
      + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
    return 2 * Earth.meanRadiusMiles * asin(min(1, square.squareRoot()))
  }
}

/// Estimated driving time of a leg that has no measured time. Source: product.md, Routes.
package enum LegEstimate {
  package static let milesPerHour = 28.0
  /// Minutes for parking and starting, added to every leg.
  package static let minutesPerLeg = 1.5
  /// Lower limit of a leg in minutes; `minutesPerLeg` already keeps every leg above it.
  package static let shortestLegMinutes = 1.0
  /// Minutes that the balanced objective adds for each position by which a stop moves from its given position.
  package static let minutesPerPlaceMoved = 0.6

  /// Driving minutes of a leg: max(1, miles / 28 × 60 + 1.5). Example: 28 miles take 61.5 minutes.
  package static func minutes(miles: Double) -> Double {
    max(shortestLegMinutes, miles / milesPerHour * 60 + minutesPerLeg)
  }
}
