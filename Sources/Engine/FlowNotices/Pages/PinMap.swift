package import FlowModel
internal import Glibc

/// A map of numbered pins in the order of travel, scaled to fit its frame, with pins moved apart where they would overlap.
///
/// Plate carrée projection at the stops' mean latitude; over a day's tour its error is far below a pin's width. Longitudes
/// continue past ±180°, so that a tour across the date line stays connected.
package struct PinMap: Hashable, Sendable {
  /// A place on the map.
  package struct Pin: Hashable, Sendable {
    package let number: Int
    /// Name shown as a tooltip; nil if the map must not show names.
    package let name: String?
    package let needsAttention: Bool
    /// The place's true location, in map units.
    package let spot: Point
    /// The pin's position: `spot`, or beside it if pins would overlap.
    package internal(set) var point: Point
  }

  /// A point of the map, in map units; y grows downwards.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package func distance(to other: Point) -> Double {
      ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
  }

  package let width: Double
  package let height: Double
  package private(set) var pins: [Pin]
  /// Length of the scale bar in map units; nil if all places have the same location.
  package let scaleLength: Double?
  package let scaleText: String
  package let title: String
  package let description: String

  /// Radius of a pin, in map units.
  package static let radius = 10.0
  /// Minimum distance between two pins.
  package static let clearance = 2 * radius + 2
  private static let margin = 16.0
  /// Height of the scale bar area below the pins.
  package static let legendHeight = 26.0

  /// Input of the map: a geocoded place.
  package struct Place {
    let number: Int
    let name: String?
    let latitude: Double
    let longitude: Double
    let needsAttention: Bool

    package init(number: Int, name: String? = nil, latitude: Double, longitude: Double, needsAttention: Bool = false) {
      self.number = number
      self.name = name
      self.latitude = latitude
      self.longitude = longitude
      self.needsAttention = needsAttention
    }
  }

  /// Coordinates out of range are ignored, because a page can come from an imported file with invalid numbers.
  ///
  /// - Returns: nil if no place has valid coordinates.
  package init?(_ places: [Place], units: UnitSystem, title: String, description: String) {
    let places = places.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 }
    guard let first = places.first else { return nil }
    let middle = places.reduce(0) { $0 + $1.latitude } / Double(places.count)
    let shrink = max(0.05, cos(middle * .pi / 180))
    let flat = places.map { place in
      // Longitude difference to the first place by the shorter way around the Earth.
      let east = (place.longitude - first.longitude + 540).truncatingRemainder(dividingBy: 360) - 180
      return Point(x: east * shrink, y: -place.latitude)
    }
    let frame = Frame(flat)
    width = frame.width
    height = frame.height + Self.legendHeight
    self.title = title
    self.description = description
    pins = zip(places, flat).map { place, location in
      let spot = frame.point(location)
      return Pin(
        number: place.number, name: place.name, needsAttention: place.needsAttention, spot: spot, point: spot)
    }
    (scaleLength, scaleText) = Self.scale(frame, units)
    separatePins(within: frame)
  }

  /// Mapping from projected degrees to map units.
  private struct Frame {
    let width: Double
    let height: Double
    private let left: Double
    private let top: Double
    /// Map units per degree of latitude; nil if all places have the same location.
    let perDegree: Double?

    init(_ points: [Point]) {
      let xs = points.map(\.x)
      let ys = points.map(\.y)
      let (low, high) = ((xs.min() ?? 0, ys.min() ?? 0), (xs.max() ?? 0, ys.max() ?? 0))
      let span = Point(x: high.0 - low.0, y: high.1 - low.1)
      // Space for all pins plus gaps: a page with 200 places gets a larger map.
      let side = (Double(points.count) * PinMap.clearance * PinMap.clearance * 3).squareRoot()
      let widest = max(340, side)
      let tallest = max(260, side)
      let inner = Point(x: widest - 2 * PinMap.margin, y: tallest - 2 * PinMap.margin)
      // Minimum size, so that places along one street still leave space for every pin.
      let least = max(90, side * side * 0.7 / widest + 2 * PinMap.margin)
      if span.x > 1e-9 || span.y > 1e-9 {
        let scale = min(inner.x / max(span.x, 1e-9), inner.y / max(span.y, 1e-9))
        perDegree = scale
        width = max(least, span.x * scale + 2 * PinMap.margin)
        height = max(least, span.y * scale + 2 * PinMap.margin)
        left = low.0 - (width - span.x * scale) / 2 / scale
        top = low.1 - (height - span.y * scale) / 2 / scale
      } else {
        perDegree = nil
        width = max(90, side)
        height = width
        left = low.0
        top = low.1
      }
    }

    func point(_ location: Point) -> Point {
      guard let perDegree else { return Point(x: width / 2, y: height / 2) }
      return Point(x: (location.x - left) * perDegree, y: (location.y - top) * perDegree)
    }
  }

  /// Length (in map units) and label of the scale bar: 1, 2 or 5 times a power of ten, at most a third of the map's width.
  private static func scale(_ frame: Frame, _ units: UnitSystem) -> (Double?, String) {
    guard let perDegree = frame.perDegree else { return (nil, "") }
    let milesPerDegree = Earth.meanRadiusMiles * .pi / 180
    let perUnit = milesPerDegree / perDegree * (units == .metric ? 1.609344 : 1)
    let longest = perUnit * frame.width / 3
    guard longest.isFinite, longest > 0 else { return (nil, "") }
    let power = pow(10, floor(log10(longest)))
    let round = [5.0, 2, 1].map { $0 * power }.first { $0 <= longest } ?? power
    let zeros = String(repeating: "0", count: max(0, Int(-log10(power).rounded()) - 1))
    let number = round >= 1 ? String(Int(round)) : "0.\(zeros)\(Int((round / power).rounded()))"
    return (round / perUnit, "\(number) \(units == .metric ? "km" : "mi")")
  }

  // MARK: Pins beside each other

  /// Maximum number of pins that are moved apart; the algorithm is quadratic, and more pins overlap anyway.
  private static let maxSeparationSteps = 400

  /// Pushes overlapping pins apart; if 60 passes do not suffice, assigns each pin the nearest free cell of a grid.
  private mutating func separatePins(within frame: Frame) {
    guard pins.count <= Self.maxSeparationSteps else { return }
    for _ in 0..<60 {
      guard push(within: frame) else { return }
    }
    placeOnGrid(within: frame)
  }

  /// The nearest point at which a pin fits into the frame.
  private func clamped(_ point: Point, within frame: Frame) -> Point {
    let edge = Self.radius + 2
    return Point(
      x: min(max(point.x, edge), frame.width - edge), y: min(max(point.y, edge), frame.height - edge))
  }

  /// Moves each pair of overlapping pins apart by equal steps.
  ///
  /// - Returns: true if any pins overlapped.
  private mutating func push(within frame: Frame) -> Bool {
    var moved = false
    for first in pins.indices {
      for second in pins.indices.dropFirst(first + 1) {
        let gap = pins[first].point.distance(to: pins[second].point)
        guard gap < Self.clearance else { continue }
        moved = true
        let step = (Self.clearance - gap) / 2 + 0.05
        // Pins at the same point move in different directions, so that they do not end up in one line.
        let angle = Double(second) * 2.399963
        let x = gap > 0.01 ? (pins[second].point.x - pins[first].point.x) / gap : cos(angle)
        let y = gap > 0.01 ? (pins[second].point.y - pins[first].point.y) / gap : sin(angle)
        let (one, two) = (pins[first].point, pins[second].point)
        pins[first].point = clamped(Point(x: one.x - x * step, y: one.y - y * step), within: frame)
        pins[second].point = clamped(Point(x: two.x + x * step, y: two.y + y * step), within: frame)
      }
    }
    return moved
  }

  /// Assigns each pin the nearest free cell of a grid.
  private mutating func placeOnGrid(within frame: Frame) {
    let step = Self.clearance + 0.5
    let columns = max(1, Int((frame.width - 2 * Self.radius) / step))
    let rows = max(1, Int((frame.height - 2 * Self.radius) / step))
    var free: [Point] = []
    for row in 0..<rows {
      for column in 0..<columns {
        free.append(
          Point(x: Self.radius + 1 + (Double(column) + 0.3) * step, y: Self.radius + 1 + (Double(row) + 0.3) * step))
      }
    }
    for index in pins.indices {
      guard
        let nearest = free.indices.min(by: {
          free[$0].distance(to: pins[index].spot) < free[$1].distance(to: pins[index].spot)
        })
      else { return }
      pins[index].point = free.remove(at: nearest)
    }
  }
}
