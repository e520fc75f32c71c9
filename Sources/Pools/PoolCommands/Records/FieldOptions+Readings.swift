internal import FlowCommandKit

extension FieldOptions {
  static let readings: [Key] = [
    ("ph", "N", "the pH"),
    ("temp", "TEXT", "water temperature, such as 84F or 29C; without a unit, the team's unit is used"),
    ("calcium", "N", "calcium hardness, ppm"), ("alkalinity", "N", "total alkalinity, ppm"),
    ("cya", "N", "cyanuric acid (stabiliser), ppm"),
  ]

  /// Readings of a visit that a pool does not have by default.
  static let sanitiserReadings: [Key] = [
    ("free-chlorine", "N", "free chlorine, ppm"), ("salt", "N", "salt for a chlorine generator, ppm"),
  ]

  static let visitReadings = readings + sanitiserReadings

  /// Help text: how free chlorine and salt are read.
  static let sanitiserNote =
    "Free chlorine (0 to 100 ppm) counts only for the visit at which it is measured; salt (0 to 50000 ppm) stays until it is "
    + "measured again, and tells that the pool has a chlorine generator, whatever its equipment is. The ideal range of free "
    + "chlorine depends on the stabiliser: 1 ppm without, otherwise 2 ppm or 7.5 % of it, with a generator 5 %."

  /// Help text: why wider ranges are accepted than in the app's form.
  static let readingLimits =
    "Readings are accepted in the range that is possible in water and that a test kit can measure: pH 0 to 14, 32 to 140 "
    + "°F, calcium and alkalinity to 5000, stabiliser to 1000, solids to 50000 ppm (sea water). This range is wider than "
    + "that of the app's form (pH 6 to 9, 32 to 120 °F, calcium to 1000, alkalinity to 500, stabiliser to 300, solids to "
    + "5000), so that neglected water can be recorded as it is; outside the app's range a warning asks you to measure "
    + "again."
}
