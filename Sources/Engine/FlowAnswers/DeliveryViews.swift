import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore

/// Delivery receipts in the form that callers get.
struct DeliveryViews: Sendable {
  let store: any People & Receipts
  let zones: SystemZones

  /// The receipts in the form that callers get, with names of persons and local times.
  ///
  /// - Parameter zone: the zone of the notices' recipients.
  /// - Returns: nil if there are no receipts.
  func views(of receipts: [Receipt], zone: String) async throws -> [DeliveryView]? {
    guard !receipts.isEmpty else { return nil }
    let names = try await store.names(of: Set(receipts.compactMap { PersonKey($0.recipient) }))
    return receipts.map { DeliveryView($0, names, local: zones.local($0.at, zone: zone)) }
  }
}

extension [PersonKey: String] {
  /// The person's name, or a description of a technician who has left.
  func name(of key: PersonKey) -> String { self[key] ?? "a technician who has left (\(key.word))" }
}

extension DeliveryView {
  init(_ receipt: Receipt, _ names: [PersonKey: String], local: String) {
    self.init(
      noticeId: receipt.notice,
      recipient: receipt.recipient == "*"
        ? nil : PersonKey(receipt.recipient).map { names.name(of: $0) } ?? receipt.recipient,
      channel: receipt.channel, kind: receipt.kind,
      outcome: DeliveryOutcomeView(rawValue: receipt.outcome.rawValue) ?? .unknown, words: receipt.words,
      code: receipt.code, tries: receipt.tries, at: receipt.at.description, local: local)
  }
}
