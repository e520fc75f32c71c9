import PoolControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork
import PoolDigests
import PoolModel
import PoolStore

/// Answers `org.poolflow.Reports`: reports computed from the records. Only `sendVisit` sends something.
struct ReportsAnswers: ReportsService {
  let store: any Ledger & Pools & RecurringWork & Services & TeamDaysOff & Visits
  let photos: PhotoStore
  let plans: PlanFeatureGate
  let finder: PoolFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let visits: VisitReports
  let notices: AdHocNotices
  let announce: Announcements
  /// The text of a digest, from the trade of its team.
  let digestText: @Sendable (DigestQuery) async throws -> String

  /// A digest of today's data for any date, as its job would build it; nothing is sent or stored.
  func digest(_ call: ReportsCall.Digest, _ caller: Caller) async throws -> ReportsCall.Digest.Reply {
    let team = try await finder.team(named: call.team)
    let zone = try zones.zone(asked: team.zone)
    let date = try civilDate(call.date, of: team, zone: zone)
    let text = try await digestText(
      DigestQuery(
        team: team, zone: zone, date: date, kind: DigestQuery.Kind(call.kind),
        format: DigestQuery.Format(call.format), person: call.technician))
    return ReportsCall.Digest.Reply(text: text)
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
    let report = AdHocNotices.Text(
      to: customer, identifier: NoticeIdentifier.visitReport, title: localizer.reportTitle(of: team.name),
      body: localizer.reportBody(of: pool.customerName, on: local.date),
      dataJSON: try VisitMail(pool: pool.id, visit: event.id, to: call.to).json())
    let sent = try await notices.send(
      report, of: team, kind: "visit-report", job: "visit-report", hours: 72, now: now)
    guard !sent.sinks.isEmpty else {
      throw Self.unreachable(
        pool,
        "the report cannot be sent: no sink takes personal notices of team \(team.name); this needs a file drop "
          + "with Sensitive=yes that is not limited to other teams or jobs, and `pfctl setup` makes one")
    }
    announce(team, "the report of a visit was sent to its customer by \(caller.words)")
    return ReportsCall.SendVisit.Reply(
      noticeId: sent.id, customer: pool.customerName, visitLocal: zones.local(event.timestamp, zone: team.zone),
      sinks: sent.sinks, reporting: sent.reporting)
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
      let period = Period(monthOf: first, in: zone)
      let digest = MonthDigest(
        MonthFacts(
          team: team,
          pools: try await store.pools(of: team.id, day: nil, technician: nil, now: now).map {
            MonthFacts.Line(pool: $0.pool, technician: $0.technician)
          }, period: try await store.period(period, of: team.id, until: now),
          daysOff: team.hasDaysOff ? try await store.daysOff(of: team.id) : .none,
          services: try await store.services(of: team.id),
          work: try await store.workDone(of: team.id, from: period.first, to: period.last)), today: today, zone: zone)
      return ReportsCall.Month.Reply(text: text(of: digest, call.format))
    }
  }

  // MARK: Shared helpers

  /// A date in the team's zone; today for nil.
  private func civilDate(_ text: String?, of team: Team, zone: Zone) throws -> CivilDate {
    let now = clock.now()
    guard let text else { return zone.local(at: now).date }
    let time = try zones.time(text, team: team, now: now, field: "date")
    return time.date ?? zone.local(at: time.instant).date
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

extension DigestQuery.Kind {
  fileprivate init(_ view: DigestKindView) {
    self =
      switch view {
      case .morning: .morning
      case .weekly: .weekly
      }
  }
}

extension DigestQuery.Format {
  fileprivate init(_ view: DigestFormatView) {
    self =
      switch view {
      case .text: .text
      case .md: .md
      case .html: .html
      case .json: .json
      case .ics: .ics
      }
  }
}
