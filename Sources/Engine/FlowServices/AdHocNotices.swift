package import FlowDelivery
package import FlowModel
package import FlowNotices
import FlowSettings
import FlowStore

/// Sends an ad-hoc notice to one person through the outbox.
package struct AdHocNotices: Sendable {
  private let store: any OutboxAdmin
  private let dispatcher: Dispatcher?
  private let settings: EffectiveSettings
  private let mappingErrors: StoreErrorMapper

  package init(
    store: any OutboxAdmin, dispatcher: Dispatcher?, settings: EffectiveSettings, mappingErrors: StoreErrorMapper
  ) {
    self.store = store
    self.dispatcher = dispatcher
    self.settings = settings
    self.mappingErrors = mappingErrors
  }

  /// Writes a notice to the outbox and wakes its sinks.
  ///
  /// - Returns: the sinks that accepted the notice, and those of them whose sender reports deliveries; none if no sink accepts
  ///   personal notices.
  package func send(_ notice: Notice, now: Timestamp) async throws -> (sinks: [String], reporting: [String]) {
    let routes = await settings.reading.settings.sinks.map(\.route)
    let acceptingSinks = try await mappingErrors { try await store.notify(notice, routes: routes, now: now) }
    for sink in acceptingSinks { dispatcher?.resume(sink) }
    dispatcher?.wake(Set(acceptingSinks))
    let reporting = ReceiptSource.all(
      in: await settings.reading.settings.sinks, drops: await settings.dropFolders
    ).filter { acceptingSinks.contains($0.sink) && $0.exists }
    return (acceptingSinks, reporting.map(\.sink))
  }
}
