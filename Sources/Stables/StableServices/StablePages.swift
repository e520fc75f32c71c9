import FlowCalendar
import FlowModel
import FlowNotices
import FlowServices
import PoolDigests
import StableDigests
import StableStore

/// The pages of stables: all people of a barn get the same site.
struct StablePages: TradePages {
  func page(of notice: Notice) -> [UInt8]? { BarnPage.html(notice) }

  func calendar(of notice: Notice) -> [UInt8]? { BarnPage.calendar(notice) }

  func site(_ query: SiteQuery) async throws -> [SiteOwner: [String: [UInt8]]]? {
    let (team, zone, today) = (query.team, query.zone, query.today)
    guard let facts = try await query.store.barnFacts(of: team.id, on: today) else { return nil }
    let morning = zone.resolve(LocalDateTime(date: today, time: team.settings.morningTime)).standard
    let files = BarnSite(facts, at: DigestMoment(zone: zone, asOf: morning), now: query.now).files
    return query.names.mapValues { _ in files }
  }

  /// The same page as for pool service.
  func errorPages(of team: Team) -> [String: [UInt8]] { TeamSite.errorPages(team) }
}
