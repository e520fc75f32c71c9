import PoolControl
import PoolModel
import Testing

extension Programs {
  /// Rules that somebody sets with `pfctl`, on the built daemon.
  @Suite struct JobRuleTests {
    @Test func `a rule that is set holds through a kill, speaks once, and the old one never again`() throws {
      // Monday 06:50 in Phoenix.
      let daemon = try Daemon(at: "2026-03-02T13:50:00Z").start()
      let set = try daemon.ask(
        "job", "set", "morning-summary", "--team", "desert-blue", "rule=Mon..Fri 06:55", "catch-up=latest 2h")
      #expect(set.code == 0, "\(set.errors)")
      #expect(set.output.contains("Monday to Friday at 06:55"))
      #expect(set.output.contains("before  Mon 2026-03-02 07:00 MST"))
      #expect(set.output.contains("next    Mon 2026-03-02 06:55 MST, Tue 2026-03-03 06:55 MST"))
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T14:05:00Z")))
      try daemon.start()
      try eventually("the morning by the new rule") { try daemon.runs("morning-summary").count == 1 }
      #expect(try daemon.runs("morning-summary").map(\.slot) == ["2026-03-02T13:55:00Z"])
      try eventually("it is sent", { daemon.notices.count == 1 })
      let wrong = try daemon.ask("job", "set", "morning-summary", "--team", "desert-blue", "rule=*-02-30")
      #expect(wrong.code == ExitCode.usage && wrong.errors.contains("no date ever fits this rule"), "\(wrong)")
      #expect(try daemon.ask("job", "set", "morning-summary", "--team", "desert-blue").code == ExitCode.usage)
      let reset = try daemon.ask("job", "reset", "morning-summary", "--team", "desert-blue")
      #expect(reset.output.contains("next    Tue 2026-03-03 07:00 MST"), "\(reset)")
      // What stands still has no next time, and says why.
      for paused in [["morning-summary"], []] {
        let words = paused + ["--team", "desert-blue"]
        #expect(try daemon.ask(["pause"] + words).code == 0)
        let shown = try daemon.ask("job", "show", "morning-summary", "--team", "desert-blue")
        let way = "; `pfctl \((["resume"] + words).joined(separator: " "))` ends it"
        #expect(shown.output.contains("next    never") && shown.errors.contains("note: paused by "), "\(shown)")
        #expect(shown.errors.contains(way), "\(shown)")
        #expect(try daemon.ask(["resume"] + words).code == 0)
      }
    }
  }
}
