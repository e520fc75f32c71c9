import FlowModel
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

struct BalanceKernelTests {
  /// The kernel's results for `waters`.
  private func kernel(_ waters: [WaterReadings]) -> [Double] {
    var columns = WaterColumns(capacity: waters.count)
    for water in waters { columns.append(water) }
    var result = [Double](repeating: .nan, count: waters.count)
    BalanceKernel().lsi(of: columns, into: &result)
    return result
  }

  private func expectSame(_ waters: [WaterReadings], _ comment: String) {
    for (water, value) in zip(waters, kernel(waters)) {
      let wanted = LSIResult(water).lsiValue
      #expect(value.bitPattern == wanted.bitPattern, "\(comment): \(water) gives \(value), not \(wanted)")
    }
  }

  @Test func `the kernel equals the definition exactly for any water`() {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    expectSame((0..<50_000).map { _ in someWater(using: &random) }, "seed \(seed)")
  }

  @Test func `the kernel equals the definition at and around every point of every table`() {
    var waters: [WaterReadings] = []
    let plain = WaterReadings(
      pH: 7.4, waterTempF: 78, calciumHardness: 250, totalAlkalinity: 100, cyanuricAcid: 0, totalDissolvedSolids: 1_000)
    func add(_ table: FactorTable, _ path: WritableKeyPath<WaterReadings, Double>) {
      for point in table.starts {
        // As many bits as the sum `2 × reading + 1.5` could lose, and one more.
        for offset in -3...3 {
          var water = plain
          water[keyPath: path] = Double(bitPattern: UInt64(Int64(bitPattern: point.bitPattern) + Int64(offset)))
          if water[keyPath: path].isFinite { waters.append(water) }
        }
      }
    }
    add(.temperature, \.waterTempF)
    add(.calcium, \.calciumHardness)
    add(.alkalinity, \.totalAlkalinity)
    for point in FactorTable.dissolvedSolids.starts {
      for reading in [point.nextDown, point, point.nextUp] {
        var water = plain
        water.totalDissolvedSolids = reading
        waters.append(water)
      }
    }
    expectSame(waters, "near a point")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, -0.0, .leastNonzeroMagnitude, 1e16])
  func `the kernel equals the definition for readings that no test kit gives`(value: Double) {
    let water = WaterReadings(
      pH: 7, waterTempF: value, calciumHardness: value, totalAlkalinity: value, cyanuricAcid: value,
      totalDissolvedSolids: value)
    expectSame([water], "all readings")
  }

  @Test func `the kernel accepts columns of no pool and of one pool`() {
    #expect(kernel([]).isEmpty)
    var columns = WaterColumns()
    columns.append(
      WaterReadings(
        pH: 7.4, waterTempF: 78, calciumHardness: 250, totalAlkalinity: 100, cyanuricAcid: 30,
        totalDissolvedSolids: nil))
    var result = [0.0]
    BalanceKernel().lsi(of: columns, into: &result)
    #expect(isClose(result[0], -0.115))
    columns.removeAll()
    #expect(columns.count == 0)
  }
}
