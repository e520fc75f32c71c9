internal import FlowCommandKit

/// A line between coordinates, cut where it crosses the antimeridian (RFC 7946, 3.1.9): otherwise a viewer draws the line from
/// 179.98 to -179.98 around the world.
struct MapLine: Equatable {
  /// Coordinates in degrees.
  struct Point: Equatable {
    /// Degrees from -180 to 180.
    var longitude: Double
    var latitude: Double

    /// The GeoJSON position: longitude first.
    var position: [Double] { [longitude, latitude] }
  }

  /// The parts of the line; one part if it does not cross the antimeridian. Neighbouring points of a part are at most 180
  /// degrees of longitude apart; a part that ends at the antimeridian continues on the other side in the next part.
  private(set) var parts: [[Point]] = []

  init(_ points: [Point]) {
    var part: [Point] = []
    for point in Self.withConsistentSide(points) {
      if let last = part.last, abs(point.longitude - last.longitude) > 180 {
        let side: Double = last.longitude < 0 ? -180 : 180
        let cut = Point(longitude: side, latitude: Self.latitude(at: side, from: last, to: point))
        if cut != last { part.append(cut) }
        parts.append(part)
        part = [Point(longitude: -side, latitude: cut.latitude)]
      }
      part.append(point)
    }
    parts.append(part)
  }

  /// Points exactly on the antimeridian get the sign of the previous point's side, so that reaching it is not a crossing.
  private static func withConsistentSide(_ points: [Point]) -> [Point] {
    var side = points.first { abs($0.longitude) < 180 }?.longitude ?? points.first?.longitude ?? 0
    return points.map { point in
      guard abs(point.longitude) >= 180 else {
        side = point.longitude
        return point
      }
      return Point(longitude: side < 0 ? -180 : 180, latitude: point.latitude)
    }
  }

  /// The latitude at which the straight line on the map crosses the antimeridian, accurate to a centimetre.
  private static func latitude(at side: Double, from first: Point, to last: Point) -> Double {
    let unwrappedLongitude = last.longitude + (side < 0 ? -360 : 360)
    let fraction = (side - first.longitude) / (unwrappedLongitude - first.longitude)
    return ((first.latitude + fraction * (last.latitude - first.latitude)) * 10_000_000).rounded() / 10_000_000
  }
}
