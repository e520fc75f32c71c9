import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import Foundation
import PoolDigests
import Testing

@testable import FlowPost

/// The headers of a mail, and its page in mail readers that remove styles.
struct MailTests {
  private func headers(_ mail: MailMessage) -> [String] {
    let text = String(decoding: mail.bytes(), as: UTF8.self)
    return text.components(separatedBy: "\r\n\r\n")[0].replacingOccurrences(of: "\r\n ", with: " ")
      .components(separatedBy: "\r\n")
  }

  @Test func `Reply-To and List-Unsubscribe follow the settings, each header on one line`() throws {
    let event = try event(recipient: person([]))
    let plain = headers(try mail(event))
    #expect(!plain.contains { $0.hasPrefix("List-Unsubscribe") || $0.hasPrefix("Reply-To") })
    let named = try mail(event) {
      $0.replyTo = PostAddress("Büro <office@example.com>")
      $0.unsubscribe = PostUnsubscribe("office+x@example.com")
    }
    let text = String(decoding: named.bytes(), as: UTF8.self)
    #expect(
      text.contains("\r\nList-Unsubscribe: <mailto:office%2Bx@example.com?subject=stop%20desert-blue.t12>\r\n"))
    #expect(!text.contains("List-Unsubscribe-Post"), "without a URL there is nothing to post to")
    #expect(headers(named).contains("Reply-To: =?UTF-8?B?QsO8cm8=?= <office@example.com>"))
    let both = try mail(event) { $0.unsubscribe = PostUnsubscribe("https://example.com/s?k= office@example.com") }
    let lines = String(decoding: both.bytes(), as: UTF8.self).components(separatedBy: "\r\n")
    #expect(
      lines.contains(
        "List-Unsubscribe: <https://example.com/s?k=desert-blue.t12>, "
          + "<mailto:office@example.com?subject=stop%20desert-blue.t12>")
        && lines.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"))
    // A team's mail names the team in the unsubscribe address.
    let team = try mail(try FlowPostTests.event()) { $0.unsubscribe = PostUnsubscribe("office@example.com") }
    #expect(headers(team).contains("List-Unsubscribe: <mailto:office@example.com?subject=stop%20desert-blue>"))
  }

  @Test(arguments: [
    ("America/Phoenix", "Mon, 23 Nov 2026 08:31:08 -0700"), ("Asia/Kolkata", "Mon, 23 Nov 2026 21:01:08 +0530"),
    ("Pacific/Auckland", "Tue, 24 Nov 2026 04:31:08 +1300"), ("UTC", "Mon, 23 Nov 2026 15:31:08 +0000"),
  ])
  func `a mail has the time of the team's own zone`(zone: String, date: String) throws {
    let zone = try SystemZones().zone(named: zone)
    #expect(headers(try mail(try event()) { $0.zone = zone })[0] == "Date: \(date)")
  }

  @Test func `notices of one day form one thread with one subject`() throws {
    let morning = try event(id: "e1", recipient: person([]))
    let correction = try event(id: "e2", recipient: person([]), changing: ["title": "Route changed"])
    func line(_ name: String, _ mail: MailMessage) -> String? { headers(mail).first { $0.hasPrefix(name) } }
    let mails = [try mail(morning), try mail(correction, detail: .headline)]
    for name in ["References:", "In-Reply-To:", "Subject:"] {
      let lines = mails.map { line(name, $0) }
      #expect(lines[0] != nil && lines[0] == lines[1], "\(name) \(lines)")
    }
    #expect(line("References:", mails[0]) == "References: <day-20261123.desert-blue@example.com>")
    #expect(line("Message-ID:", mails[0]) != line("Message-ID:", mails[1]))
    let other = try mail(try event(id: "e3", changing: ["identifier": "poolflow.notification.trialExpiring"]))
    #expect(line("References:", other) == nil && line("In-Reply-To:", other) == nil)
  }

  @Test(arguments: [
    "e1", "20261123T153108.409Z-morning-summary-4-c57d02c4", "a b<c>..d\r\nBcc: x@y.z",
    String(repeating: "a", count: 90),
  ])
  func `a Message-ID is one token for any notice id`(id: String) throws {
    let words = headers(try mail(try event(id: id))).filter { $0.hasPrefix("Message-ID:") || $0.hasPrefix("Bcc") }
    #expect(words.count == 1)
    #expect(
      words[0].wholeMatch(of: /Message-ID: <[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*@example\.com>/) != nil, "\(words)")
  }

  @Test(arguments: [
    ("Route", "Route"), ("", ""), ("a=b", "=?UTF-8?B?YT1i?="), ("é", "=?UTF-8?B?w6k=?="), (" a", "=?UTF-8?B?IGE=?="),
    // Exactly 75 characters at most; a family emoji is not split.
    (
      String(repeating: "👨‍👩‍👧", count: 4),
      "=?UTF-8?B?8J+RqOKAjfCfkanigI3wn5Gn8J+RqOKAjfCfkanigI3wn5Gn?=\r\n =?UTF-8?B?8J+RqOKAjfCfkanigI3wn5Gn8J+RqOKAjfCfkanigI3wn5Gn?="
    ),
  ])
  func `encoded header words are ASCII and split between grapheme clusters`(text: String, expected: String) {
    #expect(MailMessage.encoded(text, after: 9) == expected)
    #expect(MailMessage.encoded(text, after: 9).components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 })
  }

  @Test func `no encoded header word is empty or too long, even with long clusters`() {
    for count in 1...60 {
      // One character with many combining marks, and two that just do not fit together.
      for text in ["e" + String(repeating: "\u{301}", count: count), String(repeating: "é", count: count) + "👩🏽‍❤️‍💋‍👨🏿👩🏽‍❤️‍💋‍👨🏿"] {
        let words = MailMessage.encoded(text, after: 10, isPhrase: true).components(separatedBy: "\r\n ")
        #expect(words.allSatisfy { $0.utf8.count <= 75 && $0 != "=?UTF-8?B??=" } && words[0].utf8.count <= 65)
        let bytes = words.map { Data(base64Encoded: String($0.dropFirst(10).dropLast(2))) ?? Data() }
        #expect(bytes.allSatisfy { String(bytes: $0, encoding: .utf8) != nil }, "no sign is cut within its bytes")
        #expect(String(decoding: bytes.joined(), as: UTF8.self) == text)
      }
    }
  }

  // MARK: The page

  @Test func `a mail page has inline styles only, and its text stays separated without tags`() throws {
    for detail in [PostSettings.Detail.headline, .stops, .full] {
      let html = try html(try mail(try event(recipient: person([])), detail: detail))
        .replacingOccurrences(of: "<wbr>", with: "")
      for word in ["<style", "class=", "var(", "<svg", "<script", "<link", "url(", "position:", "background"] {
        #expect(!html.contains(word), "\(word)")
      }
      let runTogether = html.matches(of: /[\p{L}\p{N}](<[^>]*>)+[\p{L}\p{N}]/).map { String($0.0) }
      #expect(runTogether == [], "\(detail)")
      // Images are part of the mail; other links are loaded only when clicked.
      let outside = html.matches(of: /(?:src|background|data|action)="([^"]*)"/).map { String($0.1) }
      #expect(outside.allSatisfy { $0.hasPrefix("cid:") } && outside.count == (detail == .headline ? 0 : 3))
      #expect(html.matches(of: /<img [^>]*alt="[^"]{20,}"[^>]*>/).count == outside.count)
    }
  }

  @Test func `every text colour of a mail is legible on white and on black`() throws {
    let html = try html(try mail(try event(recipient: person([])), detail: .full))
    let colors = Set(html.matches(of: /[;"]color:#([0-9a-f]{6})/).compactMap { Int($0.1, radix: 16) })
    #expect(colors.count == 2)
    for color in colors {
      let light = luminance(color)
      #expect(1.05 / (light + 0.05) >= 4.5 && (light + 0.05) / 0.05 >= 4, "\(String(color, radix: 16))")
    }
  }

  /// WCAG 2.2, "relative luminance".
  private func luminance(_ color: Int) -> Double {
    let parts = [color >> 16 & 255, color >> 8 & 255, color & 255].map { part -> Double in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test(arguments: [1, 100, 700])
  func `a mail page stays below the size at which readers cut it`(count: Int) throws {
    let lines = (1...count).map { "  \($0)  \(String(repeating: "<&\">'", count: 20))" }
    let long = try event(
      changing: ["lines": lines, "identifier": "other", "body": String(repeating: "<", count: 90_000)])
    let found = parts(try mail(long)).map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(found.count == 2 && found[1].utf8.count * 4 / 3 * 78 / 76 <= Limits.mailPageBytes)
    // Omitted lines are counted, and are in the text part.
    #expect(found[1].contains("… +") == (count > 1))
    #expect(lines.allSatisfy { found[0].contains($0.drop { " 0123456789".contains($0) }) })
  }

  @Test func `a day too long for a page is sent as a list without maps`() throws {
    var bytes = try #require(try JSONSerialization.jsonObject(with: Data(eventBytes())) as? [String: Any])
    var data = try #require(bytes["data"] as? [String: Any])
    var details = try #require(data["details"] as? [String: Any])
    let sections = try #require(details["sections"] as? [[String: Any]])
    details["sections"] = Array(repeating: sections, count: 5).flatMap { $0 }
    data["details"] = details
    bytes["data"] = data
    let long = try event(in: Array(try JSONSerialization.data(withJSONObject: bytes)))
    let found = parts(try mail(long))
    #expect(found.map(\.type) == ["text/plain", "text/html"])
    let texts = found.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(texts.allSatisfy { $0.contains("Elena Calloway") })
    #expect(texts[0].contains("Load before you leave") && !texts[1].contains("Load before you leave"))
    // With a published page the list is one line for each technician, and a link to the page.
    data["published"] = ["url": "https://routes.example.net/p/0f/today.html", "sensitive": false]
    bytes["data"] = data
    let linked = try event(in: Array(try JSONSerialization.data(withJSONObject: bytes)))
    let html = try #require(parts(try mail(linked)).last).bytes
    let page = String(decoding: html, as: UTF8.self)
    #expect(page.contains("<a href=\"https://routes.example.net/p/0f/today.html\"") && !page.contains("Elena Calloway"))
  }
}

/// The map image of a mail, as bytes; `MailReadingTests` proves that other programs can read it.
struct MapPictureTests {
  private func map() throws -> MapPicture {
    MapPicture(try #require(try event(recipient: person([])).details?.maps.first))
  }

  @Test func `a map is small and identical for the same day`() throws {
    let png = try map().png()
    #expect(png == (try map().png()) && png.count < 16_000 && png.count > 1_000, "\(png.count)")
    let maps = try #require(try event().details?.maps)
    #expect(maps.count == 3 && Set(maps.map { MapPicture($0).png() }).count == 3)
  }

  @Test func `a polygon fills its pixels, with half shade on a half-covered edge`() {
    let (black, white) = (Canvas.Ink(0), Canvas.Ink(0xFFFFFF))
    var canvas = Canvas(width: 4, height: 4, background: white)
    canvas.paint(
      .polygon([Canvas.Point(1, 1), Canvas.Point(2.5, 1), Canvas.Point(2.5, 9), Canvas.Point(1, 9)]), black)
    let shades = canvas.pixels.map { Int(canvas.palette[Int($0)].red) }
    #expect(shades == [255, 255, 255, 255] + [255, 0, 128, 255] + [255, 0, 128, 255] + [255, 0, 128, 255])
    // Shapes outside of the canvas are ignored.
    canvas.paint(.disc(Canvas.Point(-50, 2), radius: 10), black)
    canvas.paint(.stroke(Canvas.Point(2, 2), Canvas.Point(2, 2), width: 0), black)
    #expect(canvas.pixels.map { Int(canvas.palette[Int($0)].red) } == shades)
    canvas.paint(.disc(Canvas.Point(2, 2), radius: 100), black)
    #expect(Set(canvas.pixels).count == 1)
  }

  @Test func `each supported character has strokes, an unsupported one has none`() {
    let middle = Canvas.Point(10, 10)
    for sign in "0123456789.ikm" {
      #expect(!StrokedText.strokes(String(sign), middle: middle, height: 6).isEmpty, "\(sign)")
    }
    #expect(StrokedText.strokes("é ", middle: middle, height: 6).isEmpty)
  }
}
