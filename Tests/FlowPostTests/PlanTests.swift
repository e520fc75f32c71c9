import FlowModel
import FlowNotices
import FlowSettings
import Foundation
import Testing

@testable import FlowPost

struct PlanTests {
  private func plan(_ event: PostEvent, _ text: String) throws -> [Delivery] {
    PostPlan.deliveries(of: event, try settings(text), machineZone: "UTC", takenAt: noon)
  }

  private static let channels = """
    [Channel mail]
    Type = smtp
    Server = smtp://127.0.0.1
    From = routes@example.com
    [Channel crew]
    Type = slack
    Credential = crew
    Teams = desert-blue
    [Channel news]
    Type = ntfy
    Server = https://ntfy.example.com
    To = office
    Operator = yes
    """

  @Test func `a person has one delivery for each address, by the channel's type or name`() throws {
    let recipient = person(
      [("mail", "maria@example.com"), ("slack", "crew"), ("slack", "other"), ("ntfy", "a b")], quiet: "22:00-06:00")
    let plan = try plan(try event(recipient: recipient), Self.channels)
    #expect(plan.map(\.channel) == ["mail", "crew", "slack", "news"])
    #expect(plan.map(\.end) == [nil, nil, .refused, .refused])
    #expect(
      plan[2].words == "post.conf has no channel for an address of slack"
        && plan[3].words == "it is not a topic of ntfy")
    #expect(plan.allSatisfy { $0.recipient == "t12" && $0.quiet != nil } && Set(plan.map(\.key)).count == 4)
    // Quiet hours use the event's zone, else the machine's.
    var away = recipient
    away["zone"] = "Asia/Tokyo"
    #expect(plan.allSatisfy { $0.quiet?.zone == "UTC" })
    #expect(try self.plan(try event(recipient: away), Self.channels).allSatisfy { $0.quiet?.zone == "Asia/Tokyo" })
    // Urgent notices ignore quiet hours.
    let urgent = try event(recipient: recipient, changing: ["severity": "error"])
    #expect(try self.plan(urgent, Self.channels).allSatisfy { $0.quiet == nil })
  }

  @Test func `a team notice goes only to channels that list the team`() throws {
    #expect(try plan(try event(), Self.channels).map(\.channel) == ["crew"])
    #expect(try plan(try event(changing: ["team": "coast"]), Self.channels).map(\.hasNoRecipient) == [true])
    let news = try plan(try event(changing: ["team": "", "job": "operator"]), Self.channels)
    #expect(news.map(\.address) == ["office"])
  }

  @Test func `a board shows the office's notices, each once`() throws {
    func office(_ addresses: [(String, String)]) -> [String: Any] {
      person(addresses).merging(["key": "office", "name": "desert-blue"]) { $1 }
    }
    func places(_ event: PostEvent) throws -> [String] {
      try plan(event, Self.channels).map { "\($0.recipient) \($0.channel) \($0.address)" }
    }
    let mail = office([("mail", "office@example.com")])
    #expect(try places(try event(recipient: mail)) == ["office mail office@example.com", "* crew crew"])
    // A board that is also an address of the office gets the notice once, and has no fallback.
    #expect(try places(try event(recipient: office([("slack", "crew")]))) == ["office crew crew"])
    let chained =
      Self.channels.replacing("Teams = desert-blue", with: "Teams = desert-blue\nFallback = push")
      + "\n[Channel push]\nType = ntfy\nServer = https://ntfy.example.com\nTo = pushed\n"
    let both = try plan(try event(recipient: mail), chained)
    #expect(both.map(\.channel) == ["mail", "crew", "push"] && both.map { $0.standsFor?.count } == [nil, nil, 1])
    let one = try plan(try event(recipient: office([("slack", "crew")])), chained)
    #expect(one.map { "\($0.recipient) \($0.channel)" } == ["office crew", "office push"])
    // Personal and operator notices are on no board.
    #expect(try places(try event(recipient: person([("mail", "m@example.com")]))) == ["t12 mail m@example.com"])
    for change in [
      ["identifier": "poolflow.notification.undelivered"], ["identifier": "poolflow.notification.personTest"],
      ["job": "operator"], ["team": "coast"],
    ] {
      #expect(
        try places(try event(recipient: mail, changing: change)) == ["office mail office@example.com"], "\(change)")
    }
  }

  @Test func `a board's webhook has everything except the office's addresses`() throws {
    let recipient = person([("mail", "office@example.com")]).merging(["key": "office"]) { $1 }
    let access = [
      "p1": [
        "customer": "Ann", "notes": "n", "contact_name": "c", "contact_phone": "+1", "contact_email": "a@b.c",
        "gate_access": "4711",
      ]
    ]
    let bytes = try eventBytes(recipient: recipient, changing: ["access": access])
    let event = try event(in: bytes)
    let board = try #require(event.boardEvent)
    let told = String(
      decoding: WebhookBody.bytes(board, detail: .full, isPlain: false, whole: nil), as: UTF8.self)
    #expect(told.contains(#""gate_access":"4711""#) && told.contains(#""details":{"#) && !told.contains("office@"))
    #expect(!told.contains("recipient"))
    let less = String(decoding: WebhookBody.bytes(board, detail: .stops, isPlain: false, whole: nil), as: UTF8.self)
    #expect(!less.contains("4711") && less.contains(#""details":{"#))
    #expect(WebhookBody.bytes(event, detail: .full, isPlain: false, whole: bytes) == bytes)
  }

  @Test func `a delivery's key is the same for every attempt and process, and unique`() throws {
    #expect(try delivery().key == delivery().key)
    #expect(try delivery("e1").key != delivery("e2").key)
    #expect(try delivery(recipient: "t12").key != delivery(recipient: "t13").key)
    #expect(try delivery(channel: "a").key != delivery(channel: "b").key)
  }

  @Test(arguments: [
    ("{}", "it is not an event of poolflow"), (#"{"id":"e1","id":"e1"}"#, "one of its objects has a key twice"),
    ("nonsense", "it is not an event of poolflow"),
    (
      #"{"specversion":"0.3","id":"e1","source":"/","type":"t","time":"2026-01-01T00:00:00Z","data":{"title":"","body":""}}"#,
      "its specversion is not 1.0"
    ),
    (
      #"{"specversion":"1.0","id":"e2","source":"/","type":"t","time":"2026-01-01T00:00:00Z","data":{"title":"","body":""}}"#,
      "its id differs from the name of its file"
    ),
    (
      #"{"specversion":"1.0","id":"e1","source":"/","type":"t","time":"7 am","data":{"title":"","body":""}}"#,
      "its time is not an RFC 3339 time"
    ),
  ])
  func `an invalid event is reported without quoting it`(text: String, words: String) {
    #expect(throws: PostEvent.Fault.self) { try PostEvent(Array(text.utf8), name: "e1") }
    do { _ = try PostEvent(Array(text.utf8), name: "e1") } catch { #expect(error.description == words) }
  }

  @Test func `every mistake in the settings is reported with its line`() {
    let (_, problems) = PostSettings.read(
      """
      [Post]
      Folder = here
      Timeout = 1000
      [Channel a b]
      Type = slack
      [Channel mail]
      Type = smtp
      Server = smtp://example.com
      From = unknown
      Detail = all
      Teams = x
      [Channel chat]
      Type = slack
      Server = https://hooks.example.com
      Detail = full
      [Channel push]
      Type = ntfy
      Server = http://ntfy.example.com
      Operator = perhaps
      [Channel]
      [Channel hook]
      Type = carrier
      [Channel page]
      Typ = webhook
      """, name: "post.conf")
    let words = problems.map { "\($0.line): \($0.message)" }
    for expected in [
      "2: Folder cannot be \"here\": a path begins with /", "3: Timeout cannot be \"1000\"",
      "4: unknown section [Channel a b]: a channel's name", "4: [Channel a b] has no Credential",
      "9: From cannot be \"unknown\"", "10: Detail cannot be \"all\": it is headline or stops or full",
      "6: [Channel mail] has no To", "14: Server does not belong here: the URL of slack is a secret",
      "12: [Channel chat] has no Credential", "15: Detail cannot be \"full\"",
      "18: Server cannot be \"http://ntfy.example.com\": it must begin with https://",
      "19: Operator cannot be \"perhaps\"",
      "20: unknown section [Channel]", "22: Type cannot be \"carrier\"", "24: unknown key \"Typ\" in [Channel page]",
      "23: [Channel page] has no Type",
    ] {
      #expect(words.contains { $0.hasPrefix(expected) }, "\(expected) is not among \(words.joined(separator: "\n"))")
    }
    #expect(words.count == 16, "\(words.joined(separator: "\n"))")
  }

  @Test func `reply and unsubscribe settings are read, and mistakes are reported with their line`() throws {
    let mail = "[Channel mail]\nType = smtp\nServer = smtp://127.0.0.1\nFrom = r@example.com\n"
    for (text, address, url) in [
      ("office@example.com", "office@example.com", nil),
      ("https://example.com/stop?who=", nil, "https://example.com/stop?who="),
      ("https://example.com/s/, office@example.com", "office@example.com", "https://example.com/s/"),
    ] as [(String, String?, String?)] {
      let read = try settings(mail + "ReplyTo = Büro <office@example.com>\nUnsubscribe = \(text)\n").channels[0]
      #expect(read.replyTo?.name == "Büro" && read.replyTo?.address == "office@example.com")
      #expect(read.unsubscribe?.address == address && read.unsubscribe?.url == url, "\(text)")
    }
    func problems(_ lines: String) -> [String] {
      PostSettings.read(mail + lines, name: "post.conf").problems.map { "\($0.line): \($0.message)" }
    }
    for text in [
      "", "office", "http://example.com/stop", "https://example.com/<x>", "https://user:word@example.com/",
      "https://example.com/#x", "a@example.com b@example.com", "https://a.example https://b.example",
      "mailto:office@example.com?x", "a@example.com\u{1}", "https://example.com/" + String(repeating: "x", count: 500),
    ] {
      let told = problems("Unsubscribe = \(text)\n")
      #expect(told.count == 1 && told[0].hasPrefix("5: Unsubscribe cannot be"), "\(text): \(told)")
    }
    for text in ["", "Office", "Office <office>", "a@example.com, b@example.com"] {
      let told = problems("ReplyTo = \(text)\n")
      #expect(
        told.count == 1 && told[0].hasPrefix("5: ReplyTo cannot be")
          && told[0].hasSuffix("Office <office@example.com>"),
        "\(text): \(told)")
    }
    // The local sendmail sends the same mail.
    let own = try settings(
      "[Channel own]\nType = sendmail\nFrom = a@example.com\nReplyTo = b@example.com\nUnsubscribe = c@example.com\n")
    #expect(own.channels[0].replyTo?.address == "b@example.com")
    #expect(own.channels[0].unsubscribe?.address == "c@example.com")
    let chat = PostSettings.read(
      "[Channel chat]\nType = slack\nCredential = c\nReplyTo = a@b.c\nUnsubscribe = a@b.c\n", name: "post.conf")
    #expect(
      chat.problems.map { "\($0.line): \($0.message)" } == [
        "4: ReplyTo does not belong here: slack brings no mail",
        "5: Unsubscribe does not belong here: slack brings no mail",
      ])
  }

  @Test func `only this machine is reached without TLS, and no URL contains a login`() {
    for url in ["http://127.0.0.1:8080/x", "http://localhost", "http://[::1]:80", "https://example.com"] {
      #expect(PostURL.fault(url, mail: false) == nil, "\(url)")
    }
    for url in [
      "http://example.com", "http://127.0.0.1.example.com", "http://localhost.example.com",
      "http://127.0.0.1@example.com",
      "https://user:word@example.com", "file:///etc/passwd", "https://", "ftp://example.com", "https://a b",
    ] {
      #expect(PostURL.fault(url, mail: false) != nil, "\(url)")
    }
    #expect(PostURL.fault("smtp://mail.example.com:587", mail: true) == nil)
    #expect(PostURL.fault("https://mail.example.com", mail: true) != nil)
  }

  @Test func `an address that does not fit into an envelope is refused`() {
    #expect(PostAddress("Routes <routes@example.com>")?.name == "Routes")
    #expect(PostAddress("routes@example.com")?.domain == "example.com")
    for text in [
      "", "routes", "@example.com", "a@", "a@b@c", "a b@example.com", "a@exämple.com", "-oX@example.com",
      "a@example.com\r\nBcc: x@y", "A <a@b.c", "a@b.c>", "A\r\nB <a@b.c>", "a,b@example.com", "\"a\"@example.com",
    ] {
      #expect(PostAddress(text) == nil, "\(text)")
    }
  }

  @Test func `a receipt contains no address and no notice text`() throws {
    var done = try delivery(kind: "smtp", channel: "mail", address: "maria@example.com")
    done.finish(.refused, "no such mailbox (550)", at: noon)
    let receipt = String(decoding: done.receipt.bytes, as: UTF8.self)
    #expect(!receipt.contains("example.com") && !receipt.contains("Calloway"))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(receipt.utf8)) as? [String: Any])
    #expect(json["words"] as? String == "refused: no such mailbox (550)" && json["verdict"] as? String == "refused")
  }
}
