/// What a team lives on: which records it has, and which jobs.
package enum Trade: String, Sendable, CaseIterable, Codable {
  case poolService = "pool-service"
  case stable
}
