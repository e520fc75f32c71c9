import FlowControl
import FlowModel
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import Testing
import TradeInterfaces

@testable import FlowAnswers

/// Reminders and days off through the services: accepted values, refusals, and their effect on other answers.
struct ReminderAnswersTests {
  private func values(_ pairs: [String: String]) -> [ReminderChangeView] {
    pairs.map { ReminderChangeView(key: $0.key, value: $0.value) }
  }

  @discardableResult
  private func add(
    _ name: String?, _ pairs: [String: String], to fixture: ServiceFixture, dryRun: Bool = false
  ) async throws -> RemindersCall.Set {
    try await fixture.reminders.add(
      RemindersCall.Add(name: name, team: ServiceFixture.team, values: values(pairs), dryRun: dryRun), fixture.caller)
  }

  @Test func `a reminder is added, described, changed, listed and removed`() async throws {
    let fixture = try await ServiceFixture()
    let set = try await add(
      "filters",
      [
        "rule": "Mon *-*-1..7 09:00", "title": "Filters", "text": "Order {pools.today}", "when": "stops", "times": "3",
        "until": "2026-12-31", "severity": "warning",
      ], to: fixture)
    #expect(set.reminder.rule == "Mon *-*-01..07 09:00:00 until 2026-12-31")
    #expect(set.reminder.timesLeft == 3 && set.reminder.condition == .stops && set.reminder.severity == .warning)
    // It is Monday the 2nd, 07:30 in Phoenix.
    #expect(
      set.reminder.next.map(\.local) == [
        "Mon 2026-03-02 09:00 MST", "Mon 2026-04-06 09:00 MST", "Mon 2026-05-04 09:00 MST",
      ])
    #expect(set.said.hasPrefix("Filters: Order "))
    let changed = try await fixture.reminders.change(
      RemindersCall.Change(
        name: "filters", team: ServiceFixture.team,
        values: values(["until": "always", "times": "always", "for": "all"]),
        dryRun: false), fixture.caller)
    #expect(changed.reminder.rule == "Mon *-*-01..07 09:00:00" && changed.reminder.timesLeft == nil)
    // An ended reminder restarts with a new rule.
    let ended = try await fixture.reminders.change(
      RemindersCall.Change(
        name: "filters", team: ServiceFixture.team, values: values(["at": "tomorrow 10:00"]), dryRun: true),
      fixture.caller)
    #expect(ended.reminder.words == "once, Tue 2026-03-03 10:00 MST")
    // A reminder is a job like others.
    let jobs = try await fixture.services.scheduler.list(SchedulerCall.List(team: ServiceFixture.team), fixture.caller)
      .jobs
    #expect(jobs.contains { $0.job == "reminder-filters" && $0.rule == "Mon *-*-01..07 09:00:00" })
    let why = try await fixture.services.scheduler.why(
      SchedulerCall.Why(subject: "reminder-filters", team: ServiceFixture.team), fixture.caller)
    #expect(why.answer.contains("has not been due yet"), "\(why.answer)")
    let timing = try await fixture.services.jobs.set(
      JobsCall.Set(
        job: "reminder-filters", team: ServiceFixture.team,
        changes: [JobChangeView(key: "catch-up", value: "none"), JobChangeView(key: "closed", value: "ignore")],
        dryRun: false), fixture.caller)
    #expect(timing.timing.settings.contains { $0.key == "closed" && $0.value == "ignore" })
    let listed = try await fixture.reminders.list(RemindersCall.List(team: nil, over: false), fixture.caller)
    #expect(listed.reminders.map(\.name) == ["filters"])
    _ = try await fixture.reminders.remove(
      RemindersCall.Remove(name: "filters", team: ServiceFixture.team), fixture.caller)
    let left = try await fixture.reminders.list(RemindersCall.List(team: nil, over: true), fixture.caller)
    #expect(left.reminders.isEmpty)
  }

  @Test func `a one-time reminder needs no name; names are unique`() async throws {
    let fixture = try await ServiceFixture()
    let first = try await add(nil, ["at": "tomorrow 15:00", "text": "Call Mrs Baird"], to: fixture)
    let second = try await add(nil, ["at": "2026-03-03 15:00", "text": "Call Mr Cole"], to: fixture)
    #expect(first.reminder.name == "20260303-1500" && second.reminder.name == "20260303-1500-2")
    #expect(first.reminder.words == "once, Tue 2026-03-03 15:00 MST" && first.said == "Reminder: Call Mrs Baird")
    let preview = try await add(nil, ["at": "mon 09:00", "text": "x"], to: fixture, dryRun: true)
    #expect(preview.reminder.next.map(\.local) == ["Mon 2026-03-09 09:00 MST"])
    let listed = try await fixture.reminders.list(RemindersCall.List(team: nil, over: true), fixture.caller)
    #expect(listed.reminders.count == 2)
  }

  @Test func `an invalid reminder is refused as a whole`() async throws {
    let fixture = try await ServiceFixture()
    try await add("there", ["rule": "09:00", "text": "x"], to: fixture)
    let before = try fixture.marks()
    let text = ["text": "x"]
    let bad: [(name: String?, values: [String: String], parts: [String])] = [
      ("new", ["rule": "*-02-30"].merging(text) { $1 }, ["rule cannot be '*-02-30'", "no date matches"]),
      ("new", ["rule": "*:*:*"].merging(text) { $1 }, ["86400 times a day", "1440"]),
      ("new", ["rule": "25:00"].merging(text) { $1 }, ["column 1", "expected"]),
      (
        "new", ["rule": "09:00", "text": String(repeating: "x", count: 10_000)], ["text cannot be", "1000 characters"]
      ),
      ("new", ["rule": "09:00", "text": "{pool.today}"], ["column 1", "did you mean {pools.today}?"]),
      ("new", ["rule": "09:00", "text": "\u{7}"], ["text cannot be"]),
      ("new", ["rule": "09:00"], ["text is missing"]),
      ("new", text, ["say when"]),
      ("new", ["at": "2026-03-01 09:00"].merging(text) { $1 }, ["is past"]),
      ("new", ["at": "tomorrow"].merging(text) { $1 }, ["such as 'tomorrow 09:00'"]),
      ("new", ["at": "soon"].merging(text) { $1 }, ["this is not a time"]),
      ("new", ["at": "tomorrow 09:00", "rule": "09:00"].merging(text) { $1 }, ["not both"]),
      ("new", ["at": "tomorrow 09:00", "times": "2"].merging(text) { $1 }, ["sent once"]),
      ("new", ["at": "tomorrow 09:00", "until": "2027-01-01"].merging(text) { $1 }, ["only a reminder with a rule"]),
      ("new", ["rule": "09:00", "until": "2026-01-01"].merging(text) { $1 }, ["has no future date"]),
      ("new", ["rule": "09:00", "times": "0"].merging(text) { $1 }, ["from 1 to"]),
      ("new", ["rule": "09:00", "when": "sometimes"].merging(text) { $1 }, ["always, stops, low-stock"]),
      ("new", ["rule": "09:00", "severity": "bad"].merging(text) { $1 }, ["info, notice, warning, error"]),
      ("new", ["rule": "09:00", "for": "Unknown"].merging(text) { $1 }, ["no technician"]),
      ("new", ["rule": "09:00", "wen": "stops"].merging(text) { $1 }, ["did you mean 'when'?"]),
      ("New", ["rule": "09:00"].merging(text) { $1 }, ["lower-case letters"]),
      (nil, ["rule": "09:00"].merging(text) { $1 }, ["needs a name"]),
    ]
    for one in bad {
      do {
        try await add(one.name, one.values, to: fixture)
        Issue.record("taken: \(one.values)")
      } catch let error as ControlError {
        #expect(
          InterfaceCatalogue.every.exitCode(of: error) == (one.parts == ["no technician"] ? 67 : 64), "\(error.message)"
        )
        for part in one.parts { #expect(error.message.contains(part), "\(error.message)") }
        #expect(error.message.utf8.count < 600)
      }
    }
    await fixture.refuses(73, saying: "has a reminder 'there' already", "pfctl reminder set there") {
      try await add("there", ["rule": "09:00", "text": "x"], to: fixture)
    }
    await fixture.refuses(67, saying: "has no reminder 'ther'", "did you mean 'there'?") {
      _ = try await fixture.reminders.remove(
        RemindersCall.Remove(name: "ther", team: ServiceFixture.team), fixture.caller)
    }
    #expect(try fixture.marks() == before)
  }

  // MARK: Days off

  private func close(
    _ days: String, technician: String? = nil, _ fixture: ServiceFixture, dryRun: Bool = false
  ) async throws -> DaysOffCall.Add.Reply {
    try await fixture.services.daysOff.add(
      DaysOffCall.Add(
        days: days, team: ServiceFixture.team, technician: technician, note: "Holiday", dryRun: dryRun), fixture.caller)
  }

  @Test func `a closed day is shown by next, list, why and simulate`() async throws {
    let fixture = try await ServiceFixture()
    let preview = try await close("tomorrow", fixture, dryRun: true)
    #expect(preview.day?.days == "2026-03-03" && preview.open.first?.date == "2026-03-03")
    #expect(
      try await fixture.services.daysOff.list(DaysOffCall.List(team: nil, past: true), fixture.caller).days.isEmpty)
    let closed = try await close("tomorrow", fixture)
    #expect(closed.day?.words == "Tue 2026-03-03" && closed.day?.note == "Holiday")
    #expect(try await close("2026-03-03", fixture).day == nil)
    let scheduler = fixture.services.scheduler
    let next = try await scheduler.next(
      SchedulerCall.Next(job: "morning-summary", team: ServiceFixture.team, count: 2), fixture.caller
    ).occurrences
    #expect(next.map(\.note) == ["the team is closed: Holiday", nil])
    let listed = try await scheduler.list(SchedulerCall.List(team: ServiceFixture.team), fixture.caller).jobs
    #expect(listed.first { $0.job == "morning-summary" }?.note == "the team is closed: Holiday")
    let why = try await scheduler.why(
      SchedulerCall.Why(subject: "morning-summary", team: ServiceFixture.team), fixture.caller)
    #expect(why.facts.contains { $0.word == "next" && $0.text == "silent: the team is closed: Holiday" })
    let simulated = try await scheduler.simulate(
      SchedulerCall.Simulate(days: 2, team: ServiceFixture.team), fixture.caller, nil)
    #expect(
      simulated.events.contains {
        $0.job == "morning-summary" && $0.reason == "closed-today" && $0.detail == "the team is closed today: Holiday"
      })
    #expect(simulated.events.contains { $0.job == "closed-day" && $0.outcome == .notified })
    // A job may ignore closed days.
    _ = try await fixture.services.jobs.set(
      JobsCall.Set(
        job: "morning-summary", team: ServiceFixture.team, changes: [JobChangeView(key: "closed", value: "ignore")],
        dryRun: false), fixture.caller)
    let ignoring = try await scheduler.simulate(
      SchedulerCall.Simulate(days: 2, team: ServiceFixture.team), fixture.caller, nil)
    #expect(!ignoring.events.contains { $0.reason == "closed-today" })
    let days = try await fixture.services.daysOff.list(DaysOffCall.List(team: nil, past: false), fixture.caller).days
    let removed = try await fixture.services.daysOff.remove(
      DaysOffCall.Remove(team: ServiceFixture.team, id: try #require(days.first).id), fixture.caller)
    #expect(removed.day.days == "2026-03-03")
  }

  @Test func `days off are listed at any distance; past ones are omitted`() async throws {
    let fixture = try await ServiceFixture()
    for days in ["2199-12-31", "*-02-29", "2027-06-01..2027-06-03", "2026-03-03", "*-12-25 until 2026-12-31"] {
      #expect(try await close(days, fixture).day != nil, "\(days)")
      #expect(try await close(days, fixture).day == nil, "\(days)")
    }
    func list(past: Bool) async throws -> [String?] {
      try await fixture.services.daysOff.list(DaysOffCall.List(team: nil, past: past), fixture.caller).days.map(\.next)
    }
    let coming = ["2026-03-03", "2026-12-25", "2027-06-01", "2028-02-29", "2199-12-31"]
    #expect(try await list(past: false) == coming)
    fixture.clock.set(try #require(Timestamp(rfc3339: "2027-01-04T14:30:00Z")))
    #expect(try await list(past: false) == Array(coming.dropFirst(2)))
    #expect(try await list(past: true) == Array(coming.dropFirst(2)) + [nil, nil])
  }

  private func calendar(_ lines: [String]) -> String {
    let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    return Data(text.utf8).base64EncodedString()
  }

  @Test func `an iCalendar file closes the team on its days, once`() async throws {
    let fixture = try await ServiceFixture()
    let file = calendar([
      "BEGIN:VEVENT", "UID:1", "DTSTART;VALUE=DATE:20251225", "RRULE:FREQ=YEARLY", "SUMMARY:Christmas", "END:VEVENT",
      "BEGIN:VEVENT", "UID:2", "DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260305", "SUMMARY:Fair", "END:VEVENT",
      "BEGIN:VEVENT", "UID:3", "DTSTART;VALUE=DATE:20240101", "SUMMARY:Past", "END:VEVENT",
      "BEGIN:VEVENT", "UID:4", "DTSTART:20260303T100000Z", "SUMMARY:Lunch", "END:VEVENT",
    ])
    func bring(dryRun: Bool) async throws -> DaysOffCall.Import.Reply {
      try await fixture.services.daysOff.import(
        DaysOffCall.Import(calendar: file, team: ServiceFixture.team, dryRun: dryRun), fixture.caller)
    }
    let before = try fixture.marks()
    let preview = try await bring(dryRun: true)
    #expect(preview.added.map(\.note) == ["Christmas", "Fair"] && preview.past == 1)
    #expect(preview.remarks.count == 1 && preview.remarks[0].contains("'Lunch'"), "\(preview.remarks)")
    #expect(try fixture.marks() == before)
    #expect(try await bring(dryRun: false).added.map(\.days).last == "2026-03-03..2026-03-04")
    let again = try await bring(dryRun: false)
    #expect(again.added.isEmpty && again.known == 2)
  }

  @Test func `invalid days off are refused as a whole`() async throws {
    let fixture = try await ServiceFixture()
    let before = try fixture.marks()
    for (days, part) in [
      ("2026-01-01..2076-01-01", "366"), ("*-02-30", "no date matches"), ("2026-03-01", "all of these days are past"),
      ("2026-03-09..2026-03-04", "2026-03-04"), ("Mon 07:00", "time"), ("someday", "expected"), ("", "day"),
      ("Mon..Sat *-*-*", "183"),
    ] {
      await fixture.refuses(64, saying: days.isEmpty ? "days is missing" : "days cannot be", part) {
        _ = try await close(days, fixture)
      }
    }
    await fixture.refuses(67, saying: "no technician") {
      _ = try await close("tomorrow", technician: "Unknown", fixture)
    }
    await fixture.refuses(67, saying: "no days off with number") {
      _ = try await fixture.services.daysOff.remove(
        DaysOffCall.Remove(team: ServiceFixture.team, id: 7), fixture.caller)
    }
    let big = Data(repeating: UInt8(ascii: "X"), count: Limits.largestCalendarFile + 1).base64EncodedString()
    for (file, part) in [(big, "more than the 524.3 kB"), (Data("PK".utf8).base64EncodedString(), "VCALENDAR")] {
      await fixture.refuses(65, saying: part) {
        _ = try await fixture.services.daysOff.import(
          DaysOffCall.Import(calendar: file, team: ServiceFixture.team, dryRun: false), fixture.caller)
      }
    }
    #expect(try fixture.marks() == before)
  }

  @Test func `why names the suppression reason first`() async throws {
    let fixture = try await ServiceFixture()
    func why() async throws -> SchedulerCall.Why.Reply {
      try await fixture.services.scheduler.why(
        SchedulerCall.Why(subject: "low-stock", team: ServiceFixture.team), fixture.caller)
    }
    let suppressed = try await why()
    #expect(
      suppressed.answer.hasPrefix("low-stock of desert-blue stays silent: the morning summary is enabled"),
      "\(suppressed.answer)")
    #expect(suppressed.advice.first?.command == "pfctl why morning-summary --team desert-blue")
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(
        name: ServiceFixture.team, changes: [SettingChangeView(key: "route-preview", value: "on")]), fixture.caller)
    #expect(try await why().answer.contains("the route of the evening before is enabled"))
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: ServiceFixture.team, changes: [SettingChangeView(key: "low-stock", value: "off")]),
      fixture.caller
    )
    #expect(try await why().advice.first?.command == "pfctl team set desert-blue low-stock=on")
  }

  @Test func `why explains a future slot: its time and expected outcome`() async throws {
    let fixture = try await ServiceFixture()
    let scheduler = fixture.services.scheduler
    func why(_ at: String, _ job: String = "morning-summary") async throws -> String {
      try await scheduler.why(SchedulerCall.Why(subject: job, team: ServiceFixture.team, at: at), fixture.caller).answer
    }
    let name = "morning-summary of desert-blue is not due yet: it is due"
    #expect(try await why("2026-03-10 07:00") == "\(name) Tue 2026-03-10 07:00 MST")
    // A time between two slots selects the earlier one.
    #expect(try await why("2026-03-11 06:59") == "\(name) Tue 2026-03-10 07:00 MST")
    #expect(try await why("2150-01-01 07:00") == "\(name) Thu 2150-01-01 07:00 MST")
    _ = try await close("2026-03-10", fixture)
    #expect(
      try await why("2026-03-10 07:00")
        == "\(name) Tue 2026-03-10 07:00 MST, and will stay silent: the team is closed: Holiday")
    let quiet = try await why("2026-03-12 23:00", "low-stock")
    #expect(quiet.contains("will stay silent by the present settings: the morning summary is enabled"), "\(quiet)")
    _ = try await scheduler.skip(
      SchedulerCall.Skip(job: "morning-summary", team: ServiceFixture.team, count: 2), fixture.caller)
    let skipped = try await why("2026-03-03 07:00")
    #expect(skipped.hasPrefix("\(name) Tue 2026-03-03 07:00 MST, and will not run then: skipped by "), "\(skipped)")
    #expect(try await why("2026-03-05 07:00") == "\(name) Thu 2026-03-05 07:00 MST")
    _ = try await scheduler.pause(
      SchedulerCall.Pause(job: "morning-summary", team: ServiceFixture.team, until: "2026-03-20", note: "recount"),
      fixture.caller)
    let paused = try await why("2026-03-10 07:00")
    #expect(paused.hasPrefix("\(name) Tue 2026-03-10 07:00 MST, and will not run then: paused by "), "\(paused)")
    #expect(paused.hasSuffix(": recount"), "\(paused)")
    // A paused slot uses up no skip.
    let afterPause = try await why("2026-03-20 07:00")
    #expect(afterPause.contains("Fri 2026-03-20 07:00 MST, and will not run then: skipped by "), "\(afterPause)")
    #expect(try await why("2026-03-25 07:00") == "\(name) Wed 2026-03-25 07:00 MST")
  }
}
