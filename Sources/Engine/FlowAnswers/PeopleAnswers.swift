import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Answers `org.poolflow.People`.
struct PeopleAnswers: PeopleService {
  let store: any Ledger & OutboxAdmin & People & Teams
  let trades: [RunningTrade]
  let notices: AdHocNotices
  let settings: EffectiveSettings
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements

  func list(_ call: PeopleCall.List, _ caller: Caller) async throws -> PeopleCall.List.Reply {
    let named = try await finder.optionalTeam(named: call.team)
    let teams = if let named { [named] } else { try await store.teams() }
    var views: [PersonView] = []
    var warnings: [String] = []
    for team in teams {
      let people = try await mappingErrors { try await store.people(of: team.id) }
      let technicians = try await mappingErrors { try await store.technicians(of: team.id) }
      warnings += try await mappingErrors {
        try await trades.of(team)?.teams.peopleGaps(team, people, technicians).map(\.sentence) ?? []
      }
      let known = Dictionary(people.map { ($0.person.key, $0) }, uniquingKeysWith: { first, _ in first })
      let assigned = try await assignments(of: team)
      let subjects = [Subject.office(of: team)] + technicians.map { Subject($0, of: team) }
      for subject in subjects where known[subject.key] != nil || subject.technician != nil {
        views.append(view(of: subject, known[subject.key], assigned, reveal: call.reveal))
      }
    }
    return PeopleCall.List.Reply(people: views, sinks: await sinks, remarks: warnings)
  }

  func add(_ call: PeopleCall.Add, _ caller: Caller) async throws -> PeopleCall.Known {
    let team = try await finder.team(named: call.team)
    let name = try FieldValue("name", call.name).words(.name, isRequired: true)
    try await finder.checkTechnician(name, field: "name", of: team)
    let changes = try PersonChange.read(call.changes, among: finder.jobs.of(team.trade).subscriptions)
    let added = try await mappingErrors {
      try await store.addTechnician(name, to: team.id) { key, technicians in
        try FieldValue.check(technicians + 1, in: 1...Limits.techniciansPerTeam, field: "technicians")
        var person = KnownPerson(Person(key: key, wants: finder.jobs.of(team.trade).defaultSubscriptions(of: key)))
        for change in changes { change.apply(&person) }
        return person
      }
    }
    guard added != nil else {
      throw ControlError.badValue(
        field: "name", value: name,
        why: "team \(team.name) has a technician of this name already; `pfctl technician set` changes the record")
    }
    announce(team, "technician \(name) added by \(caller.words)")
    return try await answer(try await subject(name, of: team))
  }

  func change(_ call: PeopleCall.Change, _ caller: Caller) async throws -> PeopleCall.Known {
    let subject = try await subject(call.name, of: try await finder.team(named: call.team))
    guard !call.changes.isEmpty else {
      throw ControlError.badValue(
        field: "changes", value: "", why: "name at least one of \(PersonChange.keys.joined(separator: ", "))")
    }
    let changes = try PersonChange.read(
      call.changes, among: finder.jobs.of(subject.team.trade).subscriptions)
    _ = try await mappingErrors {
      try await store.changePerson(subject.key, of: subject.team.id) { person in
        for change in changes { change.apply(&person) }
      }
    }
    announce(subject.team, "\(subject.words) set by \(caller.words)")
    return try await answer(subject)
  }

  func remove(_ call: PeopleCall.Remove, _ caller: Caller) async throws -> PeopleCall.Remove.Reply {
    let subject = try await subject(call.name, of: try await finder.team(named: call.team))
    let gone = try await answer(subject).person
    if let technician = subject.technician {
      let today = try zones.zone(asked: subject.team.zone).local(at: clock.now()).date
      let holdings = try await mappingErrors {
        try await store.removeTechnician(technician.id, of: subject.team.id, today: today)
      }
      let coming = holdings.coming.flatMap {
        trades.of(subject.team)?.teams.comingWork(subject.team, $0, technician.name)
      }
      if let why = holdings.words(of: technician.name, team: subject.team.name, coming: coming) {
        throw ControlError.badValue(field: "name", value: technician.name, why: why)
      }
    } else {
      try await mappingErrors { try await store.forget(subject.key, of: subject.team.id) }
    }
    announce(subject.team, "\(subject.words) removed by \(caller.words)")
    return PeopleCall.Remove.Reply(person: gone)
  }

  func test(_ call: PeopleCall.Test, _ caller: Caller) async throws -> PeopleCall.Test.Reply {
    let subject = try await subject(call.name, of: try await finder.team(named: call.team))
    let (key, team) = (subject.key, subject.team)
    let known = try await mappingErrors { try await store.person(key) }
    guard let known, !known.person.channels.isEmpty else {
      throw Self.unreachable(
        subject,
        "there is no address for \(subject.words); `pfctl technician set \(shellWord(subject.name)) --team \(team.name) "
          + "--mail ADDRESS` adds one, and `pfctl help technician set` lists the other kinds")
    }
    let now = clock.now()
    let language = known.person.language ?? team.language
    let name = subject.technician?.name ?? team.name
    let body = trades.of(team)?.teams.addressTest(name, language) ?? PersonTest.body(for: name, in: language)
    let test = AdHocNotices.Text(
      to: key, identifier: PersonalNoticeIdentifier.test, title: PersonTest.title(in: language), body: body)
    let sent = try await notices.send(
      test, of: team, kind: "person-test", job: PersonTest.job, hours: 1, now: now)
    guard !sent.sinks.isEmpty else {
      throw Self.unreachable(
        subject,
        "no test can be sent to \(subject.words): no sink delivers personal notices of team \(team.name); this needs a file "
          + "drop with Sensitive=yes that takes this team's morning-summary, and `pfctl setup` makes one")
    }
    return PeopleCall.Test.Reply(
      noticeId: sent.id, sinks: sent.sinks, reporting: sent.reporting, addresses: known.person.channels.count)
  }

  /// The refusal of a test that cannot reach the person; `why` is the whole message.
  private static func unreachable(_ subject: Subject, _ why: String) -> ControlError {
    ControlError(.badValue, why, facts: ["field": "name", "value": subject.name, "why": why])
  }

  // MARK: Finding people

  /// The office of a team, or one of its technicians.
  private struct Subject {
    let team: Team
    /// Nil for the office.
    let technician: Technician?

    static func office(of team: Team) -> Subject { Subject(nil, of: team) }

    init(_ technician: Technician?, of team: Team) {
      self.team = team
      self.technician = technician
    }

    var key: PersonKey { technician.map { .technician($0.id) } ?? .office(team.id) }
    var name: String { technician?.name ?? Technician.office }
    /// `technician Maria`, or `the office`.
    var words: String { technician.map { "technician \($0.name)" } ?? "the office" }
  }

  /// The office or the technician that the name means.
  private func subject(_ name: String, of team: Team) async throws -> Subject {
    if trimmingSpaces(name).lowercased() == Technician.office { return .office(of: team) }
    return Subject(try await finder.technician(trimmingSpaces(name), of: team), of: team)
  }

  private var sinks: [String] {
    get async { await settings.reading.settings.sinks.map(\.route).filter(\.takesPersonal).map(\.sink) }
  }

  /// The number of records that each technician is responsible for.
  private func assignments(of team: Team) async throws -> [TechnicianID: Int] {
    try await trades.of(team)?.teams.assignments(team.id) ?? [:]
  }

  private func answer(_ subject: Subject) async throws -> PeopleCall.Known {
    let known = try await mappingErrors { try await store.person(subject.key) }
    let assigned = try await assignments(of: subject.team)
    return PeopleCall.Known(person: view(of: subject, known, assigned, reveal: false), sinks: await sinks)
  }

  private func view(
    of subject: Subject, _ known: KnownPerson?, _ assigned: [TechnicianID: Int], reveal: Bool
  ) -> PersonView {
    let wants = known?.person.wants ?? finder.jobs.of(subject.team.trade).defaultSubscriptions(of: subject.key)
    return PersonView(
      team: subject.team.name, name: subject.name, isOffice: subject.technician == nil,
      language: known?.person.language?.rawValue, quiet: known?.person.quiet?.description,
      wants: finder.jobs.every.subscriptions.filter(wants.contains).map(\.rawValue),
      reach: (known?.person.channels ?? []).map {
        ReachView(channel: $0.rawValue, address: reveal ? known?.addresses[$0] : nil)
      },
      pools: subject.technician.flatMap { assigned[$0.id] } ?? 0)
  }
}

extension TechnicianHoldings {
  /// Why the technician cannot be removed, with the command that changes it; nil if nothing prevents it.
  ///
  /// - Parameter coming: the trade's sentence about work on coming dates; nil for none.
  fileprivate func words(of name: String, team: String, coming: String?) -> String? {
    if isDefault {
      return "every pool without a technician belongs to the team's default technician, who cannot be removed"
    }
    if records > 0 {
      let assigned = records == 1 ? "a pool" : "\(records) pools"
      return
        "\(name) services \(assigned); `pfctl pool list --team \(team) --technician "
        + "\(shellWord(name))` shows them, and `pfctl pool set POOL --team \(team) --tags tech:NAME` assigns another technician"
    }
    if others > 0 {
      return "chemicals or profiles were imported for \(name) alone; import them for the team "
        + "or another technician first"
    }
    if reminders > 0 {
      return
        "reminders are for \(name); `pfctl reminder set NAME --team \(team) technician=all` changes each to the whole team"
    }
    return coming
  }
}
