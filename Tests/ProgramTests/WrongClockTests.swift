import FlowControl
import FlowModel
import Foundation
import Testing

extension Programs {
  /// Correction of a clock that was ahead: no slot is lost, and no slot runs twice.
  @Suite struct WrongClockTests {
    private let utc = ["TZ": "UTC"]

    private func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    private func next(_ daemon: Daemon, _ job: String) throws -> String? {
      try daemon.query(SchedulerCall.List.Reply.self, "list").jobs.first { $0.job == job }?.next
    }

    private func words(_ daemon: Daemon) -> [String] { daemon.notices.filter { $0.contains("clock-came-back") } }

    @Test func `a start 400 days ahead costs no slot after the correction`() throws {
      let daemon = try Daemon(at: "2026-03-02T12:00:00Z").start(environment: utc)
      try daemon.looks()
      try daemon.stop()
      // A Tuesday of the next year, an hour after the morning.
      daemon.clock.set(to: try instant("2027-04-06T15:00:00Z"))
      try daemon.start(environment: utc)
      try eventually(
        "the wrong morning is told and the night is caught up on",
        {
          try daemon.runs("morning-summary").first?.outcome == .notified
            && daemon.query(BackupCall.List.Reply.self, "backup", "list").backups.count == 1
        })
      try daemon.stop()
      daemon.clock.set(to: try instant("2026-03-02T12:10:00Z"))
      try daemon.start(environment: utc)
      try eventually("the operator's word", { words(daemon).count == 1 })
      #expect(try next(daemon, "morning-summary") == "2026-03-02T14:00:00Z")
      #expect(try next(daemon, "backup") == "2026-03-03T02:15:00Z")
      let check = try daemon.ask("status", "--check")
      #expect(check.code == 1 && check.output.contains("the clock was wrong and has been corrected"), "\(check)")
      let status = try daemon.ask("status")
      #expect((status.output + status.errors).contains("! the clock was wrong: until "), "\(status)")
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").clockMended?.contains("400 d") == true)
      let doctor = try daemon.ask("doctor").output
      #expect(doctor.contains("the clock had shown 2027-04-06T15:00:0") && doctor.contains("went back"), "\(doctor)")
      #expect(daemon.log.contains("the clock came back: until "))
      let early = try daemon.query(
        SchedulerCall.Why.Reply.self, "why", "morning-summary", "--team", "desert-blue", "--at",
        "2027-04-06T14:00:00Z")
      #expect(early.facts.contains { $0.text.contains("it had run when the clock was set back to") }, "\(early)")
      let open = try daemon.query(
        SchedulerCall.Why.Reply.self, "why", "morning-summary", "--team", "desert-blue", "--at",
        "2026-03-02T12:05:00Z")
      #expect(open.facts.contains { $0.word == "next" && $0.at == "2026-03-02T14:00:00Z" }, "\(open)")
      // Monday's morning and the nightly backup run at their correct times.
      daemon.clock.set(to: try instant("2026-03-02T13:59:59.500Z"))
      try eventually(
        "Monday's digest", { try daemon.runs("morning-summary").contains { $0.slot == "2026-03-02T14:00:00Z" } })
      daemon.clock.set(to: try instant("2026-03-03T02:14:59.500Z"))
      try eventually(
        "the night's backup",
        {
          try daemon.query(BackupCall.List.Reply.self, "backup", "list").backups.contains {
            $0.createdAt.hasPrefix("2026-03-03T02:15:0")
          }
        })
      try daemon.stop()
      try daemon.start(environment: utc)
      try daemon.looks()
      #expect(words(daemon).count == 1)
      let slots = try daemon.runs("morning-summary").map(\.slot)
      #expect(Set(slots).count == slots.count)
    }

    @Test func `a morning that ran before the wrong start does not run again`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:00:30Z").start()
      try eventually("Monday's digest", { try daemon.runs("morning-summary").map(\.outcome) == [.notified] })
      try daemon.stop()
      // Further ahead than the ledger's retention.
      daemon.clock.set(to: try instant("2028-03-07T15:00:00Z"))
      try daemon.start()
      try eventually("it was believed", { try daemon.runs("morning-summary").first?.slot ?? "" > "2028" })
      #expect(try daemon.ask("doctor").output.contains("no old records are deleted"))
      try daemon.stop()
      daemon.clock.set(to: try instant("2026-03-02T14:20:00Z"))
      try daemon.start()
      try eventually("the operator's word", { words(daemon).count == 1 })
      try daemon.looks()
      let monday = try daemon.runs("morning-summary").filter { $0.slot < "2027" }
      #expect(monday.map(\.slot) == ["2026-03-02T14:00:00Z"] && monday.first?.lateS ?? 100 < 60, "\(monday)")
      #expect(try next(daemon, "morning-summary") == "2026-03-03T14:00:00Z")
      daemon.clock.set(to: try instant("2026-03-03T13:59:59.500Z"))
      try eventually(
        "Tuesday's digest", { try daemon.runs("morning-summary").contains { $0.slot == "2026-03-03T14:00:00Z" } })
    }

    /// `FlowDaemonTests` tries other distances, and corrections while the daemon runs.
    @Test func `a clock that is ahead for a day and corrected costs no morning`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:20:00Z").start()
      let watch = try DropWatch(daemon.drop)
      try daemon.looks()
      func step(by distance: Duration) throws {
        try daemon.stop()
        daemon.clock.step(by: distance)
        try daemon.start()
        try daemon.looks()
      }
      try step(by: .minutes(24 * 60 + 45))
      try step(by: .minutes(-24 * 60 - 45))
      for day in ["2026-03-02", "2026-03-03", "2026-03-04"] {
        daemon.clock.set(to: try instant("\(day)T13:59:59.500Z"))
        try eventually("\(day) comes by", { daemon.clock.now.description > "\(day)T14:00:00.5" })
        try daemon.looks()
        let own = try daemon.runs("morning-summary").filter { $0.slot == "\(day)T14:00:00Z" }
        #expect(own.map(\.outcome) == [.notified], "\(day): \(own)")
      }
      try eventually("all is sent", { try daemon.unsent() == 0 })
      watch.look()
      #expect(watch.arrivals.filter { $0.contains("morning-summary") }.count == 3)
    }

    @Test func `a morning skipped while the clock was ahead is caught up after correction`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:50:00Z").start()
      try daemon.looks()
      daemon.clock.step(by: .hours(20))
      try eventually("it was passed over", { try daemon.runs("morning-summary").map(\.outcome) == [.missed] })
      // An hour later the clock is corrected.
      daemon.clock.set(to: try instant("2026-03-02T14:50:00Z"))
      try eventually("Monday's digest", { try daemon.runs("morning-summary").map(\.outcome) == [.notified] })
      let run = try #require(try daemon.runs("morning-summary").first)
      #expect((3_000.0...3_060).contains(run.lateS))
      let why = try daemon.query(
        SchedulerCall.Why.Reply.self, "why", "morning-summary", "--team", "desert-blue")
      #expect(why.facts.contains { $0.text.contains("the clock was ahead") }, "\(why)")
    }

    @Test func `a running daemon recovers when a wrong year is corrected`() throws {
      let daemon = try Daemon(at: "2026-03-02T12:00:00Z").start()
      try daemon.looks()
      daemon.clock.step(by: .hours(24 * 400))
      try eventually("probation", { try daemon.query(SchedulerCall.Status.Reply.self, "status").clock == .probation })
      daemon.clock.step(by: .seconds(61))
      try eventually(
        "the wrong year is believed", { try daemon.runs("morning-summary").first?.slot ?? "" > "2027" })
      daemon.clock.step(by: .zero - .hours(24 * 400) - .seconds(61))
      try eventually("the operator's word", { words(daemon).count == 1 })
      #expect(try next(daemon, "morning-summary") == "2026-03-02T14:00:00Z")
      daemon.clock.set(to: try instant("2026-03-02T13:59:59.500Z"))
      try eventually(
        "Monday's digest", { try daemon.runs("morning-summary").contains { $0.slot == "2026-03-02T14:00:00Z" } })
    }

    @Test func `with the daemon stopped, next shows the correct slots after a correction`() throws {
      let daemon = try Daemon(at: "2026-03-02T12:00:00Z").start()
      try daemon.stop()
      daemon.clock.set(to: try instant("2027-04-06T15:00:00Z"))
      try daemon.start()
      try eventually("it was believed", { try daemon.runs("morning-summary").first?.slot ?? "" > "2027" })
      try daemon.stop()
      daemon.clock.set(to: try instant("2026-03-02T12:10:00Z"))
      let answer = try Pfctl.run(
        ["next", "morning-summary", "--team", "desert-blue", "--socket", daemon.socket, "--json"], in: daemon.scratch,
        environment: daemon.clock.environment)
      #expect(answer.output.contains("2026-03-02T14:00:00Z"), "\(answer)")
    }
  }
}
