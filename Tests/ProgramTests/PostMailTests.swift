import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// Mail through real servers and programs: TLS and logins, sendmail, msmtp, postfix.
  @Suite(.requires(.python3, .curl)) struct PostMailTests {
    /// A channel section for a server or program, with `To` for the team's event.
    private static func channel(_ name: String, _ lines: String, to address: String? = nil) -> String {
      "[Channel \(name)]\nFrom = routes@example.com\nTeams = desert-blue\nTo = \(address ?? "\(name)@example.com")\n\(lines)\n"
    }

    // MARK: Encryption and logins

    /// Creates a self-signed certificate authority for this test.
    private func makeAuthority(_ name: String, in scratch: Scratch) throws {
      let made = try Program.run(
        Requirement.openssl.path(),
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
          "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(scratch.path)/\(name).key", "-out",
          "\(scratch.path)/\(name).pem",
        ], in: scratch)
      try #require(made.code == 0, "\(made.errors)")
    }

    @Test(.requires(.openssl, .python("aiosmtpd")))
    func `mail over STARTTLS with a login is delivered; TLS and login errors are named`() throws {
      let post = try PostCase()
      for name in ["ours", "theirs"] { try makeAuthority(name, in: post.scratch) }
      let folder = try post.scratch.folder("boxes")
      let password = #"pa"ss\w: o#rd'%"#
      let script = Bundle.module.bundleURL.appendingPathComponent("Fixtures/mail-servers.py").path
      let keys = ["\(post.scratch.path)/ours.pem", "\(post.scratch.path)/ours.key"]
      let servers = try RunningProgram(
        Requirement.python3.path(), [script, folder] + keys + [password],
        environment: PythonTools.environment(in: post.scratch),
        output: .writing(post.scratch.path + "/boxes.out"), errors: post.scratch.path + "/boxes.err")
      try eventually("the mail servers' ports") {
        guard servers.wait(by: Deadline(.zero)) == nil else {
          throw CannotStart(description: try Files.text(post.scratch.path + "/boxes.err"))
        }
        return Files.exists(folder + "/ports")
      }
      let ports = try Files.text(folder + "/ports").split(separator: " ")
      let (starttls, encrypted) = ("Server = smtp://127.0.0.1:\(ports[0])", "Server = smtps://127.0.0.1:\(ports[1])")
      let ours = "Authority = \(post.scratch.path)/ours.pem"
      let theirs = "Authority = \(post.scratch.path)/theirs.pem"
      let channels: [(name: String, lines: [String], broken: String?)] = [
        ("login", [starttls, ours, "Credential = right"], nil), ("inner", [encrypted, ours], nil),
        ("untrusted", [starttls, theirs, "Credential = right"], "the server's certificate is not trusted (curl 60)"),
        ("unknown", [encrypted], "the server's certificate is not trusted (curl 60)"),
        ("word", [starttls, ours, "Credential = wrong"], "the mail server refused the login (535 5.7.8)"),
        ("anonymous", [starttls, ours], "the mail server demands a login (530 5.7.0)"),
        ("plain", ["Server = smtps://MAIL", ours], "no encrypted connection can be made (curl 35)"),
        ("clear", ["Server = smtp://MAIL", ours], "the mail server offers no encryption"),
      ]
      try post.settings(
        channels.map { Self.channel($0.name, "Type = smtp\n" + $0.lines.joined(separator: "\n")) }.joined(),
        credentials: ["right": "routes:\(password)", "wrong": "routes:4711-WRONG"], timeout: 30)
      try post.put("team", to: nil)
      try post.start()
      try eventually("the ends") {
        try channels.allSatisfy { channel in
          try channel.broken == nil
            ? post.receipts().contains { $0.channel == channel.name }
            : post.log.contains("[Channel \(channel.name)] is broken: ")
        }
      }
      try post.stop()
      for channel in channels {
        guard let broken = channel.broken else { continue }
        #expect(post.log.contains("[Channel \(channel.name)] is broken: \(broken)"), "\(channel.name): \(post.log)")
      }
      #expect(try post.receipts().map(\.verdict) == ["delivered", "delivered"])
      struct Box: Decodable {
        let to: [String]
        let encrypted, login: Bool
      }
      let boxes = try Files.wholeLines(folder + "/mails.jsonl").map {
        try JSONDecoder().decode(Box.self, from: Data($0.utf8))
      }
      #expect(Set(boxes.flatMap(\.to)) == ["login@example.com", "inner@example.com"])
      #expect(boxes.allSatisfy(\.encrypted) && boxes.contains { $0.login && $0.to == ["login@example.com"] })
      #expect(!post.log.contains("4711") && !post.log.contains("pa\"ss") && !post.log.contains("@example.com"))
    }

    // MARK: sendmail

    /// A sendmail script whose exit depends on the address; it records its arguments, environment and input.
    private func program(in scratch: Scratch) throws -> String {
      let folder = try scratch.folder("sendmail")
      let path = try scratch.write(
        "sendmail.sh",
        """
        #!/bin/sh
        folder=$(mktemp -d \(folder)/XXXXXX)
        printf '%s\\n' "$@" >$folder/arguments
        env >$folder/environment
        cat >$folder/mail
        code=$(sed -n 's/.*<\\{0,1\\}code\\([0-9a-z]*\\)@.*/\\1/p' $folder/mail | head -n 1)
        echo "to <code$code@example.com>: no" >&2
        case $code in
        hang) sleep 1000 & echo $! >\(folder)/child; wait ;;
        killed) kill -9 $$ ;;
        left) setsid sleep 1000 & echo $! >\(folder)/left; exit 0 ;;
        mute) exec >&- 2>&-; echo $$ >\(folder)/mute; sleep 1000 ;;
        talks) i=0; while [ $i -lt 3000 ]; do echo "what goes on in line $i of many" >&2; i=$((i+1)); done; exit 0 ;;
        large) echo "msmtp: server message: 552 5.3.4 too large" >&2; exit 69 ;;
        user) echo "msmtp: server message: 550 5.1.1 no such user" >&2; exit 65 ;;
        busy) echo "msmtp: server message: 451 4.3.0 later" >&2; exit 69 ;;
        esac
        exit $code

        """.utf8)
      chmod(path, 0o755)
      return path
    }

    @Test func `each exit of sendmail has its outcome; addresses are never in arguments`() throws {
      let post = try PostCase()
      let program = try program(in: post.scratch)
      // `words` is nil if the mail is retried, `broken` is set if the channel becomes broken.
      let delivered = "handed to the machine's own mail system"
      let ends: [(code: String, words: String?, broken: String?)] = [
        ("0", delivered, nil), ("65", "refused: sendmail refused the mail (65)", nil),
        ("67", "refused: no such mailbox (sendmail 67)", nil), ("user", "refused: no such mailbox (550 5.1.1)", nil),
        ("large", "refused: the mail is too large (552 5.3.4)", nil), ("busy", nil, nil), ("69", nil, nil),
        ("75", nil, nil),
        ("76", nil, nil), ("71", nil, nil), ("64", nil, "sendmail does not support -i -t -f (64)"),
        ("77", nil, "sendmail's own settings or login are wrong (77)"),
        ("78", nil, "sendmail's own settings or login are wrong (78)"), ("126", nil, "sendmail cannot be run (126)"),
        ("killed", nil, "sendmail was killed"),
      ]
      let sections = ends.map {
        Self.channel("c\($0.code)", "Type = sendmail\nProgram = \(program)", to: "code\($0.code)@example.com")
      }
      let gone = try post.scratch.write("gone.sh", "#!/bin/sh\n".utf8)
      let missing = Self.channel("missing", "Type = sendmail\nProgram = \(gone)")
      try post.settings(sections.joined() + missing, timeout: 30)
      // A missing program prevents the start, as other mistakes in the settings do.
      let words = ["--config", post.scratch.path + "/post.conf", "--check"]
      let answer = try Program.run(Checkout.post, words, in: post.scratch)
      #expect(answer.code == 78 && answer.errors.contains("[Channel missing]: the program '\(gone)'"))
      chmod(gone, 0o755)
      try post.start()
      try eventually("a poster at work", { post.log.contains("ready") })
      unlink(gone)
      try post.put("team", to: nil)
      let folder = post.scratch.path + "/sendmail"
      try eventually("all ends") {
        let receipts = try post.receipts()
        return ends.allSatisfy { end in
          end.words == nil || receipts.contains { $0.channel == "c\(end.code)" && $0.words == end.words }
        }
          && ends.allSatisfy {
            $0.broken == nil || post.log.contains("[Channel c\($0.code)] is broken: \($0.broken ?? "")")
          }
      }
      #expect(post.log.contains("[Channel missing] is broken: the Program does not exist"))
      try post.stop()
      let receipts = try post.receipts()
      // Exit code 76 is repeated once; on a slow machine the repeat may also have ended, and the outcome is unknown.
      let final = receipts.filter { $0.channel != "c76" }
      #expect(final.count == ends.count { $0.words != nil }, "\(receipts.map(\.words))")
      #expect(receipts.first { $0.channel == "clarge" }?.tries == 2, "once more as short text")
      let runs = Files.names(in: folder)
      #expect(runs.count >= ends.count)
      for run in runs {
        #expect(try Files.text("\(folder)/\(run)/arguments") == "-i\n-t\n-f\nroutes@example.com\n")
        #expect(!(try Files.text("\(folder)/\(run)/environment")).contains("example.com"))
        let mail = try Files.text("\(folder)/\(run)/mail")
        #expect(
          !mail.contains("\r") && mail.contains("\nTo: code") && !mail.contains("\nCc:") && !mail.contains("\nBcc:"))
      }
      #expect(!post.log.contains("@example.com"), "what it says quotes addresses")
    }

    @Test func `a hanging sendmail is killed with its children and reported`() throws {
      let post = try PostCase()
      let program = try program(in: post.scratch)
      try post.settings(
        "AnswerTimeout = 1s\n"
          + Self.channel("hangs", "Type = sendmail\nProgram = \(program)", to: "codehang@example.com"), timeout: 1)
      try post.put("team", to: nil)
      try post.start()
      let file = post.scratch.path + "/sendmail/child"
      try eventually("the word about it", { post.log.contains("[Channel hangs] is broken: sendmail does not exit; ") })
      #expect(post.log.contains("use Type = smtp with Server = smtp://127.0.0.1:25"))
      // On a busy machine it may have been killed before it started its child.
      if Files.exists(file), let child = Int32(try Files.text(file).trimmingCharacters(in: .newlines)) {
        try eventually("the end of what it had started", { Glibc.kill(child, 0) != 0 })
      }
      try post.stop()
    }

    @Test func `a sendmail with background, silent or verbose output delays nothing`() throws {
      let post = try PostCase()
      let program = try program(in: post.scratch)
      let sections = ["left", "talks", "mute"].map {
        Self.channel("c\($0)", "Type = sendmail\nProgram = \(program)", to: "code\($0)@example.com")
      }
      try post.settings("AnswerTimeout = 1s\n" + sections.joined(), timeout: 20)
      try post.put("team", to: nil)
      try post.start()
      let folder = post.scratch.path + "/sendmail"
      func number(_ name: String) -> Int32? {
        (try? Files.text("\(folder)/\(name)")).flatMap { Int32($0.trimmingCharacters(in: .newlines)) }
      }
      // It has closed its output and error output, and does not exit.
      try eventually("a sendmail that says nothing", { number("mute") != nil })
      let words = "handed to the machine's own mail system"
      try eventually("what the others say") {
        let receipts = try post.receipts()
        return ["cleft", "ctalks"].allSatisfy { name in receipts.contains { $0.channel == name && $0.words == words } }
      }
      let left = try #require(number("left"))
      #expect(Glibc.kill(left, 0) == 0, "a mailer that goes on by itself is let go on")
      try eventually("the word about it", { post.log.contains("[Channel cmute] is broken: sendmail does not exit; ") })
      let mute = try #require(number("mute"))
      try eventually("its end", { Glibc.kill(mute, 0) != 0 })
      try post.stop()
      Glibc.kill(left, SIGKILL)
    }

    /// A script that runs a program with arguments, since a channel can name none; it records the arguments it gets.
    private func wrapper(_ name: String, _ line: String, in scratch: Scratch) throws -> String {
      let path = try scratch.write(
        "\(name).sh", "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\(scratch.path)/arguments\nexec \(line) \"$@\"\n".utf8)
      chmod(path, 0o755)
      return path
    }

    @Test(.requires(.msmtp)) func `mail goes through msmtp, and its server's answers are understood`() throws {
      let post = try PostCase()
      let settings = try post.scratch.write(
        "msmtprc", "account default\nhost 127.0.0.1\nport \(post.mailPort)\nfrom sender@example.com\n".utf8)
      chmod(settings, 0o600)
      let away = try post.scratch.write("awayrc", "account default\nhost 127.0.0.1\nport 1\nfrom a@example.com\n".utf8)
      let program = try wrapper("msmtp", "/usr/bin/msmtp -C \(settings)", in: post.scratch)
      let addresses = ["fine", "rcpt5", "rcpt4", "end5", "end4"]
      try post.settings(
        addresses.map { Self.channel($0, "Type = sendmail\nProgram = \(program)") }.joined()
          + Self.channel(
            "away",
            "Type = sendmail\nProgram = \(try wrapper("away", "/usr/bin/msmtp -C \(away)", in: post.scratch))")
          + Self.channel(
            "unset",
            "Type = sendmail\nProgram = \(try wrapper("unset", "/usr/bin/msmtp -C /nowhere/msmtprc", in: post.scratch))"
          ), timeout: 30)
      try post.put("team", to: nil)
      try post.start()
      let receipts = Dictionary(uniqueKeysWithValues: try post.receipts(4).map { ($0.channel, $0) })
      try post.stop()
      #expect(receipts["fine"]?.words == "handed to the machine's own mail system")
      #expect(receipts["rcpt5"]?.words == "refused: no such mailbox (550)")
      #expect(receipts["end5"]?.words == "refused: the mail server refused the text (554)")
      #expect(receipts["rcpt4"]?.verdict == "delivered" && receipts["rcpt4"]?.tries == 2)
      #expect(Set(receipts.keys) == ["fine", "rcpt5", "rcpt4", "end5"])
      let mail = try #require(try post.mails().first { $0.to.contains("<fine@example.com>") })
      #expect(mail.from.contains("<routes@example.com>"))
      #expect(!(try Files.text(post.scratch.path + "/arguments")).contains("fine@"))
      #expect(!post.log.contains("@example.com"))
    }

    private static let postfix = "/usr/sbin/postfix"

    /// Starts a postfix of the test's own, without open ports, that relays everything to the fake server.
    ///
    /// - Returns: the folder of its settings.
    private func postfix(in post: PostCase) throws -> String {
      let (root, settings) = (post.scratch.path, try post.scratch.folder("postfix"))
      for folder in ["queue", "data"] { _ = try post.scratch.folder(folder) }
      try post.scratch.write(
        "postfix/main.cf",
        """
        compatibility_level = 3.6
        queue_directory = \(root)/queue
        data_directory = \(root)/data
        maillog_file_prefixes = \(root)
        maillog_file = \(root)/postfix.log
        myhostname = poolflow.example.com
        mydestination =
        inet_interfaces = loopback-only
        relayhost = [127.0.0.1]:\(post.mailPort)
        local_transport = error:none
        alias_maps =

        """.utf8)
      try post.scratch.write(
        "postfix/master.cf",
        """
        pickup unix n - n 60 1 pickup
        cleanup unix n - n - 0 cleanup
        qmgr unix n - n 300 1 qmgr
        rewrite unix - - n - - trivial-rewrite
        bounce unix - - n - 0 bounce
        defer unix - - n - 0 bounce
        trace unix - - n - 0 bounce
        smtp unix - - n - - smtp
        error unix - - n - - error
        showq unix n - n - - showq
        flush unix n - n 1000? 0 flush
        proxymap unix - - n - - proxymap
        anvil unix - - n - 1 anvil
        scache unix - - n - 1 scache
        postlog unix-dgram n - n - 1 postlogd

        """.utf8)
      // Postfix's users need access to the folders, and its data belongs to it.
      chmod(root, 0o755)
      if let user = getpwnam("postfix") { chown(root + "/data", user.pointee.pw_uid, user.pointee.pw_gid) }
      let started = try Program.run(Self.postfix, ["-c", settings, "start"], in: post.scratch)
      guard started.code == 0 else { throw CannotStart(description: started.errors + started.output) }
      return settings
    }

    @Test(.requires(.postfix, .root))
    func `mail goes through postfix; missing rights are reported without waiting`() throws {
      let post = try PostCase()
      let settings = try postfix(in: post)
      // Postfix's master is a daemon and no child of this process.
      defer { _ = try? Program.run(Self.postfix, ["-c", settings, "stop"], in: post.scratch) }
      let sendmail = "/usr/sbin/sendmail"
      // As in a systemd unit without privileges: postdrop may not write to the queue and retries forever.
      let confined =
        "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \(sendmail)"
      let own = try wrapper("postfix", "\(sendmail) -C \(settings)", in: post.scratch)
      try post.settings(Self.channel("fine", "Type = sendmail\nProgram = \(own)"), timeout: 30)
      try post.put("team", to: nil)
      try post.start()
      #expect(try post.receipts(1).map(\.words) == ["handed to the machine's own mail system"])
      try eventually("the mail", { try post.mails().contains { $0.to.contains("<fine@example.com>") } })
      try post.stop()
      let without = try wrapper("confined", confined, in: post.scratch)
      try post.settings(
        "AnswerTimeout = 1s\n" + Self.channel("confined", "Type = sendmail\nProgram = \(without)"), timeout: 1)
      try post.put("team2", to: nil)
      try post.start()
      let told = "[Channel confined] is broken: sendmail does not exit"
      try eventually("the word about the one that cannot", { post.log.contains(told) })
      try post.stop()
      let mail = try #require(try post.mails().first)
      let text = String(decoding: Data(base64Encoded: mail.data) ?? Data(), as: UTF8.self)
      #expect(mail.from.contains("<routes@example.com>") && text.contains("Subject: "))
      #expect(!text.replacingOccurrences(of: "\r\n", with: "").contains("\r"), "no carriage return too many")
      #expect(!(try Files.text(post.scratch.path + "/arguments")).contains("fine@"))
    }
  }
}
