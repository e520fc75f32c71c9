import FlowModel
import Foundation
import PoolRouting

/// Seeded days around Phoenix: half of them clustered, some with several stops at one location.
struct RandomDays {
  private var chance: SplitMix

  init(seed: UInt64) {
    chance = SplitMix(seed: seed)
  }

  mutating func stops(_ count: Int) throws -> [Coordinate] {
    let isClustered = Bool.random(using: &chance)
    var centres: [(Double, Double)] = []
    for _ in 0..<3 { centres.append(around((33.45, -111.95), 0.2)) }
    var stops: [Coordinate] = []
    for _ in 0..<count {
      if let twin = stops.randomElement(using: &chance), Int.random(in: 0..<12, using: &chance) == 0 {
        stops.append(twin)
        continue
      }
      let centre = isClustered ? centres[Int.random(in: 0..<3, using: &chance)] : (33.45, -111.95)
      let place = around(centre, isClustered ? 0.02 : 0.2)
      stops.append(try Coordinate(latitude: place.0, longitude: place.1))
    }
    return stops
  }

  private mutating func around(_ centre: (Double, Double), _ reach: Double) -> (Double, Double) {
    (
      centre.0 + Double.random(in: -reach...reach, using: &chance),
      centre.1 + Double.random(in: -reach...reach, using: &chance)
    )
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }
  mutating func factor(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &chance) }
}

/// `POOLFLOW_ROUTE_DAYS=2000` for the complete proof; a tenth by default, because a debug build is slow.
func randomDayCount(_ standard: Int) -> Int {
  ProcessInfo.processInfo.environment["POOLFLOW_ROUTE_DAYS"].flatMap { Int($0) } ?? standard
}
