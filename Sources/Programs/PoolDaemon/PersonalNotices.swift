import PoolControl
import PoolDelivery
import PoolModel
import PoolNotices
import PoolSettings
import PoolStore

/// Sends an ad-hoc notice to one person through the outbox.
struct PersonalNotices: Sendable {
  let store: any OutboxAdmin
  let dispatcher: Dispatcher?
  let settings: SettingsInForce
  let refusing: StoreRefusals

  /// Writes a notice to the outbox and wakes its sinks.
  ///
  /// - Returns: the sinks that accepted the notice, and those of them whose sender reports deliveries; none if no sink accepts
  ///   personal notices.
  func send(_ notice: Notice, now: Timestamp) async throws -> (sinks: [String], reporting: [String]) {
    let routes = await settings.reading.settings.sinks.map(\.route)
    let told = try await refusing { try await store.tell(notice, routes: routes, now: now) }
    for sink in told { dispatcher?.resume(sink) }
    dispatcher?.wake(Set(told))
    let reporting = ReceiptPlace.all(
      in: await settings.reading.settings.sinks, drops: await settings.dropFolders
    ).filter { told.contains($0.sink) && $0.isThere }
    return (told, reporting.map(\.sink))
  }
}
