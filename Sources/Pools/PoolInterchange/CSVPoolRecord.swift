import FlowModel
import PoolModel

/// The cells of a row that few files have: those of poolflow's own export (pool id, order in the day, readings and currency), and
/// free chlorine and salt.
///
/// A class, to keep `CSVRow` small: each row is moved several times, and few files have these columns.
final class CSVPoolRecord: Sendable {
  /// Nil if the cell is empty or holds an id of another program.
  let id: PoolID?
  let hasUnknownID: Bool
  let routeOrder: Int?
  let pH: Double?
  let waterTempF: Double?
  let calciumHardness: Double?
  let totalAlkalinity: Double?
  let cyanuricAcid: Double?
  let dissolvedSolids: Double?
  let freeChlorine: Double?
  let salt: Double?
  /// In upper case.
  let currency: String
  /// Cells that are not a number in their allowed range.
  let faults: [(column: CSVColumn, fault: RowFault, value: String)]

  init(_ cells: CSVCells) {
    var faults: [(column: CSVColumn, fault: RowFault, value: String)] = []
    func number(_ column: CSVColumn, _ range: ClosedRange<Double>, isWhole: Bool = false) -> Double? {
      let text = cells.text(column)
      if text.isEmpty { return nil }
      if let value = decimalDegrees(text), range.contains(value), !isWhole || value == value.rounded() { return value }
      faults.append((column, .noNumber(range), text))
      return nil
    }
    let text = cells.text(.poolID)
    id = PoolID(text)
    hasUnknownID = id == nil && !text.isEmpty
    currency = cells.text(.currency).uppercased()
    routeOrder = number(.routeOrder, Self.orders, isWhole: true).map { Int($0) }
    pH = number(.pH, NumberRule.pH.range)
    waterTempF = number(.waterTemp, NumberRule.waterTempF.range)
    calciumHardness = number(.calciumHardness, NumberRule.hardness.range)
    totalAlkalinity = number(.totalAlkalinity, NumberRule.hardness.range)
    cyanuricAcid = number(.cyanuricAcid, NumberRule.cyanuricAcid.range)
    dissolvedSolids = number(.dissolvedSolids, NumberRule.dissolvedSolids.range)
    freeChlorine = number(.freeChlorine, NumberRule.freeChlorine.range)
    salt = number(.salt, NumberRule.salt.range)
    self.faults = faults
  }

  /// The accepted route orders: far more than a day needs, and exact as a double. Archives may have any whole number.
  private static let orders: ClosedRange<Double> = -1_000_000_000...1_000_000_000

  /// True if the row has a test kit reading; dissolved solids do not count, because they belong to the pool.
  var hasReadings: Bool {
    [pH, waterTempF, calciumHardness, totalAlkalinity, cyanuricAcid].contains { $0 != nil }
  }

  /// The first column whose reading differs from the pool's; nil if all are equal or empty.
  func firstDifference(from water: WaterReadings) -> CSVColumn? {
    let readings: [(CSVColumn, Double?, Double?)] = [
      (.pH, pH, water.pH), (.waterTemp, waterTempF, water.waterTempF),
      (.calciumHardness, calciumHardness, water.calciumHardness),
      (.totalAlkalinity, totalAlkalinity, water.totalAlkalinity), (.cyanuricAcid, cyanuricAcid, water.cyanuricAcid),
      (.freeChlorine, freeChlorine, water.freeChlorine), (.salt, salt, water.salt),
    ]
    return readings.first { $0.1 != nil && $0.1 != $0.2 }?.0
  }

  /// `water` with the row's readings written over it. A row of poolflow's export that has readings but no dissolved
  /// solids states that the pool has no value for them.
  func readings(over water: WaterReadings) -> WaterReadings {
    WaterReadings(
      pH: pH ?? water.pH, waterTempF: waterTempF ?? water.waterTempF,
      calciumHardness: calciumHardness ?? water.calciumHardness,
      totalAlkalinity: totalAlkalinity ?? water.totalAlkalinity, cyanuricAcid: cyanuricAcid ?? water.cyanuricAcid,
      totalDissolvedSolids: dissolvedSolids ?? (id != nil && hasReadings ? nil : water.totalDissolvedSolids),
      freeChlorine: freeChlorine ?? water.freeChlorine, salt: salt ?? water.salt)
  }
}
