/// The kinds of work that a trade has.
package struct JobCatalogue: Sendable {
  /// Of these every team has one job each.
  package let ofTeam: [JobKind]
  /// Of these the server has one job each.
  package let ofServer: [JobKind]
  private let byWord: [String: JobKind]

  package init(ofTeam: [JobKind], ofServer: [JobKind]) {
    self.ofTeam = ofTeam
    self.ofServer = ofServer
    byWord = Dictionary(uniqueKeysWithValues: (ofTeam + ofServer).map { ($0.rawValue, $0) })
  }

  package var all: [JobKind] { ofTeam + ofServer }

  package func kind(named word: String) -> JobKind? { byWord[word] }
}
