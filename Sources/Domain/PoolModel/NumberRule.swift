/// What one kind of number may be when somebody types it; the reasons stand beside `Limits`.
package struct NumberRule: Hashable, Sendable {
  package let range: ClosedRange<Double>
  /// With a space before it.
  package let unit: String

  package init(_ range: ClosedRange<Double>, unit: String = "") {
    self.range = range
    self.unit = unit
  }

  package static let pH = NumberRule(Limits.pH)
  package static let waterTempF = NumberRule(Limits.waterTempF, unit: " °F")
  package static let hardness = NumberRule(Limits.hardnessPPM, unit: " ppm")
  package static let cyanuricAcid = NumberRule(Limits.cyanuricAcidPPM, unit: " ppm")
  package static let dissolvedSolids = NumberRule(Limits.dissolvedSolidsPPM, unit: " ppm")
  package static let quantity = NumberRule(Limits.quantityOz, unit: " oz")
  package static let costPerOz = NumberRule(Limits.costPerOz, unit: " an ounce")
  package static let monthlyFee = NumberRule(Limits.monthlyFee)
  package static let volume = NumberRule(Limits.volumeGallons, unit: " gallons")
  package static let concentration = NumberRule(0...100, unit: " percent")
  package static let latitude = NumberRule(Limits.latitude, unit: " degrees")
  package static let longitude = NumberRule(Limits.longitude, unit: " degrees")

  /// Any number of an archive. The app checks none of its own, so the range is as wide as arithmetic allows: products of
  /// two and sums of a hundred thousand of them are finite, and wider than every typed range.
  package static let record = NumberRule(-Limits.recordNumber...Limits.recordNumber)

  /// False for what is no number, too.
  package func accepts(_ value: Double) -> Bool { range.contains(value) }
}

/// `value`, or the number nearest to it: what is beyond all numbers becomes the largest, what is no number 0.
///
/// No rule lets such a value in. A store of before the rules may hold numbers whose products and sums are beyond all
/// numbers, and neither JSON nor a table has a word for those: whoever multiplies, sums up or writes asks here.
package func finite(_ value: Double) -> Double {
  if value.isFinite { return value }
  if value.isNaN { return 0 }
  return value < 0 ? -Double.greatestFiniteMagnitude : Double.greatestFiniteMagnitude
}

/// Whether two numbers are a place on the Earth. Both 0 is the app's mark for an address it could not locate (R-ROUTE-8).
///
/// The app does not check what it is given, so archives may hold places beyond the poles. Such a pool keeps its numbers,
/// so that a backup gives back what came in; everywhere else it counts as not located: routes, maps, distances, digests,
/// tables and data health all ask here.
package func isPlace(latitude: Double, longitude: Double) -> Bool {
  // NaN is in no range.
  Limits.latitude.contains(latitude) && Limits.longitude.contains(longitude) && (latitude != 0 || longitude != 0)
}
