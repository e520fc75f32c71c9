import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// Every table at usual terminal widths: columns that the next command needs are complete, or named as hidden.
  @Suite struct TableWidthTests {
    private static let team = "the-blue-lagoon-company-of-scottsdale"
    private static let keys: Set = [
      "TEAM", "JOB", "NAME", "CUSTOMER", "SINK", "NOTICE", "RUN", "ID", "BACKUP", "FILE", "FOR", "WHO", "TECHNICIAN",
      "CHEMICAL", "EQUIPMENT", "USER", "COMMAND", "KEY", "SECTION", "VALUE",
    ]

    private func daemon() throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T19:00:00Z").start()
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix")
      try daemon.change("import", Checkout.customers, "--team", Self.team)
      for name in [Self.team, "desert-blue"] {
        try daemon.change("run", "morning-summary", "--team", name)
        try daemon.change(
          "closed", "add", "2026-12-24..2026-12-26", "--team", name, "--notes", "Christmas, everybody is away")
        try daemon.change(
          "reminder", "add", "clean-the-filters-of-the-truck", "--team", name, "--rule", "Mon 09:00", "--text",
          "Rinse the filters of the truck, and write down which of them are to be changed next week")
      }
      try daemon.change("backup", "create")
      return daemon
    }

    /// The lines on the terminal, and the text on standard error.
    private func screen(_ daemon: Daemon, _ words: [String], columns: Int) throws -> (lines: [String], words: String) {
      let errors = daemon.scratch.path + "/words"
      let line = ([Checkout.pfctl] + words + ["--socket", daemon.socket]).map { "'\($0)'" }.joined(separator: " ")
      let (screen, code) = try PseudoTerminal(
        "/bin/sh", ["-c", "exec \(line) 2>'\(errors)'"], columns: UInt16(columns),
        environment: ["PAGER": "", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"].merging(daemon.clock.environment) { $1 }
      ).end()
      let said = try Files.text(errors)
      #expect(code == 0, "\(words): \(said)")
      return (screen.split(separator: "\r\n").map(String.init), said)
    }

    @Test func `no table cuts a name or id at 80, 120 or 160 columns`() throws {
      let daemon = try daemon()
      let own = ["--team", "desert-blue"]
      let commands = [
        ["list"], ["next"], ["history"], ["team", "list"], ["technician", "list"], ["pool", "list"] + own,
        ["visit", "list"] + own, ["inventory", "list"] + own, ["equipment", "list"] + own, ["outbox", "list"],
        ["sink", "list"], ["backup", "list"], ["audit"], ["reminder", "list"], ["closed", "list"],
        ["config", "explain"],
      ]
      for words in commands {
        let whole = try screen(daemon, words, columns: 1_000)
        #expect(!whole.words.contains("hidden"), "\(words): \(whole.words)")
        let all = ScreenTable.cells(whole.lines)
        #expect(!all.isEmpty, "\(words) has no table")
        for columns in [80, 120, 160] {
          let narrow = try screen(daemon, words, columns: columns)
          for line in narrow.lines { #expect(FlowModel.columns(of: line) <= columns, "\(words) \(columns): \(line)") }
          let shown = ScreenTable.cells(narrow.lines)
          for title in all.keys where !title.isEmpty {
            // The heading of a narrow column may be folded.
            let first = shown.keys.first { all[$0] == nil && !$0.isEmpty && title.hasPrefix($0) }
            guard let cells = shown[first ?? title] else {
              let named = narrow.words.filter { $0 != " " }.contains(title.lowercased())
              #expect(narrow.words.contains("hidden at this width: ") && named, "\(words) \(columns): \(title)")
              continue
            }
            guard Self.keys.contains(title) else { continue }
            #expect(cells == all[title], "\(words) at \(columns) columns: \(title)")
          }
          if shown["TEAM"] != nil, words != ["sink", "list"], !words.contains("desert-blue") {
            #expect(shown["TEAM"]?.contains(Self.team) == true, "\(words) \(columns)")
          }
        }
      }
      // The columns that the next command needs are shown at 80 columns.
      for (words, titles) in [
        (["history"] + own, ["RUN", "JOB", "RESULT", "WHY"]),
        (["pool", "list"] + own, ["ID", "CUSTOMER", "TECHNICIAN"]),
        (["inventory", "list"] + own, ["ID", "STOCK"]), (["equipment", "list"] + own, ["ID", "SERVICE"]),
      ] {
        let narrow = try screen(daemon, words, columns: 80)
        let shown = ScreenTable.cells(narrow.lines)
        for title in titles { #expect(shown[title] != nil, "\(words): \(title) of \(shown.keys)") }
      }
      // The duplicate UTC column is hidden before the remaining time.
      let next = try screen(daemon, ["next"] + own, columns: 80)
      #expect(next.words.contains("hidden at this width: utc;"), "\(next.words)")
      #expect(ScreenTable.cells(next.lines)["LEFT"] != nil && next.lines.count == 11, "\(next.lines)")
    }
  }
}
