/// The valid range of one kind of typed number; `Limits` has the reasons.
package struct NumberRule: Hashable, Sendable {
  package let range: ClosedRange<Double>
  /// The unit with a leading space; empty for none.
  package let unit: String

  package init(_ range: ClosedRange<Double>, unit: String = "") {
    self.range = range
    self.unit = unit
  }

  package static let latitude = NumberRule(Limits.latitude, unit: " degrees")
  package static let longitude = NumberRule(Limits.longitude, unit: " degrees")

  /// Any number in an archive. The app does not check its numbers, so the range is as wide as arithmetic allows: products of
  /// two numbers and sums of a hundred thousand are finite. It contains every range for typed numbers.
  package static let record = NumberRule(-Limits.recordNumber...Limits.recordNumber)

  /// Whether the value is in range; false for NaN.
  package func accepts(_ value: Double) -> Bool { range.contains(value) }
}

/// `value`, or the nearest finite number: infinity becomes the largest finite number, NaN becomes 0.
///
/// No rule accepts such a value, but a store from before the rules may contain numbers whose products and sums overflow. JSON
/// and tables cannot represent those, so every computation and output uses this function.
package func finite(_ value: Double) -> Double {
  if value.isFinite { return value }
  if value.isNaN { return 0 }
  return value < 0 ? -Double.greatestFiniteMagnitude : Double.greatestFiniteMagnitude
}
