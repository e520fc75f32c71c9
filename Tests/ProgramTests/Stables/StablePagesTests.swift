import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// A barn's digests on demand and its published pages.
  @Suite struct StablePagesTests {
    private static let team = "willow-barn"

    /// Monday 06:30 in Phoenix; a barn with feed schedules, and care that is due.
    private func barn(_ settings: String = "") throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T13:30:00Z", empty: true)
      if !settings.isEmpty { try daemon.scratch.write("poolflow.conf", settings.utf8) }
      try daemon.start()
      try daemon.change("team", "add", Self.team, "--zone", "America/Phoenix", "--trade", "stable")
      try daemon.change("horse", "add", "Juniper; the <b>second</b>, of that name", "--added", "2026-01-01")
      try daemon.change("horse", "add", "Bob", "--owner", "Ada Field", "--added", "2026-01-01")
      try daemon.change("feed", "set", "Bob", "--am-grain", "2 qt oats", "--pm-medications", "pill")
      try daemon.change(
        "care", "log", "Bob", "farrier", "--date", "2026-01-20", "--provider", "Sam Hoof", "--notes", "front only")
      try daemon.change("care", "log", "Juniper", "dental", "--date", "2026-02-01", "--due", "2026-08-01")
      return daemon
    }

    @Test(arguments: ["morning", "weekly"])
    func `a barn's digest is shown in every format without personal data`(
      kind: String
    ) throws {
      let daemon = try barn()
      for format in ["text", "md", "html", "json"] {
        let answer = try daemon.ask("digest", "--kind", kind, "--format", format)
        #expect(answer.code == 0 && answer.output.contains("Bob"), "\(format): \(answer)")
        #expect(format != "html" || !answer.output.contains("<b>"))
        for personal in ["Ada", "Sam", "front only"] { #expect(!answer.output.contains(personal), "\(format)") }
        #expect(try daemon.ask("digest", "--kind", kind, "--format", format).output == answer.output)
      }
      #expect(try daemon.ask("digest", "--kind", kind, "--technician", "Ann").code == ExitCode.usage)
      #expect(daemon.notices.isEmpty)
      let text = try daemon.ask("digest", "--kind", kind, "--at", "2026-03-02").output
      #expect(text.contains(kind == "morning" ? "2 qt oats" : "farrier"), "\(text)")
    }

    @Test func `a report on a horse is in the team's language`() throws {
      let daemon = try barn()
      try daemon.change("team", "set", Self.team, "language=fr")
      let report = try daemon.ask("report", "horse", "Bob").output
      for word in ["Propriétaire", "Tondu", "Ration du matin", "maréchal-ferrant", "Historique", "soir"] {
        #expect(report.contains(word), "\(word)")
      }
      for word in ["Owner", "Clipped", "farrier", "Timeline", "overdue", "Due"] {
        #expect(!report.contains(word), "\(word)")
      }
    }

    @Test func `due care is exported as a calendar that other programs read`() throws {
      let daemon = try barn()
      let calendar = try daemon.ask("digest", "--format", "ics").output
      #expect(calendar.hasPrefix("BEGIN:VCALENDAR\r\n") && calendar.hasSuffix("END:VCALENDAR\r\n"))
      #expect(calendar.utf8.split(separator: 10).allSatisfy { $0.count <= 76 && $0.last == 13 })
      let lines = calendar.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
      #expect(lines.filter { $0.hasPrefix("DTSTART") } == ["20260303", "20260801"].map { "DTSTART;VALUE=DATE:\($0)" })
      #expect(lines.contains("SUMMARY:Bob: farrier"), "\(lines)")
      #expect(lines.contains { $0.hasPrefix("SUMMARY:Juniper\\; the <b>second</b>\\, of that name") }, "\(lines)")
      #expect(Set(lines.filter { $0.hasPrefix("UID:") }).count == 2)
      #expect(try daemon.ask("digest", "--kind", "weekly", "--format", "ics").code == ExitCode.usage)
      try Test.skipRest(unless: .python("icalendar"))
      let script =
        "import sys,icalendar; print(len(icalendar.Calendar.from_ical(open(sys.argv[1],'rb').read()).events))"
      let read = try PythonTools.run(
        ["-c", script, try daemon.scratch.write("care.ics", calendar.utf8)], in: daemon.scratch)
      #expect(read.output == "2\n", "\(read)")
    }

    @Test func `a barn's pages are published beside pools' and follow its records`() throws {
      let scratch = try Scratch()
      let web = try scratch.folder("www")
      let daemon = try barn("[Sink web]\nType = publish\nDirectory = \(web)\n")
      try daemon.change("team", "add", "blue", "--zone", "UTC")
      func files() throws -> [String: String] {
        try Files.tree(web).filter { $0.key.hasPrefix("p/") && $0.key.contains(".") }.mapValues {
          String(decoding: $0, as: UTF8.self)
        }
      }
      try eventually("both are published") {
        let names = try files().keys
        guard let care = names.first(where: { $0.hasSuffix("/care.ics") }) else { return false }
        return names.contains { $0.hasSuffix("/route.ics") }
          && ["index.html", "today.html", "week.html"].allSatisfy { names.contains(care.dropLast(8) + $0) }
      }
      let care = try #require(try files().first { $0.key.hasSuffix("care.ics") })
      let folder = String(care.key.dropLast("care.ics".count))
      #expect(care.value.contains("DTSTART;VALUE=DATE:20260303"))
      for page in ["index.html", "today.html", "week.html"] {
        let text = try #require(try files()[folder + page])
        #expect(text.hasPrefix("<!") && text.utf8.count < 20_000, "\(page)")
        #expect(!text.contains("Ada") && !text.contains("Sam Hoof") && !text.contains("<b>second"), "\(page)")
        for other in ["index.html", "today.html", "week.html"] {
          let mark = other == page ? " aria-current=\"page\"" : ""
          #expect(text.contains("<a href=\"\(other)\"\(mark)>"), "\(page): \(other)")
        }
        #expect(!text.contains("tomorrow.html") && text.contains(/Made <time>[^<]+<\/time>\./), "\(page)")
        #expect(text.contains("<link rel=\"manifest\" href=\"app.webmanifest\""), "\(page)")
      }
      #expect(try files()[folder + "index.html"]?.contains("care.ics") == true)
      #expect(try files()[folder + "app.webmanifest"]?.contains("\"start_url\":\"today.html\"") == true)
      #expect(try files().keys.contains(folder + "icon.png"))
      #expect(try files()[folder + "today.html"]?.contains("2 qt oats") == true)
      try daemon.change("feed", "set", "Bob", "--team", Self.team, "--am-grain", "nothing but hay")
      try eventually("the page follows") { try files()[folder + "today.html"]?.contains("nothing but hay") == true }
    }
  }
}
