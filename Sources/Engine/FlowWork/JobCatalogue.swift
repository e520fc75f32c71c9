package import FlowModel

/// The job kinds of one trade, and the subscriptions to their notices.
package struct JobCatalogue: Sendable {
  /// Kinds of which every team has one job.
  package let ofTeam: [JobKind]
  /// Kinds of which the server has one job.
  package let ofServer: [JobKind]
  /// The subscriptions that a team of the trade has, its own first, in order.
  package let subscriptions: [Person.Subscription]
  let ownSubscriptions: [Person.Subscription]
  private let ofTechnicians: Set<Person.Subscription>
  private let kindsByName: [String: JobKind]

  /// - Parameters:
  ///   - subscriptions: the trade's own subscriptions in order, besides those of every trade.
  ///   - ofTechnicians: the subscriptions that a technician has by default.
  package init(
    ofTeam: [JobKind], ofServer: [JobKind], subscriptions: [Person.Subscription] = [],
    ofTechnicians: Set<Person.Subscription> = []
  ) {
    self.ofTeam = ofTeam
    self.ofServer = ofServer
    ownSubscriptions = subscriptions
    self.subscriptions = subscriptions + Person.Subscription.ofEveryTrade
    self.ofTechnicians = ofTechnicians
    kindsByName = Dictionary(uniqueKeysWithValues: (ofTeam + ofServer).map { ($0.rawValue, $0) })
  }

  package var all: [JobKind] { ofTeam + ofServer }

  /// The kind with this raw value; nil if the trade has none.
  package func kind(named word: String) -> JobKind? { kindsByName[word] }

  /// The subscriptions of a person who chose none: for an office everything about its team.
  package func defaultSubscriptions(of key: PersonKey) -> Set<Person.Subscription> {
    if case .office = key { return Set(subscriptions).subtracting([.operator]) }
    return ofTechnicians
  }
}
