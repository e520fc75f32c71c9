/// The kinds of work there are. A new kind is a file under `Kinds` and a line here.
package enum JobCatalogue {
  /// Of these every team has one job each.
  package static let ofTeam: [JobKind] = [.morningSummary, .lowStock, .weeklyDigest, .trialReminder]
  /// Of these the server has one job each. The refresh comes after the backup, so that a night's backup holds what people
  /// entered and nothing half done.
  package static let ofServer: [JobKind] = [.backup, .lsiRefresh, .routePrecompute]

  package static let all = ofTeam + ofServer

  private static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })

  package static func kind(named word: String) -> JobKind? { byWord[word] }
}
