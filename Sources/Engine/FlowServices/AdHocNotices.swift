package import FlowDelivery
package import FlowModel
package import FlowNotices
import FlowSettings
import FlowStore
package import FlowWork

/// Sends an ad-hoc notice to one person through the outbox.
package struct AdHocNotices: Sendable {
  private let store: any Ledger & OutboxAdmin
  private let dispatcher: Dispatcher?
  private let settings: EffectiveSettings
  private let mappingErrors: StoreErrorMapper

  package init(
    store: any Ledger & OutboxAdmin, dispatcher: Dispatcher?, settings: EffectiveSettings,
    mappingErrors: StoreErrorMapper
  ) {
    self.store = store
    self.dispatcher = dispatcher
    self.settings = settings
    self.mappingErrors = mappingErrors
  }

  /// The text of an ad-hoc notice, and the person who gets it.
  package struct Text: Sendable {
    let person: PersonKey
    let identifier: String
    let title: String
    let body: String
    let dataJSON: String

    package init(to person: PersonKey, identifier: String, title: String, body: String, dataJSON: String = "") {
      self.person = person
      self.identifier = identifier
      self.title = title
      self.body = body
      self.dataJSON = dataJSON
    }
  }

  /// Writes a notice to the outbox and wakes its sinks.
  ///
  /// - Parameters:
  ///   - kind: the part of the notice's id that names its kind, such as `person-test`.
  ///   - job: the job by which sinks accept or refuse it.
  ///   - hours: the hours after which it is not delivered any more.
  /// - Returns: the notice's id, the sinks that accepted the notice, and those of them whose sender reports deliveries; none if no sink accepts
  ///   personal notices.
  package func send(
    _ text: Text, of team: Team, kind: String, job: String, hours: Int, now: Timestamp
  ) async throws -> (id: String, sinks: [String], reporting: [String]) {
    let notice = Notice(
      id: "\(now.compact)-\(kind)-\(text.person.text)-\(store.install)", teamID: nil, teamName: team.name, jobID: nil,
      job: job, slot: now, identifier: text.identifier, title: text.title, body: text.body, lines: [],
      dataJSON: text.dataJSON, lateness: .zero, createdAt: now, expiresAt: now.advanced(by: .hours(hours)),
      person: text.person)
    let routes = await settings.reading.settings.sinks.map(\.route)
    let acceptingSinks = try await mappingErrors { try await store.notify(notice, routes: routes, now: now) }
    for sink in acceptingSinks { dispatcher?.resume(sink) }
    dispatcher?.wake(Set(acceptingSinks))
    let reporting = ReceiptSource.all(
      in: await settings.reading.settings.sinks, drops: await settings.dropFolders
    ).filter { acceptingSinks.contains($0.sink) && $0.exists }
    return (notice.id, acceptingSinks, reporting.map(\.sink))
  }
}
