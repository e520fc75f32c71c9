package import FlowModel

/// A set of readings that a visit may take, stored as one bit each.
package struct ReadingSet: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue & 31 }

  package static let pH = ReadingSet(rawValue: 1)
  package static let waterTemp = ReadingSet(rawValue: 2)
  package static let calciumHardness = ReadingSet(rawValue: 4)
  package static let totalAlkalinity = ReadingSet(rawValue: 8)
  package static let cyanuricAcid = ReadingSet(rawValue: 16)
  package static let all = ReadingSet(rawValue: 31)

  /// The app's names of the readings, in the order of the bits.
  private static let names: [(name: String, one: ReadingSet)] = [
    ("pH", .pH), ("waterTempF", .waterTemp), ("calciumHardness", .calciumHardness),
    ("totalAlkalinity", .totalAlkalinity), ("cyanuricAcid", .cyanuricAcid),
  ]

  /// The readings with these names in the app; unknown names are ignored.
  package init(named names: some Sequence<some StringProtocol>) {
    self = names.reduce(into: []) { set, name in
      if let one = Self.names.first(where: { $0.name == name })?.one { set.insert(one) }
    }
  }

  /// The app's names: `pH`, `waterTempF`, `calciumHardness`, `totalAlkalinity`, `cyanuricAcid`.
  package var names: [String] { Self.names.filter { contains($0.one) }.map(\.name) }
}

/// The known readings of a pool, from the newest visit at which any were taken.
///
/// A pool's own values do not count as measured, because a new pool has the defaults of its region. A visit without
/// measurements does not change the known readings.
package struct MeasuredWater: Hashable, Sendable {
  /// The values; dissolved solids are the pool's own, because no visit measures them.
  package let readings: WaterReadings
  /// The time of the visit.
  package let at: Timestamp
  /// The readings taken at that visit; the others are older.
  package let measured: ReadingSet
  /// The readings that no visit has ever taken.
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

  /// The readings after a visit to `pool`; nil for a visit without measurements.
  package init?(_ visit: ServiceEvent, of pool: Pool) {
    guard !visit.measured.isEmpty else { return nil }
    self.init(
      visit.readings, at: visit.timestamp, measured: visit.measured, assumed: visit.assumed,
      totalDissolvedSolids: pool.readings.totalDissolvedSolids)
  }

  /// Whether a saturation index and doses can be computed, which requires a measured pH.
  package var hasIndex: Bool { !assumed.contains(.pH) }
}

extension ServiceEvent {
  /// Whether `lsiValue` is meaningful: a reading was taken, and the pH has been measured.
  package var hasIndex: Bool { !measured.isEmpty && !assumed.contains(.pH) }
}
