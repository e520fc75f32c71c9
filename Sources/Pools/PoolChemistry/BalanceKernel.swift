/// Saturation index of many pools at once, without searches or branches.
///
/// Gives the same values as `LSIResult`, to the last bit (tested). All table points are whole numbers, so a table of buckets,
/// half a unit wide (two units for dissolved solids), gives the segment of a reading. `reading + 0.75 + 2⁵¹` has the bucket
/// number in its lowest bits, because doubles of that size are half a unit apart. The sum rounds to even, which puts every
/// reading, including the points themselves, on the same side of a point as a comparison would. Once `reading` is clamped to
/// its table's range, the arithmetic is exact.
package struct BalanceKernel: Sendable {
  /// For each table, `bucketsPerTable` indices into `segments`.
  private let buckets: [UInt8]
  /// Start, factor and slope of each segment: three numbers per segment, so that a byte can index them directly. Padded to the
  /// highest index that a byte plus two can reach.
  private let segments: [Double]

  private static let bucketsPerTable = 4_096
  private static let tables = 4
  private static let reach = Int(UInt8.max) + 3

  /// Parameters for converting a table's readings to bucket numbers.
  private struct Rounding {
    /// Offset added to a reading: one and a half bucket widths.
    let shift: Double
    /// Number at which adjacent doubles are one bucket width apart.
    let magnet: Double
  }

  /// Buckets of half a unit: three tables have points at multiples of 1, the table of dissolved solids (`coarse`) at multiples
  /// of 4.
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
        // Middle of the readings that round to this bucket.
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

  /// Computes the index of each pool in `water`, in order.
  ///
  /// - Parameter result: output array with the length of the columns.
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
    // This check lets the compiler remove all later bounds checks.
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
      // Clamp from below first: NaN then becomes the least alkalinity, as in `LSIResult`, and the range starts above 0, to
      // which `LSIResult` limits alkalinity.
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

  /// Clamps to a range; in this order each line compiles to one instruction, and NaN is replaced.
  @inline(__always)
  private static func held(_ reading: Double, in range: ClosedRange<Double>) -> Double {
    let below = reading < range.upperBound ? reading : range.upperBound
    return below > range.lowerBound ? below : range.lowerBound
  }

  /// The factor of a clamped reading, from the table with index `table`.
  @inline(__always)
  private static func factor(
    _ held: Double, _ rounding: Rounding, table: Int, _ buckets: Span<UInt8>, _ segments: Span<Double>
  ) -> Double {
    let bucket = Int((held + rounding.shift + rounding.magnet).bitPattern & UInt64(bucketsPerTable - 1))
    let segment = Int(buckets[table * bucketsPerTable + bucket])
    return segments[segment + 1] + (held - segments[segment]) * segments[segment + 2]
  }
}
