/// `value` with `places` digits after the point, rounded as by C's `printf`: to the nearest decimal of the exact binary
/// value, an exact tie to the even digit. Example: 1.25 with one place is `1.2`; 0.15 (stored as 0.1499…) is `0.1`.
///
/// - Parameter places: 0 to 15.
/// - Returns: `nan`, `inf` or `-inf` for values that are not finite; scientific notation from 10¹⁵ on.
package func decimalText(_ value: Double, places: Int) -> String {
  guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let magnitude = abs(value)
  let scaled = magnitude * scale
  guard scaled < 1e15 else { return "\(value)" }
  var whole = scaled.rounded(.toNearestOrEven)
  // The product may have been rounded to a tie or beyond it; the rounding error of the product decides.
  let lost = (-scaled).addingProduct(magnitude, scale)
  let beyond = scaled - whole
  if beyond == 0.5, lost > 0 { whole += 1 }
  if beyond == -0.5, lost < 0 { whole -= 1 }
  let digits = String(Int(whole))
  let sign = value < 0 && whole > 0 ? "-" : ""
  guard places > 0 else { return sign + digits }
  let filled = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  return sign + filled.dropLast(places) + "." + filled.suffix(places)
}

/// A number for SVG: one digit after the point, none if it is 0.
package func svgNumber(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  let whole = abs(tenths) / 10
  let rest = abs(tenths) % 10
  return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
}

/// A file size for people: `512 B`, `3.1 MB`; 1 kB is 1,000 bytes.
package func sizeText(_ bytes: Int) -> String {
  for (unit, size) in [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)] where Double(bytes) >= size {
    return "\(decimalText(Double(bytes) / size, places: 1)) \(unit)"
  }
  return "\(bytes) B"
}

/// `value` rounded to `places` digits as `decimalText` shows it.
package func shown(_ value: Double, places: Int) -> Double { Double(decimalText(value, places: places)) ?? value }

/// The difference of two numbers as shown, so that it matches a subtraction of the printed figures.
package func roundedDifference(_ left: Double, _ right: Double, places: Int) -> Double {
  shown(left, places: places) - shown(right, places: places)
}

/// A number and what it counts: `1 team`, `2 teams`.
///
/// - Parameter plural: for nouns whose plural is not made by an `s` at the end.
package func countText(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}
