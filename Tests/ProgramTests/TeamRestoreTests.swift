import FlowControl
import Foundation
import Testing

extension Programs {
  /// Restoring, clearing, removing, renaming and exporting one team, with the built programs.
  @Suite struct TeamRestoreTests {
    private static let team = "desert-blue"

    private func daemon() throws -> Daemon { try Daemon(at: "2026-03-02T14:30:00Z").start() }

    private func restore(_ daemon: Daemon, _ words: String...) throws -> BackupCall.RestoreTeam.Reply {
      let answer = try Pfctl.run(
        ["backup", "restore"] + words + ["--team", Self.team, "--socket", daemon.socket, "--json"], in: daemon.scratch)
      #expect(answer.code == 0, "\(answer.errors)")
      return try JSONDecoder().decode(BackupCall.RestoreTeam.Reply.self, from: Data(answer.output.utf8))
    }

    /// The team's records as sorted lines. Times are cut to whole seconds, as in archives, and pools created at the same
    /// instant have no order.
    private func tables(_ daemon: Daemon) throws -> [String] {
      let tables =
        try ["pools", "visits", "stock"].map { try daemon.ask("export", $0, "--team", Self.team).output }
        + [daemon.ask("equipment", "list", "--team", Self.team).output, daemon.ask("team", "show", Self.team).output]
      return tables.flatMap { table in
        table.split(separator: "\n").map { String($0).replacing(/(T\d\d:\d\d:\d\d)\.\d+Z/) { "\($0.output.1)Z" } }
          .sorted()
      }
    }

    private func difference(_ before: [String], _ after: [String]) -> String {
      let (was, `is`) = (Set(before), Set(after))
      return "gone: \(was.subtracting(`is`).sorted().prefix(4)), new: \(`is`.subtracting(was).sorted().prefix(4))"
    }

    private func photos(_ daemon: Daemon) -> Set<String> { Set(Files.names(in: "\(daemon.state)/photos/1")) }

    private func jpeg(_ daemon: Daemon) throws -> String {
      try daemon.scratch.write("pool.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 7, count: 1_000))
      return "\(daemon.scratch.path)/pool.jpg"
    }

    @Test func `a team is restored with stock and photos; other teams stay unchanged`() throws {
      let daemon = try daemon()
      try daemon.change("team", "add", "coast", "--zone", "UTC")
      try daemon.change(
        "visit", "log", "Steve Baird", "--team", Self.team, "--ph", "7.5", "--dose", "none", "--photo",
        try jpeg(daemon))
      let (before, pictures) = (try tables(daemon), photos(daemon))
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup

      try daemon.change("pool", "remove", "Steve Baird", "--team", Self.team, "--yes")
      try daemon.change("pool", "add", "Nora New", "5 New St", "--team", Self.team)
      try daemon.change("pool", "add", "Far Away", "1 Sea St", "--team", "coast")
      #expect(photos(daemon) != pictures)
      let after = try tables(daemon)
      #expect(after != before)

      let preview = try restore(daemon, backup.id, "--dry-run")
      #expect(preview.dryRun && preview.lost.pools == 1 && preview.lostCustomers == ["Nora New"])
      #expect(try preview.archives.count == DemoStore.archives() && preview.archives.allSatisfy { $0.schema == 2 })
      #expect(try preview.after.pools == DemoStore.counts.get().pools && preview.after.photos == pictures.count)
      #expect(try tables(daemon) == after, "a preview changes nothing")

      let open = try daemon.ask("backup", "restore", backup.id, "--team", Self.team)
      #expect(open.code == ExitCode.usage && open.errors.contains("--confirm desert-blue"), "\(open.errors)")
      #expect(open.output.contains("Nora New"), "what would be lost is listed before the question")
      let wrong = try daemon.ask("backup", "restore", backup.id, "--team", Self.team, "--confirm", backup.id)
      #expect(wrong.code == ExitCode.declined && wrong.errors.contains("nothing was changed"), "\(wrong.errors)")
      #expect(try tables(daemon) == after)

      let done = try restore(daemon, backup.id, "--confirm", Self.team)
      #expect(!done.dryRun && done.after == preview.after)
      let restored = try tables(daemon)
      #expect(restored == before, "\(difference(before, restored))")
      #expect(photos(daemon) == pictures)
      #expect(try daemon.ask("pool", "list", "--team", "coast").output.contains("Far Away"))
      #expect(try daemon.ask("audit").output.contains("backup restore \(backup.id) --team desert-blue"))
    }

    @Test func `one technician's pools are restored without changing another's`() throws {
      let daemon = try daemon()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      let before = try daemon.ask("pool", "list", "--team", Self.team, "--technician", "maria", "--json").output
      // Steve Baird is Maria's pool, Elena Calloway is Dan's.
      try daemon.change("pool", "remove", "Steve Baird", "--team", Self.team, "--yes")
      try daemon.change("pool", "set", "Elena Calloway", "--team", Self.team, "--fee", "222")
      let done = try restore(daemon, "latest", "--technician", "Maria", "--confirm", Self.team)
      #expect(done.archives.map(\.technician) == ["maria"] && done.lost.pools == 0)
      #expect(try daemon.ask("pool", "list", "--team", Self.team, "--technician", "maria", "--json").output == before)
      #expect(try daemon.ask("pool", "show", "Elena Calloway", "--team", Self.team).output.contains("222"))

      // The same archive, from a file.
      let path = "\(daemon.scratch.path)/maria.zip"
      try daemon.change("backup", "export", backup.id, "--output", path, "--team", Self.team, "--technician", "maria")
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
      try daemon.change("pool", "remove", "Steve Baird", "--team", Self.team, "--yes")
      let file = try restore(daemon, path, "--technician", "maria", "--confirm", Self.team)
      #expect(
        file.warnings.contains { $0.contains("only the pools that maria services are replaced") }, "\(file.warnings)")
      #expect(try daemon.ask("pool", "list", "--team", Self.team, "--technician", "maria", "--json").output == before)
      #expect(try daemon.ask("pool", "show", "Elena Calloway", "--team", Self.team).output.contains("222"))
      #expect(try daemon.ask("audit").output.contains("backup restore 'maria.zip' --team desert-blue"))
    }

    @Test func `a failed restore names its reason and changes nothing`() throws {
      let daemon = try daemon()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      let before = try tables(daemon)
      let cases: [(words: [String], code: Int32, part: String)] = [
        (["latest", "--team", "desert-blu"], ExitCode.notFound, "did you mean 'desert-blue'"),
        (["latest", "--technician", "maria"], ExitCode.usage, "--team"),
        (["./nothing.zip", "--team", Self.team], ExitCode.noInput, "cannot read"),
      ]
      for (words, code, part) in cases {
        let answer = try Pfctl.run(
          ["backup", "restore"] + words + ["--socket", daemon.socket, "--confirm", Self.team], in: daemon.scratch)
        #expect(answer.code == code && answer.errors.contains(part), "\(words): \(answer)")
      }
      // One flipped bit in one archive.
      let shown = try daemon.query(BackupCall.Show.Reply.self, "backup", "show", "latest")
      let path = "\(backup.path)/\(try #require(shown.archives.first).name)"
      var bytes = try Files.bytes(path)
      bytes[bytes.count / 2] ^= 1
      try Data(bytes).write(to: URL(filePath: path))
      let damaged = try daemon.ask("backup", "restore", backup.id, "--team", Self.team, "--confirm", Self.team)
      #expect(damaged.code == ExitCode.badData && damaged.errors.contains("nothing was changed"), "\(damaged.errors)")
      let exported = try daemon.ask(
        "backup", "export", backup.id, "--output", daemon.scratch.path, "--team", Self.team)
      #expect(exported.code == ExitCode.badData && exported.errors.contains("SHA-256"), "\(exported.errors)")
      #expect(Files.names(in: daemon.scratch.path).allSatisfy { !$0.contains("partial") })
      #expect(try tables(daemon) == before)
    }

    @Test func `no plan prevents a team from restoring or importing its own records`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z")
      try daemon.settings("[Daemon]\nPlanLimits = on\n")
      try daemon.start()
      try daemon.change("team", "add", "small", "--zone", "America/Phoenix")
      try daemon.change("pool", "add", "Nora New", "5 New St", "--team", "small")
      try daemon.change("backup", "create")
      let own = "\(daemon.scratch.path)/own.zip"
      try daemon.change("backup", "export", "latest", "--output", own, "--team", "small")
      let large = "\(daemon.scratch.path)/large.zip"
      try daemon.change("backup", "export", "latest", "--output", large, "--team", Self.team, "--technician", "maria")
      for team in ["small", Self.team] { try daemon.change("team", "plan", team, "free") }

      try daemon.change("backup", "restore", own, "--team", "small", "--confirm", "small")
      try daemon.change("import", own, "--team", "small", "--replace")
      // Restore and import refuse a file with more pools than the plan allows, with the same sentence.
      let restored = try daemon.ask("backup", "restore", large, "--team", "small", "--confirm", "small")
      let imported = try daemon.ask("import", large, "--team", "small", "--replace")
      for answer in [restored, imported] {
        #expect(answer.code == ExitCode.badData && answer.errors.contains("the free plan"), "\(answer)")
      }
      for team in ["small", Self.team] {
        let before = try daemon.ask("export", "pools", "--team", team).output.split(separator: "\n").count
        let cleared = try daemon.ask("team", "clear", team, "--confirm", team)
        let way = try #require(cleared.errors.firstMatch(of: /to restore it: pfctl (.+)/)?.output.1, "\(cleared)")
        let back = try daemon.ask(way.split(separator: " ").map(String.init) + ["--confirm", team])
        #expect(back.code == 0, "\(back)")
        #expect(try daemon.ask("export", "pools", "--team", team).output.split(separator: "\n").count == before)
      }
    }

    @Test func `a team is cleared only if its name is confirmed`() throws {
      let daemon = try daemon()
      let open = try daemon.ask("team", "clear", Self.team)
      #expect(open.code == ExitCode.usage && open.errors.contains("--confirm"), "\(open.errors)")
      let wrong = try daemon.ask("team", "clear", Self.team, "--confirm", "yes")
      #expect(wrong.code == ExitCode.declined, "\(wrong.errors)")
    }

    @Test func `a removed team's pages and jobs are deleted; its backup restores it`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z")
      let web = try daemon.scratch.folder("www")
      let inbox = try daemon.scratch.folder("inbox")
      _ = try daemon.scratch.folder("inbox/desert-blue")
      try daemon.scratch.write(
        "poolflow.conf",
        """
        [Daemon]
        Inbox = \(inbox)
        [Sink drop]
        Type = file-drop
        Teams = desert-blue
        [Sink web]
        Type = publish
        Directory = \(web)
        """.utf8)
      try daemon.start()
      try eventually("Monday's notice", { !daemon.notices.isEmpty })
      try eventually("pages", { !Files.names(in: web + "/p").isEmpty })
      let before = try daemon.ask("export", "pools", "--team", Self.team).output
      let dry = try daemon.ask("team", "remove", Self.team, "--dry-run")
      #expect(dry.code == 0 && dry.output.contains("pools") && dry.errors.contains("nothing was changed"), "\(dry)")
      #expect(
        dry.errors.contains("[Sink drop] names the team desert-blue") && dry.errors.contains("inbox/desert-blue'"))
      #expect(try daemon.ask("team", "remove", Self.team).code == ExitCode.usage)
      #expect(try daemon.ask("team", "remove", Self.team, "--confirm", "yes").code == ExitCode.declined)
      let done = try daemon.query(
        TeamsCall.Remove.Reply.self, "team", "remove", Self.team, "--confirm", Self.team)
      let backup = try #require(done.backup)
      #expect(!done.archives.isEmpty && done.archives.allSatisfy { Files.exists($0) })
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.isEmpty)
      #expect(try daemon.ask("list", "--team", Self.team).code == ExitCode.notFound)
      #expect(photos(daemon).isEmpty)
      try eventually("no page", { Files.names(in: web + "/p").isEmpty })
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix")
      _ = try restore(daemon, backup, "--confirm", Self.team)
      let after = try daemon.ask("export", "pools", "--team", Self.team).output
      #expect(after.split(separator: "\n").count == before.split(separator: "\n").count)
      #expect(try daemon.ask("audit").output.contains("team remove desert-blue"))
      #expect(!daemon.log.contains("cannot"), "\(daemon.log)")
    }

    @Test func `a renamed team is notified by its new name; stale references are listed`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nTeams = desert-blue mesa\n".utf8)
      try daemon.start()
      try eventually("Monday's notice", { daemon.notices.count == 1 })
      try daemon.change("team", "add", "taken", "--zone", "UTC")
      #expect(try daemon.ask("team", "rename", Self.team, "taken").code == ExitCode.cannotCreate)
      let bad = try daemon.ask("team", "rename", Self.team, "no/name")
      #expect(bad.code == ExitCode.usage && bad.errors.contains("letters, digits"), "\(bad)")
      let answer = try daemon.ask("team", "rename", Self.team, "mesa")
      #expect(answer.code == 0 && answer.output == "team desert-blue is mesa now\n", "\(answer)")
      #expect(answer.errors.contains("[Sink drop] names the team desert-blue, which should say mesa"), "\(answer)")
      try daemon.change("run", "morning-summary", "--team", "mesa")
      try eventually("a notice in the new name", { daemon.notices.count == 2 })
      let texts = try daemon.notices.map { try Files.text("\(daemon.drop)/\($0)") }
      #expect(texts.contains { $0.contains("\"subject\":\"mesa\"") })
      #expect(try daemon.ask("history", "--team", "mesa").code == 0)
    }

    @Test func `undelivered notices are put on hold when a team is cleared`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z")
      let drop = daemon.scratch.path + "/no-such-folder"
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nDirectory = \(drop)\n".utf8)
      try daemon.start()
      func states() throws -> [EntryStateView] {
        try daemon.query(OutboxCall.List.Reply.self, "outbox", "list", "--team", Self.team).entries.map(\.state)
      }
      try eventually("Monday's notice that cannot be delivered", { try states() == [.pending] })
      let done = try daemon.query(
        TeamsCall.Clear.Reply.self, "team", "clear", Self.team, "--confirm", Self.team)
      #expect(done.held == 1)
      #expect(try states() == [.held])
    }

    @Test func `a whole backup is exported and restored on another daemon`() throws {
      let daemon = try daemon()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      let folder = daemon.scratch.path + "/usb"
      let missing = try daemon.ask("backup", "export", "latest", "--output", folder)
      #expect(missing.code == ExitCode.usage && missing.errors.contains("create it first"), "\(missing.errors)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try daemon.change("backup", "export", "latest", "--output", folder)
      #expect(Files.names(in: folder) == [backup.id])
      let again = try daemon.ask("backup", "export", "latest", "--output", folder)
      #expect(again.code == ExitCode.cannotCreate && again.errors.contains("already exists"), "\(again.errors)")
      try daemon.change("backup", "export", "latest", "--output", folder, "--team", Self.team)
      #expect(Files.names(in: folder).count == 5)
      let many = try daemon.ask("backup", "export", "latest", "--output", folder + "/one.zip", "--team", Self.team)
      #expect(many.code == ExitCode.usage && many.errors.contains("--technician"), "\(many.errors)")

      let absentees: [(team: String, technician: [String])] = [
        ("nosuch", []), (Self.team, ["--technician", "unknown"]),
      ]
      for (team, technician) in absentees {
        let absent = try daemon.ask(
          ["backup", "export", "latest", "--output", folder, "--team", team] + technician)
        #expect(absent.code == ExitCode.notFound && absent.errors.contains("has no archive of"), "\(absent.errors)")
      }
      let file = try daemon.ask("backup", "restore", "./demo-backup.zip", "--dry-run")
      #expect(file.code == ExitCode.usage && file.errors.contains("name the team with --team"), "\(file.errors)")

      let other = daemon.scratch.path + "/other"
      let recovered = try Program.run(
        Checkout.daemon, ["--state-dir", other, "--recover", "restore", "\(folder)/\(backup.id)"], in: daemon.scratch)
      #expect(recovered.code == 0, "\(recovered.errors)")
      let pools = try DemoStore.counts.get().pools
      #expect(recovered.output.contains("with 1 team and \(pools) pools"), "\(recovered.output)")
    }

    @Test func `the template has every column and imports unchanged`() throws {
      let daemon = try daemon()
      let path = daemon.scratch.path + "/template.csv"
      try daemon.change("export", "template", "--output", path)
      let report = try daemon.query(
        ImportCall.Apply.Reply.self, "import", path, "--team", Self.team, "--dry-run"
      ).report
      #expect(report.creates == 1 && report.issuesTotal == 0 && report.warnings.isEmpty)
    }
  }
}
