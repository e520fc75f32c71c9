package import FlowModel

extension Trade {
  package static let stable = Trade(rawValue: "stable")
}

extension Person.Subscription {
  /// Notices about horses that have not been fed.
  package static let feed = Person.Subscription(rawValue: "feed")
  /// Notices about care that is due.
  package static let care = Person.Subscription(rawValue: "care")
  /// Notices about the horses' blankets.
  package static let blankets = Person.Subscription(rawValue: "blankets")
}
