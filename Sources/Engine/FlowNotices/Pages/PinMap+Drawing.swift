import FlowModel

extension PinMap {
  /// The map as SVG elements, for an `<svg>` element of the map's `width` and `height`.
  ///
  /// CSS classes: `rt` line of travel, `ld` line from a place to its displaced pin, `st` pin, `al` pin that needs attention, `s`
  /// small text, `sc` scale bar, `sl` scale label.
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

  /// SVG of one pin: a triangle if it needs attention, otherwise a circle, with its number and the name as tooltip.
  private static func drawn(_ pin: Pin) -> String {
    let (x, y) = (pin.point.x.rounded(), pin.point.y.rounded())
    let size = pin.number > 99 ? " class=\"s\"" : ""
    let shape =
      pin.needsAttention
      ? "<path class=\"al\" d=\"M\(svgNumber(x)) \(svgNumber(y - 11))l9.5 16.5h-19z\"/>"
      : "<circle class=\"st\" cx=\"\(svgNumber(x))\" cy=\"\(svgNumber(y))\" r=\"10\"/>"
    let drawn = "\(shape)<text x=\"\(svgNumber(x))\" y=\"\(svgNumber(y + 4))\"\(size)>\(pin.number)</text>"
    return pin.name.map { "<g><title>\(pin.number) \(escaped($0))</title>\(drawn)</g>" } ?? drawn
  }

  /// The scale bar at the right and the north arrow at the left, below all pins.
  private var legend: String {
    let base = height - 6
    let north = "<path class=\"sc\" d=\"M12 \(svgNumber(base))v-16m-4 5l4-5 4 5"
    guard let length = scaleLength else { return north + "\"/>" }
    let end = width - 12
    // Readable on a phone, which shows a wide map smaller.
    let size = max(11, width / 30)
    return north + "M\(svgNumber(end - length)) \(svgNumber(base - 6))v6H\(svgNumber(end))v-6\"/>"
      + "<text class=\"sl\" style=\"font-size:\(svgNumber(size))px;text-anchor:end\" x=\"\(svgNumber(end - 3))\" "
      + "y=\"\(svgNumber(base - 8))\">\(scaleText)</text>"
  }

  /// The point as `x,y` for an SVG attribute, in whole units: a page has many points.
  private static func pair(_ point: Point) -> String {
    "\(svgNumber(point.x.rounded())),\(svgNumber(point.y.rounded()))"
  }

  /// `text` for HTML or SVG content: control characters shown as `\u{1B}`, then `&`, `<` and `>` escaped.
  package static func escaped(_ text: String) -> String {
    visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
