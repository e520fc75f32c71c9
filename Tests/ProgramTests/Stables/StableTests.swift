import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import StableControl
import Testing

extension Programs {
  /// A barn's daily work through the built programs, from its first horse to its reports.
  @Suite struct StableTests {
    private static let team = "willow-barn"
    /// Monday 06:30 in Phoenix.
    private static let morning = "2026-03-02T13:30:00Z"

    /// A daemon with an empty stable in Phoenix.
    private func barn(units: String = "imperial") throws -> Daemon {
      let daemon = try Daemon(at: Self.morning, empty: true)
      try daemon.start()
      try daemon.change(
        "team", "add", Self.team, "--zone", "America/Phoenix", "--units", units, "--trade", "stable")
      return daemon
    }

    /// The commands omit --team, because there is only one team.
    private func fill(_ daemon: Daemon) throws {
      try daemon.change("horse", "add", "Juniper", "--owner", "Ada Field", "--clipped", "yes")
      try daemon.change("horse", "add", "Old Bob")
      try daemon.change("horse", "add", "Clover", "--added", "2026-02-01")
      try daemon.change(
        "feed", "set", "juniper", "--am-grain", "2 qt oats", "--am-supplements", "MSM; Biotin", "pm-grain=hay",
        "pm-medications=Previcoxx")
      try daemon.change("feed", "set", "clover", "am-grain=1 qt oats")
    }

    @Test func `a barn's notices ignore closed days unless closed=observe is set`() throws {
      let daemon = try barn()
      try fill(daemon)
      try daemon.change("closed", "add", "2026-03-02", "--notes", "Show day")
      let shown = try daemon.query(JobsCall.Show.Reply.self, "job", "show", "barn-digest").timing.settings
      #expect(shown.contains { $0.key == "closed" && $0.value == "ignore" && $0.origin == .kind })
      #expect(shown.contains { $0.key == "expires" && $0.value == "16h" })
      func run(_ job: String) throws -> String {
        try daemon.query(SchedulerCall.Run.Reply.self, "run", job, "--wait").run.detail
      }
      #expect(try !run("barn-digest").contains("closed"))
      for job in ["barn-digest", "care-due", "feed-am", "feed-pm", "blanket", "barn-week"] {
        try daemon.change("job", "set", job, "closed=observe")
        #expect(try run(job).contains("the team is closed today: Show day"), "\(job)")
      }
      let closed = try daemon.ask("why", "barn-digest")
      #expect(closed.output.contains("Show day"), "\(closed.output)")
      // The board of a closed day is closed like every other.
      let refused = try daemon.ask("job", "set", "feed-reset", "closed=observe")
      #expect(refused.code == ExitCode.usage && refused.errors.contains("does not depend on closed days"), "\(refused)")
      try daemon.change("job", "set", "barn-digest", "closed=ignore")
      #expect(try !run("barn-digest").contains("closed"))
    }

    @Test(.requires(.python3, .curl))
    func `a barn's technicians get the notices they want, with page and calendar`()
      throws
    {
      let post = try PostCase()
      try post.settings("[Channel mail]\nType = smtp\nServer = smtp://MAIL\nFrom = barn@example.com\n")
      for folder in ["receipts", "staging"] { _ = try post.scratch.folder("drop/\(folder)") }
      let daemon = try Daemon(at: Self.morning, empty: true)
      try daemon.settings("[Sink drop]\nType = file-drop\nDirectory = \(post.drop)\nSensitive = yes\n")
      try daemon.start()
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix", "--trade", "stable")
      try fill(daemon)
      try daemon.change("care", "log", "juniper", "vaccination", "--date", "2025-03-05")
      try daemon.change("technician", "add", "Ann", "--mail", "ann@example.com", "--language", "de")
      try daemon.change("technician", "add", "Ben", "--mail", "ben@example.com", "--wants", "week")
      let refused = try daemon.ask("technician", "set", "Ben", "--wants", "route")
      #expect(refused.code == 64 && refused.errors.contains("one of feed, care, blankets, week"), "\(refused.errors)")
      let doctor = try daemon.ask("doctor")
      #expect(!doctor.output.contains("has no pool"), "\(doctor.output)")
      try daemon.change("run", "barn-digest")
      try eventually("the barn's and Ann's", { try daemon.queue("drop").sent == 2 })
      let files = Files.names(in: post.drop + "/new")
      #expect(files.filter { $0.hasSuffix(".html") }.count == 2 && files.filter { $0.hasSuffix(".ics") }.count == 1)
      let calendar = try Files.text("\(post.drop)/new/\(try #require(files.first { $0.hasSuffix(".ics") }))")
      #expect(calendar.contains("Juniper") && calendar.contains("DTSTART;VALUE=DATE:20260305"), "\(calendar)")
      let why = try daemon.ask("why", "barn-digest").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(why.contains("own notices for 1 of 3 people; willow-barn: no address; Ben: not wanted"), "\(why)")
      try post.start(environment: daemon.clock.environment)
      try eventually("the mail", { try post.mails().contains { $0.to.contains("<ann@example.com>") } })
      let mail = try #require(try post.mails().first { $0.to.contains("<ann@example.com>") })
      let text = String(decoding: Data(base64Encoded: mail.data) ?? Data(), as: UTF8.self)
      #expect(text.contains("text/html") && text.contains("text/calendar") && !text.contains("Ada Field"), "\(text)")
      #expect(try post.mails().count == 1)
      try post.stop()
    }

    @Test func `columns of team list --plain keep their positions with a stable`() throws {
      let daemon = try Daemon(at: Self.morning).start()
      func rows() throws -> [[Substring]] {
        try daemon.ask("team", "list", "--plain").output.split(separator: "\n").map { row in
          row.split(separator: "\t", omittingEmptySubsequences: false)
        }
      }
      let before = try rows()
      #expect(before.map { $0[1] } == ["America/Phoenix"] && before[0].suffix(2) == ["pool-service", "-"])
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix", "--trade", "stable")
      try daemon.change("horse", "add", "Juniper", "--team", Self.team)
      #expect(try rows().first { $0[0] == "desert-blue" } == before[0])
      let barn = try #require(try rows().first { $0[0] == Self.team })
      #expect(barn[1] == "America/Phoenix" && barn.suffix(2) == ["stable", "1"], "\(barn)")
    }

    @Test func `a barn's horses, feeding, care and templates work through commands`() throws {
      let daemon = try barn()
      try fill(daemon)
      let board = try daemon.ask("feed", "board")
      #expect(
        board.output.split(separator: "\n").map {
          $0.split(whereSeparator: { $0 == " " }).prefix(3).joined(separator: " ")
        }
        .dropFirst() == ["Clover open -", "Juniper open open", "Old Bob -"], "\(board.output)")
      #expect(board.output.contains("2 qt oats, MSM, Biotin") && board.output.contains("hay, [Previcoxx]"))
      #expect(board.errors.contains("3 horses, 2 open in the morning, 1 in the evening"), "\(board.errors)")

      let marked = try daemon.ask("feed", "mark", "juniper", "am", "--by", "Ann")
      #expect(
        marked.code == 0 && marked.output == "fed, AM of 2026-03-02: Juniper\n", "\(marked.output)\(marked.errors)")
      let again = try daemon.ask("feed", "mark", "JUNIPER", "am", "--by", "Ben")
      #expect(again.code == 0 && again.output.contains("was already fed") && again.output.contains("06:30 by Ann"))
      #expect(again.output.contains("nothing was changed"))
      let all = try daemon.ask("feed", "mark", "--all", "am")
      #expect(all.output == "fed, AM of 2026-03-02: Clover\n")
      #expect(try daemon.ask("feed", "mark", "--all", "am").output.contains("no slot is open"))
      #expect(try daemon.ask("feed", "undo").output == "taken back, AM of 2026-03-02: Clover\n")
      #expect(try daemon.ask("feed", "undo").output == "taken back, AM of 2026-03-02: Juniper\n")
      let nothing = try daemon.ask("feed", "undo")
      #expect(nothing.code == 65 && nothing.errors.contains("there is no marking"), "\(nothing.errors)")
      // `--quiet` hides success messages.
      #expect(try daemon.ask("feed", "mark", "--all", "pm", "-q").output == "")

      let logged = try daemon.ask("care", "log", "juniper", "farrier", "--cost", "85", "--provider", "Sam Hoof")
      #expect(logged.output.contains("2026-04-13") && logged.output.contains("$85.00"), "\(logged.output)")
      #expect(logged.errors.contains("the next is due 2026-04-13"), "\(logged.errors)")
      try daemon.change("care", "log", "Old Bob", "vaccination", "--date", "2025-03-05", "--cost", "0.3333")
      let due = try daemon.ask("care", "due")
      #expect(due.output.contains("in 3 days") && due.output.contains("Old Bob") && !due.output.contains("farrier"))
      #expect(try daemon.ask("care", "due", "--all").output.contains("farrier"))
      let list = try daemon.query(CareCall.List.Reply.self, "care", "list")
      #expect(
        list.events.map(\.horse) == ["Juniper", "Old Bob"] && list.cost == "85.3333" && list.costText == "$85.33")
      let id = String(list.events[0].id.prefix(8)).lowercased()
      let ofType = try daemon.query(CareCall.List.Reply.self, "care", "list", "juniper", "--type", "farrier")
      #expect(ofType.events.map(\.horse) == ["Juniper"])
      try daemon.change("care", "set", id, "cost=none", "due=none")
      #expect(try daemon.ask("care", "due", "--all", "juniper").errors.contains("nothing is due"))
      let asked = try daemon.ask("care", "remove", id)
      #expect(
        asked.code == 64 && asked.errors.contains("Remove the farrier entry of Juniper on 2026-03-02?"),
        "\(asked.errors)")
      try daemon.change("care", "remove", id, "--yes")

      try daemon.change("feed", "template", "save", "Easy keeper", "--horse", "clover", "--description", "round ones")
      let applied = try daemon.ask("feed", "template", "apply", "easy", "old bob")
      #expect(applied.output == "1 horse fed by 'Easy keeper', which was used 1 time\n", "\(applied.errors)")
      #expect(try daemon.ask("feed", "template", "list").output.contains("round ones"))
      #expect(try daemon.ask("feed", "template", "apply", "easy", "--all").code == 64)
      try daemon.change("feed", "template", "apply", "easy", "--all", "--yes")
      try daemon.change("feed", "template", "remove", "easy", "--yes")

      let show = try daemon.ask("horse", "show", "old bob")
      #expect(show.output.contains("1 qt oats") && show.output.contains("vaccination"), "\(show.output)\(show.errors)")
      let report = try daemon.ask("report", "horse", "old bob", "--format", "html")
      #expect(report.output.lowercased().hasPrefix("<!doctype html>") && report.output.contains("Old Bob"))
      let dry = try daemon.ask("horse", "remove", "old bob", "--dry-run")
      #expect(
        dry.output.contains("Old Bob would be removed with 1 entry of care and its feed schedule"), "\(dry.output)")
      let wrong = try daemon.ask("horse", "remove", "old bob", "--confirm", "old bob")
      #expect(wrong.code == 4 && wrong.errors.contains("is not Old Bob"), "\(wrong.errors)")
      let removed = try daemon.ask("horse", "remove", "old bob", "--confirm", "Old Bob")
      #expect(removed.output.hasPrefix("Old Bob removed"), "\(removed.errors)")
      #expect(
        try daemon.query(HorsesCall.List.Reply.self, "horse", "list").horses.map(\.name) == ["Clover", "Juniper"])

      let book = try daemon.ask("audit").output
      for line in [
        "horse add 'Juniper' --team willow-barn --owner --clipped", "feed mark juniper am --team willow-barn",
        "feed mark --all am --team willow-barn", "care log 'juniper' farrier --team willow-barn",
        "horse remove 'Old Bob'",
      ] { #expect(book.contains(line), "\(book)") }
      #expect(
        !book.contains("Ada") && !book.contains("Sam Hoof") && !book.contains("Ann") && !daemon.log.contains("Ada"))
    }

    @Test func `every invalid input gets one sentence and changes nothing`() throws {
      let daemon = try barn()
      try fill(daemon)
      try daemon.change("horse", "add", "Juno")
      try daemon.change("care", "log", "juniper", "vet")
      func state() throws -> [String] {
        try [
          ["feed", "board"], ["horse", "list"], ["care", "list"], ["feed", "template", "list"], ["weather", "show"],
        ]
        .map { try daemon.ask($0 + ["--json"]).output }
      }
      let before = try state()
      let long = String(repeating: "x", count: 300)
      let bad: [([String], Int32, String)] = [
        (["horse", "add", long], 64, "longer than 200 characters"), (["horse", "add", ""], 64, "name is missing"),
        (["horse", "add", "OLD  bob"], 73, "has a horse 'Old Bob' already"),
        (["horse", "add", "A", "--clipped", "half"], 64, "write yes or no"),
        (["horse", "add", "A", "--added", "31.02."], 64, "this is not a time"),
        (["horse", "set", "juniper"], 64, "needs a value to set"),
        (["horse", "set", "juniper", "colour=bay"], 64, "no setting 'colour'"),
        (["horse", "set", "Junipr", "clipped=no"], 67, "did you mean 'Juniper'?"),
        (["horse", "show", "jun"], 64, "could be several horses: Juniper ("),
        (["horse", "show", "unknown"], 67, "no horse 'unknown'"), (["horse", "show", "jn"], 67, "has no horse 'jn'"),
        (["horse", "remove", "clover"], 64, "pfctl cannot ask without a terminal; add --confirm Clover"),
        (["feed", "mark", "juniper"], 64, "slot cannot be 'juniper'"), (["feed", "mark", "am"], 64, "or --all"),
        (["feed", "mark", "juniper", "noon"], 64, "one of am, pm"),
        (["feed", "mark", "juniper", "am", "--all"], 64, "or --all"),
        (["feed", "mark", "old bob", "am"], 65, "nothing to be fed in the morning"),
        (["feed", "mark", "juniper", "am", "--date", "2026-02-20"], 64, "only the boards of today"),
        (["feed", "mark", "juniper", "am", "--date", "yesterday"], 65, "was added later"),
        (["feed", "mark", "unknown", "am"], 67, "no horse 'unknown'"), (["feed", "undo"], 65, "there is no marking"),
        (["feed", "board", "--date", "tomorrow"], 64, "is in the future: today is"),
        (["feed", "set", "juniper"], 64, "needs a value to set"),
        (["feed", "set", "juniper", "am-suplements=x"], 64, "did you mean am-supplements?"),
        (["feed", "template", "save", "Air"], 64, "needs a schedule"),
        (["feed", "template", "apply", "Air", "juniper"], 67, "no feed template 'Air'"),
        (["feed", "template", "apply", "Air"], 64, "or --all"),
        (["feed", "template", "remove", "Air", "--yes"], 67, "no feed template 'Air'"),
        (["care", "log", "juniper", "shoes"], 64, "type cannot be 'shoes'"),
        (["care", "log", "juniper"], 64, "needs TYPE"),
        (["care", "log", "juniper", "vet", "--due", "2026-03-02"], 64, "is not after 2026-03-02"),
        (["care", "log", "juniper", "vet", "--cost", "12,50"], 64, "such as 85 or 120.50"),
        (["care", "log", "unknown", "vet"], 67, "no horse 'unknown'"),
        (["care", "set", "juniper"], 64, "needs a value to set"),
        (["care", "set", "ffff", "cost=1"], 67, "no care whose id begins with 'ffff'"),
        (["care", "remove", "clover", "--yes"], 67, "no care is recorded for Clover yet"),
        (["care", "list", "--type", "shoes"], 64, "type cannot be 'shoes'"),
        (["care", "list", "--limit", "0"], 64, "whole number from 1"),
        (["weather", "import", "/nowhere/forecast.csv"], 66, "cannot read"),
        (["report", "horse", "unknown"], 67, "no horse 'unknown'"),
        (["blanket", "--date", "someday"], 64, "this is not a time"),
      ]
      for (words, code, part) in bad {
        let answer = try daemon.ask(words)
        #expect(answer.code == code && answer.errors.contains(part), "\(words): \(answer.code) \(answer.errors)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(words): \(answer.errors)")
      }
      #expect(try state() == before)
    }

    @Test func `a forecast is imported once and gives blanket advice in team units`() throws {
      let daemon = try barn(units: "metric")
      try fill(daemon)
      #expect(try daemon.ask("weather", "show").errors.contains("no forecast yet"))
      #expect(
        try daemon.ask("blanket").output.contains(
          "night of 2026-03-02: no advice, no forecast covers half of this time"))
      try daemon.scratch.write("one.csv", Self.forecast(from: "2026-03-02T12:00:00Z", hours: 48, air: 3).utf8)
      let file = daemon.scratch.path + "/one.csv"
      try FileManager.default.setAttributes(
        [.modificationDate: try Date(Self.morning, strategy: .iso8601)], ofItemAtPath: file)
      let dry = try daemon.ask("weather", "import", file, "--dry-run")
      #expect(dry.code == 0 && dry.output.contains("would be taken"), "\(dry.output)\(dry.errors)")
      let taken = try daemon.ask("weather", "import", file)
      #expect(
        taken.code == 0 && taken.output.contains("48 hours") && taken.output.contains(": taken"), "\(taken.output)")
      #expect(try daemon.ask("weather", "import", file).output.contains("nothing was changed"))
      let shown = try daemon.query(WeatherCall.Show.Reply.self, "weather", "show")
      #expect(shown.units == .metric && shown.hours.count == 47 && shown.hours.first?.airText == "3.0 °C")
      let blankets = try daemon.query(WeatherCall.Blankets.Reply.self, "blanket")
      #expect(blankets.night.horses.map(\.advice) == ["light", "medium", "light"], "\(blankets.night)")
      #expect(blankets.night.feltText == "3.0 °C" && blankets.night.wet == false)
      let table = try daemon.ask("blanket").output
      #expect(table.contains("feels like 3.0 °C at the least") && table.contains("medium (200 g)"), "\(table)")
      for (name, text, part) in [
        ("kelvin.csv", Self.forecast(from: "2026-03-02T12:00:00Z", hours: 24, air: 276), "bad-number"),
        ("twice.csv", "time,air_c\n2026-03-02T12:00:00Z,3\n2026-03-02T12:00:00Z,4\n", "duplicate-hour"),
        ("page.csv", "<html><body>503</body></html>", "not-a-forecast"),
        ("local.csv", "time,air_c\n2026-03-02T12:00:00,3\n", "bad-time"),
      ] {
        try daemon.scratch.write(name, text.utf8)
        let answer = try daemon.ask("weather", "import", "\(daemon.scratch.path)/\(name)")
        #expect(answer.code == 65 && answer.errors.contains(part), "\(name): \(answer.code) \(answer.errors)")
        #expect(answer.errors.split(separator: "\n").count == 1)
      }
      #expect(try daemon.query(WeatherCall.Show.Reply.self, "weather", "show").hours.count == 47)
      let old = daemon.scratch.path + "/old.csv"
      try daemon.scratch.write("old.csv", Self.forecast(from: "2025-03-02T12:00:00Z", hours: 24, air: 8).utf8)
      try FileManager.default.setAttributes(
        [.modificationDate: try Date("2025-03-02T12:00:00Z", strategy: .iso8601)], ofItemAtPath: old)
      #expect(try daemon.ask("weather", "import", old).output.contains("a newer forecast exists"))
    }

    private static func forecast(from start: String, hours: Int, air: Int) -> String {
      let first = (try? Date(start, strategy: .iso8601)) ?? .now
      return "time,air_c\n"
        + (0..<hours).map { "\(first.addingTimeInterval(Double($0) * 3_600).formatted(.iso8601)),\(air)\n" }.joined()
    }

    @Test func `a horse's photo survives a restart and is deleted with the horse`() throws {
      let daemon = try barn()
      try fill(daemon)
      func photos() -> Int { Files.names(in: daemon.state + "/photos/1").filter { $0.hasSuffix(".bin") }.count }
      try daemon.scratch.write("horse.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture".utf8))
      try daemon.scratch.write("horse.txt", Array("no picture".utf8))
      let file = daemon.scratch.path + "/horse.jpg"
      try daemon.change("horse", "set", "juniper", "--photo", file)
      try daemon.change("horse", "set", "clover", "photo=\(file)")
      #expect(try daemon.ask("horse", "show", "juniper").output.contains("photo    yes") && photos() == 2)
      let refused = try daemon.ask("horse", "set", "juniper", "--photo", daemon.scratch.path + "/horse.txt")
      #expect(refused.code == 65 && refused.errors.contains("is not a photo"), "\(refused.errors)")
      try daemon.stop()
      try daemon.start()
      #expect(photos() == 2)
      let page = try daemon.ask("report", "horse", "juniper", "--format", "html").output
      #expect(page.contains("data:image/jpeg;base64,/9j/4HBpY3R1cmU="))
      try daemon.change("horse", "set", "clover", "photo=none")
      #expect(try daemon.ask("horse", "show", "clover").output.contains("photo    -") && photos() == 1)
      try daemon.change("horse", "remove", "juniper", "--confirm", "Juniper")
      #expect(photos() == 0)
    }

    @Test func `two hundred horses fit one reply of the feed board`() throws {
      let daemon = try barn()
      for number in 1...200 { try daemon.change("horse", "add", "Horse \(number)") }
      try daemon.change("feed", "template", "save", "All", "--am-grain", "oats", "--pm-grain", "oats")
      try daemon.change("feed", "template", "apply", "All", "--all", "--yes")
      try daemon.change("feed", "mark", "--all", "am")
      let board = try daemon.query(FeedCall.Board.Reply.self, "feed", "board")
      #expect(board.horses.count == 200 && board.openAm == 0 && board.openPm == 200)
      let marked = try daemon.ask("feed", "mark", "--all", "pm")
      #expect(marked.output.contains("200 horses, ") && marked.output.contains(" and 192 more"), "\(marked.output)")
    }
  }
}
