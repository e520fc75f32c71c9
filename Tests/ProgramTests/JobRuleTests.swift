import FlowControl
import FlowModel
import Testing

extension Programs {
  /// Job rules set with `pfctl`, on the built daemon.
  @Suite struct JobRuleTests {
    @Test func `a changed rule survives a kill and runs once, the old one never`() throws {
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
      #expect(wrong.code == ExitCode.usage && wrong.errors.contains("no date matches this rule"), "\(wrong)")
      #expect(try daemon.ask("job", "set", "morning-summary", "--team", "desert-blue").code == ExitCode.usage)
      let reset = try daemon.ask("job", "reset", "morning-summary", "--team", "desert-blue")
      #expect(reset.output.contains("next    Tue 2026-03-03 07:00 MST"), "\(reset)")
      // A paused job has no next time; a note gives the reason.
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

    @Test func `times with am and pm are accepted wherever a time is typed`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:50:00Z").start()
      let team = ["--team", "desert-blue"]
      try daemon.change("team", "set", "desert-blue", "morning-time=6:30am", "day-start=7 AM")
      let shown = try daemon.ask(["team", "show", "desert-blue"]).output
      #expect(shown.contains("06:30") && shown.contains("07:00"), "\(shown)")
      let set = try daemon.ask(["job", "set", "weekly-digest"] + team + ["rule=Mon..Fri 6:30 PM"])
      #expect(set.output.contains("Monday to Friday at 18:30"), "\(set)")
      for (from, day) in [("2026-03-02 6am", "Mon 2026-03-02"), ("2026-03-02 6pm", "Tue 2026-03-03")] {
        let next = try daemon.ask(["calendar", "07:00", "--zone", "America/Phoenix", "--from", from])
        #expect(next.output.contains("\(day) 07:00"), "\(next)")
      }
      for (word, part) in [("13:00pm", "write 13:00"), ("0:30am", "write 00:30"), ("6", "not a time of day")] {
        let refused = try daemon.ask("team", "set", "desert-blue", "morning-time=\(word)")
        #expect(refused.code == ExitCode.usage && refused.errors.contains(part), "\(refused)")
      }
      let rule = try daemon.ask(["job", "set", "weekly-digest"] + team + ["rule=Mon 13:00pm"])
      #expect(rule.code == ExitCode.usage && rule.errors.contains("did you mean '13:00'?"), "\(rule)")
    }

    /// A user confirms a rule by its sentence.
    @Test func `the sentence of a rule names all of its parts`() throws {
      let daemon = try Daemon(at: "2026-03-02T13:50:00Z").start()
      let team = ["--team", "desert-blue", "--dry-run"]
      let rules = [
        ("*-*-01..15 07:00", "from the 1st to the 15th of every month at 07:00"),
        ("*-01..11-01 07:00", "on the 1st of every month from January to November at 07:00"),
        ("2026/1-*-01 07:00", "on the 1st of every month from 2026 on at 07:00"),
      ]
      for (rule, sentence) in rules {
        let set = try daemon.ask(["job", "set", "weekly-digest", "rule=\(rule)"] + team)
        #expect(set.code == 0 && set.output.contains(sentence), "\(set)")
      }
      let days = [
        ("2027/1-02~01", "on the last day of February from 2027 on"),
        ("Tue 2020/1-11-02..08", "Tuesdays that fall from the 2nd to the 8th of November from 2020 on"),
      ]
      for (text, sentence) in days {
        let added = try daemon.ask(["closed", "add", text] + team)
        #expect(added.output.contains("closed \(sentence)"), "\(added)")
      }
      let wrong = try daemon.ask(["job", "set", "weekly-digest", "rule=Fri..Mon 07:00"] + team)
      #expect(wrong.errors.contains("did you mean 'Fri..Sun,Mon'?"), "\(wrong)")
    }
  }
}
