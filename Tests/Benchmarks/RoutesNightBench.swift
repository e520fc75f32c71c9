import FlowModel
import Foundation
import PoolModel
import PoolRouting

extension RoutesBench {
  func distances() throws {
    var chance = SplitMix(seed: 1)
    for (name, reach) in [("a city", 0.5), ("the world", 90.0)] {
      let places = try (0..<1_000).map { _ in
        try Coordinate(
          latitude: Double.random(in: -reach...reach, using: &chance),
          longitude: Double.random(in: -2 * reach...2 * reach, using: &chance))
      }
      var times: [Double] = []
      var worst = 0.0
      for round in 0..<15 {
        var sum = 0.0
        times.append(
          milliseconds {
            let table = DistanceTable(from: places, to: places)
            sum += table[row: 1, column: 2]
            if round == 0 {
              for row in 0..<1_000 {
                for column in 0..<1_000 {
                  worst = max(
                    worst, (table[row: row, column: column] - places[row].miles(to: places[column])).magnitude)
                }
              }
            }
          })
        precondition(sum >= 0)
      }
      var sum = 0.0
      let scalar = milliseconds {
        for row in 0..<1_000 { for column in 0..<1_000 { sum += places[row].miles(to: places[column]) } }
      }
      let rates = times.map { 1_000 / $0 }
      figureLine("distances across \(name), million pairs/s", rates)
      figureLine("distances across \(name) by the definition, million pairs/s", [1_000 / scalar], .baseline)
      figureLine("distances across \(name), times as fast as the definition", ratios(rates, to: [1_000 / scalar]))
      figureLine("distances across \(name), worst error in miles", [worst], .atMost(1e-9))
    }
  }

  func night() throws {
    let days: [[DayRoute.Stop]] = try (0..<15_000).map { index in
      try day(12, seed: UInt64(index)).stops.enumerated().map { place, stop in
        DayRoute.Stop(
          id: PoolID(UUID()), latitude: stop.latitude, longitude: stop.longitude, routeOrder: place)
      }
    }
    var known: [UInt64] = []
    let first = milliseconds {
      for day in days {
        _ = try? DayRoute.optimise(day, objective: .time, algorithm: .strong)
        known.append(NightlyRoute.inputHash(day, objective: .time))
      }
    }
    var planned = 0
    let second = milliseconds {
      for (day, hash) in zip(days, known) where NightlyRoute.inputHash(day, objective: .time) != hash {
        planned += 1
      }
    }
    figureLine("a night of 15,000 days of 12 stops, s", [first / 1_000], .reference(10))
    figureLine("unchanged days of that night: planned again", [Double(planned)], .atMost(0))
    figureLine("unchanged days of that night: thousand days/s", [15_000 / second])
    // An unchanged day costs a hash of its stops. The bound is the former pair of limits: 1,500 and 100,000 days a second.
    figureLine("unchanged days, times as fast as planning them", [first / second], .atLeast(66))
  }
}
