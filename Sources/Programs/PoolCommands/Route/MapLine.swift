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

  init(_ places: [Point]) {
    var part: [Point] = []
    for place in Self.onOneSide(places) {
      if let last = part.last, abs(place.longitude - last.longitude) > 180 {
        let side: Double = last.longitude < 0 ? -180 : 180
        let cut = Point(longitude: side, latitude: Self.latitude(at: side, from: last, to: place))
        if cut != last { part.append(cut) }
        parts.append(part)
        part = [Point(longitude: -side, latitude: cut.latitude)]
      }
      part.append(place)
    }
    parts.append(part)
  }

  /// Points exactly on the antimeridian get the sign of the previous point's side, so that reaching it is not a crossing.
  private static func onOneSide(_ places: [Point]) -> [Point] {
    var side = places.first { abs($0.longitude) < 180 }?.longitude ?? places.first?.longitude ?? 0
    return places.map { place in
      guard abs(place.longitude) >= 180 else {
        side = place.longitude
        return place
      }
      return Point(longitude: side < 0 ? -180 : 180, latitude: place.latitude)
    }
  }

  /// The latitude at which the straight line on the map crosses the antimeridian, accurate to a centimetre.
  private static func latitude(at side: Double, from first: Point, to last: Point) -> Double {
    let goal = last.longitude + (side < 0 ? -360 : 360)
    let share = (side - first.longitude) / (goal - first.longitude)
    return ((first.latitude + share * (last.latitude - first.latitude)) * 10_000_000).rounded() / 10_000_000
  }
}
