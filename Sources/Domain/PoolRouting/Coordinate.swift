internal import Glibc
import PoolModel

/// A place on the Earth, in degrees.
package struct Coordinate: Hashable, Sendable {
  /// -90 (south pole) to 90 (north pole).
  package let latitude: Double
  /// -180 to 180, east positive.
  package let longitude: Double

  /// - Throws: `RouteError.coordinate` for numbers that are no place: not finite, or out of range.
  package init(latitude: Double, longitude: Double) throws(RouteError) {
    guard Limits.latitude.contains(latitude), Limits.longitude.contains(longitude) else {
      throw .coordinate(latitude: latitude, longitude: longitude)
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// False where both numbers are 0, the app's mark for an address it could not locate. Source: R-ROUTE-8.
  package var isLocated: Bool { isPlace(latitude: latitude, longitude: longitude) }

  /// Statute miles along the great circle, on a sphere of 3,958.8 miles.
  ///
  /// The haversine formula: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (2), 1984, p. 159. Half the
  /// equator is 12,436.936997031273 miles.
  package func miles(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let halfLatitude = sin((other.latitude - latitude) * radians / 2)
    let halfLongitude = sin((other.longitude - longitude) * radians / 2)
    let square =
      halfLatitude * halfLatitude
      + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
    return 2 * LegEstimate.earthRadiusMiles * asin(min(1, square.squareRoot()))
  }
}

/// How long a leg takes where nobody has measured it. Source: PRODUCT.md, Routes.
package enum LegEstimate {
  /// The mean radius that the app uses.
  package static let earthRadiusMiles = 3_958.8
  package static let milesPerHour = 28.0
  /// What parking and starting cost on every leg.
  package static let minutesPerLeg = 1.5
  /// No leg is shorter than this; the 1.5 minutes keep it from ever mattering.
  package static let shortestLegMinutes = 1.0
  /// What the balanced objective adds for each place that a stop moves from its place in the given order.
  package static let minutesPerPlaceMoved = 0.6

  /// max(1, miles / 28 × 60 + 1.5): 28 miles take 61.5 minutes.
  package static func minutes(miles: Double) -> Double {
    max(shortestLegMinutes, miles / milesPerHour * 60 + minutesPerLeg)
  }
}
