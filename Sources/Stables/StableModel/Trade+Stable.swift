package import FlowModel

extension Trade {
  package static let stable = Trade(rawValue: "stable")
}
