import FoundationEssentials
import PoolBackup
import PoolCalendar
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
  let store: any FactsOfStables & FactsOfTeams & Pools & TeamDaysOff & Visits
  let photos: PhotoStore
  let plans: PlanGate
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let refusing: StoreRefusals

  /// A digest as its job would make it of today's data, for any date; nothing is sent or written.
  func digest(_ call: ReportsCall.Digest, _ caller: Caller) async throws -> ReportsCall.Digest.Reply {
    let team = try await finder.team(named: call.team)
    let zone = try zones.zone(asked: team.zone)
    let date = try civilDate(call.date, of: team, zone: zone)
    if team.trade == .stable { return try await barnDigest(call, of: team, on: date, zone) }
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
          field: "technician", value: call.technician ?? "", why: "the week's figures are the owner's, no technician's")
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
      let now = clock.now()
      // A visit that is dated ahead of the clock has a report where it is named, and is not the newest.
      let visits = try await store.events(
        of: pool.id, team: team.id, limit: Limits.rowsPerAnswer, until: call.visit == nil ? now : nil)
      let beginning = call.visit.map { IDBeginning($0)?.text ?? "-" } ?? ""
      let named = visits.filter { $0.id.description.hasPrefix(beginning) }
      guard let event = named.first else {
        throw ControlError(
          .noSuchVisit,
          "the pool of \(pool.customerName) "
            + (visits.isEmpty
              ? "has no visit yet" : "has no visit '\(call.visit ?? "")'; `pfctl visit list` tells their ids"),
          facts: ["name": call.visit ?? ""])
      }
      guard call.visit == nil || named.count == 1 else {
        let ids = ShownIDs(records: named.map(\.id.description))
        throw ControlError.ambiguous(
          .ambiguousVisit, call.visit ?? "", "visits", named.map { (ids[$0.id.description], $0.id.description) })
      }
      let doses = try await store.doses(of: event.id, team: team.id)
      let report = VisitReport(
        team: team, zone: zone, pool: pool, event: event, doses: doses,
        water: try await store.detail(of: pool, team: team.id, now: now).water,
        photo: event.photoFileName == nil ? nil : await photos.shown(of: event.id, team: team.id))
      return ReportsCall.Visit.Reply(text: report.document.text(call.format))
    }
  }

  func trend(_ call: ReportsCall.Trend, _ caller: Caller) async throws -> ReportsCall.Trend.Reply {
    let team = try await finder.team(named: call.team)
    try await plans.open(.analytics, to: team, called: "trends of a pool")
    let pool = try await finder.pool(call.pool, of: team)
    let visits = try await refusing {
      try await store.events(of: pool.id, team: team.id, limit: WaterAnswers.trendVisits, until: clock.now())
    }
    let page = TrendPage(
      team: team, zone: try zones.zone(asked: team.zone), customer: pool.customerName, visits: visits)
    return ReportsCall.Trend.Reply(text: call.format == .svg ? page.svg : page.document.html)
  }

  func month(_ call: ReportsCall.Month, _ caller: Caller) async throws -> ReportsCall.Month.Reply {
    let team = try await finder.team(named: call.team)
    let zone = try zones.zone(asked: team.zone)
    let now = clock.now()
    let today = zone.local(at: now).date
    let lastMonth = CivilDate(year: today.year, month: today.month, day: 1).adding(days: -1)
    guard let first = CivilDate((call.month ?? "\(lastMonth)".dropLast(3).description) + "-01") else {
      throw ControlError.badValue(field: "month", value: call.month ?? "", why: "write a month such as 2026-02")
    }
    return try await refusing {
      let digest = MonthDigest(
        MonthFacts(
          team: team,
          pools: try await store.pools(of: team.id, day: nil, technician: nil, now: now).map {
            MonthFacts.Line(pool: $0.pool, technician: $0.technician)
          }, period: try await store.period(Period(monthOf: first, in: zone), of: team.id, until: now),
          daysOff: team.hasDaysOff ? try await store.daysOff(of: team.id) : .none), today: today, zone: zone)
      return ReportsCall.Month.Reply(text: text(of: digest, call.format))
    }
  }

  // MARK: What they share

  private func facts(of team: Team, _ kind: JobKind, _ asOf: Timestamp, _ zone: Zone) async throws -> TeamFacts {
    let request = FactsRequest(team: team.id, kind: kind, asOf: asOf, now: clock.now(), zone: zone)
    let found = try await refusing { try await store.facts([request]) }
    guard let facts = found.first ?? nil else { throw ControlError.noSuchTeam(team.name) }
    return facts
  }

  private func only(_ name: String, of digest: MorningDigest, team: Team) async throws -> MorningDigest {
    if let own = digest.only(name) { return own }
    _ = try await finder.technician(name, of: team)
    throw ControlError.badValue(field: "technician", value: name, why: "this technician has no stop on \(digest.date)")
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

  private func text(of digest: MonthDigest, _ format: OwnerFormatView) -> String {
    switch format {
    case .text: digest.document().text(.text)
    case .md: digest.document().text(.md)
    case .html: digest.document().text(.html)
    case .json: DigestJSON.text(digest) + "\n"
    }
  }
}

extension PhotoStore {
  /// A photo as a page shows it, or why the page does not.
  func shown<Entity>(of record: EntityID<Entity>, team: TeamID) async -> VisitReport.Photo {
    // Whatever the reason, a report without its photo is better than none, and says so.
    guard let (bytes, size) = try? await bytes(of: record, team: team, upTo: Limits.reportPhotoBytes) else {
      return .unreadable
    }
    guard size <= Limits.reportPhotoBytes else { return .tooLarge(bytes: size) }
    guard let kind = PhotoKind(bytes[...]) else { return .unreadable }
    if kind == .heic { return .otherFormat("HEIC") }
    return .shown("data:image/\(kind == .jpeg ? "jpeg" : kind.rawValue);base64,\(Data(bytes).base64EncodedString())")
  }
}

extension Document {
  func text(_ format: PageFormatView) -> String {
    switch format {
    case .text: text()
    case .md: markdown
    case .html: html
    }
  }
}
