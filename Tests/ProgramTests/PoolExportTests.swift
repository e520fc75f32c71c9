import PoolControl
import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// `export pools` and `export profiles`, and importing their files.
  @Suite struct PoolExportTests {
    /// The rows of a CSV export as dictionaries by column; this suite's files have no quoted cells.
    private func rows(_ text: String) -> [[String: String]] {
      let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let header = (lines.first ?? []).map(String.init)
      return lines.dropFirst().map { cells in Dictionary(zip(header, cells.map(String.init)), uniquingKeysWith: { $1 })
      }
    }

    private func team(_ name: String, _ daemon: Daemon, zone: String = "Europe/Berlin") throws {
      try daemon.change("team", "add", name, "--zone", zone)
    }

    @Test func `exported pools import into an empty team without loss`()
      throws
    {
      let one = try OneTeam("coast", zone: "Europe/Berlin")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--day", "Mon", "--volume", "50000", "--fee", "145")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--day", "Mon", "--volume", "4000", "--fee", "99.5")
      _ = try one.ask("pool", "add", "Bo", "2 Elm St", "--day", "Tue", "--notes", "Gate left", "--tds", "1400")
      _ = try one.ask(
        "pool", "set", "Bo", "--contact", "Erin", "--phone", "555", "--mail", "e@example.com", "--gate", "1234*",
        "--arrival", "8-10", "--tags", "tech:dan")
      _ = try one.ask(
        "visit", "log", "Bo", "--ph", "7.9", "--temp", "27", "--calcium", "250", "--alkalinity", "110", "--cya", "30")
      let text = try one.ask("export", "pools", "--reveal")
      let bo = try #require(rows(text).first { $0["customer_name"] == "Bo" })
      #expect(bo["ph"] == "7.9" && bo["total_dissolved_solids"] == "1400" && bo["stop_number"] == "1", "\(text)")
      #expect(bo["currency"] == "EUR" && bo["gate_code"] == "1234*" && bo["contact_email"] == "e@example.com")
      let shown = try #require(
        try one.query(PoolsCall.List.Reply.self, "pool", "list").pools.first { $0.customer == "Bo" })
      #expect(bo["lsi"].flatMap(Double.init) == shown.lsi && shown.lsi != nil)
      let anas = rows(text).filter { $0["customer_name"] == "Ana" }
      #expect(anas.map { $0["monthly_fee"] } == ["145.00", "99.50"] && anas.map { $0["stop_number"] } == ["1", "2"])
      #expect(anas.allSatisfy { $0["ph"] == "" && $0["lsi"] == "" })
      #expect(!(try one.ask("export", "pools")).contains("1234*"))

      let path = one.daemon.scratch.path + "/pools.csv"
      try one.daemon.change("export", "pools", "--team", "coast", "--reveal", "--output", path)
      try team("copy", one.daemon)
      let report = try one.daemon.query(ImportCall.Apply.Reply.self, "import", path, "--team", "copy").report
      #expect(report.creates == 3 && report.issues.isEmpty, "\(report)")
      #expect(try one.daemon.ask("export", "pools", "--team", "copy", "--reveal").output == text)
      let again = try one.daemon.query(ImportCall.Apply.Reply.self, "import", path, "--team", "coast").report
      #expect(again.creates == 0 && again.issues.isEmpty, "\(again)")
      #expect(try one.ask("export", "pools", "--reveal") == text)
    }

    @Test func `an edited export updates pools by id but not newer readings`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--day", "Mon", "--fee", "145")
      _ = try one.ask("visit", "log", "Ana", "--ph", "7.9", "--temp", "80F", "--calcium", "250", "--alkalinity", "100")
      let text = try one.ask("export", "pools").replacing("Ana", with: "Ana Diaz").replacing("145.00", with: "160.00")
      try one.daemon.scratch.write("edited.csv", text.utf8)
      _ = try one.ask("visit", "log", "Ana", "--ph", "7.5")
      let report = try one.query(
        ImportCall.Apply.Reply.self, "import", one.daemon.scratch.path + "/edited.csv"
      ).report
      #expect(report.creates == 0 && report.updates == 1)
      #expect(
        report.issues.map(\.message) == ["ph is not changed: readings of an existing pool come from visits"])
      let pool = try one.query(PoolsCall.Show.Reply.self, "pool", "show", "Ana Diaz").details
      #expect(pool.monthlyFee == 160 && pool.readings?.ph == 7.5)
    }

    @Test func `an export says which dates of service it leaves out`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--day", "Mon")
      let words = ["export", "pools", "--team", "coast"]
      #expect(try one.daemon.ask(words).errors.isEmpty)
      _ = try one.ask("pool", "pause", "Ana", "2099-12-20..2100-01-05")
      _ = try one.ask("pool", "pause", "Ana", "*-07-04")
      _ = try one.ask("stop", "skip", "Ana", "2099-03-02", "--reason", "away")
      let answer = try one.daemon.ask(words + ["--quiet"])
      #expect(answer.code == 0 && rows(answer.output).count == 1)
      let notes = [
        "2 pauses are not in this list; `pfctl service list --team coast` shows them",
        "1 changed stop is not in this list; `pfctl stop list --team coast` shows it",
      ]
      #expect(answer.errors == notes.map { $0 + "\n" }.joined())
      let json = try one.daemon.ask(words + ["--json"])
      for note in notes { #expect(json.output.contains(note), "\(json)") }
      #expect(try one.daemon.ask("export", "stock", "--team", "coast").errors.isEmpty)
    }

    @Test func `fees in another currency are imported with a warning`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--fee", "145")
      let path = one.daemon.scratch.path + "/pools.csv"
      try one.daemon.change("export", "pools", "--team", "coast", "--output", path)
      try team("berlin", one.daemon)
      try one.daemon.change("team", "set", "berlin", "language=de")
      let report = try one.daemon.query(ImportCall.Apply.Reply.self, "import", path, "--team", "berlin").report
      #expect(report.warnings.contains { $0.hasPrefix("Beträge der Datei sind in USD, das Team rechnet in EUR") })
    }

    @Test func `exported costs of visits and stock have a currency`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St")
      _ = try one.ask(
        "visit", "log", "Ana", "--ph", "8.2", "--temp", "80F", "--calcium", "250", "--alkalinity", "100", "--dose",
        "all")
      let visit = try #require(rows(try one.ask("export", "visits")).first)
      let cost = try one.query(FieldCall.ListVisits.Reply.self, "visit", "list").visits[0].costText
      #expect("$" + (visit["chemical_cost"] ?? "") == cost && visit["currency"] == "USD", "\(visit)")
      let stock = rows(try one.ask("export", "stock"))
      #expect(
        !stock.isEmpty && stock.allSatisfy { $0["currency"] == "USD" && $0["cost_per_oz"]?.contains(".") == true })
    }

    @Test func `exported profiles have private fields only with --reveal`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Bo", "2 Elm St")
      _ = try one.ask("pool", "add", "Unknown Customer", "3 Elm St")
      _ = try one.ask(
        "pool", "set", "Bo", "--contact", "Erin", "--phone", "555-0100", "--mail", "e@example.com", "--gate", "1234*",
        "--arrival", "8-10", "--tags", "vip")
      let plain = try one.ask("export", "profiles")
      #expect(!plain.contains("555-0100") && !plain.contains("e@example.com") && !plain.contains("1234*"), "\(plain)")
      #expect(rows(plain).map { $0["contact_name"] } == ["Erin"] && rows(plain)[0]["arrival_window"] == "8-10")
      let all = rows(try one.ask("export", "profiles", "--reveal"))
      #expect(all[0]["contact_phone"] == "555-0100" && all[0]["gate_code"] == "1234*" && all[0]["tags"] == "vip")
      for table in ["visits", "stock", "template"] {
        #expect(try one.daemon.ask("export", table, "--reveal", "--team", "coast").code != 0)
      }
    }

    @Test func `imported profiles update known pools only; unmatched rows are listed`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Bo", "2 Elm St", "--fee", "145")
      _ = try one.ask("pool", "set", "Bo", "--contact", "Erin", "--phone", "555-0100", "--gate", "1234*")
      try one.daemon.scratch.write(
        "profiles.csv",
        """
        customer_name,address,contact_name,contact_phone,gate_code,contact_email,arrival_window,technician,monthly_fee
        BO ,2  elm st,,555-0199,,bo@example.com,9-11,dan,999
        Bo,7 Elm St,Other,555-0000,,,,,
        Cy,3 Elm St,Cy,,,,,,
        """.utf8)
      let path = one.daemon.scratch.path + "/profiles.csv"
      let report = try one.query(ImportCall.Apply.Reply.self, "import", path, "--profiles").report
      #expect(report.creates == 0 && report.updates == 1 && report.skips == 2)
      #expect(
        report.issues.map { "\($0.row ?? 0) \($0.message)" }
          == [3, 4].map {
            "\($0) no pool of the team has this customer and address; the row is left out"
          })
      #expect(report.warnings.contains { $0.contains("'monthly_fee'") }, "\(report.warnings)")
      let details = try one.query(PoolsCall.Show.Reply.self, "pool", "show", "Bo", "--reveal").details
      let profile = try #require(details.profile)
      #expect(profile.contactName == "Erin" && profile.gateAccess == "1234*" && profile.contactPhone == "555-0199")
      #expect(profile.contactEmail == "bo@example.com" && profile.arrivalWindow == "9-11")
      #expect(details.pool.technician == "dan" && details.monthlyFee == 145 && details.notes == "")
      #expect(try one.query(PoolsCall.List.Reply.self, "pool", "list").pools.count == 1)
    }

    @Test func `exported profiles can be imported into another team with the same pools`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      try team("copy", one.daemon, zone: "America/Phoenix")
      for team in ["coast", "copy"] {
        for number in 1...3 {
          try one.daemon.change("pool", "add", "Customer \(number)", "\(number) Elm St", "--team", team)
        }
      }
      for number in 1...3 {
        _ = try one.ask(
          "pool", "set", "Customer \(number)", "--contact", "Contact \(number)", "--phone", "+1 480 \(number)",
          "--mail", "c\(number)@example.com", "--gate", "=\(number)", "--arrival", "before \(number)", "--tags",
          "a\(number)")
      }
      let path = one.daemon.scratch.path + "/profiles.csv"
      try one.daemon.change("export", "profiles", "--team", "coast", "--reveal", "--output", path)
      try one.daemon.change("import", path, "--team", "copy", "--profiles")
      func told(_ team: String) throws -> [ProfileView?] {
        try (1...3).map {
          try one.daemon.query(
            PoolsCall.Show.Reply.self, "pool", "show", "Customer \($0)", "--team", team, "--reveal"
          ).details.profile
        }
      }
      #expect(try told("copy").map { "\($0 as Any)" } == told("coast").map { "\($0 as Any)" })
    }

    @Test func `a template needs no daemon`() throws {
      let scratch = try Scratch()
      let template = try Pfctl.run(["export", "template", "--socket", scratch.path + "/none.sock"], in: scratch)
      #expect(template.code == 0 && template.output.hasPrefix("customer_name,"), "\(template)")
    }

    @Test func `export needs a team before it checks the list's name`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      let unknown = try one.daemon.ask("export", "pool", "--team", "coast")
      #expect(unknown.errors.contains("it is one of pools, "), "\(unknown)")
      try team("copy", one.daemon)
      let ambiguous = try one.daemon.ask("export", "pool")
      #expect(ambiguous.code == 64 && ambiguous.errors.contains("the teams are coast and copy"), "\(ambiguous)")
    }
  }
}
