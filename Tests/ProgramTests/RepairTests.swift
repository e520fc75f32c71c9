import FlowControl
import Foundation
import Glibc
import Testing

extension Programs {
  /// An operator's commands for sinks and undelivered notices, with the built programs.
  @Suite struct RepairTests {
    private func daemon(_ settings: String) throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", settings.utf8)
      return try daemon.start()
    }

    private func entries(_ daemon: Daemon, _ words: String...) throws -> [EntryView] {
      let answer = try Pfctl.run(["outbox", "list", "--json", "--socket", daemon.socket] + words, in: daemon.scratch)
      return try JSONDecoder().decode(OutboxCall.List.Reply.self, from: Data(answer.output.utf8)).entries
    }

    private func sinks(_ daemon: Daemon) throws -> [SinkQueueView] {
      try daemon.query(OutboxCall.Sinks.Reply.self, "sink", "list").sinks
    }

    @Test func `a failing sink is reported once through others, and its recovery once`() throws {
      let scratch = try Scratch()
      let folder = scratch.path + "/away"
      let daemon = try daemon(
        "[Sink away]\nDirectory = \(folder)\n[Sink drop]\nType = file-drop\n[Sink loud]\nType = stdout\nSeverity = error\n"
      )
      let watch = try DropWatch(daemon.drop)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually(
        "the sickness is told", { try entries(daemon, "--sink", "drop").contains { $0.title == "Sink 'away' fails" } }
      )
      #expect(try sinks(daemon).first { $0.name == "away" }?.state == .sick)
      // The digest reaches the drop; the sink with `Severity = error` gets the error only.
      try eventually(
        "the drop has both",
        { () -> Bool in
          watch.look()
          return watch.arrivals.count == 2
        })
      try eventually(
        "the loud one has the error", { try entries(daemon, "--sink", "loud").map(\.title) == ["Sink 'away' fails"] })
      #expect(try Files.text(daemon.outputFile).contains("\"type\":\"org.poolflow.operator\""))
      // A restart does not repeat the report.
      try daemon.stop()
      try daemon.start()
      try eventually("sick again", { try sinks(daemon).first { $0.name == "away" }?.state == .sick })
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let answer = try daemon.ask("outbox", "retry", "--all", "--sink", "away")
      #expect(answer.output == "1 entry will be tried now\n", "\(answer.errors)")
      try eventually("the digest is there with its page", { Files.names(in: folder + "/new").count == 2 })
      try eventually(
        "its health is told",
        { try entries(daemon, "--sink", "drop").contains { $0.title == "Sink 'away' works again" } })
      #expect(try entries(daemon, "--sink", "drop").count { $0.title == "Sink 'away' fails" } == 1)
      #expect(try entries(daemon, "--sink", "loud").count == 1)
      #expect(try entries(daemon, "--sink", "away").map(\.state) == [.sent])
    }

    @Test func `sink test sends a real notice; a failing sink names its error`() throws {
      let daemon = try daemon("[Sink drop]\nTeams = coast\n[Sink away]\nDirectory = /nowhere/drop\n")
      let answer = try daemon.ask("sink", "test", "drop")
      #expect(answer.code == 0 && answer.output.hasPrefix("'drop' accepted the test notice "), "\(answer.errors)")
      #expect(daemon.notices.count == 1)
      let away = try daemon.ask("sink", "test", "away")
      #expect(away.code == 75 && away.errors.contains("'/nowhere/drop' does not exist"), "\(away.errors)")
      let wrong = try daemon.ask("sink", "test", "dorp")
      #expect(wrong.code == 67 && wrong.errors.contains("did you mean 'drop'?"))
      let listed = try daemon.ask("outbox", "list", "--sink", "dorp")
      #expect(listed.code == 67 && listed.errors.contains("did you mean 'drop'?"), "\(listed.errors)")
      #expect(try daemon.ask("outbox", "list", "--sink", "away").code == 0)
    }

    @Test func `filters select a sink's notices, and a reload changes them`() throws {
      let daemon = try daemon("[Sink drop]\nType = file-drop\nJobs = low-stock\n")
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      #expect(try entries(daemon).isEmpty)
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nTeams = desert-blue\n".utf8)
      try daemon.change("reload")
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("one file", { daemon.notices.count == 1 })
      #expect(try sinks(daemon).map(\.takes) == ["teams desert-blue"])
    }

    @Test func `dead letters are listed, retried and pruned, only with confirmation`() throws {
      let daemon = try daemon("[Sink away]\nDirectory = /nowhere/drop\n")
      for _ in 1...2 { try daemon.change("run", "morning-summary", "--team", "desert-blue") }
      let unasked = try daemon.ask("outbox", "discard", "--all")
      #expect(unasked.code == 64 && unasked.errors.contains("Give up 2 entries"), "\(unasked.errors)")
      #expect(try daemon.ask("outbox", "discard").code == 64)
      #expect(try daemon.ask("outbox", "discard", "--all", "--yes").output == "2 entries discarded\n")
      let dead = try daemon.query(OutboxCall.List.Reply.self, "outbox", "list", "--state", "dead").entries
      #expect(dead.count == 2 && dead.allSatisfy { $0.lastError?.hasPrefix("discarded by ") == true })
      #expect(
        try daemon.ask("outbox", "retry", "--state", "dead", dead[0].noticeId).output == "1 entry will be tried now\n")
      let idle = try daemon.ask("outbox", "release", dead[0].noticeId, "--yes")
      #expect(
        idle.output == "0 entries released\n" && idle.errors.contains("`pfctl outbox show \(dead[0].noticeId)`"),
        "\(idle)")
      #expect(try daemon.ask("outbox", "prune", "--state", "dead", "--yes").output == "1 dead letter forgotten\n")
      #expect(try entries(daemon).map(\.state) == [.pending])
      let audit = try daemon.ask("audit").output
      for words in [
        "outbox discard --all", "outbox retry --state dead \(dead[0].noticeId)", "outbox prune --all",
      ] {
        #expect(audit.contains(words), "\(audit)")
      }
    }

    @Test func `a restored copy of the store puts undelivered notices on hold`() throws {
      let daemon = try daemon("[Sink drop]\nType = file-drop\n[Sink away]\nDirectory = /nowhere/drop\n")
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      // The digest, and the report of the failing sink.
      try eventually("both files", { daemon.notices.count == 2 })
      try daemon.stop()
      let store = daemon.state + "/poolflow.db"
      let copy = daemon.scratch.path + "/copy.db"
      try FileManager.default.copyItem(atPath: store, toPath: copy)
      // A daemon run that the copy has no record of.
      try daemon.start()
      try daemon.stop()
      try FileManager.default.removeItem(atPath: store)
      try FileManager.default.copyItem(atPath: copy, toPath: store)
      try daemon.start()
      #expect(daemon.log.contains("the store was restored from a copy: 1 notice that"), "\(daemon.log)")
      #expect(try entries(daemon, "--sink", "away").map(\.state) == [.held])
      #expect(try daemon.ask("outbox", "release", "--all").code == 64)
      #expect(try daemon.ask("outbox", "release", "--all", "--yes").output == "1 entry released\n")
      #expect(try entries(daemon, "--sink", "away").map(\.state) == [.pending])
      // A normal restart puts nothing on hold.
      try daemon.stop()
      try daemon.start()
      #expect(try entries(daemon, "--sink", "away").map(\.state) == [.pending])
    }
  }
}
