import PoolControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowWork
import FoundationEssentials
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import StableStore

/// Answers `org.poolflow.Reports`: reports computed from the records. Only `sendVisit` sends something.
struct ReportsAnswers: ReportsService {
  let store: any FactsOfStables & FactsOfTeams & Ledger & Pools & TeamDaysOff & Visits
  let photos: PhotoStore
  let plans: PlanFeatureGate
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let visits: VisitReports
  let notices: PersonalNotices
  let announce: Announcements

  /// A digest of today's data for any date, as its job would build it; nothing is sent or stored.
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
          field: "technician", value: call.technician ?? "",
          why: "the week's figures are for the owner, not for a technician")
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
    return try await mappingErrors {
      let event = try await visit(call.visit, to: pool, of: team)
      let report = try await visits.report(
        of: event, at: pool, team,
        photo: event.photoFileName == nil ? nil : await photos.shown(of: event.id, team: team.id))
      return ReportsCall.Visit.Reply(text: report.document.text(call.format))
    }
  }

  /// Sends the report of a visit to its customer by mail. `Outbox.Show` shows the deliveries that the sender reports.
  func sendVisit(_ call: ReportsCall.SendVisit, _ caller: Caller) async throws -> ReportsCall.SendVisit.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    if let fault = call.to.flatMap({ ReachChannel.mail.fault(in: $0) }) {
      throw ControlError(
        .badValue, "--mail cannot be used: \(fault)", facts: ["field": "to", "value": "", "why": fault])
    }
    let event = try await mappingErrors { try await visit(call.visit, to: pool, of: team) }
    guard try await mappingErrors({ try await visits.address(of: pool, team, insteadOf: call.to) }) != nil else {
      throw Self.unreachable(
        pool,
        "the profile of \(pool.customerName) has no mail address that can be used; `pfctl pool set "
          + "\(shellWord(pool.customerName)) --team \(team.name) --mail ADDRESS` sets it, and --mail ADDRESS sends it elsewhere"
      )
    }
    let now = clock.now()
    let local = try zones.zone(asked: team.zone).local(at: event.timestamp)
    let localizer = Localizer(team)
    let customer = PersonKey.customer(team.id)
    let notice = Notice(
      id: "\(now.compact)-visit-report-\(customer.text)-\(store.install)", teamID: nil, teamName: team.name, jobID: nil,
      job: "visit-report", slot: now, identifier: NoticeIdentifier.visitReport,
      title: localizer.reportTitle(of: team.name),
      body: localizer.reportBody(of: pool.customerName, on: local.date), lines: [],
      dataJSON: try VisitMail(pool: pool.id, visit: event.id, to: call.to).json(), lateness: .zero, createdAt: now,
      expiresAt: now.advanced(by: .hours(72)), person: customer)
    let (sinks, reporting) = try await notices.send(notice, now: now)
    guard !sinks.isEmpty else {
      throw Self.unreachable(
        pool,
        "the report cannot be sent: no sink takes personal notices of team \(team.name); this needs a file drop "
          + "with Sensitive=yes that is not limited to other teams or jobs, and `pfctl setup` makes one")
    }
    announce(team, "the report of a visit was sent to its customer by \(caller.words)")
    return ReportsCall.SendVisit.Reply(
      noticeId: notice.id, customer: pool.customerName, visitLocal: zones.local(event.timestamp, zone: team.zone),
      sinks: sinks, reporting: reporting)
  }

  /// The refusal of a report that cannot reach the customer; `why` is the whole message.
  private static func unreachable(_ pool: Pool, _ why: String) -> ControlError {
    ControlError(.badValue, why, facts: ["field": "pool", "value": pool.customerName, "why": why])
  }

  /// One visit to the pool.
  ///
  /// - Parameter beginning: prefix of the visit's id; nil for the newest visit up to now.
  private func visit(_ beginning: String?, to pool: Pool, of team: Team) async throws -> ServiceEvent {
    // A visit dated in the future has a report when named by id, but does not count as the newest.
    let visits = try await store.events(
      of: pool.id, team: team.id, limit: Limits.rowsPerAnswer, until: beginning == nil ? clock.now() : nil)
    let prefix = beginning.map { IDPrefix($0)?.text ?? "-" } ?? ""
    let named = visits.filter { $0.id.description.hasPrefix(prefix) }
    guard let event = named.first else {
      throw ControlError(
        .noSuchVisit,
        "the pool of \(pool.customerName) "
          + (visits.isEmpty
            ? "has no visit yet" : "has no visit '\(beginning ?? "")'; `pfctl visit list` shows their ids"),
        facts: ["name": beginning ?? ""])
    }
    guard beginning == nil || named.count == 1 else {
      let ids = ShownIDs(records: named.map(\.id.description))
      throw ControlError.ambiguous(
        .ambiguousVisit, beginning ?? "", "visits", named.map { (ids[$0.id.description], $0.id.description) })
    }
    return event
  }

  func trend(_ call: ReportsCall.Trend, _ caller: Caller) async throws -> ReportsCall.Trend.Reply {
    let team = try await finder.team(named: call.team)
    try await plans.requireAccess(.analytics, to: team, called: "trends of a pool")
    let pool = try await finder.pool(call.pool, of: team)
    let visits = try await mappingErrors {
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
    return try await mappingErrors {
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

  // MARK: Shared helpers

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

  /// A date in the team's zone; today for nil.
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
      throw .badValue(field: "format", value: "ics", why: "only a morning digest has stops for a calendar")
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
  /// A photo for a report, or the reason why the report cannot show it.
  func shown<Entity>(of record: EntityID<Entity>, team: TeamID) async -> VisitReport.Photo {
    // Errors are not passed on: a report that mentions its missing photo is better than no report.
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
