import Foundation
import Glibc
import PoolControl
import PoolTestKit
import Testing

extension Programs {
  /// What `pfctl` is given and cannot use: one sentence, the right exit code, nothing changed.
  @Suite struct BadFileTests {
    /// A team with the demo's pools, whose counts every refusal must leave alone.
    private func refuse(
      _ words: [String], code: Int32, saying: String..., on daemon: Daemon? = nil,
      location: SourceLocation = #_sourceLocation
    ) throws {
      let daemon = try daemon ?? Daemon(at: DemoStore.madeAt).start()
      let before = try daemon.everything()
      let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
      #expect(answer.code == code, "\(answer.errors)", sourceLocation: location)
      #expect(answer.output == "", sourceLocation: location)
      #expect(answer.errors.hasPrefix("pfctl: "), sourceLocation: location)
      #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)", sourceLocation: location)
      for part in saying {
        #expect(answer.errors.contains(part), "\(answer.errors)", sourceLocation: location)
      }
      #expect(try daemon.everything() == before, sourceLocation: location)
      #expect(Files.names(in: daemon.state + "/uploads").isEmpty, sourceLocation: location)
    }

    private func refuseImport(
      _ name: String, _ bytes: [UInt8], saying: String, location: SourceLocation = #_sourceLocation
    ) throws {
      let scratch = try Scratch()
      let file = try scratch.write(name, bytes)
      try refuse(
        ["import", file, "--team", "desert-blue"], code: ExitCode.badData, saying: "'\(name)'", saying,
        location: location)
    }

    @Test func `a missing file`() throws {
      try refuse(
        ["import", "/nonexistent/backup.zip", "--team", "desert-blue"], code: ExitCode.noInput,
        saying: "'/nonexistent/backup.zip'", "No such file or directory")
    }

    @Test func `a directory, and a pipe that nobody writes to`() throws {
      let scratch = try Scratch()
      try refuse(
        ["import", scratch.path, "--team", "desert-blue"], code: ExitCode.noInput, saying: "is a directory")
      let pipe = scratch.path + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      try refuse(
        ["import", pipe, "--team", "desert-blue"], code: ExitCode.noInput, saying: "is not a regular file")
    }

    @Test func `an empty file`() throws {
      let scratch = try Scratch()
      let file = try scratch.write("backup.zip", [])
      try refuse(["import", file, "--team", "desert-blue"], code: ExitCode.badData, saying: "is empty")
    }

    @Test(arguments: [1, 4, 100, 10_000, 100_000])
    func `a backup that was cut short`(to length: Int) throws {
      let whole = try Files.bytes(Checkout.backup)
      try refuseImport("backup.zip", Array(whole.prefix(length)), saying: "nothing was changed")
    }

    @Test func `a backup that lacks its last byte`() throws {
      try refuseImport("backup.zip", Array(try Files.bytes(Checkout.backup).dropLast()), saying: "nothing was changed")
    }

    @Test func `a backup with a flipped bit in its records`() throws {
      var bytes = try Files.bytes(Checkout.backup)
      bytes[bytes.count / 2] ^= 0x10
      try refuseImport("backup.zip", bytes, saying: "nothing was changed")
    }

    @Test func `random bytes that are called a backup`() throws {
      var random = SeededNumbers(seed: 1)
      let bytes = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      try refuseImport("backup.zip", bytes, saying: "nothing was changed")
    }

    @Test func `a picture`() throws {
      let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]
      try refuseImport("route.png", png + Array(repeating: 0, count: 500), saying: "nothing was changed")
    }

    @Test func `a backup of schema 3`() throws {
      try refuseImport("backup.zip", try Files.bytes(Checkout.archives + "/schema-v3.zip"), saying: "3")
    }

    @Test(arguments: [
      "zip-slip", "symlink", "bomb-lying", "crc-error", "duplicate-entry", "encrypted-entry", "missing-manifest",
      "missing-pools", "malformed-pools", "orphan-event", "not-a-zip", "unknown-method", "schema-v0",
    ])
    func `a backup that is hostile or broken`(name: String) throws {
      let bytes = try Files.bytes("\(Checkout.archives)/\(name).zip")
      try refuseImport("backup.zip", bytes, saying: "nothing was changed")
    }

    @Test func `a customers file with no header that we know`() throws {
      try refuseImport("customers.csv", Array("a,b,c\n1,2,3\n".utf8), saying: "nothing was changed")
    }

    @Test func `a team that is not there, with the nearest name`() throws {
      try refuse(
        ["import", Checkout.backup, "--team", "desert-blu"], code: ExitCode.usage,
        saying: "no team is called 'desert-blu'", "did you mean 'desert-blue'?")
      try refuse(["team", "show", "desrt-blue"], code: ExitCode.usage, saying: "did you mean 'desert-blue'?")
    }

    @Test func `a zone that is not there, with the nearest name`() throws {
      try refuse(
        ["team", "add", "second", "--zone", "America/Phenix"], code: ExitCode.usage, saying: "America/Phoenix")
      try refuse(["team", "set", "desert-blue", "zone=Berlin"], code: ExitCode.usage, saying: "Europe/Berlin")
      try refuse(["team", "add", "second", "--zone", "../../etc/passwd"], code: ExitCode.usage, saying: "passwd")
    }

    @Test func `settings that cannot be: all of them or none`() throws {
      try refuse(
        ["team", "set", "desert-blue", "language=es", "morning-time=25:00"], code: ExitCode.usage,
        saying: "morning-time cannot be '25:00'")
      try refuse(["team", "set", "desert-blue", "mornin-time=07:00"], code: ExitCode.usage, saying: "morning-time?")
      try refuse(["team", "plan", "desert-blue", "gold"], code: ExitCode.usage, saying: "free, trial or paid")
      try refuse(["team", "add", "desert-blue", "--zone", "UTC"], code: ExitCode.cannotCreate, saying: "already")
    }

    @Test func `commands, options and operands that are not there`() throws {
      try refuse(["status", "--jsno"], code: ExitCode.usage, saying: "--jsno", "did you mean --json?")
      try refuse(["histroy"], code: ExitCode.usage, saying: "histroy", "history")
      try refuse(["team", "ad", "x"], code: ExitCode.usage, saying: "did you mean `pfctl team add`?")
      try refuse(["run"], code: ExitCode.usage, saying: "JOB")
      try refuse(["run", "mornin-summary", "--team", "desert-blue"], code: ExitCode.usage, saying: "morning-summary")
      try refuse(["simulate", "--days", "0"], code: ExitCode.usage, saying: "--days")
      try refuse(["outbox", "show", "nothing"], code: ExitCode.usage, saying: "nothing")
      try refuse(["import", Checkout.backup], code: ExitCode.usage, saying: "--team")
    }

    @Test func `a full free plan takes neither a backup nor a sixth customer`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt, empty: true).start()
      try daemon.change("team", "add", "small", "--zone", "America/Phoenix")
      try daemon.change("team", "plan", "small", "free")
      try refuse(
        ["import", Checkout.backup, "--team", "small"], code: ExitCode.badData, saying: "free plan", "5 pools",
        "\(try DemoStore.counts.get().pools)",
        on: daemon)
      let customers = try Files.text(Checkout.customers).split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
      let five = try daemon.scratch.write("five.csv", Array(customers.prefix(6).joined(separator: "\n").utf8))
      let six = try daemon.scratch.write("six.csv", Array(customers.prefix(7).joined(separator: "\n").utf8))
      try daemon.change("import", five, "--team", "small")
      #expect(try daemon.pools("small") == 5)
      try refuse(
        ["import", six, "--team", "small"], code: ExitCode.badData, saying: "free plan", "5 pools", "6", on: daemon)
      // On a plan without a bound the same file is welcome.
      try daemon.change("team", "plan", "small", "paid")
      try daemon.change("import", six, "--team", "small")
      #expect(try daemon.pools("small") == 6)
    }

    @Test func `no daemon at the socket`() throws {
      let scratch = try Scratch()
      for path in ["\(scratch.path)/nobody.sock", "/nonexistent/control.sock"] {
        let answer = try Pfctl.run(["status", "--socket", path], in: scratch)
        #expect(answer.code == ExitCode.unavailable)
        #expect(answer.errors.contains(path) && answer.errors.contains("systemctl start poolflowd"))
      }
      let long = "/tmp/" + String(repeating: "x", count: 103)
      let answer = try Pfctl.run(["status", "--socket", long], in: scratch)
      #expect(answer.code == ExitCode.usage)
      #expect(answer.errors.contains("108 bytes"))
    }

    @Test func `a name from a file cannot move the cursor`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let answer = try daemon.ask("team", "show", "a\u{1B}[2Jb\n")
      #expect(answer.code == ExitCode.usage)
      #expect(!answer.errors.contains("\u{1B}"))
      #expect(answer.errors.split(separator: "\n").count == 1)
    }
  }
}

extension Daemon {
  fileprivate func pools(_ team: String) throws -> Int {
    try query(PoolsCall.List.Reply.self, "pool", "list", "--team", team).pools.count
  }

  /// What a refusal must not change: teams, pools, jobs, runs and photos.
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
