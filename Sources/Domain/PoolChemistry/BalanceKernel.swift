/// The saturation index of whole columns of pools, without a search and without a branch.
///
/// It does for each pool what `LSIResult` does, in the same order, and gives the same value to the last bit (tested). The
/// points of all tables are whole numbers, so the segment of a reading is found by a table of buckets half a unit wide
/// (two units for dissolved solids). `reading + 0.75 + 2⁵¹` has the bucket in its lowest bits, because doubles of that size
/// are half a unit apart; the sum rounds to even, which puts every reading on the side of a point that the comparison
/// would, a point itself included. After `reading` is held within its table's range the arithmetic is exact.
package struct BalanceKernel: Sendable {
  /// For each table `bucketsPerTable` positions in `segments`.
  private let buckets: [UInt8]
  /// Start, factor and slope of each segment, one after the other: three numbers a segment, so that a byte is a position
  /// and the machine finds all three without arithmetic. As many as a byte and the two after it can reach.
  private let segments: [Double]

  private static let bucketsPerTable = 4_096
  private static let tables = 4
  private static let reach = Int(UInt8.max) + 3

  /// How a table's readings become bucket numbers.
  private struct Rounding {
    /// One and a half buckets.
    let shift: Double
    /// Doubles of this size are a bucket apart.
    let magnet: Double
  }

  /// Half a unit: the points of three tables are multiples of 1, those of the solids of 4.
  private static let fine = Rounding(shift: 0.75, magnet: 0x1p51)
  private static let coarse = Rounding(shift: 3, magnet: 0x1p53)

  package init() {
    let tables: [(FactorTable, rounding: Rounding)] = [
      (.temperature, Self.fine), (.calcium, Self.fine), (.alkalinity, Self.fine), (.dissolvedSolids, Self.coarse),
    ]
    var buckets: [UInt8] = []
    var segments: [Double] = []
    for (table, rounding) in tables {
      let base = segments.count
      for bucket in 0..<Self.bucketsPerTable {
        // The middle of the readings that round to this bucket.
        let reading = Double(bucket) * rounding.shift / 1.5 - rounding.shift
        let segment = table.starts.lastIndex { reading >= $0 } ?? 0
        buckets.append(UInt8(base + 3 * segment))
      }
      for segment in table.starts.indices {
        segments += [table.starts[segment], table.factors[segment], table.slopes[segment]]
      }
    }
    segments += [Double](repeating: 0, count: Self.reach - segments.count)
    self.buckets = buckets
    self.segments = segments
  }

  /// The index of each pool of `water`, in its order.
  ///
  /// - Parameter result: as long as the columns; what it held is overwritten.
  package func lsi(of water: WaterColumns, into result: inout [Double]) {
    let count = water.count
    let buckets = buckets.span
    let segments = segments.span
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
      buckets.count == Self.tables * Self.bucketsPerTable && segments.count == Self.reach, "a segment for every byte")
    let heat = FactorTable.temperature.range
    let hardness = FactorTable.calcium.range
    let carbonates = FactorTable.alkalinity.range
    let minerals = FactorTable.dissolvedSolids.range
    for index in 0..<count {
      // Held from below first: what is no number is the least alkalinity, as `LSIResult` has it, and the range begins above
      // the 0 below which no alkalinity goes.
      let carbonate = alkalinity[index] - stabiliser[index] / 3
      let least = carbonate > carbonates.lowerBound ? carbonate : carbonates.lowerBound
      out[index] =
        pH[index]
        + Self.factor(Self.held(temperature[index], in: heat), Self.fine, table: 0, buckets, segments)
        + Self.factor(Self.held(calcium[index], in: hardness), Self.fine, table: 1, buckets, segments)
        + Self.factor(
          least < carbonates.upperBound ? least : carbonates.upperBound, Self.fine, table: 2, buckets, segments)
        - Self.factor(Self.held(solids[index], in: minerals), Self.coarse, table: 3, buckets, segments)
    }
  }

  /// In this order each line is one machine instruction, and no reading stays NaN.
  @inline(__always)
  private static func held(_ reading: Double, in range: ClosedRange<Double>) -> Double {
    let below = reading < range.upperBound ? reading : range.upperBound
    return below > range.lowerBound ? below : range.lowerBound
  }

  @inline(__always)
  private static func factor(
    _ held: Double, _ rounding: Rounding, table: Int, _ buckets: Span<UInt8>, _ segments: Span<Double>
  ) -> Double {
    let bucket = Int((held + rounding.shift + rounding.magnet).bitPattern & UInt64(bucketsPerTable - 1))
    let segment = Int(buckets[table * bucketsPerTable + bucket])
    return segments[segment + 1] + (held - segments[segment]) * segments[segment + 2]
  }
}
