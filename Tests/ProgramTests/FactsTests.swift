import PoolControl
import FlowControl
import FlowModel
import Foundation
import Testing

extension Programs {
  /// Digests and reports contain no value that was not measured, poured or seen, through the built programs.
  @Suite struct FactsTests {
    // MARK: Readings

    @Test func `a pool without visits has no readings and gets no dose`() throws {
      let one = try OneTeam("new-blue", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Nora Quill", "3 Elm St", "--day", "Mon")
      for page in try one.pages("2026-11-30") {
        #expect(page.contains("No readings yet") && page.contains("Never visited"), "\(page)")
        #expect(!page.contains("LSI") && !page.contains("pH 7.4") && !page.contains("Pour"), "\(page)")
      }
      let json = try one.ask("digest", "--at", "2026-11-30", "--format", "json")
      #expect(!json.contains("\"ph\"") && !json.contains("\"lsi\""), "\(json)")
      let shown = try one.ask("pool", "show", "Nora Quill")
      #expect(shown.contains("No readings yet") && !shown.contains("7.4"), "\(shown)")
      let details = try one.query(PoolsCall.Show.Reply.self, "pool", "show", "Nora Quill").details
      #expect(details.readings == nil && details.readingsAt == nil && details.pool.lsi == nil)
      #expect(try one.query(PoolsCall.List.Reply.self, "pool", "list").pools.map(\.lsi) == [nil])
      // The weekly digest has nothing about the pool's balance, either.
      for page in try one.pages("2026-11-29", kind: "weekly") { #expect(!page.contains("LSI"), "\(page)") }
    }

    @Test func `a visit without readings leaves the water's readings and the stock unchanged`()
      throws
    {
      let one = try OneTeam("blue", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Nora Quill", "3 Elm St", "--day", "Mon")
      func stock() throws -> [Double] {
        try one.query(FieldCall.ListStock.Reply.self, "inventory", "list").items.map(\.stock)
      }
      func log(_ words: String...) throws -> LoggedVisitView {
        let answer = try one.daemon.ask(["visit", "log", "Nora Quill", "--team", one.team, "--json"] + words)
        #expect(answer.code == 0, "\(words): \(answer.errors)")
        return try JSONDecoder().decode(FieldCall.LogVisit.Reply.self, from: Data(answer.output.utf8)).visit
      }
      let before = try stock()
      #expect(try log("--at", "-9d").lsi == nil)
      #expect(try one.ask("pool", "show", "Nora Quill").contains("No readings yet"))
      let full = ["--ph", "8.2", "--temp", "80F", "--calcium", "300", "--alkalinity", "120", "--cya", "40"]
      let measured = try one.daemon.ask(["visit", "log", "Nora Quill", "--team", "blue", "--at", "-7d"] + full)
      #expect(measured.output.contains("Muriatic Acid"), "\(measured.output)\(measured.errors)")
      #expect(measured.output.contains("nothing is recorded as poured"), "\(measured.output)")
      #expect(try stock() == before)
      // The newest visit has no readings: the pages show the readings of a week ago with their age.
      let bare = try log()
      #expect(bare.lsi == nil && bare.advice.isEmpty && bare.water == "No readings were taken.")
      let shown = try one.query(PoolsCall.Show.Reply.self, "pool", "show", "Nora Quill").details
      #expect(
        shown.readings?.ph == 8.2 && shown.readingsDays == 7
          && shown.recentVisits.map { $0.lsi == nil } == [true, false, true])
      let page = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30"))
      #expect(
        page.contains("pH 8.2 high, ") && page.contains("Last visit 3 days ago · Measured 10 days ago"), "\(page)")
      #expect(page.contains(/fl oz Muriatic Acid \(if pH is still 8.2\)/), "\(page)")
      let report = try one.ask("report", "visit", "Nora Quill")
      #expect(report.contains("No readings were taken.") && report.contains("No chemicals added."), "\(report)")
      let csv = try one.ask("export", "visits").split(whereSeparator: \.isNewline).map(String.init)
      #expect(csv.contains { $0.contains(",,,,,,,0") || $0.contains(",,,,,,0") }, "\(csv)")
      // Values not measured now are shown as older; `--dose all` needs all readings of this visit.
      _ = try log("--ph", "7.9")
      let mixed = try one.ask("pool", "show", "Nora Quill")
      #expect(mixed.contains("pH 7.9 high; older: ") && mixed.contains("Calcium hardness 300"), "\(mixed)")
      #expect(try one.errors("visit", "log", "Nora Quill", "--dose", "all").contains("without a pH reading"))
      #expect(try !log("--ph", "8.2", "--dose", "all").doses.isEmpty)
      #expect(try stock() != before)
    }

    @Test func `an incomplete first visit lists the values not measured`() throws {
      let one = try OneTeam("blue", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Nora Quill", "3 Elm St", "--day", "Mon")
      _ = try one.ask("visit", "log", "Nora Quill", "--temp", "66F")
      let cold = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30"))
      #expect(cold.contains("66\u{A0}°F") && cold.contains("not measured: pH, Calcium hardness"), "\(cold)")
      #expect(
        cold.contains("The pH was never measured") && !cold.contains("LSI") && !cold.contains("is still"), "\(cold)")
      _ = try one.ask("visit", "log", "Nora Quill", "--ph", "8.2")
      let acid = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30"))
      #expect(acid.contains("pH 8.2 high; older: Temperature 66") && acid.contains("not measured: Calcium"), "\(acid)")
      #expect(acid.contains(/fl oz Muriatic Acid \(if pH is still 8.2\)/), "\(acid)")
    }

    @Test func `readings older than two services get no dose; digests ignore later visits`()
      throws
    {
      let daemon = try Daemon(at: "2026-11-30T14:00:00Z").start()
      func page(_ date: String) throws -> String {
        try daemon.ask("digest", "--team", "desert-blue", "--at", date).output
      }
      let now = try page("2026-11-30")
      #expect(!now.contains("is still ") && now.contains("too old for a dose: test first"), "\(now)")
      #expect(try page("2026-03-02").contains("is still "))
      let then = try page("2026-03-16")
      // No pool of a Monday route was visited on February 23 or later.
      #expect(!then.contains("is still "), "\(then)")
      // A date before the first visit of any pool.
      let first = try page("2025-06-02")
      #expect(!first.contains("Visited today") && !first.contains("LSI") && !first.contains("is still "), "\(first)")
    }

    // MARK: Visits ahead of the clock

    @Test(arguments: ["text", "json"])
    func `a visit dated in the future is kept, reported and not used as newest`(format: String) throws {
      let one = try OneTeam("fut", zone: "America/Phoenix")
      let archive = Checkout.root + "/Tests/ProgramTests/Fixtures/future-visit.zip"
      let imported = try one.daemon.ask("import", archive, "--team", "fut")
      #expect(imported.code == 0)
      #expect(
        (imported.output + imported.errors).contains("1 visit is dated in the future, 2126-11-20: it is kept"),
        "\(imported.output)\(imported.errors)")
      func pool() throws -> PoolView { try one.query(PoolsCall.List.Reply.self, "pool", "list").pools[0] }
      #expect(try pool().lastVisit?.hasPrefix("2025-09-08") == true)
      #expect(try one.ask("health").contains("last visit 2025-09-08"))
      let all = try one.query(FieldCall.ListVisits.Reply.self, "visit", "list").visits
      #expect(all.map { $0.ahead == true } == [true, false])
      let before = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30", "--format", format))
      #expect(!before.contains("Visited today") && !before.contains("2126") && !before.contains("Nov 20"), "\(before)")
      _ = try one.ask("visit", "log", "Steve Baird", "--ph", "7.2", "--alkalinity", "60")
      #expect(try pool().lastVisit?.hasPrefix("2026-11-27") == true)
      let lsi = try #require(try pool().lsi)
      // Uses the temperature of the 2025 visit, 82 °F; the 84 °F of the visit dated 2126 would give -0.59.
      #expect((lsi * 100).rounded() == -61, "\(lsi)")
      let after = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30", "--format", format))
      #expect(after.contains(format == "json" ? "\"type\":\"base\"" : "Soda ash"), "\(after)")
      #expect(after.contains("-0.61") && !after.contains("Muriatic"), "\(after)")
      // A command with a pool's name uses the newest visit that is not in the future.
      #expect(try one.ask("report", "visit", "Steve Baird").contains("2026"))
      #expect(try one.ask("pool", "trend", "Steve Baird", "--format", "html").contains("2126") == false)
      _ = try one.ask("visit", "remove", "Steve Baird", "--yes")
      #expect(try one.query(FieldCall.ListVisits.Reply.self, "visit", "list").visits.count == 2)
      #expect(try pool().lastVisit?.hasPrefix("2025-09-08") == true)
      // When that date has come, the visit is the newest.
      one.daemon.clock.set(to: try #require(Timestamp(rfc3339: "2126-11-21T00:00:00Z")))
      #expect(try pool().lastVisit?.hasPrefix("2126-11-20") == true)
    }
  }
}
