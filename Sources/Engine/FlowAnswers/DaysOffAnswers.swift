import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork
import FoundationEssentials

/// Answers `org.poolflow.DaysOff`.
struct DaysOffAnswers: DaysOffService {
  let store: any TeamDaysOff & Teams
  let trades: [RunningTrade]
  let scheduling: TeamScheduling
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements

  func add(_ call: DaysOffCall.Add, _ caller: Caller) async throws -> DaysOffCall.Add.Reply {
    let subject = try await subject(team: call.team, technician: call.technician)
    let note = try FieldValue("notes", call.note ?? "").words(.holdNote)
    let span: DaySpan
    do throws(DaySpanError) {
      span = try DaySpan(call.days, today: subject.today)
    } catch {
      throw ControlError.badValue(field: "days", value: call.days, why: "\(error)")
    }
    guard !span.isOver(on: subject.today) else {
      throw ControlError.badValue(
        field: "days", value: call.days,
        why: "all of these days are past: today is \(subject.today) in the team's time zone")
    }
    let day = subject.dayOff(span, note: note, by: caller)
    let open = try await open([day], subject)
    guard !call.dryRun else {
      return DaysOffCall.Add.Reply(day: view(of: day, subject), open: open, remedy: remedy(for: open, subject))
    }
    let added = try await add([day], to: subject)
    if !added.isEmpty { announce(subject.team, "\(subject.words) on \(span), by \(caller.words)") }
    return DaysOffCall.Add.Reply(
      day: added.first.map { view(of: $0, subject) }, open: open, remedy: remedy(for: open, subject))
  }

  func `import`(_ call: DaysOffCall.Import, _ caller: Caller) async throws -> DaysOffCall.Import.Reply {
    let subject = try await subject(team: call.team, technician: call.technician)
    guard let data = Data(base64Encoded: call.calendar) else {
      throw ControlError.badValue(field: "calendar", value: "…", why: "it is no base64")
    }
    let file: ICalendarDays
    do throws(ICalendarError) {
      file = try ICalendarDays(Array(data), zone: subject.zone)
    } catch {
      throw ControlError.badFile("\(error)")
    }
    let all = file.entries.map {
      (day: subject.dayOff($0.span, note: $0.summary, by: caller), isObservance: $0.isObservance)
    }
    let upcoming = all.filter { !$0.day.span.isOver(on: subject.today) }
    let skippedObservances = upcoming.filter { $0.isObservance && call.withObservances != true }.map(\.day)
    let coming = upcoming.filter { !$0.isObservance || call.withObservances == true }.map(\.day)
    let known = try await store.daysOff(of: subject.team.id)
    let new = call.dryRun ? coming.filter { !known.has($0) } : try await add(coming, to: subject)
    if !call.dryRun, !new.isEmpty {
      announce(subject.team, "\(subject.words) on \(new.count) more dates, imported from a calendar by \(caller.words)")
    }
    return DaysOffCall.Import.Reply(
      added: new.map { view(of: $0, subject) }, observances: skippedObservances.map { view(of: $0, subject) },
      known: coming.count - new.count, past: all.count - upcoming.count,
      remarks: file.warnings, open: try await open(new, subject))
  }

  func list(_ call: DaysOffCall.List, _ caller: Caller) async throws -> DaysOffCall.List.Reply {
    var teams = try await finder.optionalTeam(named: call.team).map { [$0] } ?? []
    if call.team == nil { teams = try await store.teams() }
    var views: [DayOffView] = []
    for team in teams where team.hasDaysOff {
      // Days are shown in UTC if the team's zone cannot be read.
      let zone = (try? zones.zone(named: team.zone)) ?? .utc
      let subject = Subject(
        team: team, technicians: try await store.technicians(of: team.id), technician: nil, zone: zone,
        now: clock.now())
      views += try await store.daysOff(of: team.id).all.map { view(of: $0, subject) }
    }
    if !call.past { views.removeAll { $0.next == nil } }
    views.sort { ($0.next ?? "9", $0.team, $0.id) < ($1.next ?? "9", $1.team, $1.id) }
    return DaysOffCall.List.Reply(days: views)
  }

  func remove(_ call: DaysOffCall.Remove, _ caller: Caller) async throws -> DaysOffCall.Remove.Reply {
    let subject = try await subject(team: call.team, technician: nil)
    guard let day = try await store.daysOff(of: subject.team.id).all.first(where: { $0.id == call.id }) else {
      throw ControlError(
        .noSuchDaysOff,
        "team \(subject.team.name) has no days off with number \(call.id); see `pfctl closed list --team \(subject.team.name)` "
          + "has those there are", facts: ["name": String(call.id)])
    }
    _ = try await scheduling.perform(.rules(of: subject.team.id)) { plan in
      try await store.removeDaysOff([day.id], of: subject.team.name, now: clock.now(), plan: plan)
    }
    announce(subject.team, "days off \(day.span) removed by \(caller.words)")
    return DaysOffCall.Remove.Reply(day: view(of: day, subject))
  }

  // MARK: The team or technician

  /// The team and technician whose days off a call concerns.
  private struct Subject {
    let team: Team
    let technicians: [Technician]
    /// Nil for the whole team.
    let technician: Technician?
    let zone: Zone
    let now: Timestamp

    var today: CivilDate { zone.local(at: now).date }

    /// `closed`, or `Nora is away`.
    var words: String { technician.map { "\($0.name) is away" } ?? "closed" }

    func dayOff(_ span: DaySpan, note: String, by caller: Caller) -> DayOff {
      DayOff(id: 0, technicianID: technician?.id, span: span, note: note, setBy: caller.words)
    }
  }

  private func subject(team name: String, technician: String?) async throws -> Subject {
    let team = try await finder.team(named: name)
    var found: Technician?
    if let technician { found = try await finder.technician(technician, of: team) }
    return Subject(
      team: team, technicians: try await store.technicians(of: team.id), technician: found,
      zone: try zones.zone(asked: team.zone), now: clock.now())
  }

  /// Adds days off and re-plans the team's jobs.
  ///
  /// - Returns: the days off that were not there before.
  private func add(_ days: [DayOff], to subject: Subject) async throws -> [DayOff] {
    try await scheduling.perform(.rules(of: subject.team.id)) { plan in
      try await store.addDaysOff(
        days, to: subject.team.name, now: clock.now(),
        check: { off in
          guard off.all.count <= Limits.daysOffPerTeam else {
            throw ControlError.badValue(
              field: "days", value: "",
              why:
                "that would make \(off.all.count) entries, and a team has \(Limits.daysOffPerTeam) at most; days of every "
                + "year are one entry, such as '*-12-25'")
          }
        }, plan: plan)
    }
  }

  // MARK: Views

  private func view(of day: DayOff, _ subject: Subject) -> DayOffView {
    DayOffView(
      id: Int(day.id), team: subject.team.name,
      technician: day.technicianID.map { id in subject.technicians.first { $0.id == id }?.name ?? "" },
      days: day.span.description, words: day.span.inWords,
      next: day.span.next(onOrAfter: subject.today)?.description, note: day.note, setBy: day.setBy)
  }

  /// The commands that give the stops of days off another day or technician; nil if there are none.
  private func remedy(for open: [OpenStopsView], _ subject: Subject) -> String? {
    guard let date = open.first.flatMap({ CivilDate($0.date) }) else { return nil }
    return trades.of(subject.team)?.teams.openStopsRemedy(subject.team, date, subject.technician?.name)
  }

  /// The stops of the next `Limits.openStopsDaysAhead` days that these days off leave without a visit.
  private func open(_ days: [DayOff], _ subject: Subject) async throws -> [OpenStopsView] {
    guard !days.isEmpty, let trade = trades.of(subject.team),
      let count = try await mappingErrors({ try await trade.teams.stops(subject.team.id) })
    else { return [] }
    let dateFormats = DateFormats(.english)
    var views: [OpenStopsView] = []
    for offset in 0...Limits.openStopsDaysAhead {
      let date = subject.today.adding(days: offset)
      guard days.contains(where: { $0.span.contains(date) }) else { continue }
      let stops = count(date, subject.technician?.id)
      guard stops > 0 else { continue }
      views.append(
        OpenStopsView(
          date: date.description, local: dateFormats.shortDay(date), stops: stops, technician: subject.technician?.name)
      )
    }
    return views
  }
}

extension DaysOff {
  fileprivate func has(_ day: DayOff) -> Bool {
    all.contains { $0.technicianID == day.technicianID && $0.span == day.span && $0.note == day.note }
  }
}

extension Limits {
  /// How many days ahead the stops are listed that days off leave without a visit.
  fileprivate static let openStopsDaysAhead = 60
}
