import FlowTestKit
import Testing

@testable import PoolCommands

/// Lines cut at the antimeridian for GeoJSON.
struct MapLineTests {
  private func line(_ places: [(Double, Double)]) -> [[[Double]]] {
    MapLine(places.map { MapLine.Point(longitude: $0.0, latitude: $0.1) }).parts.map { $0.map(\.position) }
  }

  @Test func `a line without a crossing stays one line`() {
    #expect(line([(10, 1), (20, 2), (-30, 3)]) == [[[10, 1], [20, 2], [-30, 3]]])
    #expect(line([(-90, 1), (90, 2)]) == [[[-90, 1], [90, 2]]])
  }

  @Test func `each crossing cuts the line at its position on the map`() {
    #expect(
      line([(179, -16), (-179, -17), (178, -18), (-178, -19)]) == [
        [[179, -16], [180, -16.5]],
        [[-180, -16.5], [-179, -17], [-180, -17.3333333]],
        [[180, -17.3333333], [178, -18], [180, -18.5]],
        [[-180, -18.5], [-178, -19]],
      ])
    #expect(line([(-179.5, 2), (178.5, 6)]) == [[[-179.5, 2], [-180, 3]], [[180, 3], [178.5, 6]]])
  }

  @Test func `a point on the antimeridian is on the side the line comes from`() {
    #expect(line([(179, 1), (-180, 2), (178, 3)]) == [[[179, 1], [180, 2], [178, 3]]])
    #expect(line([(179, 1), (180, 2), (-179, 3)]) == [[[179, 1], [180, 2]], [[-180, 2], [-179, 3]]])
    #expect(line([(180, 1), (-179, 2)]) == [[[-180, 1], [-179, 2]]])
    #expect(line([(-180, 1), (180, 2)]) == [[[-180, 1], [-180, 2]]])
    #expect(
      line([(-179, 1), (180, 2), (180, 3), (179, 4)]) == [
        [[-179, 1], [-180, 2], [-180, 3]], [[180, 3], [179, 4]],
      ])
  }

  @Test func `no step of a random line is wider than 180 degrees, with points in order`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("ways across the antimeridian: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    for number in 0..<2_000 {
      let places = (0..<Int.random(in: 2...9, using: &random)).map { _ in
        let near = Double(Int.random(in: 170...180, using: &random)) * (Bool.random(using: &random) ? 1 : -1)
        let longitude = Bool.random(using: &random) ? near : Double(Int.random(in: -180...180, using: &random))
        return (longitude, Double(Int.random(in: -80...80, using: &random)))
      }
      let parts = line(places)
      for part in parts {
        #expect(part.count >= 2, "seed \(seed) number \(number): \(places)")
        for (first, next) in zip(part, part.dropFirst()) {
          #expect(abs(first[0] - next[0]) <= 180, "seed \(seed) number \(number): \(places)")
        }
      }
      for (part, next) in zip(parts, parts.dropFirst()) {
        let isCut = part.last?[0] == next.first.map { -$0[0] } && part.last?[1] == next.first?[1]
        #expect(isCut && abs(part.last?[0] ?? 0) == 180, "seed \(seed) number \(number): \(places)")
      }
      // All points occur in order, on either side for a point on the antimeridian.
      var left = parts.flatMap(\.self)[...]
      for (longitude, latitude) in places {
        let met = left.firstIndex {
          abs($0[0]) == abs(longitude) && $0[1] == latitude && (abs(longitude) == 180 || $0[0] == longitude)
        }
        guard let met else {
          Issue.record("seed \(seed) number \(number): \(places) lose (\(longitude), \(latitude))")
          break
        }
        left = left[(met + 1)...]
      }
    }
  }
}
