import FlowModel
import Foundation
import PoolModel
import PoolRouting
import Testing

struct TravelTimeTests {
  private func places(_ count: Int) throws -> [Coordinate] {
    try (0..<count).map { try Coordinate(latitude: 33 + 0.01 * Double($0), longitude: -112) }
  }

  @Test func `a second pass over a hundred days is answered from the cache`() async throws {
    var days = RandomDays(seed: 6)
    let routes = try (0..<100).map { _ in try days.stops(12) }
    let cache = TravelTimeCache()
    for route in routes { _ = await cache.legs(between: route) }
    let first = await cache.figures
    for route in routes { _ = await cache.legs(between: route) }
    let second = await cache.figures
    #expect(second.misses == first.misses)
    #expect(Double(second.hits - first.hits) / Double(100 * 12 * 11) >= 0.95)
  }

  @Test func `cached travel minutes equal the computed ones`() async throws {
    var days = RandomDays(seed: 2)
    let places = try days.stops(9)
    let cache = TravelTimeCache()
    for _ in 0..<2 {
      let legs = await cache.legs(between: places)
      #expect(legs.provider == "haversine")
      for from in 0..<9 {
        for to in 0..<9 where from != to {
          let miles = places[from].miles(to: places[to])
          #expect((legs.minutes(from: from, to: to) - LegEstimate.minutes(miles: miles)).magnitude < 1e-8)
        }
      }
    }
  }

  @Test func `the cache holds at most two generations`() async throws {
    let cache = TravelTimeCache(limit: 50)
    for first in 0..<40 {
      let route = try (0..<4).map { try Coordinate(latitude: Double(first), longitude: Double($0)) }
      _ = await cache.legs(between: route)
      #expect(await cache.figures.pairs <= 100)
    }
  }

  @Test func `a table is used for the pairs it contains and the estimate for the rest`() async throws {
    let places = try places(3)
    let table = try TabledTravelTimes(
      places: Array(places.prefix(2)), minutes: [0, 7, nil, 0])
    let cache = TravelTimeCache(measured: table)
    let legs = await cache.legs(between: places)
    #expect(legs.provider == "table+haversine")
    #expect(legs.minutes(from: 0, to: 1) == 7)
    let estimate = LegEstimate.minutes(miles: places[1].miles(to: places[0]))
    #expect((legs.minutes(from: 1, to: 0) - estimate).magnitude < 1e-8)
    let known = await cache.legs(between: [places[0], places[2]])
    #expect(known.provider == "haversine")
    #expect(throws: RouteError.self) { try TabledTravelTimes(places: places, minutes: [0, 1]) }
    // Some services write such a value where no way exists.
    let pair = Array(places.prefix(2))
    let without = try TabledTravelTimes(places: pair, minutes: [0, 1e20, 10_080, 0])
    #expect(without.minutes(from: pair[0], to: pair[1]) == nil && without.minutes(from: pair[1], to: pair[0]) == 10_080)
    #expect(throws: RouteError.self) { try TabledTravelTimes(places: Array(places.prefix(1)), minutes: [-1]) }
  }

  @Test func `a nightly plan skips a day only if nothing has changed`() async throws {
    let stops = try (0..<6).map { index in
      DayRoute.Stop(
        id: try #require(PoolID("00000000-0000-0000-0000-00000000000\(index)")),
        latitude: 33 + 0.01 * Double(index % 3),
        longitude: -112 + 0.01 * Double(index), routeOrder: index)
    }
    let cache = TravelTimeCache()
    let first = try #require(try await NightlyRoute.plan(stops, objective: .time, known: nil, cache: cache))
    #expect(try await NightlyRoute.plan(stops, objective: .time, known: first.inputHash, cache: cache) == nil)
    #expect(try await NightlyRoute.plan(stops, objective: .balanced, known: first.inputHash, cache: cache) != nil)
    for index in stops.indices {
      var changed = stops
      let stop = stops[index]
      changed[index] = DayRoute.Stop(
        id: stop.id, latitude: stop.latitude.nextUp, longitude: stop.longitude, routeOrder: stop.routeOrder)
      #expect(NightlyRoute.inputHash(changed, objective: .time) != first.inputHash)
      changed[index] = DayRoute.Stop(
        id: stop.id, latitude: stop.latitude, longitude: stop.longitude, routeOrder: stop.routeOrder + 1)
      #expect(NightlyRoute.inputHash(changed, objective: .time) != first.inputHash)
    }
    #expect(NightlyRoute.inputHash(Array(stops.dropLast()), objective: .time) != first.inputHash)
  }
}
