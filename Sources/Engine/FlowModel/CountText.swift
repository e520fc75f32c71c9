/// A number and what it counts: `1 team`, `2 teams`.
///
/// - Parameter plural: for nouns whose plural is not made by an `s` at the end.
package func countText(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}
