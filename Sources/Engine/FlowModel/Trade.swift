/// A team's line of business, which determines its records and jobs. The raw value is its name in the store and on the wire.
package struct Trade: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}
