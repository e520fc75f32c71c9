import FlowControl
import FlowModel
import FoundationEssentials
import Testing

extension Programs {
  /// Reminders and days off on the built programs: commands, delivery, and a kill in between.
  @Suite struct ReminderProgramTests {
    private static let team = ["--team", "desert-blue"]

    private func ask(_ daemon: Daemon, _ words: [String]) throws -> Answer {
      try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
    }

    @Test func `a reminder is delivered once despite a kill, with placeholders filled in`() throws {
      // Monday 06:50 in Phoenix.
      let daemon = try Daemon(at: "2026-03-02T13:50:00Z").start()
      _ = try ask(daemon, ["pause", "morning-summary"] + Self.team)
      let made = try ask(
        daemon,
        ["reminder", "add", "filters", "--rule", "Mon 06:55", "--title", "Filters"] + Self.team
          + ["--text", "Order cartridges for {pools.today} pools", "--severity", "warning", "--times", "1"])
      #expect(made.code == 0, "\(made)")
      #expect(made.output.contains("says    Filters: Order cartridges for 24 pools"), "\(made.output)")
      #expect(made.output.contains("next    Mon 2026-03-02 06:55 MST, Mon 2026-03-09 06:55 MST"), "\(made.output)")
      let once = try ask(daemon, ["remind", "07:00", "Call Mrs Baird"] + Self.team)
      #expect(once.code == 0 && once.output.contains("once, Mon 2026-03-02 07:00 MST"), "\(once)")
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T14:05:00Z")))
      try daemon.start()
      try eventually("both are told") { daemon.notices.count == 2 }
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-09T14:05:00Z")))
      try daemon.start()
      try eventually("the morning of the next week is settled") {
        try daemon.runs("morning-summary").contains { $0.slot == "2026-03-09T14:00:00Z" }
      }
      // Each reminder ran once.
      #expect(try daemon.runs("reminder-filters").map(\.slot) == ["2026-03-02T13:55:00Z"])
      #expect(try daemon.runs("reminder-20260302-0700").map(\.slot) == ["2026-03-02T14:00:00Z"])
      let why = try ask(daemon, ["why", "reminder-filters"] + Self.team)
      #expect(why.code == 0 && why.output.contains("sent a notice"), "\(why)")
      let left = try ask(daemon, ["reminder", "list", "--all"] + Self.team)
      #expect(left.output.contains("filters") && left.output.contains("20260302-0700"), "\(left)")
      let removed = try ask(daemon, ["reminder", "remove", "filters"] + Self.team)
      #expect(removed.output == "filters of desert-blue: removed\n", "\(removed)")
      #expect(try ask(daemon, ["reminder", "remove", "filters"] + Self.team).code == ExitCode.notFound)
    }

    @Test func `a closed day is suppressed despite a kill; the eve lists its stops`() throws {
      // Sunday 17:50 in Phoenix; the demo's Mondays have 24 stops.
      let daemon = try Daemon(at: "2026-03-02T00:50:00Z").start()
      let closed = try ask(daemon, ["closed", "add", "tomorrow", "--notes", "Fair"] + Self.team)
      #expect(closed.code == 0 && closed.output == "desert-blue: closed Mon 2026-03-02 (Fair)\n", "\(closed)")
      #expect(closed.errors.contains("Mon, Mar 2: 24 stops"), "\(closed.errors)")
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T01:05:00Z")))
      try daemon.start()
      try eventually("the evening before is told") { daemon.notices.count == 1 }
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-02T14:00:01Z")))
      try eventually("the morning is settled") {
        try daemon.runs("morning-summary").contains { $0.slot == "2026-03-02T14:00:00Z" }
      }
      let why = try ask(daemon, ["why", "morning-summary"] + Self.team)
      #expect(why.output.contains("stayed silent: the team is closed today: Fair"), "\(why)")
      #expect(daemon.notices.count == 1)
    }

    /// A feed like Google's holiday calendar, and changed events; `Tests/FlowCalendarTests` checks their dates.
    @Test func `observances are counted and skipped; cancelled events close no day`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:29:10Z").start()
      let file = daemon.scratch.path + "/feed.ics"
      func day(_ date: String, _ lines: String...) -> String {
        "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:\(date)\r\n\(lines.joined(separator: "\r\n"))\r\nEND:VEVENT\r\n"
      }
      let observance = "DESCRIPTION:Observance\\nTo hide observances\\, go to Google Calendar Settings > Holidays"
      let text =
        "BEGIN:VCALENDAR\r\n" + day("20270214", "SUMMARY:Valentine's Day", observance)
        + day("20261031", "SUMMARY:Halloween", observance) + day("20250214", "SUMMARY:Valentine's Day", observance)
        + day("20261224", "UID:1", "RRULE:FREQ=YEARLY", "SUMMARY:Office")
        + day("20271224", "UID:1", "RECURRENCE-ID;VALUE=DATE:20271224", "STATUS:CANCELLED") + "END:VCALENDAR\r\n"
      try Data(text.utf8).write(to: URL(filePath: file))
      let tried = try ask(daemon, ["closed", "import", file, "--with-observances", "--dry-run"] + Self.team)
      #expect(tried.output.contains("(Halloween)") && !tried.errors.contains("left out"), "\(tried)")
      let taken = try ask(daemon, ["closed", "import", file] + Self.team)
      #expect(
        taken.output == "desert-blue: closed every year on 24 December from 2026 on except 2027-12-24 (Office)\n",
        "\(taken)")
      #expect(
        taken.errors.contains(
          "left out: 2 observances, such as Valentine's Day and Halloween; with --with-observances the team is closed on them, too"
        ),
        "\(taken)")
      try Data("BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\n\(day("20261224", "UID:9", "SUMMARY:X"))END:VCALENDAR\r\n".utf8)
        .write(to: URL(filePath: file))
      let cancelled = try ask(daemon, ["closed", "import", file] + Self.team)
      #expect(cancelled.code == 0 && cancelled.output.isEmpty, "\(cancelled)")
      #expect(cancelled.errors.contains("left out: line 3: 'X' is cancelled"), "\(cancelled)")
    }

    @Test func `a calendar file is imported; an invalid one is refused`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:29:10Z").start()
      let file = daemon.scratch.path + "/holidays.ics"
      let text = """
        BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20241128\r\n\
        RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH\r\nSUMMARY:Thanksgiving\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\n\
        DTSTART:20260310T100000\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      let taken = try ask(daemon, ["closed", "import", file] + Self.team)
      #expect(
        taken.code == 0 && taken.output.contains("4th Thursday of November from 2024 on (Thanksgiving)"), "\(taken)")
      #expect(taken.errors.contains("left out: line") && taken.errors.contains("'Lunch'"), "\(taken.errors)")
      let listed = try ask(daemon, ["closed", "list"] + Self.team)
      #expect(listed.output.contains("2026-11-26") && listed.output.contains("Thanksgiving"), "\(listed)")
      for (bytes, code) in [(Data("hello\n".utf8), ExitCode.badData), (Data(), ExitCode.badData)] {
        try bytes.write(to: URL(filePath: file))
        #expect(try ask(daemon, ["closed", "import", file] + Self.team).code == code)
      }
      try Data(count: 10_000_000).write(to: URL(filePath: file))
      let large = try ask(daemon, ["closed", "import", file] + Self.team)
      #expect(large.code == ExitCode.badData && large.errors.contains("10.0 MB"), "\(large)")
      for bad in ["2026-03-01..2076-03-01", "*-02-30", "gestern"] {
        let refused = try ask(daemon, ["closed", "add", bad] + Self.team)
        #expect(refused.code == ExitCode.usage && refused.errors.contains("days cannot be '\(bad)'"), "\(refused)")
      }
      #expect(try ask(daemon, ["closed", "list"] + Self.team).output == listed.output)
    }
  }
}
