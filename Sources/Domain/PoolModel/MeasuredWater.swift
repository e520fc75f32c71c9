/// Some of the readings that a visit can take, as the store keeps them: one bit each.
package struct ReadingSet: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue & 31 }

  package static let pH = ReadingSet(rawValue: 1)
  package static let waterTemp = ReadingSet(rawValue: 2)
  package static let calciumHardness = ReadingSet(rawValue: 4)
  package static let totalAlkalinity = ReadingSet(rawValue: 8)
  package static let cyanuricAcid = ReadingSet(rawValue: 16)
  package static let all = ReadingSet(rawValue: 31)

  /// The app's names, in the order of the bits.
  private static let names: [(name: String, one: ReadingSet)] = [
    ("pH", .pH), ("waterTempF", .waterTemp), ("calciumHardness", .calciumHardness),
    ("totalAlkalinity", .totalAlkalinity), ("cyanuricAcid", .cyanuricAcid),
  ]

  package init(named names: some Sequence<some StringProtocol>) {
    self = names.reduce(into: []) { set, name in
      if let one = Self.names.first(where: { $0.name == name })?.one { set.insert(one) }
    }
  }

  /// As the app calls them: `pH`, `waterTempF`, `calciumHardness`, `totalAlkalinity`, `cyanuricAcid`.
  package var names: [String] { Self.names.filter { contains($0.one) }.map(\.name) }
}

/// The readings that are known of a pool: those of the newest visit at which any was taken.
///
/// A pool's own readings are no measurement: a new pool has those of its region. A visit at which nothing was measured
/// leaves the water as known as it was before.
package struct MeasuredWater: Hashable, Sendable {
  /// Dissolved solids are the pool's: no visit measures them.
  package let readings: WaterReadings
  /// When the visit was.
  package let at: Timestamp
  /// Taken at that visit; the others are older.
  package let measured: ReadingSet
  /// Never taken at any visit.
  package let assumed: ReadingSet

  package init(
    _ readings: WaterReadings, at: Timestamp, measured: ReadingSet = .all, assumed: ReadingSet = [],
    totalDissolvedSolids: Double?
  ) {
    var water = readings
    water.totalDissolvedSolids = totalDissolvedSolids
    self.readings = water
    self.at = at
    self.measured = measured
    self.assumed = assumed
  }

  /// The water as a visit to `pool` left it; nil for a visit at which nothing was measured.
  package init?(_ visit: ServiceEvent, of pool: Pool) {
    guard !visit.measured.isEmpty else { return nil }
    self.init(
      visit.readings, at: visit.timestamp, measured: visit.measured, assumed: visit.assumed,
      totalDissolvedSolids: pool.readings.totalDissolvedSolids)
  }

  /// Neither an index nor a dose can be worked out without the pH.
  package var hasIndex: Bool { !assumed.contains(.pH) }
}

extension ServiceEvent {
  /// Whether `lsiValue` says something about the water: a reading was taken, and the pH is known.
  package var hasIndex: Bool { !measured.isEmpty && !assumed.contains(.pH) }
}
