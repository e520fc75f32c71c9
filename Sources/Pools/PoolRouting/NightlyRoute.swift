package import FlowModel
internal import FoundationEssentials
import PoolModel

/// Stored result of the nightly optimisation of one technician's day, with the hash of its inputs.
package struct NightlyRoute: Hashable, Sendable {
  /// Hash of every input of the optimisation; equal inputs give equal hashes on every machine.
  package let inputHash: UInt64
  package let optimisation: DayRoute.Optimisation
  /// Source of the leg times; see `TravelTimes.provider`.
  package let provider: String

  /// Optimises the day with leg times of `cache`, unless its input hash equals `known`.
  ///
  /// - Parameter table: version of the measured times in the cache; it is part of the input hash.
  /// - Returns: the new result, or nil if `known` is the hash of these inputs.
  /// - Throws: `RouteError.tooManyStops`.
  package static func plan(
    _ stops: [DayRoute.Stop], objective: TravelObjective, known: UInt64?, cache: TravelTimeCache, table: UInt64 = 0,
    timing: DayRoute.Timing = DayRoute.Timing()
  ) async throws(RouteError) -> NightlyRoute? {
    let hash = inputHash(stops, objective: objective, table: table, timing: timing)
    guard hash != known else { return nil }
    let coordinates = DayRoute.sorted(stops).compactMap(\.place)
    let legs = coordinates.count > Limits.routeMatrixStops ? nil : await cache.legs(between: coordinates)
    let optimisation = try DayRoute.optimise(
      stops, objective: objective, algorithm: .strong, legs: legs, timing: timing)
    return NightlyRoute(
      inputHash: hash, optimisation: optimisation, provider: legs?.provider ?? EstimatedTravelTimes().provider)
  }

  /// 64-bit FNV-1a hash over the objective, the optimiser's version and every stop in the given order.
  ///
  /// Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm". Each input is a whole 64-bit number,
  /// so an extra shift mixes its upper bits.
  package static func inputHash(
    _ stops: [DayRoute.Stop], objective: TravelObjective, table: UInt64 = 0, timing: DayRoute.Timing = DayRoute.Timing()
  ) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func take(_ word: UInt64) {
      hash = (hash ^ word) &* 0x0000_0100_0000_01B3
      hash ^= hash >> 32
    }
    take(version)
    take(UInt64(TravelObjective.allCases.firstIndex(of: objective) ?? 0))
    take(table)
    // Without windows, the start of the day changes only arrival times, not the order.
    if stops.contains(where: { $0.window != nil }) {
      take(timing.beginsAtMinute.bitPattern)
      take(timing.minutesAtStop.bitPattern)
    }
    for stop in stops {
      let id = stop.id.uuid.uuid
      take(UInt64(bytes: [id.0, id.1, id.2, id.3, id.4, id.5, id.6, id.7]))
      take(UInt64(bytes: [id.8, id.9, id.10, id.11, id.12, id.13, id.14, id.15]))
      take(stop.latitude.bitPattern)
      take(stop.longitude.bitPattern)
      take(UInt64(bitPattern: Int64(stop.routeOrder)))
      take(UInt64(stop.pin ?? 0))
      take((stop.window?.opens ?? -1).bitPattern)
      take((stop.window?.closes ?? -1).bitPattern)
    }
    return hash
  }

  /// Increment when the optimiser can return a different order for the same day.
  private static let version: UInt64 = 4
}

extension UInt64 {
  fileprivate init(bytes: InlineArray<8, UInt8>) {
    self = 0
    for index in 0..<8 { self = self << 8 | UInt64(bytes[index]) }
  }
}
