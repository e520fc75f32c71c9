import FlowModel
package import PoolModel

/// Readings of many pools in columnar form, the input of `BalanceKernel`. All columns have equal length.
package struct WaterColumns: Sendable {
  package private(set) var pH: [Double] = []
  /// Degrees Fahrenheit.
  package private(set) var waterTempF: [Double] = []
  /// Parts per million, like all columns below.
  package private(set) var calciumHardness: [Double] = []
  package private(set) var totalAlkalinity: [Double] = []
  package private(set) var cyanuricAcid: [Double] = []
  package private(set) var totalDissolvedSolids: [Double] = []

  package init(capacity: Int = 0) {
    pH.reserveCapacity(capacity)
    waterTempF.reserveCapacity(capacity)
    calciumHardness.reserveCapacity(capacity)
    totalAlkalinity.reserveCapacity(capacity)
    cyanuricAcid.reserveCapacity(capacity)
    totalDissolvedSolids.reserveCapacity(capacity)
  }

  package var count: Int { pH.count }

  package mutating func append(_ water: WaterReadings) {
    pH.append(water.pH)
    waterTempF.append(water.waterTempF)
    calciumHardness.append(water.calciumHardness)
    totalAlkalinity.append(water.totalAlkalinity)
    cyanuricAcid.append(water.cyanuricAcid)
    totalDissolvedSolids.append(water.totalDissolvedSolids ?? LSIResult.usualDissolvedSolids)
  }

  /// The readings of the pool with this index.
  package func readings(at index: Int) -> WaterReadings {
    WaterReadings(
      pH: pH[index], waterTempF: waterTempF[index], calciumHardness: calciumHardness[index],
      totalAlkalinity: totalAlkalinity[index], cyanuricAcid: cyanuricAcid[index],
      totalDissolvedSolids: totalDissolvedSolids[index])
  }

  /// Removes all pools but keeps the allocated memory.
  package mutating func removeAll() {
    pH.removeAll(keepingCapacity: true)
    waterTempF.removeAll(keepingCapacity: true)
    calciumHardness.removeAll(keepingCapacity: true)
    totalAlkalinity.removeAll(keepingCapacity: true)
    cyanuricAcid.removeAll(keepingCapacity: true)
    totalDissolvedSolids.removeAll(keepingCapacity: true)
  }
}
