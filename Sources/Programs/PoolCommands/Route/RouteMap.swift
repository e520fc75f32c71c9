internal import Glibc
internal import PoolControl
internal import PoolModel
internal import PoolRouting

/// Where a day's stops lie on a page: north up, miles alike in both directions, the whole day within the frame.
struct RouteFrame {
  /// Located stops in the order of now, each with its place on the page.
  let points: [(place: Int, customer: String, x: Double, y: Double)]
  let width: Double
  let height: Double
  /// Of one unit of the page.
  let milesPerUnit: Double

  /// - Parameter aspect: how much wider than high a unit is shown: 1 for a picture, 2 for letters.
  init?(_ route: RouteView, width: Double, height: Double, aspect: Double = 1) {
    let located = route.stops.compactMap { stop in
      stop.latitude.flatMap { latitude in stop.longitude.map { (stop, latitude, $0) } }
    }
    guard let first = located.first else { return nil }
    // Longitudes are measured from the first stop, so that a day across the date line stays together.
    let places = located.map { stop, latitude, longitude in
      var east = longitude - first.2
      if east > 180 { east -= 360 } else if east < -180 { east += 360 }
      return (stop: stop, east: east * cos(first.1 * .pi / 180) * aspect, north: latitude)
    }
    let (west, east) = Self.ends(places.map(\.east))
    let (south, north) = Self.ends(places.map(\.north))
    let scale = min(width / max(east - west, 1e-6), height / max(north - south, 1e-6))
    let (left, top) = ((width - (east - west) * scale) / 2, (height - (north - south) * scale) / 2)
    points = places.map {
      ($0.stop.place, $0.stop.customer, left + ($0.east - west) * scale, top + (north - $0.north) * scale)
    }
    self.width = width
    self.height = height
    // A degree of latitude, on the sphere that distances are measured on.
    milesPerUnit = LegEstimate.earthRadiusMiles * .pi / 180 / scale
  }

  private static func ends(_ values: [Double]) -> (Double, Double) { (values.min() ?? 0, values.max() ?? 0) }
}

/// A day in letters: stops by their numbers, the way between them dotted.
enum RouteMap {
  private static let height = 22

  static func lines(_ route: RouteView, width: Int) -> [String] {
    guard let frame = RouteFrame(route, width: Double(width - 4), height: Double(height - 1), aspect: 2) else {
      return ["(no stop of this day has coordinates)"]
    }
    var grid = [[Character]](repeating: [Character](repeating: " ", count: width), count: height)
    let cells = frame.points.map { (place: $0.place, column: Int($0.x.rounded()), row: Int($0.y.rounded())) }
    for (from, to) in zip(cells, cells.dropFirst()) {
      let steps = max(abs(to.column - from.column), abs(to.row - from.row))
      for step in stride(from: 2, to: max(2, steps), by: 2) {
        let share = Double(step) / Double(steps)
        let row = Int((Double(from.row) + Double(to.row - from.row) * share).rounded())
        let column = Int((Double(from.column) + Double(to.column - from.column) * share).rounded())
        grid[row][column] = "·"
      }
    }
    // The last drawn lies on top: of stops at one spot the earliest shows.
    for cell in cells.reversed() {
      for (offset, letter) in "\(cell.place)".enumerated() where cell.column + offset < width {
        grid[cell.row][cell.column + offset] = letter
      }
    }
    return grid.map { line in
      // What ends in blanks would only make a terminal wrap.
      String(line[...(line.lastIndex { $0 != " " } ?? 0)])
    }
  }
}

/// A day as an SVG document, readable in light and dark.
enum RoutePicture {
  private static let size = 640.0
  private static let margin = 24.0
  private static let radius = 11.0

  static func svg(_ route: RouteView) -> String {
    guard let frame = RouteFrame(route, width: size - 2 * margin, height: size - 2 * margin) else {
      return page("<text x=\"320\" y=\"320\" text-anchor=\"middle\">no stop of this day has coordinates</text>", route)
    }
    let points = apart(frame.points.map { ($0.place, $0.customer, $0.x + margin, $0.y + margin) })
    let way = points.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
    let pins = points.map { point in
      """
      <g><title>\(point.place) \(escaped(point.customer))</title>\
      <circle cx="\(text(point.x))" cy="\(text(point.y))" r="\(text(radius))"/>\
      <text x="\(text(point.x))" y="\(text(point.y + 4))" text-anchor="middle" class="pin">\(point.place)</text></g>
      """
    }
    return page("<polyline points=\"\(way)\"/>\n\(pins.joined(separator: "\n"))\n\(scaleBar(frame))", route)
  }

  /// Pins that would hide each other are pushed apart, a little at a time, the earlier one less.
  private static func apart(
    _ points: [(place: Int, customer: String, x: Double, y: Double)]
  ) -> [(place: Int, customer: String, x: Double, y: Double)] {
    var points = points
    guard points.count <= 200 else { return points }
    let wanted = 2 * radius + 1
    for _ in 0..<60 {
      var moved = false
      for later in points.indices {
        for earlier in 0..<later {
          var (x, y) = (points[later].x - points[earlier].x, points[later].y - points[earlier].y)
          let distance = (x * x + y * y).squareRoot()
          guard distance < wanted else { continue }
          // Two stops at one spot part in a direction that depends on their places alone.
          if distance < 0.01 { (x, y) = (cos(Double(later)), sin(Double(later))) }
          let length = max(0.01, (x * x + y * y).squareRoot())
          let push = (wanted - distance) / 2 / length
          points[later].x = min(size - margin, max(margin, points[later].x + x * push))
          points[later].y = min(size - margin, max(margin, points[later].y + y * push))
          points[earlier].x = min(size - margin, max(margin, points[earlier].x - x * push))
          points[earlier].y = min(size - margin, max(margin, points[earlier].y - y * push))
          moved = true
        }
      }
      if !moved { break }
    }
    return points
  }

  /// The longest of 1, 2, 5, 10 … miles, tenths included, that fits a third of the picture.
  private static func scaleBar(_ frame: RouteFrame) -> String {
    let longest = frame.milesPerUnit * size / 3
    let miles =
      stride(from: -2, through: 4, by: 1).flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }
      .last { $0 <= longest } ?? longest
    let end = margin + miles / frame.milesPerUnit
    let y = size - 8
    return """
      <path d="M\(text(margin)) \(text(y - 5))v5H\(text(end))v-5"/>\
      <text x="\(text(end + 6))" y="\(text(y))">\(Wording.decimal(miles, places: miles < 1 ? 2 : 0)) mi</text>
      """
  }

  private static func page(_ body: String, _ route: RouteView) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640" role="img">
    <title>\(escaped(RouteOptions.heading(route)))</title>
    <style>text { font: 13px sans-serif; fill: #777 } .pin { fill: #fff; font-weight: bold; font-size: 11px }
    polyline, path { fill: none; stroke: #4a90c2; stroke-width: 2 } circle { fill: #0a5a9c; stroke: #fff }</style>
    \(body)
    </svg>

    """
  }

  private static func text(_ value: Double) -> String {
    Wording.decimal(value, places: 1).replacing(",", with: "")
  }

  private static func escaped(_ text: String) -> String {
    visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
