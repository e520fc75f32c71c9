import FoundationEssentials
import PoolBackup
import PoolCalendar
import PoolChemistry
import PoolControl
import PoolDigests
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
import PoolWork

/// Answers `org.poolflow.Reports`: pages out of the records, told to nobody.
struct ReportsAnswers: ReportsService {
  let store: any FactsOfTeams & Pools & Visits
  let photos: PhotoStore
  let plans: PlanGate
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let refusing: StoreRefusals

  /// Bytes of a photo that a page holds: in base64 it still fits an answer.
  private static let photoBytes = 640 << 10

  /// A digest as its job would make it of today's data, for any date; nothing is sent or written.
  func digest(_ call: ReportsCall.Digest, _ caller: Caller) async throws -> ReportsCall.Digest.Reply {
    let team = try await finder.team(named: call.team)
    let zone = try zones.zone(asked: team.zone)
    let date = try civilDate(call.date, of: team, zone: zone)
    switch call.kind {
    case .morning:
      let asOf = zone.resolve(LocalDateTime(date: date, time: team.settings.morningTime)).standard
      let facts = try await facts(of: team, .morningSummary, asOf, zone)
      var digest = MorningDigest(facts, at: DigestMoment(zone: zone, asOf: asOf))
      if let name = call.technician { digest = try await only(name, of: digest, team: team) }
      return ReportsCall.Digest.Reply(text: text(of: digest, call.format))
    case .weekly:
      guard call.technician == nil else {
        throw ControlError.badValue(
          field: "for", value: call.technician ?? "", why: "the week's figures are the owner's, no technician's")
      }
      let evening = TimeOfDay(hour: 17, minute: 0) ?? .sevenInTheMorning
      let asOf = zone.resolve(LocalDateTime(date: date, time: evening)).standard
      let facts = try await facts(of: team, .weeklyDigest, asOf, zone)
      let digest = WeekDigest(facts, at: DigestMoment(zone: zone, asOf: asOf))
      return ReportsCall.Digest.Reply(text: try text(of: digest, call.format))
    }
  }

  func visit(_ call: ReportsCall.Visit, _ caller: Caller) async throws -> ReportsCall.Visit.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let zone = try zones.zone(asked: team.zone)
    return try await refusing {
      let visits = try await store.events(of: pool.id, team: team.id, limit: Limits.rowsPerAnswer)
      // The list tells eight letters or more of an id.
      let named = visits.filter { visit in
        call.visit.map { $0.utf8.count >= 8 && visit.id.description.hasPrefix($0.uppercased()) } ?? true
      }
      guard let event = named.first, call.visit == nil || named.count == 1 else {
        throw ControlError.badValue(
          field: "visit", value: call.visit ?? "",
          why: visits.isEmpty
            ? "this pool has no visit yet" : "this pool has no such visit; `pfctl visit list` tells their ids")
      }
      let doses = try await store.doses(of: event.id, team: team.id)
      let report = VisitReport(
        team: team, zone: zone, pool: pool, event: event, doses: doses,
        photo: event.photoFileName == nil ? nil : photo(of: event.id, team: team.id))
      return ReportsCall.Visit.Reply(text: report.document.text(call.format))
    }
  }

  func month(_ call: ReportsCall.Month, _ caller: Caller) async throws -> ReportsCall.Month.Reply {
    let team = try await finder.team(named: call.team)
    let zone = try zones.zone(asked: team.zone)
    let today = zone.local(at: clock.now()).date
    let lastMonth = CivilDate(year: today.year, month: today.month, day: 1).adding(days: -1)
    guard let first = CivilDate((call.month ?? "\(lastMonth)".dropLast(3).description) + "-01") else {
      throw ControlError.badValue(field: "month", value: call.month ?? "", why: "write a month such as 2026-02")
    }
    let days = CivilDate.length(ofMonth: first.month, year: first.year)
    guard let midnight = TimeOfDay(secondOfDay: 0) else { return ReportsCall.Month.Reply(text: "") }
    let start = zone.resolve(LocalDateTime(date: first, time: midnight)).standard
    let end = zone.resolve(LocalDateTime(date: first.adding(days: days), time: midnight)).standard
    return try await refusing {
      let month = try await store.month(of: team.id, from: start, to: end)
      let report = MonthReport(team: team, month: first, visits: month.visits, pools: month.pools)
      return ReportsCall.Month.Reply(text: report.document.text(call.format))
    }
  }

  // MARK: What they share

  private func facts(of team: Team, _ kind: JobKind, _ asOf: Timestamp, _ zone: Zone) async throws -> TeamFacts {
    let request = FactsRequest(team: team.id, kind: kind, asOf: asOf, zone: zone)
    let found = try await refusing { try await store.facts([request]) }
    guard let facts = found.first ?? nil else { throw ControlError.noSuchTeam(team.name) }
    return facts
  }

  private func only(_ name: String, of digest: MorningDigest, team: Team) async throws -> MorningDigest {
    if let own = digest.only(name) { return own }
    _ = try await finder.technician(name, of: team)
    throw ControlError.badValue(field: "for", value: name, why: "this technician has no stop on \(digest.date)")
  }

  private func civilDate(_ text: String?, of team: Team, zone: Zone) throws -> CivilDate {
    let now = clock.now()
    guard let text else { return zone.local(at: now).date }
    let time = try zones.time(text, team: team, now: now, field: "date")
    return time.date ?? zone.local(at: time.instant).date
  }

  private func text(of digest: MorningDigest, _ format: DigestFormatView) -> String {
    switch format {
    case .text: digest.document().text(.text)
    case .md: digest.document().text(.md)
    case .html: digest.document().text(.html)
    case .json: DigestJSON.text(digest) + "\n"
    case .ics: digest.calendar
    }
  }

  private func text(of digest: WeekDigest, _ format: DigestFormatView) throws(ControlError) -> String {
    switch format {
    case .text: return digest.document().text(.text)
    case .md: return digest.document().text(.md)
    case .html: return digest.document().text(.html)
    case .json: return DigestJSON.text(digest) + "\n"
    case .ics:
      throw .badValue(field: "format", value: "ics", why: "only a morning has stops that a calendar could hold")
    }
  }

  /// Nil where the file is gone, too large or no picture that browsers show.
  private func photo(of visit: ServiceEventID, team: TeamID) -> String? {
    let path = "\(photos.folder)/\(team.number)/\(visit).bin"
    guard let bytes = try? PrivateFiles.bytes(path, limit: Self.photoBytes) else { return nil }
    let type: String
    let kind = PhotoKind(bytes[...])
    switch kind {
    case .jpeg: type = "jpeg"
    case .png, .webp, .gif: type = kind?.rawValue ?? ""
    case .heic, nil: return nil
    }
    return "data:image/\(type);base64,\(Data(bytes).base64EncodedString())"
  }
}

extension Document {
  fileprivate func text(_ format: PageFormatView) -> String {
    switch format {
    case .text: text()
    case .md: markdown
    case .html: html
    }
  }
}
