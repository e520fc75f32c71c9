import PoolModel

/// What a row of our own export says beyond a list of customers: which pool it is, its order in the day and its water.
struct CSVPoolRecord: Sendable {
  /// Nil where the cell is empty or holds another program's number.
  private(set) var id: PoolID?
  private(set) var hasForeignID = false
  private(set) var routeOrder: Int?
  private(set) var pH: Double?
  private(set) var waterTempF: Double?
  private(set) var calciumHardness: Double?
  private(set) var totalAlkalinity: Double?
  private(set) var cyanuricAcid: Double?
  private(set) var dissolvedSolids: Double?
  /// In capitals.
  private(set) var currency = ""
  /// The cells that are no number that they could be.
  private(set) var faults: [(column: CSVColumn, fault: RowFault, value: String)] = []

  init() {}

  init(_ cells: CSVCells) {
    let text = cells.text(.poolID)
    id = PoolID(text)
    hasForeignID = id == nil && !text.isEmpty
    currency = cells.text(.currency).uppercased()
    routeOrder = number(.routeOrder, cells, Self.orders, isWhole: true).map { Int($0) }
    pH = number(.pH, cells, NumberRule.pH.range)
    waterTempF = number(.waterTemp, cells, NumberRule.waterTempF.range)
    calciumHardness = number(.calciumHardness, cells, NumberRule.hardness.range)
    totalAlkalinity = number(.totalAlkalinity, cells, NumberRule.hardness.range)
    cyanuricAcid = number(.cyanuricAcid, cells, NumberRule.cyanuricAcid.range)
    dissolvedSolids = number(.dissolvedSolids, cells, NumberRule.dissolvedSolids.range)
  }

  /// Archives may have any whole number; this many is more than any day needs, and exact as a decimal.
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

  /// Whether a reading of a test kit is among them; dissolved solids are the pool's.
  var hasReadings: Bool {
    [pH, waterTempF, calciumHardness, totalAlkalinity, cyanuricAcid].contains { $0 != nil }
  }

  /// The first reading that is not the pool's.
  func firstDifference(from water: WaterReadings) -> CSVColumn? {
    let readings: [(CSVColumn, Double?, Double)] = [
      (.pH, pH, water.pH), (.waterTemp, waterTempF, water.waterTempF),
      (.calciumHardness, calciumHardness, water.calciumHardness),
      (.totalAlkalinity, totalAlkalinity, water.totalAlkalinity), (.cyanuricAcid, cyanuricAcid, water.cyanuricAcid),
    ]
    return readings.first { $0.1 != nil && $0.1 != $0.2 }?.0
  }

  /// `water` with the readings of the row. A row of our own export with readings says so where the pool has no figure for its
  /// dissolved solids.
  func readings(over water: WaterReadings) -> WaterReadings {
    WaterReadings(
      pH: pH ?? water.pH, waterTempF: waterTempF ?? water.waterTempF,
      calciumHardness: calciumHardness ?? water.calciumHardness,
      totalAlkalinity: totalAlkalinity ?? water.totalAlkalinity, cyanuricAcid: cyanuricAcid ?? water.cyanuricAcid,
      totalDissolvedSolids: dissolvedSolids ?? (id != nil && hasReadings ? nil : water.totalDissolvedSolids))
  }
}
