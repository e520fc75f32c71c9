import FlowControl
import FlowModel
import Foundation
import Testing

extension Programs {
  /// `pfctl simulate --diff` and `--replay`: other settings for future days, and past days decided again.
  @Suite struct SimulateTests {
    private func write(_ text: String, in daemon: Daemon) throws -> String {
      let path = daemon.scratch.path + "/other.conf"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }

    @Test func `simulate --diff lists differences of two configurations and sends nothing`() throws {
      let daemon = try Daemon(at: "2026-03-02T15:00:00Z").start()
      try eventually("Monday's digest is sent") { try daemon.unsent() == 0 && daemon.notices.count == 1 }
      let same = try write("[Sink stdout]\nType = stdout\n[Sink drop]\nType = file-drop\n", in: daemon)
      let period = ["--from", "2026-03-03T00:00:00Z", "--until", "2026-03-05T00:00:00Z"]
      func diff(_ path: String) throws -> Answer {
        try Pfctl.run(
          ["simulate", "--diff", "--config", path] + period + ["--socket", daemon.socket], in: daemon.scratch)
      }
      let none = try diff(same)
      #expect(none.code == 0 && none.output.isEmpty && none.errors.contains("no difference"), "\(none)")
      let other = try write("[Job morning-summary]\nJitter = 10min\n[Sink drop]\nType = file-drop\n", in: daemon)
      let lines = try diff(other).output.split(separator: "\n")
      #expect(
        lines.count == 4 && lines.filter { $0.hasPrefix("- ") && $0.contains("to stdout, drop") }.count == 2, "\(lines)"
      )
      #expect(lines.filter { $0.hasPrefix("+ ") && $0.contains("to drop, begun 2026-03-0") }.count == 2, "\(lines)")
      let wrong = try diff(try write("[Job morning-summary]\nJiter = 1s\n", in: daemon))
      #expect(wrong.code == ExitCode.badSettings && wrong.errors.contains("did you mean \"Jitter\""), "\(wrong)")
      #expect(daemon.notices.count == 1)
      // A file above the size limit is refused and not truncated.
      let long = try diff(try write(String(repeating: "# more\n", count: 80_000), in: daemon))
      #expect(long.code == ExitCode.badData && long.errors.contains("at most"), "\(long)")
      let absent = try diff(daemon.scratch.path + "/none.conf")
      #expect(absent.code == ExitCode.noInput && absent.errors.contains("cannot read"), "\(absent)")
      let bogus = try daemon.ask("simulate", "--until", "bogus")
      #expect(bogus.code == ExitCode.usage && bogus.errors.contains("until cannot be 'bogus'"), "\(bogus)")
    }

    @Test func `simulate --replay compares a new decision with the ledger's`() throws {
      let daemon = try Daemon(at: "2026-03-02T21:30:00Z").start()
      try eventually("the morning is missed") { try daemon.runs("morning-summary").first?.outcome == .missed }
      let answer = try Pfctl.run(
        [
          "simulate", "--replay", "--from", "2026-03-02T13:00:00Z", "--until", "2026-03-02T15:00:00Z", "--json",
          "--socket",
          daemon.socket,
        ], in: daemon.scratch)
      #expect(answer.code == 0)
      let reply = try JSONDecoder().decode(SchedulerCall.Simulate.Reply.self, from: Data(answer.output.utf8))
      #expect(reply.events.map(\.at) == ["2026-03-02T14:00:00Z"])
      #expect(reply.events.first?.was == .missed && reply.events.first?.outcome == .notified)
      #expect(try daemon.ask("simulate", "--replay").code == ExitCode.usage)
    }
  }
}
