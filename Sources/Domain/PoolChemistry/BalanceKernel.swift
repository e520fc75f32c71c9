/// The saturation index of whole columns of pools, without a search and without a branch.
///
/// It does for each pool what `LSIResult` does, in the same order, and gives the same value to the last bit (tested). The
/// points of all tables are whole numbers, so the stretch of a reading is found by a table of buckets half a unit wide
/// (two units for dissolved solids): `bucket = 2 × reading + 1.5`, rounded to even by adding 2⁵², lands on the same side
/// of a point as the comparison would, a point itself included. After `reading` is held within its table's range the
/// arithmetic is exact, and the compiler pairs two tables in one SSE2 register, which every x86-64 has.
package struct BalanceKernel: Sendable {
  /// For each table `bucketsPerTable` stretch numbers.
  private let buckets: [UInt8]
  /// Start, factor and slope of each stretch, one stretch a vector; as many as a byte can number.
  private let stretches: [SIMD4<Double>]

  private static let bucketsPerTable = 4_096
  private static let stretchesPerTable = 16
  private static let tables = 4

  package init() {
    let tables: [(FactorTable, scale: Double)] = [
      (.temperature, Self.fine), (.calcium, Self.fine), (.alkalinity, Self.fine), (.dissolvedSolids, Self.coarse),
    ]
    var buckets: [UInt8] = []
    var stretches: [SIMD4<Double>] = []
    for (number, (table, scale)) in tables.enumerated() {
      for bucket in 0..<Self.bucketsPerTable {
        // The middle of the readings that round to this bucket.
        let reading = (Double(bucket) - 1.5) / scale
        let stretch = table.starts.lastIndex { reading >= $0 } ?? 0
        buckets.append(UInt8(number * Self.stretchesPerTable + stretch))
      }
      for stretch in 0..<Self.stretchesPerTable {
        let known = min(stretch, table.starts.count - 1)
        stretches.append([table.starts[known], table.factors[known], table.slopes[known], 0])
      }
    }
    while stretches.count <= Int(UInt8.max) { stretches.append(.zero) }
    self.buckets = buckets
    self.stretches = stretches
  }

  /// Buckets a unit: the points of three tables are multiples of 1, those of the solids of 4.
  private static let fine = 2.0
  private static let coarse = 0.5

  /// The index of each pool of `water`, in its order.
  ///
  /// - Parameter result: as long as the columns; what it held is overwritten.
  package func lsi(of water: WaterColumns, into result: inout [Double]) {
    let count = water.count
    let buckets = buckets.span
    let stretches = stretches.span
    let pH = water.pH.span
    let temperature = water.waterTempF.span
    let calcium = water.calciumHardness.span
    let alkalinity = water.totalAlkalinity.span
    let stabiliser = water.cyanuricAcid.span
    let solids = water.totalDissolvedSolids.span
    var out = result.mutableSpan
    // Said once, every later bounds check is known to hold and vanishes.
    precondition(
      out.count == count && pH.count == count && temperature.count == count && calcium.count == count
        && alkalinity.count == count && stabiliser.count == count && solids.count == count,
      "a column for each reading, all as long as the result")
    precondition(
      buckets.count == Self.tables * Self.bucketsPerTable && stretches.count == Int(UInt8.max) + 1,
      "a stretch for every byte")
    let heat = FactorTable.temperature.range
    let hardness = FactorTable.calcium.range
    let carbonates = FactorTable.alkalinity.range
    let minerals = FactorTable.dissolvedSolids.range
    for index in 0..<count {
      let carbonate = alkalinity[index] - stabiliser[index] / 3
      out[index] =
        pH[index]
        + Self.factor(temperature[index], in: heat, Self.fine, table: 0, buckets, stretches)
        + Self.factor(calcium[index], in: hardness, Self.fine, table: 1, buckets, stretches)
        + Self.factor(carbonate > 0 ? carbonate : 0, in: carbonates, Self.fine, table: 2, buckets, stretches)
        - Self.factor(solids[index], in: minerals, Self.coarse, table: 3, buckets, stretches)
    }
  }

  @inline(__always)
  private static func factor(
    _ reading: Double, in range: ClosedRange<Double>, _ scale: Double, table: Int, _ buckets: Span<UInt8>,
    _ stretches: Span<SIMD4<Double>>
  ) -> Double {
    // In this order each line is one machine instruction, and no reading stays NaN.
    let below = reading < range.upperBound ? reading : range.upperBound
    let held = below > range.lowerBound ? below : range.lowerBound
    // 2⁵² + n has the whole number n in its lowest bits.
    let bucket = Int((held * scale + 1.5 + 0x1p52).bitPattern & UInt64(bucketsPerTable - 1))
    let stretch = stretches[Int(buckets[table * bucketsPerTable + bucket])]
    return stretch.y + (held - stretch.x) * stretch.z
  }
}
