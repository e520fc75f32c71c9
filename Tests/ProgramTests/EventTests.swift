import FlowControl
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// `pfctl events`, runs that wait or are cancelled, `why`, metrics, and new time zone data.
  @Suite struct EventTests {
    /// A time zone database of which a test can break one zone.
    private struct Zones {
      let folder: String
      private let phoenix: [UInt8]

      init(in scratch: Scratch) throws {
        folder = scratch.path + "/zoneinfo"
        phoenix = try Files.bytes("/usr/share/zoneinfo/America/Phoenix")
        for name in ["America", "Etc"] {
          try FileManager.default.createDirectory(
            atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/Etc/UTC", toPath: folder + "/Etc/UTC")
        try mend()
      }

      func breakPhoenix() throws { try write(Array("TZif".utf8)) }
      func mend() throws { try write(phoenix) }

      private func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/America/Phoenix"), options: .atomic)
      }
    }

    @Test func `events -f --json prints verdicts, deliveries and changes as JSON lines`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z").start()
      try eventually("Monday's digest", { try daemon.unsent() == 0 && daemon.notices.count == 1 })
      let file = "\(daemon.scratch.path)/followed"
      let follower = try RunningProgram(
        Checkout.pfctl, ["events", "-f", "--json", "--socket", daemon.socket],
        environment: ["PATH": "/usr/bin:/bin"], output: .writing(file), errors: file + ".err")
      func heard() throws -> [EventView] {
        try Files.wholeLines(file).map { try JSONDecoder().decode(EventView.self, from: Data($0.utf8)) }
      }
      // The follower may still be connecting, so the change is repeated until its event arrives.
      try eventually("the follower hears") {
        try daemon.change("team", "set", "desert-blue", "units=metric")
        return try heard().contains { $0.kind == .team && $0.team == "desert-blue" }
      }
      try daemon.change("run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02")
      try eventually("both sinks' deliveries are heard") {
        try heard().count { $0.kind == .delivery && $0.state == .sent } == 2
      }
      let run = try #require(try heard().first { $0.kind == .run })
      #expect(run.state == .notified && run.job == "morning-summary")
      #expect(try heard().filter { $0.kind == .delivery }.allSatisfy { $0.id?.hasPrefix(run.id ?? "?") == true })
      let recent = try daemon.ask("events", "--team", "desert-blue")
      #expect(recent.code == 0 && recent.output.contains("notified"))
      // One team's events are all shown in its own zone, in time order.
      let zones = recent.output.split(separator: "\n").map { $0.split(separator: " ")[3] }
      #expect(zones.count > 3 && zones.allSatisfy { $0 == "MST" }, "\(recent.output)")
      // When the daemon stops, the stream ends.
      #expect(try daemon.stop() == .exit(0))
      #expect(try follower.end() == .exit(0))
    }

    @Test func `followers that hang up free their connection slots`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z").start()
      for _ in 0..<3 * Limits.controlClients / 2 {
        let caller = try ControlCaller(daemon.socket)
        try caller.send(#"{"method":"org.poolflow.Scheduler.Events","more":true,"parameters":{}}"# + "\0")
        #expect(try caller.frame().contains("continues"))
      }
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `run --wait reports a failed attempt and returns after the successful retry`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:00:00Z")
      let zones = try Zones(in: daemon.scratch)
      try daemon.start(environment: ["TZDIR": zones.folder])
      try daemon.stop()
      try zones.breakPhoenix()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T15:00:00Z")))
      // This process has never read the zone before.
      try daemon.start(environment: ["TZDIR": zones.folder])
      let file = "\(daemon.scratch.path)/waited"
      let waiter = try RunningProgram(
        Checkout.pfctl,
        [
          "run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02T14:00:00Z", "--wait", "--socket",
          daemon.socket,
        ],
        environment: ["PATH": "/usr/bin:/bin"], output: .writing(file), errors: file + ".err")
      try eventually("the first attempt fails") { try daemon.runs("morning-summary").first?.outcome == .waiting }
      let run = try #require(try daemon.runs("morning-summary").first)
      #expect(run.reason == "zone-unreadable" && run.nextTryAt != nil)
      try zones.mend()
      daemon.clock.step(by: .seconds(31))
      #expect(try waiter.end() == .exit(0))
      #expect(try Files.text(file).contains("notified"))
      #expect(try Files.text(file + ".err").contains("attempt 1: waiting"))
      let ended = try #require(try daemon.runs("morning-summary").first { $0.id == run.id })
      #expect(ended.attempts == 2 && ended.outcome == .notified)
      let refused = try daemon.ask("cancel", run.id)
      #expect(refused.code == ExitCode.usage && refused.errors.contains("has ended already"))
    }

    @Test func `a waiting run can be cancelled, and why names the canceller`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      let zones = try Zones(in: daemon.scratch)
      try zones.breakPhoenix()
      try daemon.start(environment: ["TZDIR": zones.folder])
      try daemon.ask("run", "weekly-digest", "--team", "desert-blue")
      let run = try #require(try daemon.runs("weekly-digest").first { $0.outcome == .waiting })
      let cancelled = try daemon.ask("cancel", run.id, "--json")
      #expect(cancelled.code == 0)
      let why = try daemon.ask("why", run.id)
      #expect(why.output.contains("did not run: cancelled by"), "\(why)")
      #expect(try daemon.ask("cancel", "20260302T140000Z-low-stock-99").code == ExitCode.notFound)
      try Test.skipRest(unless: .python("jsonschema"))
      let schemas = try SchemaCheck()
      try schemas.add(cancelled.output)
      #expect(try schemas.names() == ["pfctl.cancel/1"])
    }

    @Test func `why explains a delivered and an undelivered notice`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      try daemon.scratch.write(
        "poolflow.conf", "[Sink drop]\nType = file-drop\n[Sink gone]\nType = file-drop\nDirectory = /dev/null/no\n".utf8
      )
      try daemon.start()
      try eventually("Monday's digest is sent") {
        Files.names(in: daemon.drop).contains { $0.contains("morning-summary") }
      }
      let notice = try #require(
        try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.first {
          $0.sink == "drop" && $0.noticeId.contains("morning-summary")
        }
      ).noticeId
      try eventually("the other sink's trouble is known") {
        try daemon.query(SchedulerCall.Why.Reply.self, "why", notice).facts.contains { $0.text.contains("gone") }
      }
      let why = try daemon.query(SchedulerCall.Why.Reply.self, "why", notice)
      #expect(why.facts.contains { $0.word == "due" } && why.facts.contains { $0.word == "started" }, "\(why)")
      #expect(why.facts.contains { $0.text.contains("drop") } && !why.advice.isEmpty, "\(why)")
      let unknown = try daemon.ask("why", "20260302T140000Z-morning-summary-17-00000000")
      #expect(unknown.code == ExitCode.notFound && !unknown.errors.isEmpty, "\(unknown)")
    }

    @Test func `the metrics file is always complete and in Prometheus format`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      let file = daemon.scratch.path + "/poolflow.prom"
      try Data("[Daemon]\nMetricsFile = \(file)\n".utf8)
        .write(to: URL(fileURLWithPath: daemon.scratch.path + "/poolflow.conf"))
      try daemon.start()
      try eventually("Monday's digest is sent") { try daemon.unsent() == 0 && daemon.notices.count == 1 }
      daemon.clock.step(by: .seconds(61))
      let success = #"poolflow_job_last_success_timestamp_seconds{team="desert-blue",job="morning-summary"} 17724636"#
      try eventually("the metrics tell the run") {
        try Files.names(in: daemon.scratch.path).contains("poolflow.prom") && Files.text(file).contains(success)
          && Files.text(file).contains(#"poolflow_outbox_entries{state="sent"} 2"#)
      }
      let text = try Files.text(file)
      for line in [
        #"poolflow_job_next_due_timestamp_seconds{team="desert-blue",job="morning-summary"} 1772546400"#,
        #"poolflow_job_consecutive_failures{team="desert-blue",job="morning-summary"} 0"#,
        #"poolflow_outbox_entries{state="sent"} 2"#, "poolflow_outbox_oldest_age_seconds 0",
        #"poolflow_sink_sick{sink="drop"} 0"#,
      ] { #expect(text.contains(line + "\n"), "\(line)\n\(text)") }
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        let value = line.split(separator: " ").last.flatMap { Double($0) }
        #expect(value != nil && line.hasPrefix("poolflow_"), "\(line)")
      }
      #expect(!Files.names(in: daemon.scratch.path).contains("poolflow.prom.new"))
      // Without any backup the age counts from the store's creation, afterwards from the newest backup.
      func backupStaleAfter() throws -> Double? {
        try Files.text(file).split(separator: "\n").first { $0.hasPrefix("poolflow_backup_age_seconds ") }
          .flatMap { Double($0.split(separator: " ")[1]) }
      }
      let store = try #require(try backupStaleAfter())
      #expect(store >= 61)
      try daemon.ask("backup", "create")
      daemon.clock.step(by: .seconds(61))
      try eventually("the backup's age is told") { try backupStaleAfter().map { $0 >= 60 && $0 < store } ?? false }
    }

    @Test func `new time zone data re-plans the slots and logs the moved ones`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      let zones = try Zones(in: daemon.scratch)
      try daemon.start(environment: ["TZDIR": zones.folder])
      #expect(
        try daemon.ask("next", "morning-summary", "--team", "desert-blue", "--json").output.contains(
          "2026-03-03T14:00:00Z"))
      // Arizona moves to Denver's time: an hour later from 8 March on.
      try FileManager.default.removeItem(atPath: zones.folder + "/America/Phoenix")
      try FileManager.default.copyItem(
        atPath: "/usr/share/zoneinfo/America/Denver", toPath: zones.folder + "/America/Phoenix")
      daemon.clock.step(by: .seconds(61))
      // One log line for each moved rule, in any order.
      try eventually("the move is told") {
        daemon.log.contains("from 2026-03-08T14:00:00Z to 2026-03-08T13:00:00Z")
      }
      let coming = try daemon.ask("next", "morning-summary", "--team", "desert-blue", "--limit", "6", "--json").output
      #expect(coming.contains("2026-03-07T14:00:00Z") && coming.contains("2026-03-08T13:00:00Z"), "\(coming)")
    }
  }
}
