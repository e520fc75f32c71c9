import FlowControl
import FlowModel
import Testing

extension Programs {
  /// The clock is set while the daemon runs.
  @Suite struct ClockStepTests {
    @Test(arguments: [Duration.hours(1), .hours(24), .hours(24 * 7)])
    func `a clock set back runs no slot twice`(by distance: Duration) throws {
      let daemon = try Daemon(at: "2026-03-02T13:59:59Z").start()
      let watch = try DropWatch(daemon.drop)
      try watch.wait(for: 1)
      daemon.clock.step(by: .zero - distance)
      try daemon.looks()
      // The slot's time comes again, once while the daemon runs and once while it restarts.
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T13:59:59.700Z")))
      try daemon.looks()
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T13:59:59.700Z")))
      try daemon.start()
      try eventually("07:00 comes by", { daemon.clock.now.description > "2026-03-02T14:00:01" })
      try daemon.looks()
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T16:00:00Z")))
      try daemon.start()
      try daemon.looks()
      let runs = try daemon.runs("morning-summary")
      #expect(runs.filter { $0.trigger == .schedule && $0.slot == "2026-03-02T14:00:00Z" }.count == 1)
      #expect(runs.count == 1)
      watch.look()
      #expect(watch.arrivals.filter { $0.contains("morning-summary") }.count == 1)
    }

    @Test func `after the clock is set back an hour, the next morning's digest is on time`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:59:59Z").start()
      let watch = try DropWatch(daemon.drop)
      try watch.wait(for: 1)
      daemon.clock.step(by: .zero - .hours(1))
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T13:59:59Z")))
      try watch.wait(for: 2)
      #expect(try daemon.runs("morning-summary").map(\.slot) == ["2026-03-03T14:00:00Z", "2026-03-02T14:00:00Z"])
    }

    @Test func `a clock step over a slot wakes the daemon at once; the slot runs once`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:00:00Z").start()
      let watch = try DropWatch(daemon.drop)
      daemon.clock.step(by: .minutes(90))
      let stepped = ContinuousClock.now
      try watch.wait(for: 1)
      let delay = stepped.duration(to: .now)
      print("the file came \(delay) after the step")
      // The step itself woke the daemon, not its next regular tick (at most a minute later).
      #expect(delay < Limits.longestSleep / 2)
      #expect(try daemon.runs("morning-summary").map(\.lateS).allSatisfy { $0 >= 1_800 && $0 < 1_860 })
    }

    @Test func `an implausible clock is reported once and schedules nothing`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z").start()
      try eventually("Monday's digest", { daemon.notices.count == 1 })
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "1980-01-06T00:00:00Z")))
      func words() -> [String] { daemon.notices.filter { $0.contains("clock-implausible") } }
      try eventually("the operator's word", { words().count == 1 })
      let text = try Files.text("\(daemon.drop)/\(words()[0])")
      #expect(text.contains("The clock says 1980-01-06T00:00:0") && text.contains("so nothing is scheduled"))
      daemon.clock.step(by: .minutes(2))
      #expect(try daemon.ask("run", "weekly-digest", "--team", "desert-blue").code != 0)
      #expect(words().count == 1 && daemon.notices.count == 2)
    }

    @Test func `a ten-day jump is trusted after a minute, then caught up once`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z").start()
      try eventually("Monday's digest", { daemon.notices.count == 1 })
      // Thursday of the next week, 08:00: an hour after the slot.
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-12T15:00:00Z")))
      try eventually("the clock is on probation", { try daemon.clockView() == .probation })
      let status = try daemon.query(SchedulerCall.Status.Reply.self, "status")
      #expect(status.clockDetail?.contains("2026-03-12T15:01:0") == true)
      #expect(try daemon.ask("status").output.contains("jumped forwards"))
      try daemon.looks()
      daemon.clock.step(by: .seconds(30))
      try daemon.looks()
      #expect(try daemon.clockView() == .probation)
      #expect(try daemon.runs("morning-summary").count == 1)
      // The second reading confirms the new time.
      daemon.clock.step(by: .seconds(31))
      try eventually("the clock is believed", { try daemon.clockView() == .ok })
      // The first run has the same outcome, so the newest one is recognised by its slot.
      try eventually("the catch-up") {
        let newest = try daemon.runs("morning-summary").first
        return newest?.slot == "2026-03-12T14:00:00Z" && newest?.outcome == .notified
      }
      let runs = try daemon.runs("morning-summary")
      #expect(runs.map(\.outcome) == [.notified] + Array(repeating: .missed, count: 9) + [.notified])
      #expect(runs.first?.slot == "2026-03-12T14:00:00Z")
      try eventually("it is sent", { try daemon.unsent() == 0 })
      #expect(try daemon.droppedEvents().count { $0.job == "morning-summary" } == 2)
    }

    @Test func `a ten-day jump that is reversed within a minute runs nothing`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z").start()
      try eventually("Monday's digest", { daemon.notices.count == 1 })
      daemon.clock.step(by: .hours(240))
      try eventually("the clock is on probation", { try daemon.clockView() == .probation })
      daemon.clock.step(by: .zero - .hours(240))
      try eventually("the clock is believed", { try daemon.clockView() == .ok })
      #expect(try daemon.runs("morning-summary").count == 1)
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T13:59:59.500Z")))
      // A run is claimed and settled in two steps; a query between them finds it running.
      try eventually(
        "Tuesday's digest", { try daemon.runs("morning-summary").map(\.outcome) == [.notified, .notified] })
    }

    @Test func `a clock before 2024 schedules nothing, and status reports it`() throws {
      let daemon = try Daemon(at: "1970-01-01T00:10:00Z").start()
      #expect(try daemon.clockView() == .implausible)
      #expect(try daemon.ask("status").output.contains("nothing is scheduled until it is set"))
      let refused = try daemon.ask("run", "morning-summary", "--team", "desert-blue")
      #expect(refused.code == ExitCode.tryAgain)
      #expect(try daemon.query(SchedulerCall.History.Reply.self, "history").runs.isEmpty)
      // The clock is set: the first plausible reading is trusted.
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T13:59:59Z")))
      let watch = try DropWatch(daemon.drop)
      try watch.wait(for: 1)
      #expect(try daemon.clockView() == .ok)
    }
  }
}

extension Daemon {
  fileprivate func clockView() throws -> ClockView { try query(SchedulerCall.Status.Reply.self, "status").clock }
}
