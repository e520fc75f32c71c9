import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowServices
import StableDigests
import StableModel
import StableStore

/// A stable's morning and weekly digests as reports.
struct BarnDigestTexts: Sendable {
  private let store: any FactsOfStables
  private let mappingErrors: StoreErrorMapper

  init(on context: TradeContext) {
    store = context.store
    mappingErrors = context.mappingErrors
  }

  func text(_ query: DigestQuery) async throws -> String {
    let team = query.team
    guard query.person == nil else {
      throw ControlError.badValue(
        field: "technician", value: query.person ?? "",
        why: "a stable's digest is the same for all people; leave the name out")
    }
    let asOf = query.zone.resolve(LocalDateTime(date: query.date, time: team.settings.morningTime)).standard
    let facts = try await mappingErrors { try await store.barnFacts(of: team.id, on: query.date) }
    guard let facts else { throw ControlError.noSuchTeam(team.name) }
    let moment = DigestMoment(zone: query.zone, asOf: asOf)
    switch query.kind {
    case .morning:
      let digest = BarnDigest(facts, at: moment, now: asOf)
      guard query.format != .ics else { return BarnSite(facts, at: moment, now: asOf).calendar }
      return Self.text(of: digest.document, json: BarnJSON.text(digest), query.format)
    case .weekly:
      let digest = BarnWeek(facts, at: moment)
      guard query.format != .ics else {
        throw ControlError.badValue(
          field: "format", value: "ics", why: "only a morning digest has care for a calendar")
      }
      return Self.text(of: digest.document, json: BarnJSON.text(digest), query.format)
    }
  }

  private static func text(of page: Document, json: @autoclosure () -> String, _ format: DigestQuery.Format) -> String {
    switch format {
    case .text: page.text(.text)
    case .md: page.text(.md)
    case .html: page.text(.html)
    case .json, .ics: json() + "\n"
    }
  }
}
