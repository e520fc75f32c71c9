internal import FlowModel

/// Matrix of great-circle miles between two lists of locations, computed four at a time with SIMD.
///
/// On the unit sphere, half the chord between two locations is s and the angle is 2 asin s. A row whose legs are all below 250
/// miles uses a short series. Other rows use fdlibm's rational approximation of asin (`e_asin.c`, Sun Microsystems 1993, error
/// below 2⁻⁵⁸). Nearly antipodal pairs, where the chord loses precision, use `Coordinate.miles`. All results are within 10⁻⁹
/// miles of `Coordinate.miles`.
package struct DistanceTable: ~Copyable {
  package let rows: Int
  package let columns: Int
  /// `columns` rounded up to a multiple of four.
  private let stride: Int
  private let miles: FlatArray<Double>

  package init(from: [Coordinate], to: [Coordinate]) {
    rows = from.count
    columns = to.count
    stride = (to.count + 3) / 4 * 4
    miles = FlatArray(repeating: 0, count: rows * stride)
    let points = Points(to, padded: stride)
    for (row, origin) in from.enumerated() {
      let start = row * stride
      let farthest = near(UnitPoint(origin), points, start)
      guard farthest > Self.nearUpTo else { continue }
      far(UnitPoint(origin), points, start)
      guard farthest > Self.oppositeFrom else { continue }
      for (column, other) in to.enumerated()
      where miles[start + column] > Self.milesFromOpposite { miles[start + column] = origin.miles(to: other) }
    }
  }

  package subscript(row row: Int, column column: Int) -> Double { miles[row * stride + column] }

  // MARK: Kernels

  private static let nearUpTo = 0.001
  /// Squared half chord above which rounding errors exceed 10⁻¹⁰ miles.
  private static let oppositeFrom = 0.9999
  private static let milesFromOpposite = 12_350.0
  private static let diameter = 2 * Earth.meanRadiusMiles

  /// Unit-sphere points in separate x, y and z arrays, padded for SIMD loads.
  private struct Points: ~Copyable {
    let x: FlatArray<Double>
    let y: FlatArray<Double>
    let z: FlatArray<Double>

    /// Pads the last group of four with copies of the last location.
    init(_ coordinates: [Coordinate], padded: Int) {
      x = FlatArray(repeating: 0, count: padded)
      y = FlatArray(repeating: 0, count: padded)
      z = FlatArray(repeating: 0, count: padded)
      for slot in 0..<padded {
        let point = UnitPoint(coordinates[min(slot, coordinates.count - 1)])
        x[slot] = point.x
        y[slot] = point.y
        z[slot] = point.z
      }
    }
  }

  /// Fills a row by the short series.
  ///
  /// - Returns: the greatest squared half chord of the row.
  private func near(_ origin: UnitPoint, _ points: borrowing Points, _ start: Int) -> Double {
    var farthest = SIMD4<Double>(repeating: 0)
    for slot in Swift.stride(from: 0, to: stride, by: 4) {
      let square = squaredHalfChord(origin, points, slot)
      farthest.replace(with: square, where: square .> farthest)
      var series = square * (105.0 / 3_456) + (15.0 / 336)
      series = series * square + (3.0 / 40)
      series = series * square + (1.0 / 6)
      series = series * square + 1
      let angle = square.squareRoot() * series
      miles.store(angle * Self.diameter, at: start + slot)
    }
    return farthest.max()
  }

  /// Fills a row by fdlibm's asin, which is accurate for distant locations too.
  private func far(_ origin: UnitPoint, _ points: borrowing Points, _ start: Int) {
    for slot in Swift.stride(from: 0, to: stride, by: 4) {
      let square = squaredHalfChord(origin, points, slot).clamped(lowerBound: .zero, upperBound: .one)
      let half = square.squareRoot()
      // For s > 1/2: asin s = π/2 - 2 asin √((1 - s)/2).
      let isWide = half .> 0.5
      let reduced = square.replacing(with: (1 - half) / 2, where: isWide)
      let angle = Self.arcSine(half.replacing(with: reduced.squareRoot(), where: isWide), squared: reduced)
      let result = angle.replacing(with: Double.pi / 2 - 2 * angle, where: isWide)
      miles.store(Self.diameter * result, at: start + slot)
    }
  }

  /// Squared half chords from `origin` to the four points from index `slot` on.
  @inline(__always)
  private func squaredHalfChord(_ origin: UnitPoint, _ points: borrowing Points, _ slot: Int) -> SIMD4<Double> {
    let x = points.x.four(at: slot) - origin.x
    let y = points.y.four(at: slot) - origin.y
    let z = points.z.four(at: slot) - origin.z
    return (x * x + y * y + z * z) * 0.25
  }

  /// asin for arguments from 0 to 1/2, by fdlibm's P/Q.
  @inline(__always)
  private static func arcSine(_ x: SIMD4<Double>, squared t: SIMD4<Double>) -> SIMD4<Double> {
    var p = t * 3.479_331_075_960_211_675_70e-05 + 7.915_349_942_898_145_321_76e-04
    p = p * t - 4.005_553_450_067_941_140_27e-02
    p = p * t + 2.012_125_321_348_629_258_81e-01
    p = p * t - 3.255_658_186_224_009_154_05e-01
    p = (p * t + 1.666_666_666_666_666_574_15e-01) * t
    var q = t * 7.703_815_055_590_193_527_91e-02 - 6.882_839_716_054_532_930_30e-01
    q = q * t + 2.020_945_760_233_505_694_71
    q = (q * t - 2.403_394_911_734_414_218_78) * t + 1
    return x + x * (p / q)
  }
}
