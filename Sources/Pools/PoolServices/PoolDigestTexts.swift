import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowWork
import PoolDigests
import PoolJobs
import PoolStore

/// Morning and weekly digests of pool service as reports, as their jobs would build them.
struct PoolDigestTexts: Sendable {
  private let store: any FactsOfTeams
  private let finder: TeamFinder
  private let clock: any WallClock
  private let mappingErrors: StoreErrorMapper

  init(on context: TradeContext) {
    store = context.store
    finder = context.finder
    clock = context.clock
    mappingErrors = context.mappingErrors
  }

  func text(_ query: DigestQuery) async throws -> String {
    let (team, zone) = (query.team, query.zone)
    switch query.kind {
    case .morning:
      let asOf = zone.resolve(LocalDateTime(date: query.date, time: team.settings.morningTime)).standard
      let facts = try await facts(of: team, .morningSummary, asOf, zone)
      var digest = MorningDigest(facts, at: DigestMoment(zone: zone, asOf: asOf))
      if let name = query.person { digest = try await only(name, of: digest, team: team) }
      return text(of: digest, query.format)
    case .weekly:
      guard query.person == nil else {
        throw ControlError.badValue(
          field: "technician", value: query.person ?? "",
          why: "the week's figures are for the owner, not for a technician")
      }
      let evening = TimeOfDay(hour: 17, minute: 0) ?? .sevenInTheMorning
      let asOf = zone.resolve(LocalDateTime(date: query.date, time: evening)).standard
      let facts = try await facts(of: team, .weeklyDigest, asOf, zone)
      return try text(of: WeekDigest(facts, at: DigestMoment(zone: zone, asOf: asOf)), query.format)
    }
  }

  private func facts(of team: Team, _ kind: JobKind, _ asOf: Timestamp, _ zone: Zone) async throws -> TeamFacts {
    let request = FactsRequest(team: team.id, kind: kind, asOf: asOf, now: clock.now(), zone: zone)
    let found = try await mappingErrors { try await store.facts([request]) }
    guard let facts = found.first ?? nil else { throw ControlError.noSuchTeam(team.name) }
    return facts
  }

  private func only(_ name: String, of digest: MorningDigest, team: Team) async throws -> MorningDigest {
    if let own = digest.only(name) { return own }
    _ = try await finder.technician(name, of: team)
    throw ControlError.badValue(field: "technician", value: name, why: "this technician has no stop on \(digest.date)")
  }

  private func text(of digest: MorningDigest, _ format: DigestQuery.Format) -> String {
    switch format {
    case .text: digest.document().text(.text)
    case .md: digest.document().text(.md)
    case .html: digest.document().text(.html)
    case .json: DigestJSON.text(digest) + "\n"
    case .ics: digest.calendar
    }
  }

  private func text(of digest: WeekDigest, _ format: DigestQuery.Format) throws(ControlError) -> String {
    switch format {
    case .text: return digest.document().text(.text)
    case .md: return digest.document().text(.md)
    case .html: return digest.document().text(.html)
    case .json: return DigestJSON.text(digest) + "\n"
    case .ics:
      throw .badValue(field: "format", value: "ics", why: "only a morning digest has stops for a calendar")
    }
  }
}
