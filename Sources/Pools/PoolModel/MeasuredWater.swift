package import FlowModel

/// A set of readings that a visit may take, stored as one bit each.
package struct ReadingSet: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue & 127 }

  package static let pH = ReadingSet(rawValue: 1)
  package static let waterTemp = ReadingSet(rawValue: 2)
  package static let calciumHardness = ReadingSet(rawValue: 4)
  package static let totalAlkalinity = ReadingSet(rawValue: 8)
  package static let cyanuricAcid = ReadingSet(rawValue: 16)
  package static let freeChlorine = ReadingSet(rawValue: 32)
  package static let salt = ReadingSet(rawValue: 64)
  /// The readings of the app.
  package static let all = ReadingSet(rawValue: 31)
  /// The readings that the app does not know.
  package static let sanitiser: ReadingSet = [.freeChlorine, .salt]

  /// The names of the readings in archives, in the order of the bits.
  private static let names: [(name: String, one: ReadingSet)] = [
    ("pH", .pH), ("waterTempF", .waterTemp), ("calciumHardness", .calciumHardness),
    ("totalAlkalinity", .totalAlkalinity), ("cyanuricAcid", .cyanuricAcid),
    ("freeChlorine", .freeChlorine), ("salt", .salt),
  ]

  /// The readings with these names; unknown names are ignored.
  package init(named names: some Sequence<some StringProtocol>) {
    self = names.reduce(into: []) { set, name in
      if let one = Self.names.first(where: { $0.name == name })?.one { set.insert(one) }
    }
  }

  /// The names `pH`, `waterTempF`, `calciumHardness`, `totalAlkalinity`, `cyanuricAcid`, `freeChlorine`, `salt`.
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

  /// The readings that are older than the last measurement.
  package var older: ReadingSet { readings.present.subtracting(measured).subtracting(assumed) }

  /// Whether a saturation index and doses can be computed, which requires a measured pH.
  package var hasIndex: Bool { !assumed.contains(.pH) }
}

extension WaterReadings {
  /// Takes over readings of earlier water. Free chlorine is left out then, because it is used up within days.
  package mutating func replace(_ set: ReadingSet, by earlier: WaterReadings) {
    if set.contains(.pH) { pH = earlier.pH }
    if set.contains(.waterTemp) { waterTempF = earlier.waterTempF }
    if set.contains(.calciumHardness) { calciumHardness = earlier.calciumHardness }
    if set.contains(.totalAlkalinity) { totalAlkalinity = earlier.totalAlkalinity }
    if set.contains(.cyanuricAcid) { cyanuricAcid = earlier.cyanuricAcid }
    if set.contains(.freeChlorine) { freeChlorine = nil }
    if set.contains(.salt) { salt = earlier.salt }
  }

  /// The readings that have a value: those of the app always do.
  package var present: ReadingSet {
    var set = ReadingSet.all
    if freeChlorine != nil { set.insert(.freeChlorine) }
    if salt != nil { set.insert(.salt) }
    return set
  }
}

extension ServiceEvent {
  /// Free chlorine in parts per million; nil if it was not measured at the visit.
  package var measuredFreeChlorine: Double? { measured.contains(.freeChlorine) ? readings.freeChlorine : nil }

  /// Salt in parts per million; nil if it was not measured at the visit.
  package var measuredSalt: Double? { measured.contains(.salt) ? readings.salt : nil }

  /// Whether `lsiValue` is meaningful: a reading was taken, and the pH has been measured.
  package var hasIndex: Bool { !measured.isEmpty && !assumed.contains(.pH) }
}
