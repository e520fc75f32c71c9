import FlowNotices

/// A map of pins as a picture for mail, since mail programs show no vector drawings. It has two pixels per CSS pixel, so that
/// numbers are sharp on a phone, and a background of its own, so that it looks the same in dark mode.
struct MapPicture: Sendable {
  private let map: PinMap
  /// The display width in CSS pixels.
  let width: Int
  /// The number of picture pixels per unit of the map.
  private let scale: Double

  /// Chooses the size: a map with few stops is enlarged, up to the height of a phone and pins of a finger's size; a map with
  /// many stops is wider than a phone only if its pins need that.
  init(_ map: PinMap) {
    self.map = map
    let wanted = min(map.width * 1.5, 416 / map.height * map.width, max(340, map.width), 576)
    width = Int(wanted)
    scale = 2 * Double(width) / map.width
  }

  private static let background = Canvas.Ink(0xF2F5F8)
  private static let frame = Canvas.Ink(0xC4CCD4)
  private static let way = Canvas.Ink(0x4086BE)
  private static let stop = Canvas.Ink(0x005EA8)
  private static let alert = Canvas.Ink(0x8F3600)
  private static let digit = Canvas.Ink(0xFFFFFF)
  private static let legendColour = Canvas.Ink(0x49535D)

  /// Renders the PNG file; the same map gives the same bytes.
  func png() -> [UInt8] {
    var canvas = Canvas(width: 2 * width, height: Int((map.height * scale).rounded(.up)), background: Self.background)
    frame(&canvas)
    drawLegend(&canvas)
    for (from, to) in zip(map.pins, map.pins.dropFirst()) {
      canvas.paint(.stroke(point(from.spot), point(to.spot), width: 2 * scale), Self.way)
    }
    for pin in map.pins where pin.spot.distance(to: pin.point) > 3 { drawLeaderLine(of: pin, &canvas) }
    for pin in map.pins { paint(pin, &canvas) }
    return PNGFile.bytes(canvas)
  }

  private func point(_ point: PinMap.Point, right: Double = 0, down: Double = 0) -> Canvas.Point {
    Canvas.Point((point.x + right) * scale, (point.y + down) * scale)
  }

  private func frame(_ canvas: inout Canvas) {
    let (right, bottom) = (Double(canvas.width), Double(canvas.height))
    let corners = [(0, 0), (right, 0), (right, bottom), (0, bottom), (0, 0)].map { Canvas.Point($0.0, $0.1) }
    for (from, to) in zip(corners, corners.dropFirst()) { canvas.paint(.stroke(from, to, width: 4), Self.frame) }
  }

  /// Draws the dashed line from a stop's position to its pin, if the pin is moved aside: dashes and gaps of two units.
  private func drawLeaderLine(of pin: PinMap.Pin, _ canvas: inout Canvas) {
    let length = pin.spot.distance(to: pin.point)
    func at(_ way: Double) -> Canvas.Point {
      let part = min(way, length) / length
      return Canvas.Point(
        (pin.spot.x + (pin.point.x - pin.spot.x) * part) * scale,
        (pin.spot.y + (pin.point.y - pin.spot.y) * part) * scale)
    }
    for start in stride(from: 0, to: length, by: 4) {
      canvas.paint(.stroke(at(start), at(start + 2), width: scale), Self.way)
    }
  }

  /// Draws a pin: a disc, or a triangle if the stop needs attention, with a ring that separates it from the background.
  private func paint(_ pin: PinMap.Pin, _ canvas: inout Canvas) {
    var height = pin.number > 99 ? 5.2 : 6.4
    var down = 0.0
    if pin.needsAttention {
      for (grown, ink) in [(2.0, Self.background), (0, Self.alert)] {
        canvas.paint(
          .polygon([
            point(pin.point, down: -11 - grown),
            point(pin.point, right: 9.5 + grown * 0.87, down: 5.5 + grown / 2),
            point(pin.point, right: -9.5 - grown * 0.87, down: 5.5 + grown / 2),
          ]), ink)
      }
      height *= 0.82
      down = 1.6
    } else {
      canvas.paint(.disc(point(pin.point), radius: (PinMap.radius + 1) * scale), Self.background)
      canvas.paint(.disc(point(pin.point), radius: (PinMap.radius - 0.25) * scale), Self.stop)
    }
    let middle = point(pin.point, down: down)
    for stroke in StrokedText.strokes(String(pin.number), middle: middle, height: height * scale) {
      canvas.paint(stroke, Self.digit)
    }
  }

  /// Draws the north arrow on the left and the scale bar on the right, below all pins.
  private func drawLegend(_ canvas: inout Canvas) {
    func line(_ points: [(Double, Double)]) {
      let places = points.map { Canvas.Point($0.0 * scale, $0.1 * scale) }
      for (from, to) in zip(places, places.dropFirst()) {
        canvas.paint(.stroke(from, to, width: 1.5 * scale), Self.legendColour)
      }
    }
    let base = map.height - 6
    line([(12, base), (12, base - 16)])
    line([(8, base - 11), (12, base - 16), (16, base - 11)])
    guard let length = map.scaleLength else { return }
    let end = map.width - 12
    line([(end - length, base - 6), (end - length, base), (end, base), (end, base - 6)])
    let middle = Canvas.Point((end - length / 2) * scale, (base - 7.5) * scale)
    for stroke in StrokedText.strokes(map.scaleText, middle: middle, height: 6.4 * scale) {
      canvas.paint(stroke, Self.legendColour)
    }
  }
}
