package import PoolNotices

extension RouteMap {
  package var drawing: Document.Drawing {
    Document.Drawing(width: width, height: height, title: title, description: description, shapes: shapes)
  }

  private var shapes: String {
    var shapes = ""
    let points = pins.map { Self.pair($0.spot) }.joined(separator: " ")
    if pins.count > 1 { shapes += "<polyline class=\"rt\" points=\"\(points)\"/>" }
    let moved = pins.filter { $0.spot.distance(to: $0.point) > 3 }
    if !moved.isEmpty {
      let leads = moved.map { "M\(Self.pair($0.spot))L\(Self.pair($0.point))" }.joined()
      shapes += "<path class=\"ld\" d=\"\(leads)\"/>"
    }
    return shapes + pins.map(\.shapes).joined() + legend
  }

  /// The scale's bar on the right, north on the left, below all pins.
  private var legend: String {
    let base = height - 6
    let north = "M12 \(short(base))v-16m-4 5l4-5 4 5"
    guard let length = scaleLength else { return "<path class=\"sc\" d=\"\(north)\"/>" }
    let end = width - 12
    return "<path class=\"sc\" d=\"\(north)M\(short(end - length)) \(short(base - 6))v6H\(short(end))v-6\"/>"
      + "<text class=\"sl\" x=\"\(short(end - length / 2))\" y=\"\(short(base - 4))\">\(scaleText)</text>"
  }

  private static func pair(_ point: Point) -> String { "\(short(point.x)),\(short(point.y))" }
}

extension RouteMap.Pin {
  fileprivate var shapes: String {
    let (x, y) = (short(point.x), point.y)
    let size = number > 99 ? " class=\"s\"" : ""
    return needsAttention
      ? "<path class=\"al\" d=\"M\(x) \(short(y - 11))l9.5 16.5h-19z\"/>"
        + "<text x=\"\(x)\" y=\"\(short(y + 4))\"\(size)>\(number)</text>"
      : "<circle class=\"st\" cx=\"\(x)\" cy=\"\(short(y))\" r=\"10\"/>"
        + "<text x=\"\(x)\" y=\"\(short(y + 3.5))\"\(size)>\(number)</text>"
  }
}

private func short(_ number: Double) -> String { Document.Drawing.short(number) }
