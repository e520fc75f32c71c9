package import FlowModel

extension Trade {
  package static let poolService = Trade(rawValue: "pool-service")
}

extension Person.Subscription {
  /// Notices about the day's route, in the morning or the evening before.
  package static let route = Person.Subscription(rawValue: "route")
  package static let lowStock = Person.Subscription(rawValue: "low-stock")
}
