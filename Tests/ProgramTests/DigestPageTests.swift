import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// Digests and reports of the built programs, checked with an HTML parser, a calendar library and a browser.
  @Suite struct DigestPageTests {
    private func daemon() throws -> Daemon { try Daemon(at: "2026-03-02T20:00:00Z").start() }

    @Test(arguments: [
      ["--format", "text"], ["--format", "md"], ["--format", "html"], ["--format", "ics"], ["--format", "json"],
      ["--kind", "weekly", "--format", "html"], ["--kind", "weekly", "--format", "json"],
    ])
    func `the same data and date give the same bytes, before and after the run`(format: [String]) throws {
      let daemon = try daemon()
      func ask() throws -> Answer {
        try Pfctl.run(
          ["digest", "--team", "desert-blue", "--at", "2026-03-02", "--socket", daemon.socket] + format,
          in: daemon.scratch)
      }
      let first = try ask()
      #expect(first.code == 0 && first.output.utf8.count > 200, "\(first.errors)")
      try daemon.change("run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02")
      #expect(try ask().output == first.output)
      // A preview sends nothing: the only notice is the run's.
      try eventually("the run's file", { daemon.notices.count == 1 })
    }

    @Test func `a digest lists all technicians, or only the one named with --technician`() throws {
      let daemon = try daemon()
      let all = try daemon.ask("digest", "--team", "desert-blue", "--at", "2026-03-02")
      for name in ["maria", "dan", "keisha"] { #expect(all.output.contains("\n\(name)\n"), "\(name)") }
      #expect(all.output.split(separator: "\n").allSatisfy { $0.count <= 78 })
      let maria = try daemon.ask("digest", "--team", "desert-blue", "--at", "2026-03-02", "--technician", "Maria")
      #expect(maria.output.contains("Steve Baird") && !maria.output.contains("Elena Calloway"))
      #expect(maria.output.contains("8\u{A0}stops · 8:00"))
      let unknown = try daemon.ask("digest", "--team", "desert-blue", "--technician", "mario")
      #expect(unknown.code != 0 && unknown.errors.contains("maria"))
      for words in [
        ["--at", "2026-02-30"], ["--format", "pdf"], ["--kind", "daily"],
        ["--kind", "weekly", "--technician", "maria"],
        ["--kind", "weekly", "--format", "ics"],
      ] {
        let answer = try Pfctl.run(
          ["digest", "--team", "desert-blue", "--socket", daemon.socket] + words, in: daemon.scratch)
        #expect(answer.code == 64, "\(words): \(answer.code) \(answer.errors)")
      }
    }

    @Test func `the page of a morning's digest lists changes since the last one`()
      throws
    {
      let daemon = try daemon()
      try daemon.change("run", "morning-summary", "--team", "desert-blue", "--at", "2026-02-23")
      try daemon.change("pool", "set", "Steve Baird", "--team", "desert-blue", "--day", "fri")
      try daemon.change("run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02")
      try eventually("both", { try daemon.unsent() == 0 && daemon.notices.count == 2 })
      let last = try #require(daemon.notices.max())
      let event = try #require(
        JSONSerialization.jsonObject(with: Data(try Files.bytes("\(daemon.drop)/\(last)"))) as? [String: Any])
      let reference = try #require(event["dataref"] as? String)
      #expect(reference == last.replacing(".json", with: ".html"))
      let page = try Files.text("\(daemon.drop)/\(reference)")
      #expect(page.contains("Steve Baird moved to Friday."))
      #expect(page.contains("Run \(last.replacing(".json", with: ""))."))
      #expect(!page.contains("reordered") && page.hasSuffix("</html>\n"))
    }

    @Test func `a visit's report has costs and no secrets; the month's has profits`() throws {
      let daemon = try daemon()
      let visit = try daemon.ask("report", "visit", "Steve Baird", "--team", "desert-blue")
      #expect(visit.code == 0 && visit.output.contains("Water readings") && visit.output.contains("Saturation index"))
      // The cost of the visit's chemicals, and the pool's present data.
      #expect(
        visit.output.contains("Cost of the chemicals ") && visit.output.contains(" $")
          && visit.output.contains("Service day"))
      let secrets = try DemoStore.secrets()
      let html = try daemon.ask("report", "visit", "Steve Baird", "--team", "desert-blue", "--format", "html").output
      #expect(secrets.filter { visit.output.contains($0) || html.contains($0) } == [])
      let month = try daemon.ask("report", "month", "--team", "desert-blue", "--month", "2026-02")
      #expect(month.output.contains("February 2026") && month.output.contains("Profit by pool"))
      // The default is the last complete month.
      #expect(try daemon.ask("report", "month", "--team", "desert-blue").output == month.output)
      #expect(try daemon.ask("report", "month", "--team", "desert-blue", "--month", "2026-13").code == 64)
      #expect(try daemon.ask("report", "visit", "Steve Baird", "--team", "desert-blue", "--visit", "x").code == 67)
    }

    // MARK: External parsers

    private static let parser = #"""
      import sys, html5lib
      parser = html5lib.HTMLParser(strict=True)
      tree = parser.parse(open(sys.argv[1], encoding="utf-8").read())
      names = [element.tag.split("}")[-1] for element in tree.iter() if isinstance(element.tag, str)]
      assert "script" not in names and "link" not in names, names
      print(len(names))
      """#

    private func pages(_ daemon: Daemon) throws -> [String] {
      var paths: [String] = []
      for (name, words) in [
        ("morning", ["digest", "--team", "desert-blue", "--at", "2026-03-02"]),
        ("maria", ["digest", "--team", "desert-blue", "--at", "2026-03-02", "--technician", "maria"]),
        ("weekly", ["digest", "--team", "desert-blue", "--at", "2026-03-01", "--kind", "weekly"]),
        ("visit", ["report", "visit", "Steve Baird", "--team", "desert-blue"]),
        ("month", ["report", "month", "--team", "desert-blue", "--month", "2026-02"]),
      ] {
        let path = "\(daemon.scratch.path)/\(name).html"
        let answer = try Pfctl.run(
          words + ["--format", "html", "--output", path, "--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 0, "\(name): \(answer.errors)")
        paths.append(path)
      }
      return paths
    }

    @Test(.requires(.python("html5lib")))
    func `a strict HTML parser accepts every page`() throws {
      let daemon = try daemon()
      try daemon.scratch.write("parse.py", Self.parser.utf8)
      for path in try pages(daemon) {
        let answer = try PythonTools.run([daemon.scratch.path + "/parse.py", path], in: daemon.scratch)
        #expect(answer.code == 0, "\(path): \(answer.errors)")
      }
    }

    @Test(arguments: [
      ["report", "month", "--month", "2026-02", "--format", "md"],
      ["route", "show", "--day", "Mon", "--technician", "maria", "--format", "svg"],
    ])
    func `with --json a page that is written to a file is printed as a document, too`(words: [String]) throws {
      struct Document: Decodable {
        let text: String
      }
      let daemon = try daemon()
      let path = daemon.scratch.path + "/page"
      let answer = try daemon.ask(words + ["--team", "desert-blue", "--json", "--output", path])
      try #require(answer.code == 0, "\(answer.errors)")
      let document = try JSONDecoder().decode(Document.self, from: Data(answer.output.utf8))
      #expect(try !document.text.isEmpty && document.text == Files.text(path))
    }

    private static let calendar = #"""
      import sys, icalendar
      calendar = icalendar.Calendar.from_ical(open(sys.argv[1], "rb").read())
      events = calendar.walk("VEVENT")
      assert len({str(event["UID"]) for event in events}) == len(events)
      for event in events:
          assert not event.errors, event.errors
          assert event.decoded("DTSTART") < event.decoded("DTEND") and str(event["SUMMARY"]) and str(event["LOCATION"])
      print(len(events), events[0].decoded("DTSTART").isoformat(), events[0]["SUMMARY"])
      """#

    @Test(.requires(.python("icalendar"))) func `a calendar library reads every stop`() throws {
      let daemon = try daemon()
      try daemon.scratch.write("read.py", Self.calendar.utf8)
      let path = daemon.scratch.path + "/day.ics"
      try daemon.change("digest", "--team", "desert-blue", "--at", "2026-03-02", "--format", "ics", "--output", path)
      let answer = try PythonTools.run([daemon.scratch.path + "/read.py", path], in: daemon.scratch)
      #expect(
        try answer.output.hasPrefix("\(DemoStore.stops(day: 2)) 2026-03-02T15:00:00+00:00 1. "),
        "\(answer.output)\(answer.errors)")
    }

    // MARK: On phones and on paper

    private func sensitive() throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nSensitive = yes\n".utf8)
      return try daemon.start()
    }

    /// The HTML page of Monday's digest, from the drop folder.
    private func dropped(_ daemon: Daemon) throws -> String {
      try daemon.change("run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02")
      try eventually("the page beside the event", { try daemon.unsent() == 0 })
      let page = try #require(Files.names(in: daemon.drop).filter { $0.hasSuffix(".html") }.max())
      return try Files.text("\(daemon.drop)/\(page)")
    }

    /// Every page by name: in English with US units, in German (longer words) with metric units, and the page for a sensitive
    /// drop folder with gate codes and telephone numbers.
    private func pagesByName() throws -> [String: String] {
      let daemon = try sensitive()
      var found: [String: String] = [:]
      func add(_ language: String) throws {
        for path in try pages(daemon) {
          found["\(language) \((path as NSString).lastPathComponent)"] = try Files.text(path)
        }
        found["\(language) sensitive.html"] = try dropped(daemon)
      }
      try add("en")
      try daemon.change("team", "set", "desert-blue", "language=de", "units=metric")
      try add("de")
      #expect(found["en sensitive.html"]?.contains("<a href=\"tel:4805550140\">") == true && found.count == 12)
      return found
    }

    @Test(.requires(.chromium))
    func `no page is wider than a phone or screen; touch targets are 48 px`() throws {
      let scratch = try Scratch()
      let browser = try Browser(in: scratch)
      var pages = try pagesByName()
      // Positive control: a page with both defects, which the check must find.
      pages["bad"] = "<!doctype html><p style=\"width:1300px\">wide <a href=\"#p\">low</a>"
      let widths = [360, 390, 768, 1_280]
      let looks = try browser.looks(at: pages, widths: widths)
      #expect(looks.count == pages.count * widths.count)
      for look in looks {
        #expect(widths.contains(Int(look.width)))
        #expect((look.content > look.width) == (look.page == "bad"), "\(look.page) at \(look.width): \(look.content)")
        #expect((look.targets.contains { $0 < 47.9 }) == (look.page == "bad"), "\(look.page): \(look.targets)")
        let isTouched = ["bad", "morning.html", "maria.html", "sensitive.html", "month.html"]
        #expect(!look.targets.isEmpty || !isTouched.contains { look.page.hasSuffix($0) }, "\(look.page)")
      }
    }

    @Test(.requires(.chromium), arguments: [false, true])
    func `every text has a contrast of at least 4.5 in the light and the dark scheme`(isDark: Bool) throws {
      let scratch = try Scratch()
      var pages = try pagesByName()
      // Positive control: a text that is too faint.
      pages["bad"] = "<!doctype html><body style=\"background:#fff;color:#888\">faint"
      let looks = try Browser(in: scratch).looks(at: pages, widths: [390], isDark: isDark)
      #expect(looks.count == pages.count)
      for look in looks {
        #expect((look.contrast < 4.5) == (look.page == "bad"), "\(look.page): \(look.contrast) of '\(look.faintest)'")
      }
      // The scheme of the pages is the reader's.
      #expect(
        Set(looks.map(\.ground)) == (isDark ? ["rgb(20, 24, 28)", "rgb(255, 255, 255)"] : ["rgb(255, 255, 255)"]))
    }

    @Test(.requires(.chromium)) func `the first stop of a technician's day is on a phone's first screen`() throws {
      let scratch = try Scratch()
      let daemon = try daemon()
      var pages: [String: String] = [:]
      for name in try DemoStore.route(day: 2).keys {
        pages[name] = try daemon.ask(
          "digest", "--team", "desert-blue", "--at", "2026-03-02", "--technician", name, "--format", "html"
        ).output
      }
      let looks = try Browser(in: scratch).looks(at: pages, widths: [390])
      #expect(looks.count == 3)
      for look in looks { #expect((look.firstCard ?? 9_999) <= 520, "\(look.page): \(look.firstCard ?? 0)") }
    }

    @Test(.requires(.chromium)) func `every page prints on clean sheets of its region's paper size`() throws {
      let scratch = try Scratch()
      let browser = try Browser(in: scratch)
      for (name, html) in try pagesByName() {
        let print = try browser.printed(try scratch.write(name.replacing(" ", with: "-"), html.utf8))
        // Each technician, and the office, starts on a new sheet.
        let isTeams = name.hasSuffix("morning.html") || name.hasSuffix("sensitive.html")
        #expect(
          try print.sheets == (isTeams ? DemoStore.route(day: 2).count + 1 : 1), "\(name): \(print.sheets) sheets")
        #expect(print.paper == (name.hasPrefix("en") ? "612 792" : "595 842"), "\(name): \(print.paper)")
      }
    }

    @Test(.requires(.chromium, .pdftotext))
    func `no stop is split between sheets or alone on a sheet`() throws {
      let daemon = try sensitive()
      let browser = try Browser(in: daemon.scratch)
      // One stop more than a full sheet holds.
      try daemon.change("pool", "set", "Ben Sheridan", "--team", "desert-blue", "--day", "mon")
      let file = try daemon.scratch.write("nine.html", try dropped(daemon).utf8)
      let texts = try browser.texts(of: browser.printed(file))
      #expect(texts.count == 5)
      for text in texts where !text.contains("For the office") {
        // Each stop begins with its name and time and ends with the line for the last reading.
        let heads = text.matches(of: /\d:\d\d\s[AP]M [A-Z][a-z]+ [A-Z]/).count
        #expect(heads >= 4 && text.components(separatedBy: "Cyanuric acid ___").count - 1 == heads, "\(text)")
      }
      #expect(texts.map { $0.contains("For the office") } == [false, false, false, false, true])
    }
  }
}
