import PoolControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowStore
import StableDigests
import StableModel
import StableStore

/// A stable's morning and weekly digests as reports.
extension ReportsAnswers {
  func barnDigest(
    _ call: ReportsCall.Digest, of team: Team, on date: CivilDate, _ zone: Zone
  ) async throws -> ReportsCall.Digest.Reply {
    guard call.technician == nil else {
      throw ControlError.badValue(
        field: "technician", value: call.technician ?? "",
        why: "a stable's digest is the same for all people; leave the name out")
    }
    let asOf = zone.resolve(LocalDateTime(date: date, time: team.settings.morningTime)).standard
    let facts = try await mappingErrors { try await store.barnFacts(of: team.id, on: date) }
    guard let facts else { throw ControlError.noSuchTeam(team.name) }
    let moment = DigestMoment(zone: zone, asOf: asOf)
    switch call.kind {
    case .morning:
      let digest = BarnDigest(facts, at: moment, now: asOf)
      guard call.format != .ics else {
        return ReportsCall.Digest.Reply(text: BarnSite(facts, at: moment, now: asOf).calendar)
      }
      return ReportsCall.Digest.Reply(text: Self.text(of: digest.document, json: BarnJSON.text(digest), call.format))
    case .weekly:
      let digest = BarnWeek(facts, at: moment)
      guard call.format != .ics else {
        throw ControlError.badValue(
          field: "format", value: "ics", why: "only a morning digest has care for a calendar")
      }
      return ReportsCall.Digest.Reply(text: Self.text(of: digest.document, json: BarnJSON.text(digest), call.format))
    }
  }

  private static func text(of page: Document, json: @autoclosure () -> String, _ format: DigestFormatView) -> String {
    switch format {
    case .text: page.text(.text)
    case .md: page.text(.md)
    case .html: page.text(.html)
    case .json, .ics: json() + "\n"
    }
  }
}
