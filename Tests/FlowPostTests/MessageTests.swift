import FlowModel
import FlowNotices
import FlowSettings
import FlowTestKit
import Foundation
import PoolDigests
import Testing

@testable import FlowPost

struct MessageTests {
  private static let nasty = MessageContent(
    title: "R & <b> *_~` [x](y) \"q\"", body: "a < b > c & d",
    lines: ["1. O'Hara <script>", "2. *bold* _it_ #1 \\ `c`"])

  private func json(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func `each chat format escapes its special characters`() throws {
    #expect(
      ChatText.telegram(Self.nasty) == """
        <b>R &amp; &lt;b&gt; *_~` [x](y) &quot;q&quot;</b>
        a &lt; b &gt; c &amp; d
        1. O'Hara &lt;script&gt;
        2. *bold* _it_ #1 \\ `c`
        """)
    #expect(ChatText.slack("<!channel> & *b*") == "&lt;!channel&gt; &amp; \u{34F}*b\u{34F}*")
    #expect(ChatText.teams("[t](u) **b** _i_ #h \\") == "\\[t\\]\\(u\\) \\*\\*b\\*\\* \\_i\\_ \\#h \\\\")
    #expect(ChatText.matrix(Self.nasty).html.hasPrefix("<b>R &amp; &lt;b&gt;"))
    let telegram = try json(ChatBody.telegram(Self.nasty, chat: "-100123", isPlain: true))
    #expect(telegram["parse_mode"] == nil && telegram["chat_id"] as? Int == -100_123)
  }

  @Test(arguments: [1, 5, 200, 5_000])
  func `a message of any length fits its channel, cut between lines`(count: Int) throws {
    let lines = (1...count).map { "\($0). Nāme & <Söhne> *\($0)* 🏊 \(String(repeating: "x", count: $0 % 90))" }
    let content = MessageContent(
      title: String(repeating: "Rö&ute ", count: 90), body: String(repeating: "b<", count: 900), lines: lines)
    for isPlain in [false, true] {
      let telegram = try json(ChatBody.telegram(content, chat: "1", isPlain: isPlain))["text"] as? String ?? ""
      // An HTML entity counts as one character.
      let parsed = telegram.replacingOccurrences(of: "&[a-z]+;", with: "&", options: .regularExpression)
      #expect(parsed.utf16.count <= 4_096 && !telegram.isEmpty)
      let slack = try json(ChatBody.slack(content, isPlain: isPlain))
      let blocks = slack["blocks"] as? [[String: [String: String]]] ?? []
      #expect(blocks.count <= 50 && blocks.reduce(0) { $0 + ($1["text"]?["text"]?.utf16.count ?? 0) } <= 13_200)
      #expect(ChatBody.teams(content, isPlain: isPlain).count <= 20_000)
      #expect(ChatBody.matrix(content, isPlain: isPlain).count <= 65_536 - 2_048)
    }
    let ntfy = try json(ChatBody.ntfy(content, topic: "t", key: "k"))
    let message = try #require(ntfy["message"] as? String)
    #expect(message.utf8.count <= 4_096)
    let shown = message.split(separator: "\n").dropFirst()
    let whole = shown.filter { lines.contains(String($0)) }.count
    #expect(whole == count || message.hasSuffix("… +\(count - whole)"), "no line is cut in two")
  }

  @Test func `a headline has no name or address, and stops have no gate code`() throws {
    let secret = [
      "gate_access": "GATE-4711", "contact_phone": "480-555-0169", "contact_email": "e@x.y", "contact_name": "E",
      "customer": "E", "notes": "DOG",
    ]
    let plain = try event()
    let digest = try #require(plain.details as? MorningDigest)
    let pool = try #require(digest.sections.first?.stops.first?.poolID)
    let whole = try eventBytes(recipient: person([("mail", "maria@example.com")]), changing: ["access": [pool: secret]])
    let event = try event(in: whole)
    func texts(_ detail: PostSettings.Detail) throws -> [String] {
      let mail = MailMessage(
        event: event, delivery: try delivery(), from: try #require(PostAddress("r@example.com")),
        to: try #require(PostAddress("maria@example.com")), detail: detail, calendar: Array("X".utf8))
      let content = MessageContent(event, detail: detail, isPlain: false, isRepeat: false)
      let parts = String(decoding: mail.bytes(), as: UTF8.self).components(separatedBy: "\r\n\r\n")
        .compactMap { part in
          Data(base64Encoded: part.components(separatedBy: "\r\n--")[0].replacingOccurrences(of: "\r\n", with: ""))
        }
        .map { String(decoding: $0, as: UTF8.self) }
      return [
        parts.joined(), "\(content)",
        String(decoding: WebhookBody.bytes(event, detail: detail, isPlain: false, whole: whole), as: UTF8.self),
      ]
    }
    for text in try texts(.headline) {
      #expect(text.contains("24") && !text.contains("Calloway") && !text.contains("Chandler") && !text.contains("4711"))
    }
    for text in try texts(.stops) {
      #expect(text.contains("Calloway") && !text.contains("4711") && !text.contains("555") && !text.contains("DOG"))
      #expect(!text.contains("maria@example.com"))
    }
    let full = try texts(.full)
    #expect(full[0].contains("GATE-4711") && full[0].contains("480-555-0169") && full[2].contains("GATE-4711"))
  }

  /// The event of one technician's morning, with a published page.
  private func ownMorning(isSensitive: Bool, recipient: [String: Any]? = person([])) throws -> PostEvent {
    let digest = try #require(try event().details as? MorningDigest)
    let technician = try #require(digest.sections.first?.technician)
    let own = try #require(digest.only(technician))
    let details = try JSONSerialization.jsonObject(with: Data(DigestJSON.text(own).utf8))
    let published: [String: Any] = ["url": "https://routes.example.net/p/0f/today.html", "sensitive": isSensitive]
    return try event(recipient: recipient, changing: ["details": details, "published": published])
  }

  @Test func `a chat gets the lines that matter and the link that its detail permits`() throws {
    let link = "https://routes.example.net/p/0f/today.html"
    for (isSensitive, detail, isLinked) in [
      (false, PostSettings.Detail.headline, false), (false, .stops, true), (true, .stops, false), (true, .full, true),
    ] {
      let content = MessageContent(
        try ownMorning(isSensitive: isSensitive), detail: detail, isPlain: false, isRepeat: false)
      #expect(content.title == "Mon Nov 23: 8 stops from 8:00 AM" && content.body.hasPrefix("8\u{A0}stops · 8:00"))
      #expect((content.link == link) == isLinked && (content.link == nil) == !isLinked)
      let names = content.lines.filter { $0.hasPrefix("1. ") }
      // A channel without the page gets the stops themselves, if it may.
      #expect((1...3).contains(content.lines.count) == (isLinked || detail == .headline), "\(content.lines)")
      #expect(names.isEmpty == (isLinked || detail == .headline))
      let texts = [
        String(decoding: ChatBody.telegram(content, chat: "1", isPlain: false), as: UTF8.self),
        String(decoding: ChatBody.slack(content, isPlain: false), as: UTF8.self),
        String(decoding: ChatBody.teams(content, isPlain: false), as: UTF8.self),
        String(decoding: ChatBody.matrix(content, isPlain: false), as: UTF8.self),
        String(decoding: ChatBody.ntfy(content, topic: "t", key: "k"), as: UTF8.self),
      ]
      for text in texts { #expect(text.contains("routes.example.net/p/0f/today.html") == isLinked, "\(text)") }
      #expect(try json(ChatBody.ntfy(content, topic: "t", key: "k"))["click"] as? String == (isLinked ? link : nil))
      let plain = MessageContent(
        try ownMorning(isSensitive: isSensitive), detail: detail, isPlain: true, isRepeat: false)
      #expect(plain.link == nil && plain.lines.isEmpty)
    }
  }

  @Test func `a line that the summary has is not repeated by the notice's lines`() throws {
    let own = try ownMorning(isSensitive: true)
    let line = try #require(own.details?.summary?.lines.first)
    let digest = try #require(own.details as? MorningDigest)
    let data = try JSONSerialization.jsonObject(with: Data(DigestJSON.text(digest).utf8))
    let event = try event(recipient: person([]), changing: ["details": data, "lines": [line, "  1  Elena Calloway"]])
    let content = MessageContent(event, detail: .stops, isPlain: false, isRepeat: false)
    #expect(content.lines.count { $0 == line } == 1 && content.lines.last == "1. Elena Calloway", "\(content.lines)")
  }

  @Test func `a board and another person never get the address of a recipient's page`() throws {
    let office: [String: Any] = ["key": "office", "name": "", "language": "en", "addresses": []]
    let ours = try ownMorning(isSensitive: false, recipient: office)
    #expect(ours.link(.full) != nil && ours.boardEvent?.link(.full) == nil && ours.unreached.link(.full) == nil)
    // An address that is no web address is not shown.
    let strange = try event(changing: ["published": ["url": "javascript:alert(1)", "sensitive": false]])
    #expect(strange.link(.full) == nil)
  }

  @Test func `a mail links to the published page and to the whole route, in text and HTML`() throws {
    let parts = try parts(mail(ownMorning(isSensitive: false)))
    let text = try #require(parts.first { $0.type == "text/plain" }).bytes
    let html = try #require(parts.first { $0.type == "text/html" }).bytes
    for (page, link) in [(text, "Abrir la página: https://"), (html, "<a href=\"https://")] {
      let page = String(decoding: page, as: UTF8.self)
      #expect(page.contains(link + "routes.example.net/p/0f/today.html"), "\(page.prefix(500))")
      #expect(page.contains("https://www.google.com/maps/dir/?api=1"))
      #expect(page.contains("waypoints="))
    }
  }

  @Test func `a mail is ASCII in short lines, identical at every attempt, and small enough`() throws {
    let event = try event(
      id: "20261123T153108.409Z-morning-summary-4-c57d02c4", recipient: person([]),
      changing: [
        "identifier": "other", "title": "Tägliche Route für \(String(repeating: "Ü", count: 90))\r\nBcc: x@y.z",
      ])
    func mail() throws -> [UInt8] {
      MailMessage(
        event: event, delivery: try delivery(), from: try #require(PostAddress("Büro <r@example.com>")),
        to: try #require(PostAddress("maria@example.com")), detail: .stops,
        calendar: Array("BEGIN:VCALENDAR\r\nMETHOD:PUBLISH\r\nEND:VCALENDAR\r\n".utf8)
      ).bytes()
    }
    let bytes = try mail()
    #expect(bytes == (try mail()) && bytes.allSatisfy { $0 < 0x80 } && bytes.count < 2 * Limits.mailPageBytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    #expect(
      lines.allSatisfy { $0.utf8.count <= 78 && !$0.contains("\n") && !$0.contains("\r") },
      "\(lines.filter { $0.utf8.count > 78 })")
    let headers = text.components(separatedBy: "\r\n\r\n")[0]
    #expect(!headers.contains("\r\nBcc") && headers.contains("Message-ID:\r\n <20261123T153108.409Z-"))
    #expect(MailMessage.date(noon) == "Mon, 23 Nov 2026 12:00:00 +0000")
  }

  @Test func `a curl config quotes any text, and refuses line breaks`() throws {
    var config = CurlConfig.empty
    try config.add("header", #"X: a "quoted" \ back"#)
    #expect(config.text == #"header = "X: a \"quoted\" \\ back""# + "\n")
    for text in ["a\nb", "a\rb", "a\u{0}b", "a\u{7F}"] {
      #expect(throws: CurlConfig.InvalidValue.self) { try config.add("header", text) }
    }
    var request = PostRequest(url: "https://example.com", body: [], headers: ["@/etc/passwd"])
    #expect(throws: CurlConfig.InvalidValue.self) { try CurlConfig(request, timeout: .seconds(30)) }
    request.headers = ["X: y"]
    let text = try CurlConfig(request, timeout: .seconds(30)).text
    #expect(text.contains("proto = \"=https\"\n") && !text.contains("location") && !text.contains("insecure"))
    let mail = PostRequest(url: "smtp://mail.example.com/x", body: [], envelope: ("a@b.c", "d@e.f"), demandsTLS: true)
    #expect(try CurlConfig(mail, timeout: .seconds(30)).text.contains("ssl-reqd\n"))
  }
}

/// curl itself must accept the config: an unknown option is only a warning to it.
struct CurlTests {
  @Test(.requires(.curl))
  func `curl accepts every line of a config without a warning`() throws {
    // Port 1 refuses connections.
    var web = PostRequest(url: "http://127.0.0.1:1/{a}[1-3]", body: [], headers: [#"X: "a" \ 'b' # c"#])
    web.isLocal = true
    var mail = PostRequest(
      url: "smtp://127.0.0.1:1/x", body: [], envelope: ("a@b.c", "d@e.f"), login: #"u:p"a\ss"#, demandsTLS: true)
    mail.isLocal = true
    for request in [web, mail] {
      let curl = Process()
      let (input, output, errors) = (Pipe(), Pipe(), Pipe())
      curl.executableURL = URL(filePath: Transfer.curl)
      curl.arguments = ["-q", "--config", "-"]
      (curl.standardInput, curl.standardError, curl.standardOutput) = (input, errors, output)
      // Descriptors 3 and 4 do not exist; the connection fails before they are read.
      let text = try CurlConfig(request, timeout: .seconds(30)).text
        .replacingOccurrences(of: Transfer.bodyPath, with: "/dev/null")
        .replacingOccurrences(of: Transfer.answerPath, with: "/dev/null")
      try curl.run()
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try input.fileHandleForWriting.close()
      let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      let report = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      curl.waitUntilExit()
      #expect(curl.terminationStatus == 7 && report.hasPrefix("7 000 0 0") && report.hasSuffix("\n"), "\(report)")
      // Besides the trace of a mail it prints one error, for the connection.
      let lines = said.split(separator: "\n").filter { !$0.hasPrefix("* ") }
      #expect(lines.count == 1 && lines.first?.hasPrefix("curl: (7) ") == true, "\(said)")
    }
  }
}
