/// Piecewise linear function from a reading to its term of the saturation index; constant beyond the end points.
///
/// Source: product.md, Water; golden file `lsi_tables.json`, whose values determine these points uniquely.
package struct FactorTable: Hashable, Sendable {
  /// Reading at which each segment begins.
  package let starts: [Double]
  /// Factor at each of `starts`.
  package let factors: [Double]
  /// Increase of the factor per unit; 0 for the last point, beyond which the factor is constant.
  package let slopes: [Double]

  /// - Parameter points: at least two pairs of reading and factor, by ascending reading.
  init(_ points: [(reading: Double, factor: Double)]) {
    precondition(points.count >= 2, "a table has two points or more")
    starts = points.map(\.reading)
    factors = points.map(\.factor)
    slopes =
      zip(points, points.dropFirst()).map { ($1.factor - $0.factor) / ($1.reading - $0.reading) } + [0]
  }

  /// The readings between which the factor varies.
  package var range: ClosedRange<Double> { starts[0]...starts[starts.count - 1] }

  /// The factor of `reading`, interpolated within its segment; end values outside the range.
  ///
  /// Exact at each point. Example: 78 °F lies between 76 °F (0.6) and 84 °F (0.7), so its factor is 0.625.
  package func factor(of reading: Double) -> Double {
    guard reading < range.upperBound else { return factors[factors.count - 1] }
    guard reading > range.lowerBound else { return factors[0] }
    var segment = 0
    while reading >= starts[segment + 1] { segment += 1 }
    return factors[segment] + (reading - starts[segment]) * slopes[segment]
  }
}

extension FactorTable {
  /// By degrees Fahrenheit.
  package static let temperature = FactorTable([
    (32, 0.0), (37, 0.1), (46, 0.2), (53, 0.3), (60, 0.4), (66, 0.5), (76, 0.6), (84, 0.7), (94, 0.8), (105, 0.9),
  ])

  /// By parts per million as CaCO₃.
  package static let calcium = FactorTable([
    (5, 0.3), (25, 1.0), (50, 1.3), (75, 1.5), (100, 1.6), (150, 1.8), (200, 1.9), (250, 2.0), (300, 2.1), (400, 2.2),
    (500, 2.3), (600, 2.35), (800, 2.5), (1_000, 2.6),
  ])

  /// By parts per million as CaCO₃, after the correction for cyanuric acid.
  package static let alkalinity = FactorTable([
    (5, 0.7), (25, 1.4), (50, 1.7), (75, 1.9), (100, 2.0), (150, 2.2), (200, 2.3), (250, 2.4), (300, 2.5), (400, 2.6),
    (500, 2.7), (600, 2.8), (800, 2.9), (1_000, 3.0),
  ])

  /// By parts per million; this factor is subtracted. It falls with rising solids, so the index rises with them, as the product
  /// scope specifies (other Langelier tables rise from 12.1 to 12.2 beyond 1,000 ppm).
  package static let dissolvedSolids = FactorTable([
    (0, 12.27), (400, 12.23), (800, 12.15), (1_000, 12.10), (1_200, 12.05), (1_500, 12.00), (2_000, 11.92),
    (2_500, 11.87), (3_000, 11.82), (4_000, 11.74), (5_000, 11.68),
  ])
}
