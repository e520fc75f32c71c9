import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// Refused files and doses are described in the team's language.
  @Suite struct TeamLanguageTests {
    private static let refused = [
      "en": "was not imported", "de": "wurde nicht importiert", "es": "no se importó", "fr": "n'a pas été importé",
      "pt-BR": "não foi importado",
    ]
    /// Parts of the English sentences of a refusal.
    private static let english = [
      "the first row", "the file", "the archive", "nothing was changed", "was not", "split it",
    ]

    private func files(_ scratch: Scratch) throws -> [(path: String, options: [String])] {
      let lists: [(String, [UInt8], [String])] = [
        ("columns.csv", Array("Who,Where\nAna,1 Elm\n".utf8), []),
        ("address.csv", Array("customer_name,Where\nAna,1 Elm\n".utf8), []),
        ("quote.csv", Array("customer_name,address\n\"Ana,1 Elm\n".utf8), []),
        (
          "rows.csv",
          Array(("customer_name,address\n" + String(repeating: "Ana,1 Elm\n", count: Limits.csvRows + 1)).utf8), []
        ),
        ("wide.csv", Array((0...Limits.csvColumns).map { "column\($0)" }.joined(separator: ",").utf8), []),
        ("text.csv", [0xFF, 0xFE, 0x00, 0xD8, 0x00, 0xD8], []),
        ("map.csv", Array("Who,Where\nAna,1 Elm\n".utf8), ["--map", "Who=nothing"]),
        ("pair.csv", Array("Who,Where\nAna,1 Elm\n".utf8), ["--map", "Who"]),
        ("heading.csv", Array("Who,Where\nAna,1 Elm\n".utf8), ["--map", "Client=customer_name"]),
        ("damaged.zip", Array("PK\u{3}\u{4} nothing more".utf8), []),
        ("mapped.zip", Array("PK\u{3}\u{4} nothing more".utf8), ["--map", "Who=customer_name"]),
        ("profiles.zip", Array("PK\u{3}\u{4} nothing more".utf8), ["--profiles"]),
      ]
      return try lists.map { name, bytes, options in
        try scratch.write(name, bytes)
        return (scratch.path + "/" + name, options)
      }
    }

    @Test func `a whole file is refused in its team's language`() throws {
      let one = try OneTeam("team-en", zone: "America/Phoenix")
      let files = try files(one.daemon.scratch)
      for (language, words) in Self.refused {
        let team = "team-\(language)"
        if language != "en" { try one.daemon.change("team", "add", team, "--zone", "America/Phoenix") }
        try one.daemon.change("team", "set", team, "language=\(language)")
        for file in files {
          let answer = try one.daemon.ask(["import", file.path, "--team", team] + file.options)
          #expect(answer.code == 65 && answer.errors.contains(words), "\(language) \(file): \(answer)")
          // Details of a damaged ZIP are technical and stay in English.
          guard language != "en", !file.path.hasSuffix("damaged.zip") else { continue }
          for part in Self.english { #expect(!answer.errors.contains(part), "\(language): \(answer.errors)") }
        }
      }
      // The operator's log is in English.
      #expect(!one.daemon.log.contains("importiert"), "\(one.daemon.log)")
    }

    @Test func `a backup that would lose work is refused in the team's language`() throws {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      try one.daemon.change("team", "plan", "coast", "paid")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St")
      try one.daemon.change("backup", "create")
      try one.daemon.change("backup", "export", "latest", "--output", one.daemon.scratch.path, "--team", "coast")
      let archive = try #require(Files.names(in: one.daemon.scratch.path).first { $0.hasSuffix(".zip") })
      _ = try one.ask("visit", "log", "Ana", "--ph", "7.5")
      for (language, words) in Self.refused {
        try one.daemon.change("team", "set", "coast", "language=\(language)")
        let answer = try one.daemon.ask("import", one.daemon.scratch.path + "/" + archive, "--team", "coast")
        #expect(answer.code == 65 && answer.errors.contains(words) && answer.errors.contains("--replace"), "\(answer)")
        #expect(answer.errors.contains("lacks 1 visit that was logged here") == (language == "en"), "\(answer)")
      }
    }

    @Test func `doses are shown in the team's language`() throws {
      let one = try OneTeam("coast", zone: "Europe/Berlin")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--volume", "50000")
      let water = ["--ph", "8.4", "--temp", "27", "--calcium", "350", "--alkalinity", "100", "--cya", "30"]
      let words: [(String, condition: String, left: String, total: String)] = [
        ("en", "scale-forming", "left", "in all"), ("de", "kalkabscheidend", "danach", "insgesamt"),
        ("es", "incrustante", "quedan", "en total"), ("fr", "entartrante", "il reste", "au total"),
        ("pt-BR", "incrustante", "restam", "no total"),
      ]
      for (language, condition, left, total) in words {
        try one.daemon.change("team", "set", "coast", "language=\(language)")
        let needed = try one.daemon.ask(["dose", "--pool", "Ana", "--team", "coast"] + water)
        for part in [condition, left, total] { #expect(needed.output.contains(part), "\(language) \(part): \(needed)") }
        let poured = try one.daemon.ask(["visit", "log", "Ana", "--team", "coast", "--dose", "all"] + water)
        #expect(poured.output.contains(left), "\(language): \(poured)")
        _ = try one.ask("visit", "undo", "Ana")
      }
    }
  }
}
