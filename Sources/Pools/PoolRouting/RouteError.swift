/// Reason why a day cannot be routed; `description` is the sentence shown to users.
package enum RouteError: Error, Hashable, Sendable {
  /// The number is not finite, or is outside ±90 degrees of latitude or ±180 degrees of longitude.
  case coordinate(latitude: Double, longitude: Double)
  case noStops
  case tooManyStops(count: Int, limit: Int)
  /// Latitude and longitude are both 0: the address was not geocoded.
  case notLocated(stop: Int)
  case matrixShape(stops: Int, expected: Int, found: Int)
  /// A leg's time or distance is missing, negative or not finite.
  case matrixValue(from: Int, to: Int, value: Double)
  case pin(stop: Int, place: Int, reason: PinFault)
  case window(stop: Int)

  /// Reason why a pin is invalid.
  package enum PinFault: Hashable, Sendable {
    case noSuchStop, noSuchPlace, placeTaken, stopPinnedTwice, startIsFixed
  }
}

extension RouteError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .coordinate(let latitude, let longitude):
      "\(latitude),\(longitude) is not a location: latitude is -90 to 90, longitude -180 to 180"
    case .noStops: "there are no stops to order"
    case .tooManyStops(let count, let limit):
      "\(count) stops are more than the \(limit) that can be ordered at once; split them by day or technician"
    case .notLocated(let stop): "stop \(stop) has the coordinates 0,0, the mark of an address that was not located"
    case .matrixShape(let stops, let expected, let found):
      "a matrix for \(stops) stops has \(expected) numbers, this one has \(found)"
    case .matrixValue(let from, let to, let value):
      "the matrix gives \(value) from stop \(from) to stop \(to); every leg needs a number that is 0 or more"
    case .pin(let stop, let place, let reason):
      "stop \(stop) cannot be pinned to position \(place): \(reason.reasonText)"
    case .window(let stop): "the arrival window of stop \(stop) ends before it begins"
    }
  }
}

extension RouteError.PinFault {
  fileprivate var reasonText: String {
    switch self {
    case .noSuchStop: "there is no such stop"
    case .noSuchPlace: "there is no such place"
    case .placeTaken: "another stop is pinned there"
    case .stopPinnedTwice: "it is pinned to another position as well"
    case .startIsFixed: "stop 0 must be the first of the day"
    }
  }
}
