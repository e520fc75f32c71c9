import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork

/// Attachments of a notice in a drop folder: its page, its calendar, and for sinks with `Sensitive=yes` the data that no notice
/// contains: access data, phone numbers and the recipients' addresses.
struct DigestAttachments: NoticeAttachmentSource {
  /// Nil for a sink without `Sensitive=yes`.
  let sensitive: Store?
  let trades: DaemonTrades
  let zones: SystemZones
  let clock: any WallClock
  let jobs: JobCatalogues
  let digestCache: DigestCache
  /// Nil if the events of the sink name no published pages.
  var published: PublishedAddresses? = nil

  func attachments(of notice: Notice) async throws -> NoticeAttachments {
    guard let store = sensitive else {
      return NoticeAttachments(page: { [digestCache] in digestCache.page(of: notice) })
    }
    if case .customer(let team)? = notice.person {
      let members = try await trades.customerMembers(of: notice, team, in: store, zones: zones, clock: clock)
      return NoticeAttachments(sensitive: members ?? [])
    }
    var members: [(key: String, json: String)] = []
    if let member = try await recipient(of: notice, in: store) {
      members.append(member)
      if member.key == Self.recipientKey, let page = await published?.page(of: notice) {
        var json = JSONText()
        json.object { page.members(&$0) }
        members.append(("published", String(decoding: json.bytes, as: UTF8.self)))
      }
    }
    guard let team = notice.teamID, let own = try await ownAttachments(of: notice, team, in: store) else {
      return NoticeAttachments(
        page: { [digestCache] in digestCache.page(of: notice) }, calendar: { [trades] in trades.calendar(of: notice) },
        sensitive: members)
    }
    members += own.members
    return NoticeAttachments(page: own.page, calendar: own.calendar, sensitive: members)
  }

  /// The attachments that the trade builds from the notice's digest; nil if it builds none.
  private func ownAttachments(
    of notice: Notice, _ team: TeamID, in store: Store
  ) async throws -> SensitiveAttachments? {
    guard let pages = trades.pages(usingDigestOf: notice), let digest = digestCache.digest(of: notice) else {
      return nil
    }
    return try await pages.attachments(of: notice, with: digest, team: team, in: store)
  }

  /// `recipient`; or `told_otherwise` for a team's notice that no board needs, because technicians got personal notices or the
  /// office does not want it. Nil for the server's own notices and for notices that only a board can show.
  private func recipient(
    of notice: Notice, in store: any OutboxAdmin & People
  ) async throws -> (key: String, json: String)? {
    if let person = notice.person {
      // A person who has left keeps their notices: without a recipient they would go to the whole team.
      let known = try await store.person(person) ?? KnownPerson(Person(key: person, wants: []))
      return (Self.recipientKey, known.recipient)
    }
    guard let team = notice.teamID else { return nil }
    if let office = try await store.person(.office(team)), !office.person.channels.isEmpty {
      let wants = jobs.kind(named: notice.job)?.decision?.wants ?? []
      let isWanted = wants.isEmpty || !office.person.wants.isDisjoint(with: wants)
      return isWanted ? (Self.recipientKey, office.recipient) : Self.notifiedOtherwise
    }
    guard let job = notice.jobID else { return nil }
    let wasNotified = try await store.entries(of: job, slot: notice.slot).contains { entry in
      if case .technician = entry.notice.person { true } else { false }
    }
    return wasNotified ? Self.notifiedOtherwise : nil
  }

  private static let recipientKey = "recipient"
  private static let notifiedOtherwise = (key: "told_otherwise", json: "true")
}
