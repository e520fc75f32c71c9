import PoolControl
import FlowControl
import Foundation
import Testing

extension Programs {
  /// Customer lists exported from other programs, imported with the built programs.
  @Suite struct CustomerListTests {
    private static let team = "desert-blue"

    private func daemon(_ changes: String...) throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T06:00:00Z", empty: true).start()
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix")
      try daemon.change("team", "plan", Self.team, "paid")
      for change in changes { try daemon.change("team", "set", Self.team, change) }
      return daemon
    }

    private func path(_ list: String) -> String {
      "\(Checkout.root)/Tests/PoolInterchangeTests/Fixtures/lists/\(list)"
    }

    private func bring(_ list: String, _ daemon: Daemon, _ options: String...) throws -> ImportReportView {
      let words = ["import", path(list), "--team", Self.team, "--json"] + options
      let answer = try daemon.ask(words)
      #expect(answer.code == 0, "\(answer)")
      return try JSONDecoder().decode(ImportCall.Apply.Reply.self, from: Data(answer.output.utf8)).report
    }

    private func pools(_ daemon: Daemon) throws -> [PoolView] {
      try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", Self.team).pools
    }

    @Test func `a company's list is imported with full addresses, gate codes and e-mail`() throws {
      let daemon = try daemon()
      let towns = try bring("city-columns.csv", daemon)
      #expect(towns.creates == 40 && towns.issues.isEmpty && towns.warnings.isEmpty)
      let linda = try daemon.query(
        PoolsCall.Show.Reply.self, "pool", "show", "Linda Alvarez", "--team", Self.team, "--reveal"
      ).details
      #expect(linda.pool.address == "2752 E Baseline Rd, Gilbert, AZ 85234")
      #expect(linda.profile?.gateAccess == "1952*" && linda.profile?.contactEmail == "linda.alvarez@example.com")
      // The same customers exported by another program update the same pools.
      let export = try bring("field-service-export.csv", daemon)
      #expect(export.creates == 0 && export.updates == 39 && export.inactive == 1)
      #expect(try pools(daemon).count == 40)
    }

    @Test func `European numbers are parsed in their file's own style`() throws {
      let daemon = try daemon("language=de")
      let report = try bring("european-numbers.csv", daemon)
      #expect(report.creates == 2 && report.issues.isEmpty && report.warnings.count == 1)
      #expect(try pools(daemon).map(\.volumeGallons).sorted() == [15_000, 50_000])
    }

    @Test func `Windows-1252 keeps O’Brien's apostrophe; a Mac Roman list is refused`() throws {
      let daemon = try daemon()
      _ = try bring("windows-1252.csv", daemon)
      #expect(try pools(daemon).map(\.customer).sorted() == ["José", "O’Brien"])
      let refused = try daemon.ask("import", path("mac-roman.csv"), "--team", Self.team)
      #expect(refused.code == 65 && refused.errors.contains("save it as CSV UTF-8"), "\(refused)")
    }

    @Test func `the same name and street in two towns make two pools`() throws {
      let daemon = try daemon()
      let seen = try bring("town-columns.csv", daemon, "--dry-run")
      #expect(seen.preview?.map(\.address) == ["12 Elm St, Mesa, AZ 08520", "12 Elm St, Tempe, AZ 08521"])
      #expect(try pools(daemon).isEmpty)
      _ = try bring("town-columns.csv", daemon)
      #expect(try pools(daemon).count == 2)
    }

    @Test func `a list with unknown headings is refused unless --map names them`() throws {
      let daemon = try daemon()
      try daemon.scratch.write("list.csv", "Who,Where,Route\nAna,1 Elm,R1\n".utf8)
      let file = daemon.scratch.path + "/list.csv"
      let refused = try daemon.ask("import", file, "--team", Self.team)
      #expect(refused.code == 65 && refused.errors.contains("'Who', 'Where', 'Route'"), "\(refused)")
      let named = ["import", file, "--team", Self.team, "--map", "Who=customer_name", "--map", "Where=address"]
      let seen = try daemon.ask(named + ["--preview"])
      #expect(seen.output.contains("- not used") && seen.output.contains("columns not used: 'Route'"), "\(seen)")
      #expect(try pools(daemon).isEmpty)
      #expect(try daemon.ask(named).code == 0)
      #expect(try pools(daemon).map(\.customer) == ["Ana"])
    }
  }
}
