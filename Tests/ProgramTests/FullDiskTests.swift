import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// The daemon on a full disk.
  @Suite struct FullDiskTests {
    private func disk(_ daemon: Daemon) throws -> DiskView {
      try daemon.query(SchedulerCall.Status.Reply.self, "status").disk
    }

    @Test func `a start on a full disk serves and catches up once there is space`()
      throws
    {
      // An hour after Monday's slot.
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z")
      let faults = try FaultPoints(in: daemon.scratch)
      var environment = try faults.environment(failing: "write", ENOSPC, part: "poolflow.db-wal")
      environment["LD_PRELOAD", default: ""] += ":" + (daemon.clock.environment["LD_PRELOAD"] ?? "")
      try daemon.start(environment: environment)
      let status = try daemon.query(SchedulerCall.Status.Reply.self, "status")
      #expect(status.disk == .full && status.diskDetail?.contains("nothing can be written") == true)
      #expect(try status.pools == DemoStore.counts.get().pools)
      let check = try daemon.ask("status", "--check")
      #expect(check.code == ExitCode.critical && check.output.contains("the disk is full"), "\(check)")
      let doctor = try daemon.ask("doctor")
      #expect(doctor.output.contains("✗ disk: the disk of '\(daemon.state)' is full"), "\(doctor)")
      let refused = try daemon.ask("team", "set", "desert-blue", "language=es")
      #expect(refused.code == 74 && refused.errors.contains("disk is full"), "\(refused)")
      #expect(daemon.notices.isEmpty)
      #expect(daemon.log.contains("the mark of this life is postponed until the disk has free space"), "\(daemon.log)")

      faults.heal()
      daemon.clock.step(by: .seconds(61))
      func told(_ word: String) -> Bool { daemon.notices.contains { $0.contains(word) } }
      try eventually("Monday's digest", { told("morning-summary") })
      try eventually("the operator's word", { told("disk-was-full") })
      #expect(try disk(daemon) == .ok)
      #expect(daemon.log.contains("the mark of this life was postponed and is written now"), "\(daemon.log)")
      #expect(EpochMark(path: daemon.state + "/life") == EpochMark(epoch: 2, hasEnded: false))
      try daemon.change("team", "set", "desert-blue", "language=es")
      #expect(try daemon.stop() == .exit(0))
      // The delayed epoch mark does not look like a store restored from a copy.
      try daemon.start()
      let held = try daemon.query(OutboxCall.List.Reply.self, "outbox", "list", "--state", "held").entries
      #expect(held.isEmpty && !daemon.log.contains("restored from a copy"), "\(daemon.log)")
      #expect(EpochMark(path: daemon.state + "/life")?.epoch == 3)
    }

    @Test(.requires(.mounting))
    func `the daemon starts repeatedly on a full disk and recovers with free space`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z", empty: true)
      let small = try SmallDisk(at: daemon.state, kilobytes: 16_384)
      defer { small.unmount() }
      for name in Files.names(in: try DemoStore.state.get()) {
        try FileManager.default.copyItem(
          atPath: "\(try DemoStore.state.get())/\(name)", toPath: "\(daemon.state)/\(name)")
      }
      try daemon.start()
      try eventually("Monday's digest", { try daemon.unsent() == 0 && daemon.notices.count > 0 })
      try daemon.stop()
      small.fill()
      try daemon.start()
      #expect(try disk(daemon) != .ok)
      #expect(try daemon.ask("status", "--check").output.contains("disk"))
      #expect(try daemon.ask("doctor").output.contains("✗ disk: only "))
      for round in 1...4 {
        if round % 2 == 0 { try daemon.kill() } else { #expect(try daemon.stop() == .exit(0)) }
        small.fill()
        try daemon.start()
        #expect(try daemon.ask("pool", "list", "--team", "desert-blue").code == 0)
        #expect(try daemon.ask("status").code == 0)
      }
      small.makeRoom()
      daemon.clock.step(by: .seconds(61))
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("it is sent", { try daemon.unsent() == 0 })
      try eventually("room is kept for need again", { Files.exists(daemon.state + "/reserve") })
      #expect(try daemon.stop() == .exit(0))
    }

    @Test(.requires(.mounting))
    func `an import too large for the disk is refused; later changes are accepted`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt, empty: true)
      let small = try SmallDisk(at: daemon.state, kilobytes: 16_384)
      defer { small.unmount() }
      try daemon.start()
      try daemon.change("team", "add", "desert-blue", "--zone", "America/Phoenix")
      try daemon.change("team", "plan", "desert-blue", "paid")
      // The demo's records need 3 MB of write-ahead log.
      small.fill(leaving: 600_000)
      let refused = try daemon.ask("import", Checkout.backup, "--team", "desert-blue")
      #expect(refused.code != 0, "\(refused)")
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").pools == 0)
      try daemon.change("team", "set", "desert-blue", "language=es")
      try daemon.change("pool", "add", "Nora New", "5 New St", "--team", "desert-blue")
      #expect(try disk(daemon) == .low)
      try daemon.kill()
      try daemon.start()
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").pools == 1)
    }

    @Test(.requires(.mounting))
    func `without space even to read, the start fails with a retryable code`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt, empty: true)
      let small = try SmallDisk(at: daemon.state, kilobytes: 256)
      defer { small.unmount() }
      small.fill()
      try daemon.launch()
      let ending = try #require(daemon.program).end()
      #expect([RunningProgram.Ending.exit(73), .exit(74)].contains(ending), "\(ending) \(daemon.log)")
      #expect(daemon.log.contains("No space left on device") || daemon.log.contains("disk is full"), "\(daemon.log)")
    }
  }
}
