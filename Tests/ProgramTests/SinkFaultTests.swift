import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// One kind of system call on the drop folder fails until the fault is removed: no notice is marked sent that is not, no
  /// file is partial, nothing is lost, and other sinks are unaffected.
  @Suite struct SinkFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
      let call: String
      let code: Int32
      /// The part of the path on which the call fails.
      let part: String
      /// True if the whole sink fails; false if each entry fails by itself.
      var isSinks = true

      var testDescription: String { "\(call) on \(part): errno \(code)" }
    }

    static let faults = [
      Fault(call: "write", code: ENOSPC, part: "/outbox/staging/"),
      Fault(call: "write", code: EIO, part: "/outbox/staging/"),
      Fault(call: "fsync", code: EIO, part: "/outbox/staging/"),
      Fault(call: "fsync", code: ENOSPC, part: "/outbox/staging"),
      Fault(call: "fsync", code: EIO, part: "/outbox/new"), Fault(call: "rename", code: EIO, part: "/outbox/new/"),
      Fault(call: "rename", code: EROFS, part: "/outbox/new/"),
      Fault(call: "rename", code: EXDEV, part: "/outbox/new/"),
      Fault(call: "rename", code: ENOSPC, part: "/outbox/new/"),
    ]

    @Test(arguments: faults) func `an injected disk fault loses nothing, and the sink recovers`(
      fault: Fault
    )
      throws
    {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\n[Sink line]\nType = stdout\n".utf8)
      try FileManager.default.createDirectory(atPath: daemon.drop, withIntermediateDirectories: true)
      let points = try FaultPoints(in: daemon.scratch)
      let preload = try points.environment(failing: fault.call, fault.code, part: fault.part)
      let clock = daemon.clock.environment["LD_PRELOAD"] ?? ""
      try daemon.start(
        environment: preload.merging(["LD_PRELOAD": "\(preload["LD_PRELOAD"] ?? ""):\(clock)"]) { $1 })
      let watch = try DropWatch(daemon.drop)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("the sink is sick", { try daemon.queue("drop").state == .sick })
      let trouble = try #require(try daemon.queue("drop").trouble)
      // EXDEV is reported as "different file systems".
      #expect(trouble.contains("errno \(fault.code)") || trouble.contains("different file systems"), "\(trouble)")
      #expect(try daemon.queue("drop").sent == 0)
      // The digest, and the report of the failing sink.
      try eventually("standard output has both", { try daemon.queue("line").sent == 2 })
      for name in daemon.notices { try checkWhole("\(daemon.drop)/\(name)") }
      points.heal()
      try daemon.change("outbox", "retry", "--all", "--sink", "drop")
      try eventually("the file is there", { try daemon.queue("drop").sent == 1 })
      watch.look()
      #expect(watch.arrivals.count == 1)
      for name in daemon.notices { try checkWhole("\(daemon.drop)/\(name)") }
      #expect(Files.names(in: daemon.state + "/outbox/staging").isEmpty)
      #expect(try daemon.stop() == .exit(0))
    }

    private func checkWhole(_ path: String) throws {
      let event = try JSONSerialization.jsonObject(with: Data(try Files.bytes(path))) as? [String: Any]
      #expect(event?["data"] != nil, "\(path)")
    }

    @Test func `a sink stops at MaxFiles until the consumer takes files`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nMaxFiles = 4\n".utf8)
      try daemon.start()
      for _ in 1...2 { try daemon.change("run", "morning-summary", "--team", "desert-blue") }
      try eventually("two files", { daemon.notices.count == 2 })
      for _ in 1...2 { try daemon.change("run", "morning-summary", "--team", "desert-blue") }
      try eventually(
        "the mark", { try daemon.queue("drop").trouble?.contains("holds 4 files that were not collected") == true })
      #expect(daemon.notices.count == 2)
      for name in Files.names(in: daemon.drop) { unlink("\(daemon.drop)/\(name)") }
      try daemon.change("outbox", "retry", "--all")
      // A file appears before the store records it as sent.
      try eventually("the rest", { try daemon.notices.count == 2 && daemon.queue("drop").sent == 4 })
    }

    @Test(.requires(.mounting)) func `a full file system fails its sink until there is free space`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      let folder = try daemon.scratch.folder("small")
      // Space for one digest with its page.
      let small = try SmallDisk(at: folder, kilobytes: 64)
      defer { small.unmount() }
      try daemon.scratch.write("poolflow.conf", "[Sink small]\nDirectory = \(folder)\n".utf8)
      try daemon.start()
      for _ in 1...4 { try daemon.change("run", "morning-summary", "--team", "desert-blue") }
      try eventually("it is full", { try daemon.queue("small").trouble?.contains("free some space") == true })
      let sent = try daemon.queue("small").sent
      let events = Files.names(in: folder + "/new").filter { $0.hasSuffix(".json") }
      #expect(events.count == sent && sent > 0 && sent < 4)
      for name in events { try checkWhole("\(folder)/new/\(name)") }
      for name in Files.names(in: folder + "/new") {
        unlink("\(folder)/new/\(name)")
      }
      try eventually("all are sent") {
        for name in Files.names(in: folder + "/new") { unlink("\(folder)/new/\(name)") }
        try daemon.change("outbox", "retry", "--all")
        return try daemon.queue("small").sent == 4
      }
      #expect(try daemon.stop() == .exit(0))
    }
  }
}

extension Daemon {
  func queue(_ sink: String) throws -> SinkQueueView {
    let sinks = try query(OutboxCall.Sinks.Reply.self, "sink", "list").sinks
    return try #require(sinks.first { $0.name == sink })
  }
}
