import FlowControl
import FlowModel
import FlowNotices
import FlowScheduler
import FlowTestKit
import FlowWork
import PoolControl
import PoolDigests
import PoolJobs
import Testing

@testable import FlowAnswers
@testable import FlowStore
@testable import PoolServices

/// Stops that are moved, skipped or given to another technician: told everywhere, undone, and refused. Today is Monday
/// 2026-03-02.
struct StopChangeTests {
  private static let team = ServiceFixture.team
  /// The first stop of maria on Mondays.
  private static let customer = "Steve Baird"

  private func move(
    _ fixture: ServiceFixture, _ from: String, _ to: String, pool: String = customer, technician: String? = nil,
    reason: String? = "rain"
  ) async throws -> StopChangeView {
    try await fixture.poolService.field.moveStop(
      FieldCall.MoveStop(team: Self.team, pool: pool, from: from, to: to, technician: technician, reason: reason),
      fixture.caller
    ).change
  }

  private func skip(
    _ fixture: ServiceFixture, _ date: String, reason: String = "gate locked"
  ) async throws -> StopChangeView {
    try await fixture.poolService.field.skipStop(
      FieldCall.SkipStop(team: Self.team, pool: Self.customer, date: date, reason: reason), fixture.caller
    ).change
  }

  private func moveDay(
    _ fixture: ServiceFixture, _ date: String, _ to: String, technician: String? = nil
  ) async throws -> FieldCall.MoveDay.Reply {
    try await fixture.poolService.field.moveDay(
      FieldCall.MoveDay(team: Self.team, date: date, to: to, technician: technician, reason: "rain"), fixture.caller)
  }

  private func undo(_ fixture: ServiceFixture, _ number: Int) async throws -> [StopChangeView] {
    try await fixture.poolService.field.undoStops(
      FieldCall.UndoStops(team: Self.team, number: number), fixture.caller
    ).changes
  }

  private func list(_ fixture: ServiceFixture, past: Bool? = nil) async throws -> [StopChangeView] {
    try await fixture.poolService.pools.listStopChanges(
      PoolsCall.ListStopChanges(team: Self.team, past: past), fixture.caller
    ).changes
  }

  private func digest(
    _ fixture: ServiceFixture, _ date: String, _ format: DigestFormatView = .json, kind: DigestKindView = .morning
  ) async throws -> String {
    try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: kind, date: date, format: format), fixture.caller
    ).text
  }

  /// The customers of each technician on a date.
  private func told(_ fixture: ServiceFixture, _ date: String) async throws -> [String: [String]] {
    let digest = try #require(DigestJSON.morning(try await digest(fixture, date)))
    return Dictionary(uniqueKeysWithValues: digest.sections.map { ($0.technician, $0.stops.map(\.customer)) })
  }

  @Test func `a moved stop is told on its new date with its origin, and undone as if it was never made`() async throws {
    let fixture = try await ServiceFixture()
    let (monday, tuesday) = (try await told(fixture, "2026-03-02"), try await told(fixture, "2026-03-03"))
    let change = try await move(fixture, "today", "tomorrow")
    #expect(change.from == "2026-03-02" && change.to == "2026-03-03" && change.technician == "maria")
    #expect(change.reason == "rain" && change.effective)
    #expect(try await told(fixture, "2026-03-02")["maria"] == monday["maria"]?.filter { $0 != Self.customer })
    let stops = try #require(try await told(fixture, "2026-03-03")["maria"])
    #expect(Set(stops) == Set((tuesday["maria"] ?? []) + [Self.customer]))
    #expect(try await told(fixture, "2026-03-09") == monday)
    for format in [DigestFormatView.text, .md, .html, .ics] {
      #expect(try await digest(fixture, "2026-03-03", format).contains("Moved from Monday: rain"), "\(format)")
    }
    let week = try await digest(fixture, "2026-03-01", .text, kind: .weekly)
    #expect(week.contains("Steve Baird moved to Tue, Mar 3 (rain)"))
    let details = try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: Self.customer, reveal: false), fixture.caller
    ).details
    #expect(details.service?.changes?.map(\.number) == [change.number] && details.service?.rule == "weekly")
    #expect(try await list(fixture).map(\.number) == [change.number])
    #expect(try await undo(fixture, change.number).map(\.customer) == [Self.customer])
    #expect(try await told(fixture, "2026-03-02") == monday)
    #expect(try await told(fixture, "2026-03-03") == tuesday)
    #expect(try await list(fixture, past: true).isEmpty)
    await fixture.refuses(ExitCode.notFound, saying: "there is no change \(change.number) of this team") {
      _ = try await undo(fixture, change.number)
    }
  }

  @Test func `another technician serves a stop once`() async throws {
    let fixture = try await ServiceFixture()
    let monday = try await told(fixture, "2026-03-02")
    // Today is a Monday, so its name alone does not say which one is meant.
    await fixture.refuses(ExitCode.usage, saying: "'mon' may mean today or next week; write 2026-03-02 or 2026-03-09") {
      _ = try await move(fixture, "mon", "2026-03-09", technician: "dan", reason: "ill")
    }
    let change = try await move(fixture, "2026-03-09", "2026-03-09", technician: "dan", reason: "ill")
    #expect(change.from == "2026-03-09" && change.to == "2026-03-09" && change.technician == "dan")
    let covered = try await told(fixture, "2026-03-09")
    #expect(covered["dan"]?.contains(Self.customer) == true && covered["maria"]?.contains(Self.customer) == false)
    #expect(try await told(fixture, "2026-03-02") == monday)
    #expect(try await told(fixture, "2026-03-16") == monday)
    #expect(try await digest(fixture, "2026-03-09", .text).contains("Instead of maria: ill"))
    await fixture.refuses(ExitCode.usage, saying: "is on Mon 2026-03-09 with dan already") {
      _ = try await move(fixture, "2026-03-09", "2026-03-09", technician: "dan")
    }
  }

  @Test func `a skipped stop is on no route`() async throws {
    let fixture = try await ServiceFixture()
    let change = try await skip(fixture, "2026-03-09")
    #expect(change.to == nil && change.reason == "gate locked")
    #expect(try await told(fixture, "2026-03-09")["maria"]?.contains(Self.customer) == false)
    #expect(try await told(fixture, "2026-03-16")["maria"]?.contains(Self.customer) == true)
    await fixture.refuses(ExitCode.usage, saying: "is skipped by change \(change.number); undo it with") {
      _ = try await skip(fixture, "2026-03-09")
    }
    await fixture.refuses(ExitCode.usage, saying: "say why the stop is skipped") {
      _ = try await skip(fixture, "2026-03-16", reason: " ")
    }
  }

  @Test func `a day is moved and undone as a whole; visited stops stay`() async throws {
    let fixture = try await ServiceFixture()
    let before = try await told(fixture, "2026-03-02")
    let count = before.values.reduce(0) { $0 + $1.count }
    _ = try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(team: Self.team, pool: Self.customer, readings: [], dose: .none, measured: []), fixture.caller)
    let day = try await moveDay(fixture, "today", "tomorrow")
    #expect(day.changes.count == count - 1 && day.visited == [Self.customer])
    #expect(Set(day.changes.map(\.number)).count == 1)
    #expect(try await told(fixture, "2026-03-02") == ["maria": [Self.customer]])
    let marks = try fixture.marks()
    // Rain on the second day, too: the stops move once more, and the first change cannot be undone alone.
    let number = try #require(day.changes.first?.number)
    await fixture.refuses(ExitCode.usage, saying: "cannot be moved, so none was") {
      _ = try await moveDay(fixture, "2026-03-03", "2026-03-10")
    }
    #expect(try fixture.marks() == marks)
    let second = try await moveDay(fixture, "2026-03-03", "2026-03-04", technician: "maria")
    let later = try #require(second.changes.first?.number)
    await fixture.refuses(ExitCode.usage, saying: "change \(later) of", "builds on change \(number)") {
      _ = try await undo(fixture, number)
    }
    _ = try await undo(fixture, later)
    _ = try await undo(fixture, number)
    #expect(try await told(fixture, "2026-03-02") == before)
  }

  @Test func `every refusal says what, where, why and what to do, and changes nothing`() async throws {
    let fixture = try await ServiceFixture()
    let maria = DaysOffCall.Add(
      days: "2026-03-06", team: Self.team, technician: "maria", note: "dentist", dryRun: false)
    _ = try await fixture.services.daysOff.add(maria, fixture.caller)
    let closed = DaysOffCall.Add(days: "2026-03-07", team: Self.team, technician: nil, note: "fair", dryRun: false)
    _ = try await fixture.services.daysOff.add(closed, fixture.caller)
    let moved = try await move(fixture, "2026-03-16", "2026-03-17")
    _ = try await fixture.poolService.field.pausePool(
      FieldCall.PausePool(team: Self.team, pool: Self.customer, days: "2026-03-30..2026-03-31"), fixture.caller)
    let marks = try fixture.marks()
    let moves: [(from: String, to: String, saying: String)] = [
      ("2026-02-23", "2026-03-03", "Mon 2026-02-23 is past: today is 2026-03-02"),
      ("2026-03-02", "2026-03-01", "Sun 2026-03-01 is past"),
      ("2026-03-03", "2026-03-04", "is not served on Tue 2026-03-03; its next date of service is Mon 2026-03-09"),
      ("2026-03-16", "2026-03-18", "was moved from Mon 2026-03-16 to Tue 2026-03-17 by change \(moved.number)"),
      ("2026-03-02", "2026-03-09", "is served on Mon 2026-03-09 anyway"),
      (
        "2026-03-02", "2026-03-10",
        "the stop of Steve Baird cannot be moved from Mon 2026-03-02 to Tue 2026-03-10, because the pool is also served "
          + "between the two, on Mon 2026-03-09, and this service would come after that one; name a date before 2026-03-09"
      ),
      (
        "2026-03-23", "2026-03-08",
        "between the two, on Tue 2026-03-17, and this service would come before that one; name a date after 2026-03-17"
      ),
      ("2026-03-02", "2026-03-06", "maria is away on Fri 2026-03-06 (dentist)"),
      ("2026-03-02", "2026-03-07", "the team is closed on Sat 2026-03-07 (fair)"),
      ("2026-03-02", "2026-03-02", "is on Mon 2026-03-02 with maria already"),
      ("2026-03-30", "2026-04-01", "is paused on Mon 2026-03-30"),
      ("2026-03-23", "2026-03-31", "is paused on Tue 2026-03-31"), ("whenever", "2026-03-03", "this is not a time"),
    ]
    for (from, to, saying) in moves {
      await fixture.refuses(ExitCode.usage, saying: saying) { _ = try await move(fixture, from, to) }
    }
    await fixture.refuses(ExitCode.notFound, saying: "nina") {
      _ = try await move(fixture, "2026-03-02", "2026-03-03", technician: "nina")
    }
    await fixture.refuses(ExitCode.notFound, saying: "Zed Unknown") {
      _ = try await move(fixture, "2026-03-02", "2026-03-03", pool: "Zed Unknown")
    }
    let days: [(date: String, to: String, saying: String)] = [
      ("2026-02-23", "2026-03-03", "is past"), ("2026-03-02", "2026-03-02", "name another date to move them to"),
      ("2026-03-02", "2026-03-07", "the team is closed on Sat 2026-03-07"),
      ("2026-03-08", "2026-03-09", "the team has no stop on Sun 2026-03-08"),
    ]
    for (date, to, saying) in days {
      await fixture.refuses(ExitCode.usage, saying: saying) { _ = try await moveDay(fixture, date, to) }
    }
    #expect(try fixture.marks() == marks)
    _ = try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(team: Self.team, pool: Self.customer, readings: [], dose: .none, measured: []), fixture.caller)
    for refused in [true, false] {
      await fixture.refuses(ExitCode.usage, saying: "was already visited on Mon 2026-03-02") {
        _ = refused ? try await move(fixture, "today", "tomorrow") : try await skip(fixture, "today")
      }
    }
  }

  @Test func `a change is past after its date, and cannot be undone then`() async throws {
    let fixture = try await ServiceFixture()
    let change = try await move(fixture, "2026-03-02", "2026-03-04")
    fixture.clock.advance(by: .hours(24))
    await fixture.refuses(ExitCode.usage, saying: "took a stop from Mon 2026-03-02, which is past") {
      _ = try await undo(fixture, change.number)
    }
    #expect(try await list(fixture).map(\.number) == [change.number])
    fixture.clock.advance(by: .hours(48))
    #expect(try await list(fixture).isEmpty)
    #expect(try await list(fixture, past: true).map(\.number) == [change.number])
  }

  @Test func `changes without an effect are listed as such`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await move(fixture, "2026-03-09", "2026-03-10")
    _ = try await fixture.poolService.field.setPool(
      FieldCall.SetPool(
        team: Self.team, pool: Self.customer, changes: [SettingChangeView(key: "day", value: "fri")]), fixture.caller)
    #expect(try await list(fixture).map(\.effective) == [false])
    #expect(try await told(fixture, "2026-03-10")["maria"]?.contains(Self.customer) == false)
    #expect(try await told(fixture, "2026-03-13")["maria"]?.contains(Self.customer) == true)
  }

  @Test func `a backup restores changed dates, also none`() async throws {
    let fixture = try await ServiceFixture()
    func restore(_ id: String) async throws -> [String] {
      try await fixture.services.backup.restoreTeam(
        BackupCall.RestoreTeam(id: id, team: Self.team, dryRun: false, confirm: Self.team), fixture.caller
      ).warnings
    }
    let older = try await fixture.backUp()
    _ = try await move(fixture, "2026-03-02", "2026-03-03", technician: "dan")
    _ = try await moveDay(fixture, "2026-03-09", "2026-03-10", technician: "keisha")
    let present = try await list(fixture)
    fixture.clock.advance(by: .hours(1))
    let newer = try await fixture.backUp()
    for number in Set(present.map(\.number)) { _ = try await undo(fixture, number) }
    #expect(try await !restore(newer.id).contains { $0.contains("present changed dates") })
    let back = try await list(fixture)
    #expect(back.map(\.customer) == present.map(\.customer) && back.map(\.technician) == present.map(\.technician))
    #expect(back.map(\.to) == present.map(\.to) && Set(back.map(\.number)).count == 2)
    #expect(try await !restore(older.id).contains { $0.contains("present changed dates") })
    #expect(try await list(fixture).isEmpty)
  }

  @Test func `today's changes are told to whom they concern, at most every 15 minutes, also after a crash`()
    async throws
  {
    let scratch = try TemporaryFolder()
    try await DemoState.shared.copy(to: scratch.path + "/state")
    let sink = "[Sink crew]\nType = file-drop\nSensitive = yes\n"
    var now = ServiceFixture.monday.advanced(by: .minutes(-31))
    var fixture = try await ServiceFixture(in: scratch, at: now, settings: sink)
    let names = ["dan", "keisha", "maria"]
    for name in names {
      let values = ["mail": "\(name)@example.com", "wants": "route"]
      _ = try await fixture.services.people.change(
        PeopleCall.Change(
          name: name, team: Self.team, changes: values.map { SettingChangeView(key: $0.key, value: $0.value) }),
        fixture.caller)
    }
    try await fixture.scheduler.prepare()
    func field() -> FieldAnswers { fixture.poolService.field(fixture.context.scheduling(by: fixture.scheduler)) }
    /// The notices of a job at a later time, by technician; the team's has an empty name.
    func notices(_ job: String, after minutes: Int) async throws -> [String: [String]] {
      now = now.advanced(by: .minutes(minutes))
      fixture.clock.set(now)
      await fixture.scheduler.runDueJobs()
      let technicians = try await fixture.store.technicians(of: TeamID(1))
      let all = try await fixture.store.outbox(OutboxQuery(team: TeamID(1), limit: 100)).map(\.notice)
      let own = all.filter { $0.job == job && $0.createdAt > now.advanced(by: .minutes(-minutes)) }
      return Dictionary(
        own.map { notice in
          (technicians.first { notice.person == PersonKey.technician($0.id) }?.name ?? "", notice.lines)
        }, uniquingKeysWith: { first, second in first + second })
    }
    func skip(_ customer: String) async throws -> Int {
      try await field().skipStop(
        FieldCall.SkipStop(team: Self.team, pool: customer, date: "today", reason: "gate locked"), fixture.caller
      ).change.number
    }
    let first = try await told(fixture, "2026-03-02")
    let (keisha, maria) = (try #require(first["keisha"]?[0]), try #require(first["maria"]?[1]))

    // A change at 06:59 is in the morning notice of 07:00, and needs no other.
    _ = try await field().moveStop(
      FieldCall.MoveStop(team: Self.team, pool: Self.customer, from: "today", to: "tomorrow", reason: "rain"),
      fixture.caller)
    let morning = try await notices("morning-summary", after: 2)
    #expect(Set(morning.keys) == Set(names + [""]))
    #expect(morning.values.joined().allSatisfy { !$0.contains(Self.customer) })
    #expect(try await notices("changed-today", after: 20).isEmpty)

    _ = try await skip(keisha)
    var told = try await notices("changed-today", after: 1)
    #expect(Set(told.keys) == ["", "keisha"])
    #expect(told["keisha"]?.first == "\(keisha) skipped (gate locked)")
    #expect(told["keisha"]?.contains { $0.contains("  1  ") && !$0.contains(keisha) } == true)

    // Two more changes within 15 minutes are one notice, which a restart between them does not lose or repeat.
    _ = try await field().moveStop(
      FieldCall.MoveStop(team: Self.team, pool: maria, from: "today", to: "today", technician: "dan", reason: "ill"),
      fixture.caller)
    #expect(try await notices("changed-today", after: 5).isEmpty)
    try await fixture.store.endEpoch(at: now)
    fixture = try await ServiceFixture(in: scratch, at: now, settings: sink)
    try await fixture.scheduler.prepare()
    let number = try await skip(try #require(first["keisha"]?[1]))
    _ = try await field().undoStops(FieldCall.UndoStops(team: Self.team, number: number), fixture.caller)
    told = try await notices("changed-today", after: 11)
    #expect(Set(told.keys) == ["", "maria", "dan"])
    #expect(told["dan"]?.first == "\(maria) went from maria to dan (ill)")
    #expect(try await notices("changed-today", after: 30).isEmpty)

    // A change that is undone before its notice is not told.
    let again = try await skip(try #require(first["keisha"]?[1]))
    _ = try await field().undoStops(FieldCall.UndoStops(team: Self.team, number: again), fixture.caller)
    #expect(try await notices("changed-today", after: 5).isEmpty)
    let runs = try await fixture.store.history(HistoryQuery(team: TeamID(1), limit: 100))
    #expect(runs.filter { $0.kind == .changedToday }.map(\.reason) == ["unchanged-today", nil, nil])
  }

  /// A team whose technicians get their routes, with the scheduler; its clock is at 06:29 on Monday.
  private final class Crew {
    private(set) var fixture: ServiceFixture
    private let scratch: TemporaryFolder

    /// - Parameter isPreviewed: whether the route is sent on the evening before, too.
    init(isPreviewed: Bool) async throws {
      scratch = try TemporaryFolder()
      try await DemoState.shared.copy(to: scratch.path + "/state")
      fixture = try await ServiceFixture(
        in: scratch, at: ServiceFixture.monday.advanced(by: .minutes(-31)),
        settings: "[Sink crew]\nType = file-drop\nSensitive = yes\n")
      for name in ["dan", "keisha", "maria"] {
        let values = ["mail": "\(name)@example.com", "wants": "route"]
        _ = try await fixture.services.people.change(
          PeopleCall.Change(
            name: name, team: StopChangeTests.team,
            changes: values.map { SettingChangeView(key: $0.key, value: $0.value) }), fixture.caller)
      }
      if isPreviewed {
        let preview = SettingChangeView(key: "route-preview", value: "on")
        _ = try await fixture.services.teams.set(
          TeamsCall.Set(name: StopChangeTests.team, changes: [preview]), fixture.caller)
      }
      try await fixture.scheduler.prepare()
    }

    var field: FieldAnswers { fixture.poolService.field(fixture.context.scheduling(by: fixture.scheduler)) }

    /// The notices of the jobs that are due until a later time, by job and technician; the team's has an empty name.
    func notices(after minutes: Int) async throws -> [String: [String: [String]]] {
      let start = fixture.clock.now()
      fixture.clock.set(start.advanced(by: .minutes(minutes)))
      await fixture.scheduler.runDueJobs()
      let technicians = try await fixture.store.technicians(of: TeamID(1))
      var found: [String: [String: [String]]] = [:]
      for notice in try await fixture.store.outbox(OutboxQuery(team: TeamID(1), limit: 200)).map(\.notice)
      where notice.createdAt > start {
        let name = technicians.first { notice.person == PersonKey.technician($0.id) }?.name ?? ""
        found[notice.job, default: [:]][name] = ["\(notice.title): \(notice.body)"] + notice.lines
      }
      return found
    }

    func set(_ pool: String, _ key: String, _ value: String) async throws {
      _ = try await field.setPool(
        FieldCall.SetPool(team: StopChangeTests.team, pool: pool, changes: [SettingChangeView(key: key, value: value)]),
        fixture.caller)
    }
  }

  @Test func `tomorrow's changes are told once its route was sent on the evening before`() async throws {
    let crew = try await Crew(isPreviewed: true)
    let tuesday = try await told(crew.fixture, "2026-03-03")
    let name = try #require(tuesday.keys.sorted().first { (tuesday[$0]?.count ?? 0) > 3 })
    let pools = try #require(tuesday[name])
    func skip(_ pool: String) async throws -> Int {
      try await crew.field.skipStop(
        FieldCall.SkipStop(team: Self.team, pool: pool, date: "2026-03-03", reason: "gate locked"), crew.fixture.caller
      ).change.number
    }
    // Before the evening's notice, a change is in it.
    let early = try await skip(pools[0])
    #expect(try await crew.notices(after: 9 * 60)["changed-today"] == nil)
    let evening = try await crew.notices(after: 3 * 60)
    #expect(evening["route-preview"]?[name]?.contains { $0.contains(pools[0]) } == false)

    _ = try await skip(pools[1])
    var notices = try await crew.notices(after: 1)
    var own = try #require(notices["changed-today"]?[name])
    #expect(Set(notices["changed-today"]?.keys.sorted() ?? []) == ["", name])
    #expect(own[0] == "Tomorrow's Route Changed: 1 of tomorrow's stops has changed since the route was sent.", "\(own)")
    #expect(own[1] == "\(pools[1]) skipped (gate locked)")

    // A pause and a new rule within 15 minutes are one more notice.
    _ = try await crew.field.pausePool(
      FieldCall.PausePool(team: Self.team, pool: pools[2], days: "2026-03-03..2026-03-05", reason: "away"),
      crew.fixture.caller)
    try await crew.set(pools[3], "service", "every 2 weeks from 2026-03-10")
    #expect(try await crew.notices(after: 5)["changed-today"] == nil)
    notices = try await crew.notices(after: 11)
    own = try #require(notices["changed-today"]?[name])
    #expect(own[0].hasSuffix("2 of tomorrow's stops have changed since the route was sent."), "\(own)")
    #expect(Set(own[1...2]) == ["\(pools[2]) skipped (away)", "\(pools[3]) skipped"])
    let why = try await crew.fixture.store.history(HistoryQuery(team: TeamID(1), limit: 100))
    #expect(why.count { $0.kind == .changedToday } == 2)

    // What is undone is told, too; a change of another date is not.
    _ = try await undo(crew.fixture, early)
    _ = try await crew.field.resumePool(
      FieldCall.ResumePool(team: Self.team, pool: pools[2]), crew.fixture.caller)
    _ = try await crew.field.skipStop(
      FieldCall.SkipStop(team: Self.team, pool: pools[0], date: "2026-03-10", reason: "x"), crew.fixture.caller)
    own = try #require(try await crew.notices(after: 20)["changed-today"]?[name])
    let new = [pools[0], pools[2]].map { "\($0) is new on this route" }
    #expect(Set(own.filter { $0.hasSuffix("route") }) == Set(new), "\(own)")
    #expect(try await crew.notices(after: 30)["changed-today"] == nil)

    // At midnight tomorrow is today, and its morning notice tells the rest.
    let night = try await crew.notices(after: 5 * 60)
    #expect(night["changed-today"] == nil)
    _ = try await skip(pools[0])
    #expect(try await crew.notices(after: 5)["changed-today"] == nil)
  }

  @Test func `a change of tomorrow needs no notice where none was sent on the evening before`() async throws {
    let crew = try await Crew(isPreviewed: false)
    _ = try await crew.notices(after: 12 * 60)
    let tuesday = try await told(crew.fixture, "2026-03-03")
    _ = try await crew.field.moveDay(
      FieldCall.MoveDay(team: Self.team, date: "2026-03-03", to: "2026-03-04", technician: tuesday.keys.first),
      crew.fixture.caller)
    #expect(try await crew.notices(after: 30)["changed-today"] == nil)
  }

  @Test func `a stop that comes to a day without stops is told, and one of a removed pool`() async throws {
    let crew = try await Crew(isPreviewed: false)
    let first = try await told(crew.fixture, "2026-03-02")
    // Monday's stops are moved before the morning, which then has nothing to send.
    _ = try await crew.field.moveDay(
      FieldCall.MoveDay(team: Self.team, date: "today", to: "tomorrow", reason: "rain"), crew.fixture.caller)
    #expect(try await crew.notices(after: 60)["morning-summary"] == nil)
    let tuesday = try await told(crew.fixture, "2026-03-03")
    let name = try #require(tuesday.keys.sorted().first { !Set(tuesday[$0] ?? []).isSubset(of: first[$0] ?? []) })
    let pool = try #require(tuesday[name]?.first { first[name]?.contains($0) != true })
    _ = try await crew.field.moveStop(
      FieldCall.MoveStop(team: Self.team, pool: pool, from: "tomorrow", to: "today", reason: "party"),
      crew.fixture.caller)
    let own = try #require(try await crew.notices(after: 1)["changed-today"]?[name])
    #expect(own[1].hasPrefix("\(pool) is new on this route"), "\(own)")
    _ = try await crew.field.removePool(FieldCall.RemovePool(team: Self.team, pool: pool), crew.fixture.caller)
    let removed = try #require(try await crew.notices(after: 20)["changed-today"])
    #expect(removed[name]?.contains { $0.contains(pool) } == true, "\(removed)")
  }

  @Test func `a day that is closed after its evening before, and then moved, is told as moved`() async throws {
    let crew = try await Crew(isPreviewed: true)
    _ = try await crew.notices(after: 12 * 60)
    let tuesday = try await told(crew.fixture, "2026-03-03")
    _ = try await crew.fixture.services.daysOff.add(
      DaysOffCall.Add(days: "2026-03-03", team: Self.team, note: "storm", dryRun: false), crew.fixture.caller)
    let moved = try await crew.field.moveDay(
      FieldCall.MoveDay(team: Self.team, date: "2026-03-03", to: "2026-03-04", technician: tuesday.keys.sorted()[0]),
      crew.fixture.caller)
    let notices = try #require(try await crew.notices(after: 1)["changed-today"])
    #expect(notices.keys.contains(try #require(moved.changes.first).technician))
    let lines = try #require(notices[""])
    #expect(lines.count { $0.contains("moved to Wed") } == moved.changes.count, "\(lines)")
    #expect(lines.contains { $0.contains("skipped (storm)") }, "\(lines)")
  }

  @Test func `a rule or a pause that takes a changed date names it`() async throws {
    let fixture = try await ServiceFixture()
    let change = try await move(fixture, "2026-03-09", "2026-03-11")
    func set(_ key: String, _ value: String) async throws -> FieldCall.SetPool.Reply {
      try await fixture.poolService.field.setPool(
        FieldCall.SetPool(
          team: Self.team, pool: Self.customer, changes: [SettingChangeView(key: key, value: value)]), fixture.caller)
    }
    func pause(_ days: String) async throws -> FieldCall.PausePool.Reply {
      try await fixture.poolService.field.pausePool(
        FieldCall.PausePool(team: Self.team, pool: Self.customer, days: days), fixture.caller)
    }
    let lost =
      "the stop on Wed 2026-03-11, moved there from 2026-03-09 (change \(change.number)), is not served any more"
    #expect(try await set("notes", "blue gate").warnings == nil)
    #expect(try await pause("2026-03-20").warnings == nil)
    #expect(try await pause("2026-03-11").warnings == [lost])
    await fixture.refuses(ExitCode.usage, saying: "is paused on these days already, by pause 2") {
      _ = try await pause("2026-03-11")
    }
    _ = try await fixture.poolService.field.resumePool(
      FieldCall.ResumePool(team: Self.team, pool: Self.customer, pause: 2), fixture.caller)
    let moved = try await set("day", "Tue")
    #expect(moved.warnings == [lost] && moved.next == "2026-03-03")
  }

  @Test func `a day that is moved after its morning and moved back is told twice`() async throws {
    let crew = try await Crew(isPreviewed: false)
    _ = try await crew.notices(after: 60)
    let moved = try await crew.field.moveDay(
      FieldCall.MoveDay(team: Self.team, date: "today", to: "tomorrow", reason: "rain"), crew.fixture.caller)
    let away = try #require(try await crew.notices(after: 1)["changed-today"])
    #expect(Set(away.keys) == Set(moved.changes.map(\.technician)).union([""]))
    #expect(away[""]?.last == "There is no route on this day.")
    _ = try await crew.field.undoStops(
      FieldCall.UndoStops(team: Self.team, number: try #require(moved.changes.first).number), crew.fixture.caller)
    let back = try #require(try await crew.notices(after: 20)["changed-today"])
    #expect(Set(back.keys) == Set(away.keys))
    #expect(back[""]?.contains { $0.hasSuffix("is new on this route") } == true)
  }
}
