import FlowModel
import PoolModel

/// The cells of a row that only poolflow's export has: pool id, order in the day, readings and currency.
struct CSVPoolRecord: Sendable {
  /// Nil if the cell is empty or holds an id of another program.
  private(set) var id: PoolID?
  private(set) var hasUnknownID = false
  private(set) var routeOrder: Int?
  private(set) var pH: Double?
  private(set) var waterTempF: Double?
  private(set) var calciumHardness: Double?
  private(set) var totalAlkalinity: Double?
  private(set) var cyanuricAcid: Double?
  private(set) var dissolvedSolids: Double?
  /// In upper case.
  private(set) var currency = ""
  /// Cells that are not a number in their allowed range.
  private(set) var faults: [(column: CSVColumn, fault: RowFault, value: String)] = []

  init() {}

  init(_ cells: CSVCells) {
    let text = cells.text(.poolID)
    id = PoolID(text)
    hasUnknownID = id == nil && !text.isEmpty
    currency = cells.text(.currency).uppercased()
    routeOrder = number(.routeOrder, cells, Self.orders, isWhole: true).map { Int($0) }
    pH = number(.pH, cells, NumberRule.pH.range)
    waterTempF = number(.waterTemp, cells, NumberRule.waterTempF.range)
    calciumHardness = number(.calciumHardness, cells, NumberRule.hardness.range)
    totalAlkalinity = number(.totalAlkalinity, cells, NumberRule.hardness.range)
    cyanuricAcid = number(.cyanuricAcid, cells, NumberRule.cyanuricAcid.range)
    dissolvedSolids = number(.dissolvedSolids, cells, NumberRule.dissolvedSolids.range)
  }

  /// The accepted route orders: far more than a day needs, and exact as a double. Archives may have any whole number.
  private static let orders: ClosedRange<Double> = -1_000_000_000...1_000_000_000

  private mutating func number(
    _ column: CSVColumn, _ cells: CSVCells, _ range: ClosedRange<Double>, isWhole: Bool = false
  ) -> Double? {
    let text = cells.text(column)
    if text.isEmpty { return nil }
    if let value = decimalDegrees(text), range.contains(value), !isWhole || value == value.rounded() { return value }
    faults.append((column, .noNumber(range), text))
    return nil
  }

  /// True if the row has a test kit reading; dissolved solids do not count, because they belong to the pool.
  var hasReadings: Bool {
    [pH, waterTempF, calciumHardness, totalAlkalinity, cyanuricAcid].contains { $0 != nil }
  }

  /// The first column whose reading differs from the pool's; nil if all are equal or empty.
  func firstDifference(from water: WaterReadings) -> CSVColumn? {
    let readings: [(CSVColumn, Double?, Double)] = [
      (.pH, pH, water.pH), (.waterTemp, waterTempF, water.waterTempF),
      (.calciumHardness, calciumHardness, water.calciumHardness),
      (.totalAlkalinity, totalAlkalinity, water.totalAlkalinity), (.cyanuricAcid, cyanuricAcid, water.cyanuricAcid),
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
      totalDissolvedSolids: dissolvedSolids ?? (id != nil && hasReadings ? nil : water.totalDissolvedSolids))
  }
}
