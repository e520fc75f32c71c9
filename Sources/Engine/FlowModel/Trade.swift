/// A team's line of business, which determines its records and jobs.
package enum Trade: String, Sendable, CaseIterable, Codable {
  case poolService = "pool-service"
  case stable
}
