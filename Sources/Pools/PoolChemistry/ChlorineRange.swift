package import PoolModel

/// The free chlorine that keeps a pool disinfected, in parts per million.
///
/// Cyanuric acid binds most of the chlorine, so the least amount rises with it:
///
/// | water | least free chlorine |
/// |---|---|
/// | without stabiliser | 1 ppm |
/// | with stabiliser | 2 ppm, and 7.5 % of the stabiliser |
/// | with stabiliser and a chlorine generator | 2 ppm, and 5 % of the stabiliser |
///
/// The range ends at half more than the least amount, at 4 ppm or more and 10 ppm or less.
///
/// Source of 1, 2 and 10 ppm: CDC, "Model Aquatic Health Code", 4th edition, 2023, 5.7.3.1.1. Of 4 ppm: ANSI/APSP/ICC-11, "American
/// National Standard for Water Quality in Public Pools and Spas", 2019, table 1 (ideal 2 to 4 ppm). Of the share of the
/// stabiliser: Falk, Blatchley, Kuechler, Meyer, Pickens and Suppes, "Assessing the impact of cyanuric acid on bather's risk of
/// gastrointestinal illness at swimming pools" (Water 11, 2019, 1314), who ask for a ratio of at most 20 to 1, the 5 % of a
/// generator, which makes chlorine all day; the 7.5 % and the half more are the usual rule of the trade for pools that are dosed.
///
/// Example: 50 ppm of stabiliser need 3.8 to 5.6 ppm, and 70 ppm with a generator 3.5 to 5.3 ppm.
package struct ChlorineRange: Hashable, Sendable {
  /// Both ends included, in tenths.
  package let ideal: ClosedRange<Double>
  /// Whether a generator makes chlorine between two visits.
  package let hasGenerator: Bool

  /// Above this stabiliser no allowed amount of chlorine keeps the share: 7.5 % of 100 ppm and half more are already more than
  /// 10 ppm. Such water needs an exchange, which the reading's own range shows.
  private static let mostStabiliser = 100.0
  private static let most = 10.0

  /// - Parameter stabiliser: cyanuric acid in parts per million; nil if unknown, which counts as some.
  package init(stabiliser: Double?, hasGenerator: Bool) {
    self.hasGenerator = hasGenerator
    let share = (hasGenerator ? 0.05 : 0.075) * min(stabiliser ?? 0, Self.mostStabiliser)
    let least = stabiliser.map { $0 <= 0 } ?? false ? 1 : max(2, share)
    let end = min(Self.most, max(4, least * 1.5))
    func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    ideal = tenths(least)...tenths(end)
  }

  /// The range for a pool's water. A pool whose salt was measured counts as one with a generator; equipment of the kind
  /// `EquipmentType.saltSystem` is not read for it.
  ///
  /// - Parameter assumed: the readings that no visit has ever taken.
  package init(_ water: WaterReadings, assumed: ReadingSet) {
    self.init(
      stabiliser: assumed.contains(.cyanuricAcid) ? nil : water.cyanuricAcid, hasGenerator: water.salt != nil)
  }

  /// The amount to dose to: the end of the range, because chlorine falls until the next visit.
  package var target: Double { ideal.upperBound }

  /// Whether water with this much free chlorine gets a dose: below the target, and with a generator only below the range, because
  /// the generator does the rest.
  package func asksForDose(at freeChlorine: Double) -> Bool {
    freeChlorine < (hasGenerator ? ideal.lowerBound : target)
  }
}
