/// The job kinds of one trade.
package struct JobCatalogue: Sendable {
  /// Kinds of which every team has one job.
  package let ofTeam: [JobKind]
  /// Kinds of which the server has one job.
  package let ofServer: [JobKind]
  private let kindsByName: [String: JobKind]

  package init(ofTeam: [JobKind], ofServer: [JobKind]) {
    self.ofTeam = ofTeam
    self.ofServer = ofServer
    kindsByName = Dictionary(uniqueKeysWithValues: (ofTeam + ofServer).map { ($0.rawValue, $0) })
  }

  package var all: [JobKind] { ofTeam + ofServer }

  /// The kind with this raw value; nil if the trade has none.
  package func kind(named word: String) -> JobKind? { kindsByName[word] }
}
