import FlowModel
import FlowNotices
import FlowTestKit
import PoolDigests
import Testing

/// The map of a page: it fills its frame, and no pin hides another.
struct PinMapTests {
  private func map(_ places: [(Double, Double)]) throws -> PinMap {
    let stops = places.enumerated().map {
      DigestStand.stop(
        $0 + 1, latitude: $1.0, longitude: $1.1, care: $0 % 3 == 0 ? DigestStand.care(daysAgo: nil) : nil)
    }
    return try #require(DigestStand(stops: stops).map)
  }

  private func check(_ map: PinMap, _ what: String) {
    for (index, pin) in map.pins.enumerated() {
      for other in map.pins.dropFirst(index + 1) {
        #expect(
          pin.point.distance(to: other.point) >= 2 * PinMap.radius + 1, "\(what): \(pin.number) \(other.number)")
      }
      #expect(
        pin.point.x >= PinMap.radius && pin.point.x <= map.width - PinMap.radius && pin.point.y >= PinMap.radius
          && pin.point.y <= map.height - PinMap.legendHeight - PinMap.radius, "\(what): \(pin.number) lies outside")
    }
  }

  @Test func `pins never overlap and stay within the frame`() throws {
    var random = SeededNumbers(seed: 20_260_302)
    for count in [1, 2, 3, 8, 15, 40, 99, 200] {
      for spread in [0.0, 1e-6, 0.001, 0.05, 2] {
        let places = (0..<count).map { _ in
          (
            33.4 + Double.random(in: -1...1, using: &random) * spread,
            -111.8 + Double.random(in: -1...1, using: &random) * spread
          )
        }
        check(try map(places), "\(count) stops within \(spread)°")
      }
    }
    // A street: all in one line, in either direction.
    check(try map((0..<30).map { (33.4, -111.8 + Double($0) * 0.0001) }), "a street")
    check(try map((0..<30).map { (33.4 + Double($0) * 0.0001, -111.8) }), "an avenue")
  }

  @Test func `the route fills the frame in at least one direction`() throws {
    for (height, width) in [(0.1, 0.1), (0.01, 0.4), (0.4, 0.01), (0.2, 0.0)] {
      let map = try map([(33, -111), (33 + height, -111 + width), (33 + height / 2, -111 + width / 3)])
      let xs = map.pins.map(\.spot.x)
      let ys = map.pins.map(\.spot.y)
      let across = ((xs.max() ?? 0) - (xs.min() ?? 0) + 32) / map.width
      let down = ((ys.max() ?? 0) - (ys.min() ?? 0) + 32) / (map.height - PinMap.legendHeight)
      #expect(max(across, down) > 0.99, "\(height) by \(width)")
    }
  }

  @Test func `a location outside of the Earth has no pin and no effect`() throws {
    let wild = [
      (1e30, 0.0), (0, 1e308), (90.1, 0), (0, -180.1), (-Double.infinity, 0), (Double.nan, 0), (33, Double.nan),
    ]
    func map(_ places: [(Double, Double)]) -> PinMap? {
      PinMap(
        places.enumerated().map { PinMap.Place(number: $0 + 1, latitude: $1.0, longitude: $1.1) }, units: .metric,
        title: "", description: "")
    }
    #expect(map(wild) == nil)
    let mixed = try #require(map(wild + [(33, -111), (33.1, -111.1)]))
    #expect(mixed.pins.map(\.number) == [8, 9])
    check(mixed, "two of nine")
    // The extreme coordinates are valid locations.
    #expect(map([(90, 180), (-90, -180)])?.pins.count == 2)
  }

  @Test func `thousands of pins at one location are drawn there`() throws {
    let map = try map((0..<5_000).map { _ in (33.4, -111.8) } + [(33.5, -111.7)])
    #expect(map.pins.count == 5_001)
  }

  @Test func `a route across the date line stays in one piece`() throws {
    let map = try map([(-17.8, 179.95), (-17.8, -179.97), (-17.7, 179.99)])
    check(map, "Fiji")
    // Eight hundredths of a degree instead of 360: the scale bar shows miles.
    #expect(map.scaleText == "1 mi" || map.scaleText == "2 mi")
    #expect(map.pins[0].spot.x < map.pins[2].spot.x && map.pins[2].spot.x < map.pins[1].spot.x)
  }

  @Test func `the scale bar has the stated length`() throws {
    // A degree of latitude is 69.09 miles.
    let map = try map([(33, -111), (33 + 10 / 69.0936, -111)])
    let perMile = (map.pins[0].spot.y - map.pins[1].spot.y) / 10
    let length = try #require(map.scaleLength)
    let miles = try #require(Double(map.scaleText.split(separator: " ")[0]))
    #expect(abs(length / perMile - miles) < 0.01 * miles)
  }

  @Test func `stops near a pole have a map; a single unlocated stop has none`() throws {
    check(try map([(89.9, 10), (89.9, -170), (90, 0)]), "the pole")
    #expect(try map([(33, -111), (33, -111)]).scaleLength == nil)
    #expect(DigestStand(stops: [DigestStand.stop(1, latitude: 0, longitude: 0)]).map == nil)
  }
}
