import PoolModel

extension RouteMap {
  /// The map as elements of an SVG document of its width and height. Its classes: `rt` the way, `ld` what leads from a place
  /// to its pin, `st` and `al` pins, `s` small letters, `sc` and `sl` the scale.
  package var drawing: String {
    var parts: [String] = []
    if pins.count > 1 {
      parts.append("<polyline class=\"rt\" points=\"\(pins.map { Self.pair($0.spot) }.joined(separator: " "))\"/>")
    }
    let moved = pins.filter { $0.spot.distance(to: $0.point) > 3 }
    if !moved.isEmpty {
      let leads = moved.map { "M\(Self.pair($0.spot))L\(Self.pair($0.point))" }
      parts.append("<path class=\"ld\" d=\"\(leads.joined())\"/>")
    }
    return (parts + pins.map(Self.drawn)).joined() + legend
  }

  private static func drawn(_ pin: Pin) -> String {
    let (x, y) = (pin.point.x, pin.point.y)
    let size = pin.number > 99 ? " class=\"s\"" : ""
    let (shape, base) =
      pin.needsAttention
      ? ("<path class=\"al\" d=\"M\(svgNumber(x)) \(svgNumber(y - 11))l9.5 16.5h-19z\"/>", y + 4)
      : ("<circle class=\"st\" cx=\"\(svgNumber(x))\" cy=\"\(svgNumber(y))\" r=\"10\"/>", y + 3.5)
    let drawn = "\(shape)<text x=\"\(svgNumber(x))\" y=\"\(svgNumber(base))\"\(size)>\(pin.number)</text>"
    return pin.name.map { "<g><title>\(pin.number) \(escaped($0))</title>\(drawn)</g>" } ?? drawn
  }

  /// The scale's bar on the right, north on the left, below all pins.
  private var legend: String {
    let base = height - 6
    let north = "<path class=\"sc\" d=\"M12 \(svgNumber(base))v-16m-4 5l4-5 4 5"
    guard let length = scaleLength else { return north + "\"/>" }
    let end = width - 12
    return north + "M\(svgNumber(end - length)) \(svgNumber(base - 6))v6H\(svgNumber(end))v-6\"/>"
      + "<text class=\"sl\" x=\"\(svgNumber(end - length / 2))\" y=\"\(svgNumber(base - 4))\">\(scaleText)</text>"
  }

  private static func pair(_ point: Point) -> String { "\(svgNumber(point.x)),\(svgNumber(point.y))" }

  /// What somebody wrote, as text of a document.
  package static func escaped(_ text: String) -> String {
    visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
