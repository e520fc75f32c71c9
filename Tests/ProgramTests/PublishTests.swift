import FlowControl
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// A published folder, written by the daemon and read by Chromium, Python's icalendar, nginx and caddy.
  @Suite struct PublishTests {
    private struct Listing: Decodable {
      struct One: Decodable {
        let technician: String?
        let name: String?
        let address: String?
      }
      let published: [One]
    }

    private let daemon: Daemon
    private let folder: String

    init() throws {
      daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      folder = try daemon.scratch.folder("www")
      chmod(folder, 0o755)
      try daemon.scratch.write(
        "poolflow.conf",
        "[Sink web]\nType = publish\nDirectory = \(folder)\nBaseURL = https://routes.example.net/\n".utf8)
    }

    private func names() throws -> [String: String] {
      let found = try daemon.query(Listing.self, "publish", "list", "--team", "desert-blue").published
      return Dictionary(
        uniqueKeysWithValues: found.compactMap { one in one.name.map { (one.technician ?? "office", $0) } })
    }

    private func start() throws -> [String: String] {
      try daemon.start()
      try eventually("everybody's pages") {
        let folders = try names().values.map { "\(folder)/p/\($0)" }
        return folders.count == 5 && folders.allSatisfy { Files.exists($0 + "/week.html") }
      }
      return try names()
    }

    private func mode(_ path: String) -> UInt32 {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func `published pages stay the same bytes over a restart and rotate at once`() throws {
      let names = try start()
      #expect(names.keys.sorted() == ["dan", "desert-blue", "keisha", "maria", "office"])
      let maria = try #require(names["maria"])
      for (name, path) in [("", folder + "/p"), ("", "\(folder)/p/\(maria)"), ("f", "\(folder)/p/\(maria)/today.html")]
      {
        #expect(mode(path) == (name == "f" ? 0o644 : path.hasSuffix("/p") ? 0o711 : 0o755), "\(path)")
      }
      #expect(mode(daemon.state + "/published-names") == 0o600 && mode(daemon.state) & 0o077 == 0)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      let before = try Files.tree(folder)
      try daemon.stop()
      try daemon.start()
      try daemon.change("run", "morning-summary", "--team", "desert-blue", "--at", "2026-03-02")
      #expect(try Files.tree(folder) == before)
      // No secret folder name is in any log or answer.
      try daemon.change("publish", "rotate", "--team", "desert-blue", "--technician", "maria")
      #expect(!Files.exists("\(folder)/p/\(maria)/today.html"))
      let after = try self.names()
      #expect(after["maria"] != maria && after["dan"] == names["dan"])
      try eventually("the new pages") { Files.exists("\(folder)/p/\(after["maria"] ?? "")/route.ics") }
      #expect(Files.names(in: folder + "/p").sorted() == after.values.sorted())
      let audit = try daemon.ask("audit").output
      #expect(audit.contains("publish rotate --team desert-blue --technician"))
      let bug = daemon.scratch.path + "/bug.json"
      _ = try daemon.ask("bugreport", "--output", bug)
      var told = [daemon.log, audit, (try? Files.text(bug)) ?? ""]
      for words in [["doctor", "--json"], ["status", "--json"], ["sink", "list"], ["config", "show"]] {
        told.append(try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch).output)
      }
      for name in Array(names.values) + Array(after.values) { #expect(!told.joined().contains(name)) }
    }

    @Test func `pages show the next day without a notice, and changes within a minute`() throws {
      let names = try start()
      let page = "\(folder)/p/\(try #require(names["dan"]))/today.html"
      #expect(try Files.text(page).contains("Monday, March 2"))
      try daemon.change("closed", "add", "2026-03-02", "--team", "desert-blue", "--notes", "Snow")
      // The change is published within a minute by itself, or at once with the next notice.
      try daemon.change("sink", "test", "web")
      try eventually("a closed day") { try Files.text(page).contains("The team is closed on this day. Snow") }
      // Sunday: no notice is sent, and the page is Sunday's, not Saturday's.
      try daemon.stop()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-08T08:00:00Z")))
      try daemon.start()
      try eventually("a silent Sunday") {
        let text = try Files.text(page)
        return text.contains("Sunday, March 8") && text.contains("There is no route on this day.")
      }
    }

    @Test func `a missing folder is a sink failure and refilled when it is back`() throws {
      let names = try start()
      #expect(rename(folder, folder + "-away") == 0)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("trouble") { try daemon.ask("sink", "list").output.contains("does not exist") }
      #expect(try daemon.ask("doctor").output.contains("does not exist"))
      #expect(rename(folder + "-away", folder) == 0)
      unlink("\(folder)/p/\(try #require(names["dan"]))/today.html")
      try daemon.change("outbox", "retry", "--all", "--sink", "web")
      try eventually("it is well") { !(try daemon.ask("sink", "list").output.contains("does not exist")) }
      try eventually("the page is there") { Files.exists("\(folder)/p/\(names["dan"] ?? "")/today.html") }
    }

    @Test
    func `an obstacle affects one page and is reported without secret names`()
      throws
    {
      let names = try start()
      let (maria, dan) = (try #require(names["maria"]), try #require(names["dan"]))
      let copy = daemon.scratch.path + "/copy"
      try FileManager.default.copyItem(atPath: folder + "/p", toPath: copy)
      // A link in place of a person's folder, a directory in place of a page, and a foreign directory in a withdrawn folder.
      #expect(rename("\(folder)/p/\(dan)", daemon.scratch.path + "/moved") == 0)
      #expect(symlink(daemon.scratch.path + "/moved", "\(folder)/p/\(dan)") == 0)
      let keisha = "\(folder)/p/\(try #require(names["keisha"]))/today.html"
      #expect(unlink(keisha) == 0 && mkdir(keisha, 0o755) == 0)
      #expect(mkdir("\(folder)/p/\(maria)/photos", 0o755) == 0)
      let rotated = try daemon.ask("publish", "rotate", "--team", "desert-blue", "--technician", "maria")
      #expect(rotated.errors.contains("/p/…/photos' was not made by poolflow"), "\(rotated)")
      try daemon.change("closed", "add", "2026-03-02", "--team", "desert-blue", "--notes", "Snow")
      try daemon.change("sink", "test", "web")
      let office = "\(folder)/p/\(try #require(names["office"]))/today.html"
      try eventually("the office's page") { try Files.text(office).contains("Snow") }
      let after = try self.names()
      try eventually("maria's pages") {
        Files.exists("\(folder)/p/\(after["maria"] ?? "")/today.html")
          && Files.names(in: "\(folder)/p/\(maria)") == ["photos"]
      }
      let said = try [["publish", "list"], ["doctor"], ["sink", "list"], ["status", "--check"], ["status"]].map {
        try Pfctl.run($0 + ["--socket", daemon.socket], in: daemon.scratch)
      }
      #expect(said[0].errors.contains("'dan' of team 'desert-blue': '\(folder)/p/…' is a symbolic link"), "\(said[0])")
      #expect(said[0].errors.contains("/p/…/today.html' is a folder, but must be a page; move it away"), "\(said[0])")
      #expect(said[1].output.contains("is degraded: pages of 'dan'") && said[2].output.contains("degraded"))
      #expect(said[3].code == 1 && said[3].output.contains("WARNING: sink web is degraded"), "\(said[3])")
      #expect(said[4].output.contains("web (publish) degraded"), "\(said[4])")
      for name in Array(names.values) + Array(after.values) {
        #expect(!(daemon.log + said.dropFirst().map(\.output).joined() + said.map(\.errors).joined()).contains(name))
      }
      // Remove all obstacles, and copy the earlier folder over today's.
      #expect(unlink("\(folder)/p/\(dan)") == 0 && rmdir(keisha) == 0 && rmdir("\(folder)/p/\(maria)/photos") == 0)
      try daemon.stop()
      _ = try Program.run("/bin/cp", ["-a", copy + "/.", folder + "/p/"], in: daemon.scratch)
      try daemon.start()
      try eventually("only today's names") { Files.names(in: folder + "/p").sorted() == after.values.sorted() }
      try eventually("today's pages") {
        try ["dan", "keisha", "office"].allSatisfy {
          try Files.text("\(folder)/p/\(after[$0] ?? "")/today.html").contains("Snow")
        }
      }
      try eventually("no obstacle") { try daemon.ask("status", "--check").code == 0 }
    }

    @Test(.requires(.chromium))
    func `published pages fit a phone's width, and links are finger-sized`() throws {
      let names = try start()
      let browser = try Browser(in: daemon.scratch)
      var pages: [String: String] = [:]
      for who in ["office", "maria"] {
        for file in ["index.html", "today.html", "tomorrow.html", "week.html"] {
          pages["\(who) \(file)"] = try Files.text("\(folder)/p/\(try #require(names[who]))/\(file)")
        }
      }
      for isDark in [false, true] {
        let looks = try browser.looks(at: pages, widths: [360, 390, 768, 1_280], isDark: isDark)
        #expect(looks.count == pages.count * 4)
        for look in looks {
          #expect(look.content <= look.width, "\(look.page): \(look.content)")
          #expect(look.targets.allSatisfy { $0 >= 47.9 } && look.targets.count >= 4, "\(look.page): \(look.targets)")
          #expect(look.contrast >= 4.5, "\(look.page): \(look.contrast) of '\(look.faintest)'")
          if look.page == "maria today.html", look.width == 390 {
            #expect((look.firstCard ?? 9_999) <= 520, "\(look.firstCard ?? 0)")
          }
        }
      }
    }

    @Test(.requires(.python("icalendar"))) func `Python's icalendar reads the feeds with every event once`()
      throws
    {
      let names = try start()
      let program = """
        import icalendar, sys
        for path in sys.argv[1:]:
            calendar = icalendar.Calendar.from_ical(open(path, "rb").read())
            events = list(calendar.walk("VEVENT"))
            broken = [e.errors for e in events if e.errors] + list(calendar.errors)
            uids = {str(e["uid"]) for e in events}
            timed = [e for e in events if hasattr(e["dtstart"].dt, "hour")]
            days = sorted({str(e["dtstart"].dt) for e in events if not hasattr(e["dtstart"].dt, "hour")})
            assert all(e["dtend"].dt > e["dtstart"].dt for e in events)
            print(len(broken), len(uids) == len(events), len(timed) > 50, len(days), days[0], days[-1],
                  calendar["x-wr-timezone"])
        """
      let feeds = try ["maria", "office"].map { "\(folder)/p/\(try #require(names[$0]))/route.ics" }
      let answer = try PythonTools.run(["-c", program] + feeds, in: daemon.scratch)
      #expect(answer.code == 0, "\(answer.errors)")
      let line = "0 True True 10 2026-03-02 2026-03-13 America/Phoenix\n"
      #expect(answer.output == line + line)
    }

    /// Starts the server with its example configuration, on a free port and without TLS.
    private func serve(_ server: Requirement, port: UInt16) throws -> RunningProgram {
      let scratch = daemon.scratch
      let words: [String]
      if server == .nginx {
        let example = try Files.text(Checkout.root + "/units/examples/nginx-publish.conf")
          .replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);").replacing(/ssl_certificate.*/, with: "")
          .replacing("/srv/poolflow/www", with: folder)
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
          "\($0)_temp_path \(scratch.path)/\($0);"
        }
        let file = try scratch.write(
          "nginx.conf",
          """
          daemon off; master_process off; pid \(scratch.path)/nginx.pid;
          events {}
          http { include /etc/nginx/mime.types; \(temporary.joined())
          \(example) }
          """.utf8)
        words = ["-c", file, "-e", scratch.path + "/server.err"]
      } else {
        let example = try Files.text(Checkout.root + "/units/examples/Caddyfile-publish")
          .replacing("routes.example.net {", with: "http://127.0.0.1:\(port) {").replacing(
            "/srv/poolflow/www", with: folder)
        let file = try scratch.write("Caddyfile", ("{\n\tadmin off\n}\n" + example).utf8)
        words = ["run", "--adapter", "caddyfile", "--config", file]
      }
      return try RunningProgram(
        server.path(), words, environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": scratch.path],
        output: .writing(scratch.path + "/server.out"), errors: scratch.path + "/server.err")
    }

    @Test(.requires(.nginx, .curl))
    func `nginx serves pages by its example, lists nothing and answers 304`() throws {
      try served(by: .nginx)
    }

    @Test(.requires(.caddy, .curl))
    func `caddy serves pages by its example, lists nothing and answers 304`() throws {
      try served(by: .caddy)
    }

    private func served(by server: Requirement) throws {
      let names = try start()
      let maria = try #require(names["maria"])
      let port = try FreePort.find()
      let program = try serve(server, port: port)
      defer { program.send(SIGKILL) }
      func get(_ path: String, _ words: String...) throws -> String {
        // Header names are compared without case.
        try Program.run(
          Requirement.curl.path(), ["-q", "-s", "-i", "--path-as-is", "http://127.0.0.1:\(port)\(path)"] + words,
          in: daemon.scratch
        ).output
      }
      try eventually("an answer: \((try? Files.text(daemon.scratch.path + "/server.err")) ?? "")") {
        try get("/robots.txt").contains(" 200 ")
      }
      let page = try get("/p/\(maria)/today.html")
      #expect(page.contains(" 200 ") && page.contains("Monday, March 2"))
      let feed = try get("/p/\(maria)/route.ics")
      #expect(feed.lowercased().contains("content-type: text/calendar; charset=utf-8"))
      for header in ["X-Robots-Tag: noindex", "Referrer-Policy: no-referrer", "Cache-Control: private, no-cache"] {
        for answer in [page, feed] { #expect(answer.lowercased().contains(header.lowercased()), "\(header)") }
      }
      let tag = try #require(feed.firstMatch(of: /(?i)etag: (\S+)/)?.1)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      #expect(try get("/p/\(maria)/route.ics", "-H", "If-None-Match: \(tag)").contains(" 304 "))
      #expect(try get("/p/\(maria)/").contains("The Coming Days"))
      for path in ["/", "/p/", "/p", "/p/\(maria)/../", "/p/\(String(repeating: "0", count: 32))/today.html"] {
        let answer = try get(path)
        for name in names.values { #expect(!answer.contains(name), "\(path)") }
        #expect(!answer.contains("Index of"), "\(path)")
      }
      try daemon.change("publish", "rotate", "--team", "desert-blue", "--technician", "maria")
      #expect(try get("/p/\(maria)/today.html").contains(" 404 "))
    }
  }
}
