import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import PoolDigests
import Testing

extension Programs {
  /// The mails of poolflow-post, read with Python's `email`, a calendar library and a browser.
  @Suite struct MailReadingTests {
    private static let languages = ["en", "es", "fr", "pt-BR", "de"]
    /// Names of persons and customers, and the text shown for each: control characters and invisible marks are removed, line
    /// breaks become spaces.
    private static let names: [(given: String, told: String)] = [
      (#"O'Hara, "Bob" <b@x.y>; (a) \"#, #"O'Hara, "Bob" <b@x.y>; (a) \"#),
      ("María 🏊🏽‍♀️ 👨‍👩‍👧 Núñez", "María 🏊🏽‍♀️ 👨‍👩‍👧 Núñez"),
      ("דוד כהן 12", "דוד כהן 12"),
      (String(repeating: "João ", count: 40) + "Só", String(repeating: "João ", count: 40) + "Só"),
      ("Evil\r\nBcc: x@y.z\u{0}\u{1B}[31m\u{202E}=?UTF-8?Q?x?=", "Evil  Bcc: x@y.z[31m=?UTF-8?Q?x?="),
      (String(repeating: "Wasser", count: 34), String(repeating: "Wasser", count: 34)),
    ]

    private static func settings(_ detail: String) -> String {
      """
      [Channel mail]
      Type = smtp
      Server = smtp://MAIL
      From = Büro, «Süd» "1" <routes@example.com>
      ReplyTo = office@example.com
      Unsubscribe = office@example.com
      Detail = \(detail)
      """
    }

    /// The expected content of a mail, read by `read-mails.py`.
    private struct Expected: Encodable {
      let name, subject: String
      let parts: [String]
      let events: Int
      let date: String
      let texts: [String]
    }

    /// Mails in all languages and detail levels, with names that could be mistaken for markup or headers.
    private final class Post {
      let post: PostCase
      private(set) var expected: [String: Expected] = [:]

      init() throws {
        post = try PostCase()
        for detail in ["headline", "stops", "full"] {
          try post.settings(MailReadingTests.settings(detail))
          for (index, language) in MailReadingTests.languages.enumerated() {
            try putRoute(detail, language, MailReadingTests.names[index])
          }
          if detail == "stops" {
            for index in MailReadingTests.names.indices { try putNews(index) }
            try putRefused()
            try putDropped()
          }
          try post.start()
          _ = try post.receipts(expected.count)
          try post.stop()
        }
      }

      private func recipient(_ address: String, _ name: String, _ language: String, zone: String? = nil) -> [String:
        Any]
      {
        var person: [String: Any] = [
          "key": "t12", "name": name, "technician": "maria", "language": language,
          "addresses": [["channel": "mail", "address": address]],
        ]
        person["zone"] = zone
        return person
      }

      /// Drops a morning digest whose first customer and technician have the name.
      private func putRoute(_ detail: String, _ language: String, _ name: (given: String, told: String)) throws {
        var details = try post.details()
        var sections = try #require(details["sections"] as? [[String: Any]])
        sections = [sections[0]]
        var stops = try #require(sections[0]["stops"] as? [[String: Any]])
        stops[0]["customer"] = name.given
        sections[0]["stops"] = stops
        sections[0]["technician"] = name.given
        details["sections"] = sections
        var speaks = try #require(details["speaks"] as? [String: Any])
        speaks["language"] = language
        details["speaks"] = speaks
        let digest = try JSONDecoder().decode(MorningDigest.self, from: JSONSerialization.data(withJSONObject: details))
        let address = "\(detail).\(language)@example.com"
        let pool = try #require(stops[0]["pool_id"] as? String)
        try post.put(
          "20261123T153108.409Z-morning-summary-4-\(detail.prefix(2))-\(language)", to: nil,
          changing: [
            "recipient": recipient(address, name.given, language, zone: "America/Phoenix"), "details": details,
            "lines": ["  1  \(name.given), \(name.given)"],
            "access": [
              pool: [
                "customer": name.given, "notes": name.given, "contact_name": name.given,
                "contact_phone": "480-555-0140",
                "contact_email": "e@example.com", "gate_access": "GATE-4711",
              ]
            ],
          ], calendar: digest.calendar)
        let related = ["multipart/related", "text/html", "image/png"]
        expected[address] = Expected(
          name: name.told, subject: digest.document().subject,
          parts: detail == "headline"
            ? ["multipart/alternative", "text/plain", "text/html"]
            : ["multipart/mixed", "multipart/alternative", "text/plain"] + related + ["text/calendar"],
          events: stops.count,
          date: " -0700",
          texts: detail == "headline" ? [] : [name.told] + (detail == "full" ? ["GATE-4711", "480-555-0140"] : []))
      }

      /// Drops a notice that is no route, with the name as title.
      private func putNews(_ index: Int) throws {
        let name = MailReadingTests.names[index]
        let address = "news\(index)@example.com"
        try post.put(
          "n\(index)", to: nil,
          changing: [
            "recipient": recipient(address, "", "en"), "identifier": "other", "details": [:],
            "title": name.given, "body": name.given, "lines": ["  1  \(name.given)"],
          ])
        expected[address] = Expected(
          name: "", subject: name.told, parts: ["multipart/alternative", "text/plain", "text/html"], events: 0,
          date: " +0000", texts: [name.told, "1. \(name.told)"])
      }

      /// Drops the events of a real daemon, in English with US units and in German (longer words) with metric units: a team's
      /// morning and its week with charts.
      private func putDropped() throws {
        let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
        try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nSensitive = yes\n".utf8)
        try daemon.start()
        for language in ["en", "de"] {
          if language == "de" { try daemon.change("team", "set", "desert-blue", "language=de", "units=metric") }
          for kind in ["morning-summary", "weekly-digest"] {
            let before = Set(daemon.notices)
            try daemon.change("run", kind, "--team", "desert-blue")
            try eventually("an event", { daemon.notices.count > before.count })
            let name = try #require(daemon.notices.first { !before.contains($0) })
            let event = Data(try Files.bytes("\(daemon.drop)/\(name)"))
            let address = "\(kind).\(language)@example.com"
            let data = try JSONSerialization.jsonObject(with: event) as? [String: Any]
            let details = try JSONSerialization.data(
              withJSONObject: try #require((data?["data"] as? [String: Any])?["details"]))
            let isWeek = kind == "weekly-digest"
            let digest = isWeek ? nil : try JSONDecoder().decode(MorningDigest.self, from: details)
            let document = try digest?.document() ?? JSONDecoder().decode(WeekDigest.self, from: details).document()
            try post.put("d-\(kind)-\(language)", event, changing: ["recipient": recipient(address, "Büro", language)])
            expected[address] = Expected(
              name: "Büro", subject: document.subject,
              parts: isWeek
                ? ["multipart/alternative", "text/plain", "text/html"]
                : ["multipart/alternative", "text/plain", "multipart/related", "text/html"]
                  + (digest?.sections ?? []).map { _ in "image/png" }, events: 0, date: " +0000", texts: [])
          }
        }
        try daemon.stop()
      }

      /// Drops a notice whose first mail the server refuses, so that it is sent again as plain text.
      private func putRefused() throws {
        let address = "end5@example.com"
        try post.put(
          "refused", to: nil, changing: ["recipient": recipient(address, "María", "es")], calendar: nil)
        expected[address] = Expected(
          name: "María", subject: "Mon Nov 23: 24 stops from 8:00 AM", parts: ["text/plain"], events: 0,
          date: " +0000", texts: ["24"])
      }
    }

    @Test(.requires(.python("icalendar"), .curl))
    func `strict parsers and a browser read every mail, even without pictures or styles`() throws {
      let mails = try Post()
      let post = mails.post
      // For a refused mail keep the last try.
      let seen = Dictionary(try post.mails().map { ($0.to, $0) }, uniquingKeysWith: { $1 })
      #expect(seen.count == mails.expected.count)
      let lines = try seen.values.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }
      let files = [
        try post.scratch.write("mails.jsonl", lines.joined().utf8),
        try post.scratch.write("expected.json", try JSONEncoder().encode(mails.expected)),
        post.scratch.path + "/pages.json",
      ]
      let script = Bundle.module.bundleURL.appendingPathComponent("Fixtures/read-mails.py").path
      let read = try PythonTools.run([script] + files, in: post.scratch)
      #expect(read.code == 0 && read.errors.isEmpty, "\(read.errors)")
      try look(at: try JSONDecoder().decode([String: String].self, from: Data(try Files.bytes(files[2]))), post.scratch)
    }

    /// Renders each mail three times: complete, without images, and without any style.
    private func look(at pages: [String: String], _ scratch: Scratch) throws {
      #expect(pages.count == 3 * 25)
      try Test.skipRest(unless: .chromium)
      let browser = try Browser(in: scratch)
      // One page of every language and of each kind.
      var pages = pages.filter { name, _ in
        ["stops.", "full.de", "headline.en", "news5", "morning-", "weekly-"].contains { name.hasPrefix($0) }
      }
      #expect(pages.count == 3 * 12)
      // Positive control: a page with all defects, which the checks must find.
      pages["bad"] = """
        <!doctype html><p style="width:1300px">wide</p><table><tr><td>1</td><td>6:45</td></tr></table>\
        <img src="http://127.0.0.1:1/x.png">
        """
      let widths = [360, 600]
      let looks = try browser.looks(at: pages, widths: widths)
      #expect(looks.count == pages.count * widths.count)
      var words: [String: Set<[Substring]>] = [:]
      for look in looks {
        let isBad = look.page == "bad"
        #expect((look.content > look.width) == isBad, "\(look.page) at \(look.width): \(look.content)")
        // `cid:` images are parts of the mail and not fetched.
        #expect(look.fetched.filter { !$0.hasPrefix("cid:") }.isEmpty == !isBad, "\(look.page): \(look.fetched)")
        // Detects a stop number joined to its time, such as "1" and "6:45" to 16:45.
        for text in [look.text, look.bare] {
          let times = text.matches(of: /[0-9.]*[0-9]:[0-9]{2}/).map { String($0.0) }
          #expect(times.allSatisfy { $0.wholeMatch(of: /[012]?[0-9]:[0-9]{2}/) != nil }, "\(look.page): \(times)")
        }
        guard !isBad else { continue }
        if look.page.hasPrefix("stops") || look.page.hasPrefix("full") {
          let stops = look.bare.matches(of: /\s([1-8])\. +([0-9]{1,2}[:h.][0-9]{2})/).map { String($0.1) }
          #expect(stops == (1...8).map(String.init), "\(look.page): \(stops)")
        }
        let mail = String(look.page.prefix { $0 != " " })
        words[mail, default: []].insert(look.text.split(whereSeparator: \.isWhitespace))
        words[mail, default: []].insert(look.bare.split(whereSeparator: \.isWhitespace))
      }
      // Each mail has the same words in the same order in all renderings.
      for (mail, shown) in words { #expect(shown.count == 1, "\(mail) reads in \(shown.count) ways") }
    }
  }
}
