/// One of the four tables that turn a reading into its part of the saturation index: straight lines between points, and
/// the end values beyond them.
///
/// Source: PRODUCT.md, Water; golden file `lsi_tables.json`, of whose values these
/// points are the only ones that fit.
package struct FactorTable: Hashable, Sendable {
  /// Where the segment begins, in the reading's unit.
  package let starts: [Double]
  /// The factor there.
  package let factors: [Double]
  /// How much the factor grows with one unit; 0 for the last point, beyond which it stays.
  package let slopes: [Double]

  /// - Parameter points: readings, ascending, each with its factor; two or more.
  init(_ points: [(reading: Double, factor: Double)]) {
    precondition(points.count >= 2, "a table has two points or more")
    starts = points.map(\.reading)
    factors = points.map(\.factor)
    slopes =
      zip(points, points.dropFirst()).map { ($1.factor - $0.factor) / ($1.reading - $0.reading) } + [0]
  }

  /// The lowest and the highest reading that still make a difference.
  package var range: ClosedRange<Double> { starts[0]...starts[starts.count - 1] }

  /// The factor of `reading`: `factor + (reading - start) × slope` of its segment, end values outside.
  ///
  /// Exact at each point. Example: 78 °F lies on the segment from 76 °F (0.6) to 84 °F (0.7), so its factor is 0.625.
  package func factor(of reading: Double) -> Double {
    guard reading < range.upperBound else { return factors[factors.count - 1] }
    guard reading > range.lowerBound else { return factors[0] }
    var segment = 0
    while reading >= starts[segment + 1] { segment += 1 }
    return factors[segment] + (reading - starts[segment]) * slopes[segment]
  }
}

extension FactorTable {
  /// Degrees Fahrenheit.
  package static let temperature = FactorTable([
    (32, 0.0), (37, 0.1), (46, 0.2), (53, 0.3), (60, 0.4), (66, 0.5), (76, 0.6), (84, 0.7), (94, 0.8), (105, 0.9),
  ])

  /// Parts per million as CaCO₃.
  package static let calcium = FactorTable([
    (5, 0.3), (25, 1.0), (50, 1.3), (75, 1.5), (100, 1.6), (150, 1.8), (200, 1.9), (250, 2.0), (300, 2.1), (400, 2.2),
    (500, 2.3), (600, 2.35), (800, 2.5), (1_000, 2.6),
  ])

  /// Parts per million as CaCO₃, after the correction for cyanuric acid.
  package static let alkalinity = FactorTable([
    (5, 0.7), (25, 1.4), (50, 1.7), (75, 1.9), (100, 2.0), (150, 2.2), (200, 2.3), (250, 2.4), (300, 2.5), (400, 2.6),
    (500, 2.7), (600, 2.8), (800, 2.9), (1_000, 3.0),
  ])

  /// Parts per million; this one is taken away. It falls with the solids, so that the index rises with them, as the
  /// scope has it (other tables of the Langelier index rise from 12.1 to 12.2 beyond 1,000 ppm).
  package static let dissolvedSolids = FactorTable([
    (0, 12.27), (400, 12.23), (800, 12.15), (1_000, 12.10), (1_200, 12.05), (1_500, 12.00), (2_000, 11.92),
    (2_500, 11.87), (3_000, 11.82), (4_000, 11.74), (5_000, 11.68),
  ])
}
