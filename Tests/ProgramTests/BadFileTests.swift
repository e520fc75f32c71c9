import FlowControl
import Foundation
import Glibc
import Testing

extension Programs {
  /// Input that `pfctl` cannot use gets one sentence and the right exit code; nothing changes.
  @Suite struct BadFileTests {
    private typealias Case = (words: [String], code: Int32, said: [String])

    /// Runs each command against a daemon with the demo team, and checks that the refusal changes no data.
    private func refuse(_ cases: [Case], on daemon: Daemon) throws {
      let before = try daemon.everything()
      for (words, code, said) in cases {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == code && answer.output == "", "\(words): \(answer)")
        #expect(answer.errors.hasPrefix("pfctl: "), "\(words): \(answer)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(words): \(answer)")
        for part in said { #expect(answer.errors.contains(part), "\(words): \(answer)") }
        // Uploads are deleted when their connection ends, which the daemon notices only after `pfctl` has exited.
        try eventually("no upload of \(words) is left") { Files.names(in: daemon.state + "/uploads").isEmpty }
      }
      #expect(try daemon.everything() == before)
    }

    @Test func `importing a missing file, a directory or a pipe is refused`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let pipe = daemon.scratch.path + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      func importing(_ path: String, _ said: String...) -> Case {
        (["import", path, "--team", "desert-blue"], ExitCode.noInput, said)
      }
      try refuse(
        [
          importing("/nonexistent/backup.zip", "'/nonexistent/backup.zip'", "No such file or directory"),
          importing(daemon.scratch.path, "is a directory"), importing(pipe, "is not a regular file"),
        ], on: daemon)
    }

    @Test func `one example of each refusal by the daemon exits with its code`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      try daemon.settings("[Daemon]\nPlanLimits = on\n")
      try daemon.start()
      try daemon.change("team", "add", "small", "--zone", "America/Phoenix")
      try daemon.change("team", "plan", "small", "free")
      var bytes = try Files.bytes(Checkout.backup)
      bytes[bytes.count / 2] ^= 0x10
      let flipped = try daemon.scratch.write("backup.zip", bytes)
      let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]
      let picture = try daemon.scratch.write("route.png", png + Array(repeating: 0, count: 500))
      let nothing = try daemon.scratch.write("empty.zip", [])
      let table = try daemon.scratch.write("customers.csv", "a,b,c\n1,2,3\n".utf8)
      let team = ["--team", "desert-blue"]
      let cases: [Case] = [
        (["import", flipped] + team, ExitCode.badData, ["nothing was changed"]),
        (["import", picture] + team, ExitCode.badData, ["nothing was changed"]),
        (["import", nothing] + team, ExitCode.badData, ["is empty"]),
        (["import", table] + team, ExitCode.badData, ["nothing was changed"]),
        (["import", Checkout.backup, "--team", "desert-blu"], ExitCode.notFound, ["did you mean 'desert-blue'?"]),
        (["import", Checkout.backup, "--team", "small"], ExitCode.badData, ["free plan"]),
        (["team", "show", "desrt-blue"], ExitCode.notFound, ["did you mean 'desert-blue'?"]),
        (["team", "add", "second", "--zone", "America/Phenix"], ExitCode.usage, ["America/Phoenix"]),
        (["team", "add", "desert-blue", "--zone", "UTC"], ExitCode.cannotCreate, ["already"]),
        (["team", "set", "desert-blue", "language=es", "morning-time=25:00"], ExitCode.usage, ["'25:00'"]),
        (["team", "plan", "desert-blue", "gold"], ExitCode.usage, ["free, trial or paid"]),
      ]
      try refuse(cases, on: daemon)
    }

    @Test func `unknown commands, options and operands are refused with suggestions`() throws {
      let cases: [Case] = [
        (["status", "--jsno"], ExitCode.usage, ["--jsno", "did you mean --json?"]),
        (["histroy"], ExitCode.usage, ["histroy", "history"]),
        (["team", "ad", "x"], ExitCode.usage, ["did you mean `pfctl team add`?"]), (["run"], ExitCode.usage, ["JOB"]),
        (["run", "mornin-summary", "--team", "desert-blue"], ExitCode.notFound, ["morning-summary"]),
        (["simulate", "--days", "0"], ExitCode.usage, ["--days"]),
        (["outbox", "show", "nothing"], ExitCode.notFound, ["nothing"]),
        (["import"], ExitCode.usage, ["needs FILE"]), (["dead"], ExitCode.usage, ["`pfctl outbox list --state dead`"]),
        (["team", "show", "--team", "x"], ExitCode.usage, ["is an operand of"]),
        (["route", "matrix"], ExitCode.usage, ["import or remove"]),
        (["profit", "--days", "45"], ExitCode.usage, ["--days is 30, 60 or 90, not '45'"]),
      ]
      try refuse(cases, on: try Daemon(at: DemoStore.madeAt).start())
    }

    @Test func `a socket without a daemon, or with a path of 108 bytes, is reported`() throws {
      let scratch = try Scratch()
      for path in ["\(scratch.path)/absent.sock", "/nonexistent/control.sock"] {
        let answer = try Pfctl.run(["status", "--socket", path], in: scratch)
        #expect(answer.code == ExitCode.unavailable)
        #expect(answer.errors.contains(path) && answer.errors.contains("systemctl start poolflowd"))
      }
      let long = "/tmp/" + String(repeating: "x", count: 103)
      let answer = try Pfctl.run(["status", "--socket", long], in: scratch)
      #expect(answer.code == ExitCode.usage)
      #expect(answer.errors.contains("108 bytes"))
    }

    @Test func `an escape sequence in a name does not reach the terminal`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let answer = try daemon.ask("team", "show", "a\u{1B}[2Jb\n")
      #expect(answer.code == ExitCode.notFound)
      #expect(!answer.errors.contains("\u{1B}"))
      #expect(answer.errors.split(separator: "\n").count == 1)
    }
  }
}

extension Daemon {
  /// Data that a refusal must not change: teams, pools, jobs, runs and photos.
  fileprivate func everything() throws -> [String] {
    let teams = try ask("team", "list", "--json").output
    let jobs = try ask("list", "--json").output
    let pools = try query(TeamsCall.List.Reply.self, "team", "list").teams.map {
      try ask("pool", "list", "--team", $0.name, "--json").output
    }
    let photos = FileManager.default.enumerator(atPath: state + "/photos")?.compactMap { $0 as? String } ?? []
    return [teams, jobs, try ask("history", "--json").output] + pools + photos.sorted()
  }
}
