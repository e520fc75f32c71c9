package import FlowStore

extension StoreError.Kept {
  package static let horse = StoreError.Kept(rawValue: "horse")
  package static let template = StoreError.Kept(rawValue: "template")
  package static let care = StoreError.Kept(rawValue: "care event")
}
