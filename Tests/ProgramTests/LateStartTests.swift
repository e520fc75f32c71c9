import FlowControl
import FlowModel
import Foundation
import Testing

extension Programs {
  /// Starts after a missed slot: the daemon was down at 07:00.
  @Suite struct LateStartTests {
    @Test func `three hours late, the morning's digest comes once with a Late line`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      try eventually("the digest is sent", { try daemon.unsent() == 0 && daemon.notices.count == 1 })
      let runs = try daemon.runs("morning-summary")
      #expect(runs.map(\.outcome) == [.notified])
      let run = try #require(runs.first)
      #expect(run.slot == "2026-03-02T14:00:00Z")
      #expect((10_800.0...10_830).contains(run.lateS))
      let event = try daemon.droppedEvents()[0]
      #expect(event.lines.first?.hasPrefix("Late: due Mon 7:00\u{202F}AM MST, sent Mon 10:00\u{202F}AM MST") == true)
      #expect(try daemon.ask("history").output.contains("3h"))
      // Another start has nothing left to catch up.
      try daemon.stop()
      try daemon.start()
      #expect(try daemon.runs("morning-summary").count == 1)
      #expect(daemon.notices.count == 1)
    }

    @Test func `seven hours late, the morning is recorded as missed without a notice`() throws {
      let daemon = try Daemon(at: "2026-03-02T21:00:00Z").start()
      try eventually("the slot is settled", { try daemon.runs("morning-summary").first?.outcome.isSettled == true })
      let runs = try daemon.runs("morning-summary")
      #expect(runs.map(\.outcome) == [.missed])
      #expect(runs.first?.reason == "too-late")
      #expect((25_200.0...25_230).contains(try #require(runs.first).lateS))
      #expect(runs.first?.noticeId == nil)
      #expect(daemon.notices.isEmpty)
      #expect(try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.isEmpty)
    }

    @Test func `history lists a late morning and a missed one`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      try eventually("Monday's digest", { daemon.notices.count == 1 })
      try daemon.stop()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T21:00:00Z")))
      try daemon.start()
      try eventually(
        "Tuesday is settled", { try daemon.runs("morning-summary").map(\.outcome) == [.missed, .notified] })
      let table = try daemon.ask("history", "morning-summary").output.split(separator: "\n")
      #expect(table.count == 3)
      #expect(table[1].contains("Tue 2026-03-03 07:00 MST") && table[1].contains("missed"))
      #expect(table[2].contains("Mon 2026-03-02 07:00 MST") && table[2].contains("notified") && table[2].contains("3h"))
      #expect(daemon.notices.count == 1)
    }

    @Test func `after a week's downtime only the newest morning runs; others are missed`() throws {
      // Monday 09:00, a week later.
      let daemon = try Daemon(at: "2026-03-09T16:00:00Z").start()
      try eventually("Monday's digest", { try daemon.runs("morning-summary").first?.outcome == .notified })
      let runs = try daemon.runs("morning-summary")
      #expect(runs.map(\.outcome) == [.notified] + Array(repeating: .missed, count: 7))
      #expect(Set(runs.dropFirst().map(\.reason)) == ["too-late"])
      try eventually("it is sent", { try daemon.unsent() == 0 })
      #expect(try daemon.droppedEvents().count { $0.job == "morning-summary" } == 1)
    }

    @Test func `after ten years' downtime each job catches up one slot at most`() throws {
      // A Monday, 09:00.
      let daemon = try Daemon(at: "2036-03-03T16:00:00Z").start()
      try eventually("Monday's digest", { try daemon.runs("morning-summary").first?.outcome == .notified })
      try eventually("it is sent", { try daemon.unsent() == 0 })
      #expect(try daemon.droppedEvents().map(\.job).sorted() == ["morning-summary", "weekly-digest"])
      let runs = try daemon.query(SchedulerCall.History.Reply.self, "history", "--limit", "10000").runs
      #expect(runs.count { $0.outcome == .notified } == 2)
      #expect(runs.count <= 3_000)
    }
  }

  /// The effect of changed team settings on planned slots.
  @Suite struct SettingChangeTests {
    @Test func `a morning time moved ahead fires at the new time only`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:59:50Z").start()
      try daemon.change("team", "set", "desert-blue", "morning-time=07:00:20")
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T14:00:19.500Z")))
      let watch = try DropWatch(daemon.drop)
      try watch.wait(for: 1)
      let runs = try daemon.runs("morning-summary")
      #expect(runs.map(\.slot) == ["2026-03-02T14:00:20Z"])
      #expect(runs.map(\.outcome) == [.notified])
      // A later tick finds nothing left of the old time.
      daemon.clock.step(by: .minutes(10))
      try daemon.looks()
      #expect(try daemon.runs("morning-summary").count == 1)
      #expect(daemon.notices.count == 1)
    }

    @Test func `low stock is suppressed while the morning digest carries it`() throws {
      // Monday 18:30.
      let daemon = try Daemon(at: "2026-03-03T01:29:59Z").start()
      try eventually("the evening is settled", { try daemon.runs("low-stock").first?.outcome.isSettled == true })
      let run = try #require(try daemon.runs("low-stock").first)
      #expect(run.slot == "2026-03-03T01:30:00Z")
      #expect(run.outcome == .skipped)
      #expect(run.reason == "morning-summary-enabled")
      #expect(try daemon.ask("history").output.contains("the morning summary is enabled and carries the low stock"))
      #expect(try daemon.droppedEvents().filter { $0.job == "low-stock" }.isEmpty)
      #expect(try daemon.ask("simulate", "--days", "7").output.contains("Low stock:"))
    }

    @Test func `low stock runs on Sunday evening when the morning summary is off`() throws {
      let daemon = try Daemon(at: "2026-03-02T06:00:10Z").start()
      try daemon.change("team", "set", "desert-blue", "morning-summary=off")
      try daemon.stop()
      // Sunday 18:30.
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-09T01:29:59Z")))
      try daemon.start()
      try eventually("it is told", { try daemon.runs("low-stock").first?.outcome == .notified })
      try eventually("it is sent", { try daemon.unsent() == 0 })
      let event = try #require(try daemon.droppedEvents().first { $0.job == "low-stock" })
      #expect(event.title == "Prep for Tomorrow")
      // Two items are below their threshold, and tomorrow needs more of a third than there is: the count in the text includes it.
      #expect(try event.body == "3 low-stock chemical(s) before \(DemoStore.stops(day: 2)) scheduled stop(s).")
      #expect(event.lines.count { $0.hasPrefix("     ") } == 3, "\(event.lines)")
      #expect(event.lines.contains { $0.contains("Sodium Bicarbonate") })
      #expect(try daemon.droppedEvents().filter { $0.job == "morning-summary" }.isEmpty)
    }

    @Test func `history gives the reason for a day without stops and a muted team`() throws {
      // Saturday.
      let daemon = try Daemon(at: "2026-03-07T13:59:59Z").start()
      try eventually("Saturday is settled", { try daemon.runs("morning-summary").first?.outcome == .skipped })
      #expect(try daemon.runs("morning-summary").first?.reason == "no-stops-today")
      try daemon.change("team", "set", "desert-blue", "notifications=off")
      try daemon.change("run", "weekly-digest", "--team", "desert-blue")
      #expect(try daemon.runs("weekly-digest").first?.reason == "notifications-off")
    }
  }

  /// The reminder one day before a trial ends.
  @Suite struct TrialReminderTests {
    @Test func `the trial reminder comes one day before the end, once`() throws {
      let daemon = try Daemon(at: "2026-03-04T15:29:50Z").start()
      try daemon.change("team", "plan", "desert-blue", "trial", "--until", "2026-03-05T15:30:00Z")
      #expect(try daemon.runs("trial-reminder").isEmpty)
      daemon.clock.step(by: .seconds(9))
      try eventually("the reminder is told", { try daemon.runs("trial-reminder").first?.outcome == .notified })
      try eventually("it is sent", { try daemon.unsent() == 0 })
      let events = try daemon.droppedEvents().filter { $0.job == "trial-reminder" }
      #expect(events.map(\.title) == ["Your PoolFlow Pro trial ends tomorrow"])
      #expect(events.map(\.time) == ["2026-03-04T15:30:00Z"])
    }

    @Test func `a trial reminder whose time has passed is skipped and recorded`() throws {
      let daemon = try Daemon(at: "2026-03-04T15:30:00Z").start()
      try daemon.change("team", "plan", "desert-blue", "trial", "--until", "2026-03-05T12:00:00Z")
      let run = try #require(try daemon.runs("trial-reminder").first)
      #expect(run.outcome == .skipped)
      #expect(run.reason == "already-past")
      daemon.clock.step(by: .minutes(10))
      try daemon.looks()
      #expect(try daemon.runs("trial-reminder").count { $0.trigger == .schedule } == 1)
      #expect(try daemon.droppedEvents().filter { $0.job == "trial-reminder" }.isEmpty)
    }
  }
}

/// The fields of a drop folder's event that tests compare.
struct DroppedEvent {
  let name: String
  let job: String
  let time: String
  let title: String
  let body: String
  let lines: [String]
}

extension Daemon {
  /// The events in the drop folder, ordered by file name.
  func droppedEvents() throws -> [DroppedEvent] {
    try notices.map { name in
      let json = try JSONSerialization.jsonObject(with: Data(try Files.bytes("\(drop)/\(name)"))) as? [String: Any]
      let data = json?["data"] as? [String: Any]
      func text(_ value: Any?) -> String { value as? String ?? "" }
      return DroppedEvent(
        name: name, job: text(data?["job"]), time: text(json?["time"]), title: text(data?["title"]),
        body: text(data?["body"]), lines: data?["lines"] as? [String] ?? [])
    }
  }

  /// Makes the scheduler run its tick, and waits for its effects: a changed setting causes the tick, and a manual run of
  /// `job` (suppressed while the morning summary is on) is processed after it.
  func looks(by job: String = "low-stock", of team: String = "desert-blue") throws {
    for _ in 1...2 { try change("team", "set", team, "\(job)=on") }
    try change("run", job, "--team", team)
  }
}
