package import FlowModel

extension Trade {
  package static let poolService = Trade(rawValue: "pool-service")
}
