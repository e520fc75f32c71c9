import FlowControl
import PoolControl
import Testing

extension Programs {
  /// `pfctl cover` against a running daemon.
  @Suite struct CoverProgramTests {
    private static let team = ["--team", "desert-blue"]

    private func ask(_ daemon: Daemon, _ words: String...) throws -> Answer { try daemon.ask(words + Self.team) }

    @Test func `a cover is shown, applied after a confirmation and undone by its number`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let routes = try daemon.query(
        RoutesCall.Show.Reply.self, "route", "show", "--day", "Mon", "--team", "desert-blue"
      ).routes
      let names = routes.map(\.technician)
      let (absent, others) = (names[0], names.dropFirst().joined(separator: ","))
      let words = ["cover", "2026-03-09", "--technician", absent, "--by", others, "--max-late", "900"] + Self.team
      let shown = try daemon.ask(words + ["--dry-run"])
      #expect(shown.code == 0 && shown.output.contains("ARRIVES") && shown.output.contains("driving"), "\(shown)")
      #expect(shown.errors.contains("nothing was changed"))
      let unconfirmed = try daemon.ask(words)
      #expect(unconfirmed.code == ExitCode.usage, "\(unconfirmed)")
      #expect(unconfirmed.errors.contains("add --yes to confirm"), "\(unconfirmed)")
      #expect(try ask(daemon, "stop", "list").errors.contains("no stop of the coming days was changed"))
      let done = try daemon.ask(words + ["--yes"])
      #expect(done.code == 0, "\(done)")
      #expect(
        done.output.contains("\(routes[0].stops.count) stops of \(absent) on Mon") && done.output.contains("given to"),
        "\(done)")
      let changes = try daemon.query(
        PoolsCall.ListStopChanges.Reply.self, "stop", "list", "--team", "desert-blue"
      ).changes
      #expect(changes.count == routes[0].stops.count && Set(changes.map(\.number)).count == 1)
      let number = try #require(changes.first).number
      #expect(done.errors.contains("pfctl stop undo \(number) --team desert-blue"), "\(done)")
      #expect(try daemon.ask(words + ["--yes"]).errors.contains("are covered already by change \(number)"))
      #expect(try ask(daemon, "stop", "undo", "\(number)").code == 0)
      #expect(try ask(daemon, "stop", "list").errors.contains("no stop of the coming days was changed"))
      let closed = try ask(daemon, "closed", "add", "2026-03-09", "--technician", absent)
      #expect(closed.errors.contains("`pfctl cover 2026-03-09 --technician \(absent) --by NAMES"), "\(closed)")
      #expect(closed.errors.contains("`pfctl day move 2026-03-09 --technician \(absent) --to DATE"), "\(closed)")
    }
  }
}
