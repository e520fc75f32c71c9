import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// poolflow-post with a mail server and a web server that answer as the services' documentation says.
  @Suite(.requires(.python3, .curl)) struct PostTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let token = #"tk"en\4711"#
    private static let channels = """
      [Channel mail]
      Type = smtp
      Server = smtp://MAIL
      From = Büro <routes@example.com>
      Detail = full
      [Channel push]
      Type = ntfy
      Server = http://WEB/ok
      Credential = token
      Detail = stops
      [Channel bot]
      Type = telegram
      Server = http://WEB/ok
      Credential = bot
      [Channel chat]
      Type = slack
      Credential = chat
      [Channel cards]
      Type = teams
      Credential = cards
      [Channel room]
      Type = matrix
      Server = http://WEB/ok
      Credential = token
      [Channel hook]
      Type = webhook
      Credential = hook
      Detail = full
      """
    private static let credentials = [
      "token": token, "bot": "12:BOT-TOKEN", "chat": "http://WEB/ok/services/CHAT-SECRET",
      "cards": "http://WEB/ok/workflow?sig=CARD-SECRET", "hook": "http://WEB/ok/hook/\n" + secret,
    ]
    private static let calendar = """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//poolflow//EN\r
      METHOD:PUBLISH\r
      BEGIN:VEVENT\r
      UID:POOL-2026-11-23@poolflow\r
      DTSTAMP:20261123T140000Z\r
      DTSTART:20261123T150000Z\r
      SUMMARY:1. Elena Calloway\r
      END:VEVENT\r
      END:VCALENDAR\r

      """

    @Test func `each channel gets one message in its format; secrets appear nowhere else`()
      throws
    {
      let post = try PostCase()
      try post.settings(Self.channels, credentials: Self.credentials)
      try post.put(
        "e1",
        to: [
          ("mail", "maria@example.com"), ("ntfy", "route-maria"), ("telegram", "-100123"), ("slack", "chat"),
          ("teams", "cards"), ("matrix", "!room:host"), ("webhook", "hook"), ("webhook", "unknown"),
        ], calendar: Self.calendar)
      let whole = try Files.bytes(post.drop + "/new/e1.json")
      try post.start()
      let receipts = try post.receipts(8)
      try post.stop()
      #expect(receipts.count { $0.verdict == "delivered" } == 7 && receipts.count { $0.verdict == "refused" } == 1)
      #expect(receipts.first { $0.kind == "smtp" }?.words == "handed to the mail server")
      #expect(try post.mails().count == 1 && Files.names(in: post.drop + "/new").isEmpty)
      #expect(Files.names(in: post.state + "/work").isEmpty && Files.names(in: post.state + "/done") == ["e1"])

      let requests = Dictionary(grouping: try post.requests()) {
        $0.path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      }
      #expect(requests.values.allSatisfy { $0.count == 1 } && requests.count == 6)
      func body(_ path: String) throws -> [String: Any] {
        let request = try #require(requests[path]?.first)
        return try #require(try JSONSerialization.jsonObject(with: request.bytes) as? [String: Any])
      }
      #expect(try body("")["topic"] as? String == "route-maria")
      #expect(requests[""]?.first?.headers["authorization"] == "Bearer \(Self.token)")
      #expect(requests["bot12:BOT-TOKEN"]?.first?.path == "/ok/bot12:BOT-TOKEN/sendMessage")
      #expect(try body("bot12:BOT-TOKEN")["chat_id"] as? Int == -100_123)
      #expect(try body("services")["blocks"] != nil)
      #expect(try (body("workflow?sig=CARD-SECRET")["attachments"] as? [Any])?.count == 1)
      #expect(
        requests["_matrix"]?.first?.method == "PUT"
          && requests["_matrix"]?.first?.path.contains("/rooms/%21room%3Ahost/") == true)
      // The bytes of the dropped file, signed at the time of the try.
      let hook = try #require(requests["hook"]?.first)
      #expect(Array(hook.bytes) == whole && hook.headers["webhook-id"] == "msg_e1")
      let time = try #require(hook.headers["webhook-timestamp"].flatMap(Int.init))
      #expect(abs(time - Int(Date.now.timeIntervalSince1970)) < 60)
      let key = try #require(Data(base64Encoded: String(Self.secret.dropFirst(6))))
      let digest = HMACSHA256.digest(of: Array("msg_e1.\(time).".utf8) + whole, key: Array(key))
      #expect(hook.headers["webhook-signature"] == "v1,\(Data(digest).base64EncodedString())")

      // Logs and receipts contain no address, secret or gate code.
      let told =
        try post.log
        + Files.names(in: post.state + "/receipts").map { try Files.text("\(post.state)/receipts/\($0)") }.joined()
      for canary in [
        "maria@example.com", "route-maria", "-100123", "room:host", "4711", "BOT-TOKEN", "SECRET", "whsec", "Calloway",
        "555-",
      ] {
        #expect(!told.contains(canary), "\(canary)")
      }
    }

    @Test func `each answer of a server has its outcome and affects no other channel`() throws {
      let post = try PostCase()
      let hooks = ["ok", "once-429", "once-503", "once-500", "400", "301", "hang", "half", "endless"]
      let sections = hooks.map { "[Channel \($0)]\nType = webhook\nCredential = \($0)\n" }.joined()
      try post.settings(
        sections + """
          [Channel mail]
          Type = smtp
          Server = smtp://MAIL
          From = routes@example.com
          [Channel desk]
          Type = ntfy
          Server = http://WEB/ok
          Operator = yes
          To = desk
          """,
        credentials: Dictionary(uniqueKeysWithValues: hooks.map { ($0, "http://WEB/\($0)/x") }))
      for hook in hooks { try post.put(hook, to: [("webhook", hook)]) }
      for name in ["rcpt4", "rcpt5", "end5", "lost", "fine"] {
        try post.put(name, to: [("mail", "\(name)@example.com")])
      }
      try post.put("brief", to: [("mail", "hang@example.com")], lasting: 4)
      try post.start()
      // All except those still retried (301, hang, half), and the operator's message.
      let receipts = Dictionary(grouping: try post.receipts(13), by: \.event).compactMapValues(\.first)
      try eventually("the end of what was good for seconds", { try post.receipts().contains { $0.event == "brief" } })
      try post.stop()
      for hook in ["ok", "once-429", "once-503", "once-500", "endless"] {
        #expect(receipts[hook]?.verdict == "delivered", "\(hook)")
        #expect(receipts[hook]?.tries == (hook.hasPrefix("once") ? 2 : 1), "\(hook)")
      }
      #expect(receipts["400"]?.words == "refused: the server refused it (400)" && receipts["400"]?.tries == 2)
      #expect(receipts["rcpt5"]?.words == "refused: no such mailbox (550)" && receipts["rcpt5"]?.tries == 1)
      #expect(receipts["end5"]?.verdict == "refused" && receipts["rcpt4"]?.tries == 2 && receipts["lost"]?.tries == 2)
      #expect(receipts["fine"]?.verdict == "delivered")
      #expect(try post.receipts().first { $0.event == "brief" }?.verdict == "expired")
      for name in ["301", "hang", "half"] {
        #expect(receipts[name] == nil && Files.exists("\(post.state)/work/\(name)"))
      }
      // Redirects are not followed; the broken channel is reported once, through another channel.
      let requests = try post.requests()
      #expect(requests.count { $0.path == "/301/x" } == 1)
      let news = requests.filter { $0.text.contains("is broken") }
      #expect(
        news.count == 1 && news.first?.text.contains("[Channel 301]") == true
          && news.first?.text.contains("\"desk\"") == true)
      // Retries send the same bytes with the same idempotency key.
      for hook in ["once-429", "half"] {
        let tries = requests.filter { $0.path == "/\(hook)/x" }
        #expect(tries.count >= 1 && Set(tries.map { $0.headers["webhook-id"] }).count == 1)
      }
      // A mail that may have arrived already is marked as a repeat and has the same Message-ID.
      let lost = try post.mails().filter { $0.to.contains("lost@") }.map {
        String(decoding: Data(base64Encoded: $0.data) ?? Data(), as: UTF8.self)
      }
      #expect(lost.count == 2 && Set(lost.map { $0.mailHeader("Message-ID") }).count == 1)
      #expect(Set(lost.map { $0.mailHeader("Subject") }).count == 2)
      #expect(receipts["lost"]?.words.hasSuffix("it may have arrived twice, and is marked as a repeat") == true)
      // A dead letter is stored with its event and its reason.
      let dead = try #require(Files.names(in: post.state + "/dead").first { $0.hasPrefix("rcpt5.") })
      #expect(Files.names(in: "\(post.state)/dead/\(dead)") == ["delivery.json", "event.json"])
    }

    @Test func `curl has no secret in its arguments or environment`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel hook]\nType = webhook\nCredential = hook\n",
        credentials: ["hook": "http://WEB/hang/SECRET\n" + Self.secret])
      try post.put("e1", to: [("webhook", "hook")])
      try post.start(environment: ["SECRET": "4711", "http_proxy": "http://127.0.0.1:1"])
      let pid = try #require(post.program?.pid)
      var seen: (arguments: String, environment: String)?
      try eventually("a curl at work") {
        guard try post.requests().count == 1 else { return false }
        let child = try Files.text("/proc/\(pid)/task/\(pid)/children").split(separator: " ").first.map(String.init)
        seen = try child.map { (try Files.text("/proc/\($0)/cmdline"), try Files.text("/proc/\($0)/environ")) }
        return seen != nil
      }
      #expect(seen?.arguments == "/usr/bin/curl\0-q\0--config\0-\0")
      #expect(seen?.environment.split(separator: "\0").sorted() == ["LC_ALL=C", "PATH=/usr/bin:/bin"])
      // Nor do stored files and the log contain secrets.
      let kept = try Files.tree(post.state).values.map { String(decoding: $0, as: UTF8.self) } + [post.log]
      for word in ["SECRET", "/hang/", String(Self.secret.dropFirst(6)), "4711"] {
        #expect(!kept.contains { $0.contains(word) }, "\(word)")
      }
      try post.stop()
    }

    @Test func `poolflow-post killed at any file call loses nothing, repeats only running requests`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel hook]\nType = webhook\nCredential = hook\n", credentials: ["hook": "http://WEB/ok/x\n" + Self.secret])
      func hasReceipt(_ id: String) throws -> Bool { try post.receipts().contains { $0.event == id } }
      try post.put("k0", to: [("webhook", "hook")])
      try post.start(environment: try post.faults.environment(killAt: nil))
      _ = try post.receipts(1)
      try post.stop()
      let calls = post.faults.count
      // With POOLFLOW_SLOW=1 a kill at each call; otherwise at some, then at others until one falls between a success and its
      // receipt.
      let isSlow = ProcessInfo.processInfo.environment["POOLFLOW_SLOW"] != nil
      let some = Array(stride(from: 1, through: calls, by: isSlow ? 1 : max(1, calls / 30)))
      var (kills, repeats, lives) = (0, 0, 0)
      for number in some + Set(1...calls).subtracting(some).sorted() where lives < some.count || repeats == 0 {
        lives += 1
        let id = "k\(number)"
        try post.put(id, to: [("webhook", "hook")])
        try post.start(environment: try post.faults.environment(killAt: number))
        try eventually("an end or a receipt") {
          try post.program?.wait(by: Deadline(.zero)) != nil || hasReceipt(id)
        }
        kills += post.program?.ending == .signal(SIGKILL) ? 1 : 0
        try post.kill()
        let plan = "\(post.state)/work/\(id)"
        let wasSending = try Files.names(in: plan).contains {
          try $0.count == 37 && Files.text("\(plan)/\($0)").contains("\"isUnderWay\":true")
        }
        try post.start()
        do { try eventually("a receipt of \(id)", { try hasReceipt(id) }) } catch {
          throw TooLate(description: "\(error), killed at \(number) of \(calls): \(post.log.suffix(2_000))")
        }
        try post.kill()
        let tries = try post.requests().filter { $0.headers["webhook-id"] == "msg_\(id)" }
        #expect(tries.count == 1 || (tries.count == 2 && wasSending), "killed at \(number): \(tries.count) times")
        #expect(Set(tries.map(\.body)).count == 1)
        #expect(try post.receipts().count { $0.event == id && $0.verdict == "delivered" } == 1)
        repeats += tries.count - 1
      }
      // A last run without a kill completes the interrupted work.
      try post.start()
      try eventually("an empty work folder", { Files.names(in: post.state + "/work").isEmpty })
      try post.stop()
      #expect(calls > 30 && kills > 20 && repeats > 0, "\(calls) calls, \(kills) kills, \(repeats) repeats")
      #expect(Files.names(in: post.drop + "/new").isEmpty)
    }

    /// 100 recipients, with POOLFLOW_SLOW=1 1,000.
    @Test func `a large morning is delivered in 32 MB while some servers hang`() throws {
      let count = ProcessInfo.processInfo.environment["POOLFLOW_SLOW"] == nil ? 100 : 1_000
      let post = try PostCase()
      // More hanging servers than requests that may run at a time.
      let dead = (0..<6).map { "dead\($0)" }
      try post.settings(
        Self.channels + dead.map { "\n[Channel \($0)]\nType = webhook\nCredential = \($0)\n" }.joined(),
        credentials: Self.credentials.merging(dead.map { ($0, "http://WEB/hang/\($0)") }) { $1 }, timeout: 30)
      for name in dead { try post.put("a\(name)", to: [("webhook", name)]) }
      // Each event has one technician's section, as the daemon sends it.
      var details = try post.details()
      details["sections"] = (details["sections"] as? [Any])?.prefix(1).map { $0 }
      for number in 0..<count {
        try post.put("e\(number)", to: [("mail", "p\(number)@example.com")], changing: ["details": details])
      }
      try post.start()
      let receipts = try post.receipts(count, within: .seconds(60))
      let pid = try #require(post.program?.pid)
      let peak = try #require(try Files.text("/proc/\(pid)/status").firstMatch(of: /VmHWM:\s+([0-9]+) kB/)?.1)
      #expect(try #require(Int(peak)) < 32 << 10, "\(peak) kB")
      #expect(receipts.allSatisfy { $0.verdict == "delivered" })
      #expect(Set(try post.mails().map(\.to)).count == count)
      #expect(try post.requests().count == dead.count, "each of them was asked")
      // A normal stop would wait for the hanging requests.
      try post.kill()
    }

    @Test func `an invalid file is set aside with a reason; a known event is ignored`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel chat]\nType = slack\nCredential = chat\nTeams = desert-blue\n", credentials: Self.credentials)
      // The daemon creates the folder with its first notice.
      #expect(rmdir(post.drop + "/new") == 0)
      try post.start()
      try eventually("a poster at work", { post.log.contains("ready") })
      #expect(mkdir(post.drop + "/new", 0o770) == 0)
      try post.put("team", to: nil)
      try post.scratch.write("drop/new/broken.json", "{\"id\": \"broken\", GATE-4711".utf8)
      _ = try post.receipts(1, within: .seconds(20))
      try eventually("the bad file's reason", { Files.exists(post.state + "/bad/broken.reason") })
      #expect(!post.log.contains("4711"))
      try post.put("team", to: nil)
      try eventually("an empty drop", { Files.names(in: post.drop + "/new").isEmpty })
      try post.stop()
      #expect(try post.requests().count == 1)
    }

    @Test func `an unreadable file or a removed channel is reported and delays nothing else`() throws {
      let post = try PostCase()
      let mail = "[Channel mail]\nType = smtp\nServer = smtp://MAIL\nFrom = r@example.com\n"
      try post.settings(
        mail + "[Channel gone]\nType = webhook\nCredential = gone\n", credentials: ["gone": "http://WEB/500/x"])
      _ = try post.scratch.folder("drop/new/a-folder.json")
      try post.start()
      try post.put("later", to: [("webhook", "gone")])
      try post.put("z", to: [("mail", "z@example.com")])
      let first = try post.receipts(1)
      #expect(first.map(\.event) == ["z"] && first.map(\.verdict) == ["delivered"])
      let stuck = post.log.split(separator: "\n").filter { $0.contains("a-folder") }
      #expect(stuck.count == 2 && stuck.contains { $0.contains("every minute") }, "said once: \(stuck)")
      try eventually("the webhook's first failure", { try post.requests().count > 0 })
      try post.settings(mail)
      post.program?.send(SIGHUP)
      let all = try post.receipts(2)
      let later = try #require(all.first { $0.event == "later" })
      #expect(later.words == "refused: post.conf has no [Channel gone] of Type=webhook any more")
      try post.settings(mail.replacingOccurrences(of: "[Channel", with: "[Post]\nFolder = /nowhere\n[Channel"))
      post.program?.send(SIGHUP)
      try eventually("a word of the folder", { post.log.contains("a new Folder= or StateDirectory=") })
      try post.put("after", to: [("mail", "z@example.com")])
      #expect(try post.receipts(3).contains { $0.event == "after" && $0.verdict == "delivered" })
      try post.stop()
    }

    @Test func `a channel reported as broken is reported as working again, despite restarts`() throws {
      let post = try PostCase()
      let settings =
        "[Channel hook]\nType = webhook\nCredential = hook\n[Channel desk]\nType = webhook\nCredential = desk\n"
        + "Operator = yes\n"
      try post.settings(settings, credentials: ["hook": "http://WEB/401/x", "desk": "http://WEB/ok/desk"])
      try post.start()
      try post.put("one", to: [("webhook", "hook")])
      func told(_ words: String) throws -> Int {
        try post.requests().count { $0.path == "/ok/desk" && $0.text.contains("[Channel hook] \(words)") }
      }
      try eventually("the desk is told", { try told("is broken") == 1 })
      let report = post.state + "/channels.json"
      try eventually("that it is written down", { try Files.text(report).contains("refused the credential") })
      // Killed before the receipt, the sender would repeat the operator's message with the same idempotency key.
      try eventually("the desk's receipt", { try post.receipts().contains { $0.channel == "desk" } })
      try post.kill()
      try post.start()
      try eventually("another try", { try post.requests().count { $0.path == "/401/x" } == 2 })
      try post.kill()
      // Credentials are passed at a start only.
      try post.settings(settings, credentials: ["hook": "http://WEB/ok/x"])
      try post.start()
      try eventually("the desk is told again", { try told("works again") == 1 })
      #expect(try told("is broken") == 1)
      try post.stop()
    }

    @Test func `a notice dropped by the daemon reaches the team's chat`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nSensitive = yes\n".utf8)
      try daemon.start()
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("an event", { !daemon.notices.isEmpty })
      try daemon.stop()
      let name = try #require(daemon.notices.first)
      let post = try PostCase()
      try post.settings(
        "[Channel chat]\nType = slack\nCredential = chat\nTeams = desert-blue\n", credentials: Self.credentials)
      try post.scratch.write("drop/new/\(name)", try Files.bytes("\(daemon.drop)/\(name)"))
      // Runs with the daemon's simulated clock: by the real time the event has expired.
      try post.start(environment: daemon.clock.environment)
      #expect(try post.receipts(1).first?.verdict == "delivered")
      try post.stop()
      #expect(try post.requests().first?.text.contains("pool(s) scheduled today") == true)
    }

    @Test func `all mistakes in post.conf prevent the start; no secret is quoted`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel chat]\nType = slak\n[Channel mail]\nType = smtp\nServer = smtp://MAIL\nForm = a@b.c\n")
      for words in [[], ["--check"]] {
        let answer = try Program.run(
          Checkout.post, ["--config", post.scratch.path + "/post.conf"] + words, in: post.scratch)
        #expect(
          answer.code == 78 && answer.errors.contains("did you mean \"slack\"?")
            && answer.errors.contains("unknown key \"Form\""))
        #expect(answer.errors.contains("[Channel mail] has no From"), "\(answer.errors)")
      }
      try post.settings(
        "[Channel chat]\nType = slack\nCredential = chat\n[Channel hook]\nType = webhook\nCredential = hook\n",
        credentials: ["chat": "hunter2", "hook": "http://WEB/x\nwhsec_hunter2"])
      let environment = ["CREDENTIALS_DIRECTORY": post.scratch.path + "/cred"]
      let answer = try Program.run(
        Checkout.post, ["--config", post.scratch.path + "/post.conf", "--check"], in: post.scratch,
        environment: environment)
      #expect(answer.code == 78 && !answer.errors.contains("hunter2"))
      #expect(
        answer.errors.contains("'chat' of [Channel chat] does not hold a usable URL")
          && answer.errors.contains("'hook' is not a signing secret"), "\(answer.errors)")
      #expect(try Program.run(Checkout.post, ["--nonsense"], in: post.scratch).code == 64)
      #expect(try Program.run(Checkout.post, ["--config", "/nowhere/post.conf"], in: post.scratch).code == 66)
    }
  }

  /// The key with which a drop folder's files are signed (`Sign =`).
  @Suite struct DropKeyTests {
    @Test func `a missing or invalid signing secret prevents the start without being quoted`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nSign = post-key\n".utf8)
      try daemon.launch()
      #expect(try daemon.program?.end() == .exit(78))
      #expect(daemon.log.contains("there is no credential 'post-key'"))
      let keys = try daemon.scratch.folder("keys")
      try daemon.scratch.write("keys/post-key", "hunter2-hunter2".utf8)
      try daemon.launch(environment: ["CREDENTIALS_DIRECTORY": keys])
      #expect(try daemon.program?.end() == .exit(78))
      #expect(
        daemon.log.contains("the credential 'post-key' is not a signing secret") && !daemon.log.contains("hunter2")
      )
    }
  }
}
