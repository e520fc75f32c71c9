import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import PoolDigests
import PoolModel
import PoolStore

/// Builds the report of a visit from the records: for `pfctl report visit`, and for the mail to the customer.
struct VisitReports: Sendable {
  let store: any People & Pools & RecurringWork & Services & Teams & Visits
  let zones: SystemZones
  let clock: any WallClock

  /// The report of one visit.
  ///
  /// - Parameter photo: nil for a report without a photo.
  func report(
    of event: ServiceEvent, at pool: Pool, _ team: Team, photo: ReportPhoto?
  ) async throws -> VisitReport {
    VisitReport(
      team: team, zone: try zones.zone(asked: team.zone), pool: pool,
      serviceDays: try await store.services(of: team.id)[pool.id]?.weekdays ?? [pool.serviceDay], event: event,
      doses: try await store.doses(of: event.id, team: team.id),
      done: try await store.workDone(during: event.id, team: team.id).map(\.name),
      water: try await store.detail(of: pool, team: team.id, now: clock.now()).water, photo: photo)
  }

  /// The sensitive members of a notice to a customer: `recipient`, and `page`, the report without its photo, which is too large
  /// for a mail. If the visit no longer exists, the recipient has no address, and the delivery is reported as lost.
  func members(
    of mail: VisitMail, to customer: PersonKey, _ team: TeamID
  ) async throws -> [(key: String, json: String)] {
    var known = KnownPerson(Person(key: customer, wants: []))
    guard let team = try await store.team(team),
      let pool = try await store.pools(of: team.id, matching: mail.poolID.description).first,
      let event = try await store.events(of: pool.id, team: team.id, limit: Limits.rowsPerAnswer, until: nil)
        .first(where: { $0.id == mail.visitID })
    else { return [("recipient", known.recipient)] }
    known = KnownPerson(
      known.person, name: pool.customerName, zone: team.zone, teamLanguage: team.language)
    known.addresses[.mail] = try await address(of: pool, team, insteadOf: mail.to)
    let page = PageData(try await report(of: event, at: pool, team, photo: nil).document)
    return [
      ("recipient", known.recipient), ("page", String(decoding: try JSONEncoder().encode(page), as: UTF8.self)),
    ]
  }

  /// The customer's mail address.
  ///
  /// - Parameter given: an address to use instead of the customer's own.
  /// - Returns: nil if there is none, or if it is not a mail address.
  func address(of pool: Pool, _ team: Team, insteadOf given: String?) async throws -> String? {
    let profile = try await store.detail(of: pool, team: team.id, now: clock.now()).profile
    let address = given ?? trimmingSpaces(profile?.contactEmail ?? "")
    return ReachChannel.mail.fault(in: address) == nil ? address : nil
  }
}
