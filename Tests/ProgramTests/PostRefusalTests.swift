import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// poolflow-post with servers that refuse, that are not the expected service, or that accept a mail without confirming it.
  @Suite(.requires(.python3, .curl)) struct PostRefusalTests {
    private static let mail = "[Channel mail]\nType = smtp\nServer = smtp://MAIL\nFrom = routes@example.com\n"
    private static let desk = "[Channel desk]\nType = webhook\nCredential = desk\nOperator = yes\n"
    private static let deskURL = ["desk": "http://WEB/ok/desk"]

    /// Sets the mail server's answers by command; see post-servers.py.
    private func script(_ answers: [String: Any], in post: PostCase) throws {
      try post.scratch.write("seen/mail.json", try JSONSerialization.data(withJSONObject: answers))
    }

    private func answers(_ answers: [String: [[String: Any]]], in post: PostCase) throws {
      try post.scratch.write("seen/answers.json", try JSONSerialization.data(withJSONObject: answers))
    }

    private func news(_ post: PostCase, _ words: String) throws -> Int {
      try post.requests().count { $0.path == "/ok/desk" && $0.text.contains(words) }
    }

    // MARK: The stage of a reply

    /// A reply reported from production, and similar ones.
    private static let refusedSenders = [
      "553 5.7.1 <routes@example.com>: Sender address rejected: not owned by user routes",
      "550 5.7.1 Sending domain SPF fail", "550 5.1.0 Sender rejected", "553 5.3.0 DNSBL 192.0.2.7 is_blocked",
    ]

    @Test(arguments: refusedSenders)
    func `a refused sender breaks the channel, and its mails wait`(reply: String) throws {
      let post = try PostCase()
      try script(["mail": reply], in: post)
      try post.settings(Self.mail + Self.desk, credentials: Self.deskURL, timeout: 20)
      for name in ["maria", "dan", "eve"] { try post.put(name, to: [("mail", "\(name)@example.com")]) }
      try post.start()
      try eventually("the operator's word", { try news(post, "[Channel mail] is broken") == 1 })
      #expect(post.log.contains("[Channel mail] is broken: the mail server refused the sender"))
      #expect(try post.receipts().filter { $0.channel == "mail" }.isEmpty, "no receipt blames a mailbox")
      for name in ["maria", "dan", "eve"] { #expect(Files.exists("\(post.state)/work/\(name)")) }
      // The sender is accepted now; a reload retries at once.
      try script([:], in: post)
      post.program?.send(SIGHUP)
      try eventually("all three", { try post.mails().count == 3 })
      try eventually("the operator's other word", { try news(post, "[Channel mail] works again") == 1 })
      try post.stop()
      #expect(try news(post, "is broken") == 1)
      #expect(!post.log.contains("@example.com") && !post.log.contains("192.0.2.7"))
    }

    @Test func `a refusal to relay breaks the channel; a full mailbox only delays its mail`()
      throws
    {
      for reply in ["550 5.7.1 Relaying denied", "550 5.7.1 client host blocked", "554 5.7.1 Relay access denied"] {
        let post = try PostCase()
        try script(["rcpt": reply], in: post)
        try post.settings(Self.mail, timeout: 20)
        for name in ["maria", "dan"] { try post.put(name, to: [("mail", "\(name)@example.com")]) }
        try post.start()
        try eventually("the word about it", { post.log.contains("[Channel mail] is broken: the mail server's rules") })
        try post.stop()
        #expect(try post.receipts().isEmpty, "\(reply)")
      }
      let post = try PostCase()
      try script(["rcpt": "550 5.2.2 mailbox full", "only": "full@"], in: post)
      try post.settings(Self.mail, timeout: 20)
      try post.put("full", to: [("mail", "full@example.com")])
      try post.put("gone", to: [("mail", "rcpt5@example.com")])
      try post.put("fine", to: [("mail", "fine@example.com")])
      try post.start()
      let receipts = try post.receipts(2)
      #expect(receipts.first { $0.event == "gone" }?.words == "refused: no such mailbox (550)")
      #expect(receipts.first { $0.event == "fine" }?.verdict == "delivered")
      #expect(!post.log.contains("is broken"))
      try script([:], in: post)
      #expect(try post.receipts(3).first { $0.event == "full" }?.verdict == "delivered")
      try post.stop()
    }

    @Test func `errors in the greeting, EHLO or login break the channel`() throws {
      let table: [(answers: [String: Any], words: String)] = [
        (["greeting": "554 5.7.1 no service for you"], "the mail server does not serve this machine (554 5.7.1)"),
        (["ehlo": "550 5.7.1 no"], "the mail server does not serve this machine (550 5.7.1)"),
        (
          ["ehlo": "250-stub\r\n250 AUTH PLAIN", "auth": "535 5.7.8 no"],
          "the mail server refused the login (535 5.7.8)"
        ),
      ]
      for row in table {
        let post = try PostCase()
        try script(row.answers, in: post)
        try post.settings(Self.mail + "Credential = login\n", credentials: ["login": "routes:4711-SECRET"], timeout: 20)
        try post.put("m", to: [("mail", "m@example.com")])
        try post.start()
        try eventually("the word about it", { post.log.contains("[Channel mail] is broken: \(row.words)") })
        try post.stop()
        #expect(try post.receipts().isEmpty && !post.log.contains("4711"))
      }
    }

    // MARK: The service's own answer

    @Test func `a login page instead of the service breaks the channel without false success`()
      throws
    {
      let post = try PostCase()
      let page = "<html>Sign in</html>"
      func section(_ name: String, _ kind: String, _ to: String) -> String {
        "[Channel \(name)]\nType = \(kind)\nServer = http://WEB/say/\(name)\nTo = \(to)\nTeams = desert-blue\nCredential = token\n"
      }
      func named(_ name: String, _ kind: String) -> String {
        "[Channel \(name)]\nType = \(kind)\nCredential = \(name)\nTeams = desert-blue\n"
      }
      let names = ["push", "bot", "room", "chat", "cards", "hook"]
      try post.settings(
        section("push", "ntfy", "t") + section("bot", "telegram", "-100") + section("room", "matrix", "!r:h")
          + named("chat", "slack") + named("cards", "teams") + named("hook", "webhook") + Self.desk,
        credentials: Self.deskURL.merging(
          ["token": "tk"].merging(["chat", "cards", "hook"].map { ($0, "http://WEB/say/\($0)") }) { $1 }
        ) { $1 },
        timeout: 20)
      let pageThenService: [[String: Any]] = [
        ["code": 200, "body": page, "headers": ["Content-Type": "text/html"]], ["code": 200],
      ]
      try answers(Dictionary(uniqueKeysWithValues: names.map { ($0, pageThenService) }), in: post)
      try post.put("team", to: nil)
      try post.start()
      let words = "is broken: a web page, such as a login or a proxy, answered instead of"
      try eventually("the words", { names.allSatisfy { post.log.contains("[Channel \($0)] \(words)") } })
      #expect(try post.receipts().filter { $0.channel != "desk" }.isEmpty)
      // After the login page the services answer as usual.
      post.program?.send(SIGHUP)
      try eventually("all of them") { try Set(post.receipts().map(\.channel)).isSuperset(of: names) }
      try post.stop()
      #expect(try post.receipts().allSatisfy { $0.verdict == "delivered" && !$0.words.contains("repeat") })
    }

    @Test func `an answer of another service is unknown: repeated once, and the channel breaks`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel push]\nType = ntfy\nServer = http://WEB/say/push\nTo = t\nTeams = desert-blue\n" + Self.desk,
        credentials: Self.deskURL, timeout: 20)
      try answers(["push": [["code": 200, "body": #"{"status":"ok"}"#]]], in: post)
      try post.put("team", to: nil)
      try post.start()
      try eventually("the word about it", { try news(post, "[Channel push] is broken") == 1 })
      post.program?.send(SIGHUP)
      let receipt = try eventuallyReceipt(of: "team", post, within: .patience)
      #expect(receipt.verdict == "unknown" && receipt.tries == 2, "\(receipt)")
      let requests = try post.requests().filter { $0.path.hasPrefix("/say/push") }
      #expect(requests.count == 2 && requests.map { $0.text.contains("(repeat)") } == [false, true])
      try post.stop()
    }

    // MARK: One message and all others

    @Test func `a webhook that refuses one message delivers the other nineteen`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel hook]\nType = webhook\nCredential = hook\nTeams = desert-blue\n" + Self.desk,
        credentials: Self.deskURL.merging(["hook": "http://WEB/say/hook"]) { $1 }, timeout: 20)
      try answers(["hook": [["with": "\"a-bad\"", "code": 404], ["code": 200]]], in: post)
      try post.put("a-bad", to: nil)
      for number in 1...19 { try post.put("m-\(number)", to: nil) }
      try post.start()
      try eventually("nineteen") {
        try post.receipts().count { $0.verdict == "delivered" && $0.channel == "hook" } == 19
      }
      let bad = try eventuallyReceipt(of: "a-bad", post, within: .seconds(150))
      #expect(
        bad.verdict == "refused" && bad.words.contains("(HTTP 404), while the channel accepted other messages"),
        "\(bad.words)")
      #expect(Files.names(in: post.state + "/dead").count == 1)
      #expect(!post.log.contains("[Channel hook] is broken"))
      try post.stop()
    }

    @Test func `a relay that demands a login for one address delivers the others`() throws {
      let post = try PostCase()
      try script(["rcpt": "530 5.7.0 Authentication required", "only": "bad@"], in: post)
      try post.settings(Self.mail, timeout: 20)
      try post.put("bad", to: [("mail", "bad@example.com")])
      for number in 1...19 { try post.put("m\(number)", to: [("mail", "p\(number)@example.com")]) }
      try post.start()
      try eventually("nineteen") { try post.receipts().count { $0.verdict == "delivered" } == 19 }
      let bad = try eventuallyReceipt(of: "bad", post, within: .seconds(150))
      #expect(bad.verdict == "refused" && bad.words.contains("demands a login (530 5.7.0), while"), "\(bad.words)")
      #expect(!post.log.contains("is broken"))
      try post.stop()
    }

    private func eventuallyReceipt(of event: String, _ post: PostCase, within limit: Duration) throws
      -> PostCase.Receipt
    {
      try eventually("a receipt of \(event)", within: limit, { try post.receipts().contains { $0.event == event } })
      return try #require(try post.receipts().first { $0.event == event })
    }

    // MARK: Outcomes that are unknown

    @Test func `a late answer causes no second mail and delays no other message`() throws {
      let post = try PostCase()
      try script(["holds": true, "only": "slow@"], in: post)
      try post.settings(
        Self.mail + "[Channel hook]\nType = webhook\nCredential = hook\n", credentials: ["hook": "http://WEB/ok/x"],
        timeout: 1)
      try post.put("slow", to: [("mail", "slow@example.com")])
      try post.start()
      func held() throws -> Int { try Files.wholeLines(post.scratch.path + "/seen/held").count }
      try eventually("the whole mail is there", { Files.exists(post.scratch.path + "/seen/held") })
      try post.put("fast", to: [("mail", "fast@example.com"), ("webhook", "hook")])
      // By then the first mail takes longer than Timeout: the second one is sent after three seconds.
      try eventually("the others") { try post.receipts().count { $0.verdict == "delivered" } == 2 }
      #expect(try held() == 1 && post.mails().count { $0.to.contains("slow@") } == 1)
      try post.scratch.write("seen/release", "".utf8)
      let receipt = try eventuallyReceipt(of: "slow", post, within: .patience)
      #expect(receipt.verdict == "delivered" && receipt.tries == 1 && receipt.words == "handed to the mail server")
      try post.stop()
      #expect(try post.mails().count { $0.to.contains("slow@") } == 1)
    }

    @Test func `an unanswered mail is repeated once with a mark; then its outcome is unknown`() throws {
      let post = try PostCase()
      try script(["holds": true, "only": "slow@"], in: post)
      try post.settings("AnswerTimeout = 1s\n" + Self.mail, timeout: 20)
      try post.put("slow", to: [("mail", "slow@example.com")])
      try post.start()
      let receipt = try eventuallyReceipt(of: "slow", post, within: .seconds(90))
      try post.stop()
      #expect(receipt.verdict == "unknown" && receipt.tries == 2, "\(receipt)")
      #expect(receipt.words == "it is unknown whether it arrived: no answer in time")
      let mails = try post.mails().map { String(decoding: Data(base64Encoded: $0.data) ?? Data(), as: UTF8.self) }
      #expect(mails.count == 2)
      #expect(Set(mails.map { $0.mailHeader("Message-ID") }).count == 1, "a server that knows repeats knows this one")
      #expect(Set(mails.map { $0.mailHeader("Subject") }).count == 2, "a reader knows it, too")
    }

    @Test(arguments: ["ntfy", "telegram", "slack", "webhook"])
    func `a request without an answer is repeated with its key or a mark`(kind: String) throws {
      let post = try PostCase()
      let place = kind == "ntfy" || kind == "telegram" ? "Server = http://WEB/say/one\nTo = 100\n" : ""
      try post.settings(
        "[Channel one]\nType = \(kind)\nCredential = one\nTeams = desert-blue\n\(place)",
        credentials: ["one": place.isEmpty ? "http://WEB/say/one" : "token"], timeout: 20)
      // The service accepts the request without an answer; the next request succeeds.
      try answers(["one": [["end": "empty"], ["code": 200]]], in: post)
      try post.put("team", to: nil)
      try post.start()
      let receipt = try eventuallyReceipt(of: "team", post, within: .patience)
      try post.stop()
      let requests = try post.requests()
      #expect(receipt.verdict == "delivered" && requests.count == 2)
      let marks = requests.map { $0.text.contains("(repeat)") }
      if kind == "webhook" {
        #expect(Set(requests.map { $0.headers["webhook-id"] }).count == 1 && requests[0].body == requests[1].body)
      } else {
        #expect(marks == [false, true])
        #expect(receipt.words.contains("it may have arrived twice, and is marked as a repeat"))
      }
    }
  }
}
