import FlowControl
import Foundation
import Testing

extension Programs {
  /// A stable's data through the built programs: CSV lists, forecasts, and its archive in the nightly backup.
  @Suite struct StableImportTests {
    private static let team = "willow-barn"
    /// Monday 06:30 in Phoenix.
    private static let morning = "2026-03-02T13:30:00Z"

    private let horses =
      "horse,owner,clipped,date_added\nJuniper,Ada Field,yes,2026-01-05\nOld Bob,,no,\nClover,Ben,,\n"
    private let feed =
      "horse,am_grain,pm_grain,pm_medications\njuniper,2 qt oats,hay,pill | drops\nCLOVER,1 qt oats,,\n"
    private let care =
      "horse,type,date,next_due,cost,provider,notes\nJuniper,farrier,2026-02-20,2026-03-03,120.50,Sam Hoof,all four\n"
      + "Clover,vet,2026-02-27,,85,,lame\nClover,vet,2026-02-27,,12.3456,,again\n"

    private func barn(_ settings: String = "") throws -> Daemon {
      let daemon = try Daemon(at: Self.morning, empty: true)
      if !settings.isEmpty { try daemon.scratch.write("poolflow.conf", settings.utf8) }
      try daemon.start()
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix", "--trade", "stable")
      return daemon
    }

    private func bring(_ text: String, _ daemon: Daemon, _ options: String...) throws -> Answer {
      let file = try daemon.scratch.write("list.csv", text.utf8)
      return try daemon.ask(["import", file, "--team", Self.team] + options)
    }

    /// All records of the stable, as its commands list them.
    private func book(_ daemon: Daemon) throws -> [String] {
      try [
        ["horse", "list"], ["feed", "board"], ["feed", "history"], ["feed", "template", "list"], ["care", "list"],
      ].map {
        let answer = try daemon.ask($0 + ["--team", Self.team, "--json"])
        #expect(answer.code == 0, "\($0): \(answer.errors)")
        return answer.output
      }
    }

    private func photos(_ daemon: Daemon) throws -> [[UInt8]] {
      try Files.tree(daemon.state + "/photos").filter { $0.key.hasSuffix(".bin") }.map(\.value)
    }

    private func fill(_ daemon: Daemon) throws {
      for list in [horses, feed, care] { #expect(try bring(list, daemon).code == 0) }
    }

    @Test func `three lists are previewed and imported; importing them again changes nothing`() throws {
      let daemon = try barn()
      let preview = try bring(horses, daemon, "--dry-run")
      #expect(preview.code == 0 && preview.errors.contains("3 horses would be created"), "\(preview)")
      #expect(try daemon.ask("horse", "list", "--team", Self.team).errors.contains("0 horses"))
      try fill(daemon)
      let before = try book(daemon)
      #expect(before[0].contains("\"owner\" : \"Ada Field\"") && before[1].contains("drops"), "\(before)")
      #expect(before[4].contains("12.3456") && before[4].contains("lame"))
      for list in [horses, feed, care] {
        let again = try bring(list, daemon)
        #expect(again.code == 0 && again.errors.contains(": 0 "), "\(again)")
      }
      #expect(try book(daemon) == before)
      // An exported list imports unchanged, into the same stable and into another one.
      try daemon.change("team", "add", "other", "--zone", "America/Phoenix", "--trade", "stable")
      for list in ["horses", "feed", "care"] {
        let file = daemon.scratch.path + "/\(list)-export.csv"
        let written = try daemon.ask("export", list, "--team", Self.team, "--output", file)
        #expect(written.code == 0 && written.errors.contains("3 lines") == (list != "feed"), "\(written)")
        #expect(try daemon.ask("import", file, "--team", Self.team).code == 0)
        #expect(try daemon.ask("import", file, "--team", "other").errors.contains(", 0 rows skipped"))
        let again = try daemon.ask("export", list, "--team", "other")
        #expect(try again.output == Files.text(file), "\(list)")
      }
      #expect(try book(daemon) == before)
      #expect(try daemon.ask("export", "pools", "--team", Self.team).errors.contains("is a stable"))
      // An empty cell keeps the stored value, except in a feed list.
      _ = try bring("horse,owner\nJuniper,\n", daemon)
      #expect(try book(daemon)[0] == before[0])
      _ = try bring("horse,pm_medications\nJuniper,\n", daemon)
      #expect(try !book(daemon)[1].contains("drops"))
    }

    @Test func `errors in a list are reported by row; an invalid list changes nothing`() throws {
      let daemon = try barn()
      try fill(daemon)
      let before = try book(daemon)
      let bad = "horse,type,date,cost\nUnknown,vet,2026-03-01,1\nJuniper,shoes,2026-03-01,1\nJuniper,vet,1.3.2026,1\n"
      let answer = try bring(bad, daemon)
      #expect(answer.code == 0 && answer.errors.contains("3 rows skipped"), "\(answer)")
      for words in [
        "row 2: horse does not name a horse of this team", "row 3: type must be one of vet, farrier",
        "row 4: date is not a date",
      ] { #expect((answer.output + answer.errors).contains(words), "\(answer)") }
      let long = "horse\n\(String(repeating: "x", count: 300))\n"
      #expect((try bring(long, daemon).output + bring(long, daemon).errors).contains("longer than 200 characters"))
      let refused = try bring("horse\n" + (0..<10_001).map { "Horse \($0)\n" }.joined(), daemon)
      #expect(refused.code == 65 && refused.errors.contains("more than 5000 rows"), "\(refused)")
      let full = try bring("horse\n" + (0..<2_500).map { "Horse \($0)\n" }.joined(), daemon, "--dry-run")
      #expect(full.errors.contains("503 rows skipped") && full.output.contains("2000 horses"), "\(full.errors)")
      #expect(try book(daemon) == before)
      for file in [Checkout.customers, Checkout.backup] {
        let refused = try daemon.ask("import", file, "--team", Self.team)
        #expect(refused.code == 65 && refused.errors.contains("nothing was changed"), "\(refused)")
      }
      #expect(try book(daemon) == before)
    }

    @Test func `a stable is backed up, cleared, restored and imported into another stable`() throws {
      let daemon = try barn()
      try fill(daemon)
      let photo = try daemon.scratch.write("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + Array("a picture".utf8))
      try daemon.change("horse", "set", "Juniper", "--team", Self.team, "--photo", photo)
      try daemon.change("feed", "mark", "--all", "am", "--team", Self.team)
      try daemon.change("feed", "template", "save", "Easy", "--team", Self.team, "--horse", "Clover")
      try daemon.change("run", "feed-reset", "--team", Self.team)
      let before = try book(daemon)
      let made = try daemon.ask("backup", "create")
      #expect(made.code == 0, "\(made)")
      let whole = try daemon.ask("backup", "verify", "latest", "--full")
      #expect(whole.code == 0 && whole.output.contains("is undamaged"), "\(whole)")
      #expect(try daemon.ask("backup", "show", "latest").output.contains("3 horses"))

      let preview = try daemon.ask("team", "clear", Self.team, "--dry-run")
      #expect(preview.code == 0 && preview.output.contains("horses"), "\(preview)")
      let end = try daemon.ask("team", "remove", Self.team, "--dry-run")
      #expect(end.code == 0 && end.output.contains("team \(Self.team): 3 horses, "), "\(end)")
      #expect(end.output.contains(" 1 photo; ") && !end.output.contains("pool"), "\(end)")
      #expect(try book(daemon) == before)
      #expect(try daemon.ask("team", "clear", Self.team, "--confirm", Self.team).code == 0)
      #expect(try daemon.ask("horse", "list", "--team", Self.team).errors.contains("0 horses"))
      #expect(try photos(daemon).isEmpty)
      let back = try daemon.ask("backup", "restore", "latest", "--team", Self.team, "--confirm", Self.team)
      #expect(back.code == 0, "\(back)")
      #expect(try book(daemon) == before)
      #expect(try photos(daemon) == [Files.bytes(photo)])

      // The exported archive, imported into another stable.
      let folder = try daemon.scratch.folder("export")
      #expect(try daemon.ask("backup", "export", "latest", "--output", folder, "--team", Self.team).code == 0)
      let archive = try #require(Files.tree(folder).map(\.0).first { $0.hasSuffix(".zip") })
      try daemon.change("team", "add", "other", "--zone", "UTC", "--trade", "stable")
      let taken = try daemon.ask("import", "\(folder)/\(archive)", "--team", "other")
      #expect(taken.code == 0 && taken.errors.contains("3 horses were created"), "\(taken)")
      // The later change would be lost, so the import is refused without --replace.
      try daemon.change("horse", "add", "New", "--team", "other")
      let refused = try daemon.ask("import", "\(folder)/\(archive)", "--team", "other")
      #expect(refused.code == 65 && refused.errors.contains("does not have 1 horse"), "\(refused)")
      #expect(try daemon.ask("import", "\(folder)/\(archive)", "--team", "other", "--replace").code == 0)
      #expect(try daemon.ask("horse", "list", "--team", "other").errors.contains("3 horses"))
      // A pool service cannot import it.
      try daemon.change("team", "add", "blue", "--zone", "UTC")
      let other = try daemon.ask("import", "\(folder)/\(archive)", "--team", "blue")
      #expect(other.code == 65 && other.errors.contains("archive of a stable"), "\(other)")
    }

    @Test func `the inbox imports a stable's lists and forecasts, not other files`() throws {
      let scratch = try Scratch()
      let inbox = try scratch.folder("inbox")
      let folder = inbox + "/\(Self.team)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let hours = (0..<24).map { "2026-03-02T\($0 < 10 ? "0" : "")\($0):00:00Z,-2\n" }.joined()
      for (name, text) in [
        ("1-horses.csv", horses), ("2-feed.csv", feed), ("3-forecast.csv", "time,air_c\n" + hours),
        ("4-kelvin.json", "{\"hourly\":{}}"),
      ] { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
      let daemon = try barn("[Daemon]\nInbox = \(inbox)\n")
      try eventually("all have their answers") {
        try daemon.ask("inbox", "take")
        return Files.names(in: folder).filter { $0.hasSuffix(".result") }.count == 4
      }
      let ends = Files.names(in: folder).compactMap { name in
        name.hasSuffix(".done")
          ? "done \(name.prefix(1))" : name.hasSuffix(".refused") ? "refused \(name.prefix(1))" : nil
      }
      #expect(ends.sorted() == ["done 1", "done 2", "done 3", "refused 4"])
      #expect(try daemon.ask("weather", "show", "--team", Self.team).code == 0)
      #expect(try daemon.ask("feed", "board", "--team", Self.team).output.contains("drops"))
    }
  }
}
