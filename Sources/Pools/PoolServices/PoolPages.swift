import FlowCalendar
import FlowModel
import FlowNotices
import FlowServices
import FlowStore
import FlowWork
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore

/// The pages of pool service: a route notice has gate codes and phone numbers for sensitive sinks, and each technician a site.
struct PoolPages: TradePages {
  func page(of notice: Notice) -> [UInt8]? { NoticePage.html(notice) }

  func usesDigest(of notice: Notice) -> Bool { NoticeIdentifier.isRoute(notice.identifier) }

  func publishedPage(of notice: Notice) -> String? { NoticeIdentifier.publishedPage(of: notice.identifier) }

  func digest(of notice: Notice) -> (any PagedDigest)? { NoticePage.morning(of: notice) }

  func attachments(
    of notice: Notice, with digest: any PagedDigest, team: TeamID, in store: Store
  ) async throws -> SensitiveAttachments? {
    guard let digest = digest as? MorningDigest else { return nil }
    let pools = digest.sections.flatMap(\.stops).compactMap { PoolID($0.poolID) }
    let access = try await store.access(to: pools, team: team)
    let isOwn = notice.person != nil
    return SensitiveAttachments(
      page: { NoticePage.html(digest, access: access) },
      calendar: { isOwn ? Array(digest.calendar.utf8) : nil },
      members: access.isEmpty ? [] : [("access", PoolAccess.text(access))])
  }

  /// The files of the team: seven mornings, the routes sent before, and this week.
  func site(_ query: SiteQuery) async throws -> [SiteOwner: [String: [UInt8]]]? {
    let (store, team, zone, now, today) = (query.store, query.team, query.zone, query.now, query.today)
    func instant(_ days: Int, _ time: TimeOfDay) -> Timestamp {
      zone.resolve(LocalDateTime(date: today.adding(days: days), time: time)).standard
    }
    // Tomorrow's page has the weather of the preview.
    var requests = (0..<7).map {
      FactsRequest(
        team: team.id, kind: .morningSummary, asOf: instant($0, team.settings.morningTime), now: now, zone: zone,
        forecast: $0 == 1 && team.settings.eveningPreview)
    }
    requests += (0..<7).map { FactsRequest(toldBefore: today.adding(days: $0 - 7), of: team.id) }
    let evening = TimeOfDay(hour: 17, minute: 0) ?? .sevenInTheMorning
    requests.append(FactsRequest(team: team.id, kind: .weeklyDigest, asOf: instant(0, evening), now: now, zone: zone))
    let facts = try await store.facts(requests).compactMap(\.self)
    guard facts.count == requests.count else { return nil }
    let pools = try await store.pools(of: team.id, day: nil, technician: nil, now: now).map(\.pool)
    let shown = facts[0].stops(on: today) + facts[1].stops(on: today.adding(days: 1))
    let site = TeamSite(
      Array(facts.prefix(7)), told: facts.prefix(14).compactMap(\.lastRoute), week: facts.last, pools: pools,
      access: query.isSensitive ? try await store.access(to: shown.map(\.poolID), team: team.id) : [],
      worksOnClosedDays: try await worksOnClosedDays(team.id, in: store), now: now, zone: zone)
    return site?.files(query.names)
  }

  /// True if the team's morning summary ignores days off.
  private func worksOnClosedDays(_ team: TeamID, in store: any Timings) async throws -> Bool {
    let chosen = try await store.timings(of: team)[.morningSummary] ?? .unchosen
    let standard = try await store.defaultTimings()[.morningSummary] ?? .unchosen
    return chosen.over(standard).closed == .ignore
  }

  func errorPages(of team: Team) -> [String: [UInt8]] { TeamSite.errorPages(team) }
}
