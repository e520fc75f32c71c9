import FlowControl
import FlowModel
import FlowPlatform
import Foundation
import Glibc
import Testing

extension Programs {
  /// Stopping the daemon in difficult conditions.
  @Suite struct ShutdownTests {
    @Test func `the service manager gets READY, STATUS and STOPPING messages`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      #expect(daemon.manager.lines.contains { $0.hasPrefix("STATUS=Ready") })
      #expect(!daemon.manager.lines.contains("STOPPING=1"))
      #expect(try daemon.stop() == .exit(0))
      daemon.manager.takeAll()
      #expect(daemon.manager.lines.contains("STOPPING=1"))
      #expect(!Files.exists(daemon.socket))
      #expect(daemon.log.hasSuffix("poolflowd: stopped\n"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `repeated stop signals do no harm`(signal: Int32) throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      daemon.program?.send(signal)
      daemon.program?.send(signal)
      daemon.program?.send(SIGTERM)
      #expect(try daemon.program?.end() == .exit(0))
    }

    @Test func `a crash is reported at the next start, a kill is not`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      try daemon.kill()
      // As in the systemd unit: a backtrace would print memory contents and take time.
      try daemon.start(environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(!daemon.log.contains("crashed"))
      daemon.program?.send(SIGABRT)
      #expect(try daemon.program?.end() == .signal(SIGABRT))
      try daemon.start()
      #expect(daemon.log.contains("the previous daemon process crashed"))
      try daemon.stop()
      let told = daemon.log.components(separatedBy: "crashed").count
      try daemon.start()
      #expect(daemon.log.components(separatedBy: "crashed").count == told)
    }

    @Test func `an idle daemon has no periodic wake-ups`() throws {
      // With the system's real clock, because the tests' simulated clock is polled.
      let daemon = try Daemon(at: "2026-03-02T15:10:05Z", empty: true).start(environment: ["LD_PRELOAD": ""])
      let program = try #require(daemon.program)
      // The work after a start and at a full minute ends; a periodic timer would not.
      var next: OwnWakeUp?
      try eventually("nothing wakes it for three seconds, but \(next?.description ?? "")") {
        next = try OwnWakeUp.next(of: program.pid, within: .seconds(3))
        return next == nil
      }
      #expect(daemon.program?.wait(by: Deadline(.zero)) == nil)
    }

    @Test func `SIGHUP does not stop the daemon`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      daemon.program?.send(SIGHUP)
      try eventually("it says so", { daemon.log.contains("settings reloaded: nothing has changed") })
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `with 2,000 undeliverable entries it stops within 5 s and loses none`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      let folder = daemon.scratch.path + "/gone"
      try daemon.settings(
        """
        [Sink drop]
        Type = file-drop
        Directory = \(folder)
        [Sink second]
        Type = file-drop
        Directory = \(folder)2

        """)
      try daemon.start()
      // Many concurrent callers, because a single one would wait for each commit.
      let each = 125
      let call = #"{"method":"org.poolflow.Scheduler.Run","parameters":{"job":"weekly-digest","team":"desert-blue"}}"#
      let callers = try (1...8).map { _ in try ControlCaller(daemon.socket) }
      for caller in callers { try caller.send(String(repeating: call + "\0", count: each)) }
      for caller in callers {
        for _ in 1...each { #expect(try caller.frame().contains("notified")) }
      }
      let status = try daemon.query(SchedulerCall.Status.Reply.self, "status")
      #expect(status.outbox.pending >= 2_000)
      #expect(status.sinks.allSatisfy { $0.state == .sick })
      let took = try daemon.timedStop()
      print("stopped with \(status.outbox.pending) entries waiting in \(took)")
      #expect(took < .seconds(5))
      daemon.manager.takeAll()
      #expect(daemon.manager.lines.contains("STOPPING=1"))

      // One folder is restored; the daemon delivers there while it starts, and is stopped in the middle.
      _ = try daemon.scratch.folder("gone/new")
      let watch = try DropWatch(folder + "/new")
      try daemon.start()
      try watch.wait(for: 1)
      let tookAgain = try daemon.timedStop()
      print("stopped after \(Files.names(in: folder + "/new").count) of the files in \(tookAgain)")
      #expect(tookAgain < .seconds(5))
      try daemon.start()
      // A lane stopped during a failure, and a single entry, may pause for up to a minute before the next try.
      try eventually(
        "all that waits for the folder that is gone was delivered to the one that is back",
        {
          // The sinks' counts differ, because each gets notices about the other's failures.
          try daemon.depth("drop", .sent) > 1_000 && daemon.depth("drop", .pending) == 0
            && daemon.depth("drop", .staged) == 0
        })
      #expect(Files.names(in: folder + "/new").count(where: { $0.hasSuffix(".json") }) >= 1_001)
      watch.look()
      #expect(Set(watch.arrivals).count == watch.arrivals.count)
      #expect(watch.arrivals.count == Files.names(in: folder + "/new").count(where: { $0.hasSuffix(".json") }))
    }

    @Test func `closed standard output neither stops the daemon nor corrupts a file`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:59:59Z").start(output: .closed)
      let watch = try DropWatch(daemon.drop)
      try watch.wait(for: 1)
      try eventually("every sink has it", { try daemon.unsent() == 0 })
      #expect(try Files.bytes(daemon.state + "/poolflow.db").starts(with: Array("SQLite format 3".utf8)))
      #expect(try daemon.stop() == .exit(0))
      #expect(try daemon.start().ask("status").code == 0)
    }

    @Test func `a closed reader of standard output fails that sink only`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:59:58Z")
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      try daemon.start(output: .descriptor(ends[1]))
      for end in ends { close(end) }
      let watch = try DropWatch(daemon.drop)
      try watch.wait(for: 1)
      try eventually("stdout is sick", { try daemon.sink("stdout").state == .sick })
      #expect(try daemon.sink("drop").state == .ok)
      #expect(daemon.log.contains("sink 'stdout' fails"))
      #expect(try daemon.depth("stdout", .pending) == 1)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try watch.wait(for: 2)
      // The next process has a reader, which gets both notices.
      #expect(try daemon.stop() == .exit(0))
      try daemon.start()
      try eventually("both are told", { try daemon.depth("stdout", .sent) == 2 })
      #expect(try Files.text(daemon.outputFile).split(separator: "\n").count == 2)
    }

    @Test func `a blocked reader of standard output delays neither drop folder nor stop`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      defer { for end in ends { close(end) } }
      try daemon.start(output: .descriptor(ends[1]))
      let watch = try DropWatch(daemon.drop)
      // A pipe holds 64 KiB; one digest has 7 KiB.
      for _ in 1...14 { try daemon.change("run", "morning-summary", "--team", "desert-blue") }
      try watch.wait(for: 14)
      try eventually("stdout is sick", { try daemon.sink("stdout").state == .sick })
      let took = try daemon.timedStop()
      print("stopped with a blocked reader in \(took)")
      #expect(took < .seconds(5))
    }
  }
}

extension Daemon {
  /// Stops the daemon with exit code 0.
  ///
  /// - Returns: how long the stop took.
  fileprivate func timedStop(location: SourceLocation = #_sourceLocation) throws -> Duration {
    let began = ContinuousClock.now
    #expect(try stop() == .exit(0), sourceLocation: location)
    return began.duration(to: .now)
  }

  func settings(_ text: String) throws { try scratch.write("poolflow.conf", Array(text.utf8)) }

  fileprivate func sink(_ name: String) throws -> SinkView {
    let sinks = try query(SchedulerCall.Status.Reply.self, "status").sinks
    return try #require(sinks.first { $0.name == name })
  }

  func depth(_ sink: String, _ state: EntryStateView) throws -> Int {
    try query(
      OutboxCall.List.Reply.self, "outbox", "list", "--sink", sink, "--state", state.rawValue, "--limit", "10000"
    ).entries.count
  }
}
