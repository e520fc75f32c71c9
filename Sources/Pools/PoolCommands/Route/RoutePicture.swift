internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowNotices

/// A day's map as an SVG document for light and dark backgrounds, or as text.
struct RoutePicture {
  private static let noStopsText = "no stop of this day has coordinates"

  private let heading: String
  /// Nil if no stop has coordinates.
  private let map: PinMap?

  init(_ route: RouteView) {
    heading = RouteOptions.heading(route)
    let located = route.stops.compactMap { stop in
      stop.latitude.flatMap { latitude in
        stop.longitude.map {
          PinMap.Place(number: stop.place, name: stop.customer, latitude: latitude, longitude: $0)
        }
      }
    }
    map = PinMap(located, units: .imperial, title: heading, description: "")
  }

  var svg: String {
    let (width, height) = (map?.width ?? 320, map?.height ?? 40)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(svgNumber(width)) \(svgNumber(height))" role="img">
      <title>\(PinMap.escaped(heading))</title>
      <style>.rt, .ld, .sc { fill: none; stroke: #4a90c2; stroke-width: 2 } .ld { stroke-width: 1 } .st { fill: #0a5a9c }
      text { font: bold 10px sans-serif; text-anchor: middle; fill: #fff } .s { font-size: 8px } .sl { fill: #777 }</style>
      \(map?.drawing ?? "<text class=\"sl\" x=\"160\" y=\"24\">\(Self.noStopsText)</text>")
      </svg>

      """
  }

  private static let rows = 22

  /// The map as text: numbered stops with dotted lines between them. A character cell is twice as high as wide.
  func lines(width: Int) -> [String] {
    guard let pins = map?.pins, let (left, right) = Self.bounds(pins.map(\.spot.x)),
      let (top, bottom) = Self.bounds(pins.map(\.spot.y))
    else { return ["(\(Self.noStopsText))"] }
    var grid = [[Character]](repeating: [Character](repeating: " ", count: width), count: Self.rows)
    let (columns, rows) = (Double(width - 4), Double(Self.rows - 1))
    let scale = min(columns / max(2 * (right - left), 1e-6), rows / max(bottom - top, 1e-6))
    let cells = pins.map { pin in
      (
        number: pin.number,
        column: Int((columns / 2 + (2 * pin.spot.x - left - right) * scale).rounded()),
        row: Int((rows / 2 + (pin.spot.y - (top + bottom) / 2) * scale).rounded())
      )
    }
    for (from, to) in zip(cells, cells.dropFirst()) {
      let steps = max(abs(to.column - from.column), abs(to.row - from.row))
      for step in stride(from: 2, to: max(2, steps), by: 2) {
        let fraction = Double(step) / Double(steps)
        let row = Int((Double(from.row) + Double(to.row - from.row) * fraction).rounded())
        let column = Int((Double(from.column) + Double(to.column - from.column) * fraction).rounded())
        grid[row][column] = "·"
      }
    }
    // Drawn last to first, so that of several stops in one cell the earliest is visible.
    for cell in cells.reversed() {
      for (offset, letter) in "\(cell.number)".enumerated() where cell.column + offset < width {
        grid[cell.row][cell.column + offset] = letter
      }
    }
    return grid.map { line in
      // Trailing spaces would wrap on a narrow terminal.
      String(line[...(line.lastIndex { $0 != " " } ?? 0)])
    }
  }

  private static func bounds(_ values: [Double]) -> (Double, Double)? {
    values.min().flatMap { minWidth in values.max().map { (minWidth, $0) } }
  }
}
