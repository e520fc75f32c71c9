import FlowControl
import FlowPlatform
import Foundation
import Glibc
import Testing

extension Programs {
  /// Commands for an operator: `doctor`, `status --check`, `audit` and `bugreport`.
  @Suite struct HealthTests {
    private struct Doctor: Decodable { let findings: [FindingView] }

    private func findings(_ daemon: Daemon) throws -> [FindingView] {
      let answer = try daemon.ask("doctor", "--json")
      return try JSONDecoder().decode(Doctor.self, from: Data(answer.output.utf8)).findings
    }

    @Test func `a healthy daemon has no warning in any area`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      let found = try findings(daemon)
      #expect(found.filter { $0.gravity == .warning || $0.gravity == .error }.isEmpty)
      for area in ["socket", "clock", "zones", "disk", "permissions", "store", "settings", "sinks"] {
        #expect(found.contains { $0.area == area }, "\(area)")
      }
      #expect(try daemon.ask("doctor").code == 0)
      let check = try daemon.ask("status", "--check")
      #expect(check.code == 0)
      #expect(
        try check.output.hasPrefix(
          "POOLFLOW OK: next low-stock Mon 2026-03-02 18:30 MST | teams=1 pools=\(DemoStore.counts.get().pools) waiting="
        ))
      #expect(check.output.split(separator: "\n").count == 1)
    }

    @Test func `doctor reports each failure with a remedy; status --check fails`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      let folder = try daemon.scratch.folder("drop")
      try daemon.scratch.write("poolflow.conf", "[Sink out]\nType = file-drop\nDirectory = \(folder)\n".utf8)
      try daemon.start()
      try daemon.change("team", "add", "empty", "--zone", "Europe/Berlin")
      try daemon.scratch.write("poolflow.conf", "[Sink out]\nType = journl\n".utf8)
      chmod(daemon.state, 0o755)
      try FileManager.default.removeItem(atPath: folder)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("a sick sink", { try daemon.ask("status", "--check").code == 2 })
      let answer = try daemon.ask("doctor")
      #expect(answer.code == 1)
      let told = answer.output.replacing(daemon.scratch.path, with: "/S")
      #expect(
        told.contains(
          "! permissions: other users can read '/S/state', which holds gate codes and phone numbers\n    chmod go= '/S/state'\n"
        ))
      #expect(told.contains("! settings: the settings on disk have 1 mistakes; the daemon keeps its older settings\n"))
      #expect(told.contains("✗ sinks: the sink 'out' fails: "))
      #expect(told.contains("· teams: team 'empty' has no pool\n"))
      #expect(told.contains("`pfctl team set empty notifications=off`\n"), "\(told)")
    }

    @Test func `without a daemon doctor reports that and still checks the settings`() throws {
      let scratch = try Scratch()
      try scratch.write("poolflow.conf", "[Sink out]\nTyp = x\n".utf8)
      let answer = try Pfctl.run(
        ["doctor", "--socket", scratch.path + "/none.sock"], in: scratch,
        environment: ["CONFIGURATION_DIRECTORY": scratch.path])
      #expect(answer.code == 1)
      #expect(answer.output.contains("✗ socket: "))
      #expect(answer.output.contains("start it with `systemctl start poolflowd`"))
      #expect(
        answer.output.contains(
          "✗ settings: the settings have 1 mistake: no start\n    `pfctl config check` shows them\n"))
      let check = try Pfctl.run(["status", "--check", "--socket", scratch.path + "/none.sock"], in: scratch)
      #expect(check.code == 3)
      #expect(check.output.hasPrefix("POOLFLOW UNKNOWN: "))
    }

    @Test func `every change is audited with its user and result; queries are not`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\n".utf8)
      try daemon.start()
      let before = try daemon.query(DaemonCall.Audit.Reply.self, "audit").entries
      // The commands that created the demo's store.
      #expect(
        before.map(\.command) == [
          "import 'demo-backup.zip' --team desert-blue", "team plan desert-blue paid",
          "team add desert-blue --zone America/Phoenix",
        ])
      try daemon.change("team", "set", "desert-blue", "language=es")
      #expect(try daemon.ask("team", "set", "desrt", "language=es").code == 67)
      try daemon.change("run", "low-stock", "--team", "desert-blue")
      try daemon.change("import", Checkout.backup, "--team", "desert-blue", "--dry-run")
      try daemon.change("list")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = x\n".utf8)
      #expect(try daemon.ask("reload").code == 78)
      let entries = try daemon.query(DaemonCall.Audit.Reply.self, "audit").entries
      #expect(
        entries.dropLast(3).map { "\($0.command): \($0.result ?? "-")" } == [
          "reload: BadSettings", "run low-stock --team desert-blue: done", "team set desrt language=es: NoSuchTeam",
          "team set desert-blue language=es: done",
        ])
      #expect(Set(entries.map(\.uid)) == [Int(getuid())])
      #expect(entries.allSatisfy { $0.finishedAt != nil })
      #expect(try daemon.ask("audit", "--limit", "1").output.contains("BadSettings"))
      #expect(try daemon.ask("audit", "--since", "someday").code == 64)
    }

    @Test func `a bug report has no private data and never overwrites a file`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      let file = daemon.scratch.path + "/report.zip"
      let answer = try daemon.ask("bugreport", "--output", file)
      #expect(answer.code == 0, "\(answer.errors)")
      #expect(answer.output == file + "\n")
      let text = String(decoding: try Inflated.files(of: file), as: UTF8.self)
      #expect(text.contains("morning-summary"))
      #expect(text.contains("\"team-"))
      for name in ["desert-blue", "Elena Calloway", "5336 N 74th Pl", "maria"] {
        #expect(!text.contains(name), "\(name)")
      }
      #expect(try DemoStore.secrets().filter { text.contains($0) } == [])
      #expect(try daemon.ask("bugreport", "--output", file).code == 73)
      let alone = try Pfctl.run(
        ["bugreport", "--output", daemon.scratch.path + "/alone.zip", "--socket", "/nonexistent.sock"],
        in: daemon.scratch)
      #expect(alone.code == 0)
      #expect(
        String(decoding: try Inflated.files(of: daemon.scratch.path + "/alone.zip"), as: UTF8.self).contains("socket"))
    }

    @Test func `a bug report omits removed, renamed and misspelt names, too`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\n".utf8)
      try daemon.start()
      let team = ["--team", "desert-blue"]
      func change(_ words: [String]) throws {
        let answer = try daemon.ask(words)
        #expect(answer.code == 0, "\(words): \(answer.errors)")
      }
      for name in ["Gone Forever", #"Quo"te \ Quux"#, "Sean O'Brien"] {
        try change(["pool", "add", name, "77 Vanished Rd", "--volume", "15000"] + team)
      }
      try change(["visit", "log", "sean o'brien", "--ph", "7.4", "--dose", "none"] + team)
      try change(["visit", "log", #"quo"te \ quux"#, "--ph", "7.4", "--dose", "none"] + team)
      #expect(try daemon.ask(["pool", "set", "Shean", "fee=150"] + team).code == 67)
      try change(["pool", "remove", "Gone Forever", "--yes"] + team)
      for name in ["Zelda", "discard"] { try change(["technician", "add", name] + team) }
      try change(["technician", "remove", "Zelda"] + team)
      try change(["team", "add", "esc", "--zone", "America/Phoenix"])
      try change(["team", "rename", "esc", "hayloft"])
      try change(["team", "remove", "hayloft", "--confirm", "hayloft"])
      try change(["pause", "low-stock", "--notes", "Zelda is ill"] + team)
      try change(["outbox", "discard", "--all", "--yes"])
      let file = daemon.scratch.path + "/report.zip"
      try change(["bugreport", "--output", file])
      let text = String(decoding: try Inflated.files(of: file), as: UTF8.self).lowercased()
      for name in [
        "gone forever", "vanished", "zelda", "hayloft", "brien", "shean", "quux", #"quo\"te"#,
        "desert-blue",
      ] { #expect(!text.contains(name), "\(name)") }
      #expect(text.contains("\"outbox discard --all\"") && text.contains("\"pool remove … --team team-"), "\(text)")
    }
  }

  /// Reads the files of a ZIP archive.
  enum Inflated {
    /// The concatenated contents of a ZIP's files.
    static func files(of path: String) throws -> [UInt8] {
      let archive = try ZIPArchive(path: path)
      return try archive.entries.flatMap { try archive.read($0, limit: 8 << 20) }
    }
  }
}
