import FlowModel
import FlowSettings
import Testing

@testable import FlowPost

/// curl's trace of a mail server's answer, and the verdict derived from it.
struct MailDialogueTests {
  /// A trace that ends with this answer to the last of these commands.
  private static func trace(_ commands: [String], _ answer: String) -> String {
    var text = "*   Trying 127.0.0.1:25...\n"
    let answers = ["< 220 relay", "< 250-relay\r\n< 250 SIZE 1000000"] + commands.dropFirst().map { _ in "< 250 ok" }
    for (index, command) in commands.enumerated() {
      text += "\(answers[index])\r\n> \(command)\r\n"
    }
    return text + answer.split(separator: "\n").map { "< \($0)\r\n" }.joined() + "* failed\n> QUIT\r\n< 221 bye\r\n"
  }

  private static let stages: [(stage: MailDialogue.Stage, commands: [String])] = [
    (.hello, ["EHLO me"]), (.login, ["EHLO me", "AUTH PLAIN AHUAcA=="]),
    (.sender, ["EHLO me", "MAIL FROM:<a@x> SIZE=18"]),
    (.recipient, ["EHLO me", "MAIL FROM:<a@x>", "RCPT TO:<b@y>"]),
    (.data, ["EHLO me", "MAIL FROM:<a@x>", "RCPT TO:<b@y>", "DATA"]),
  ]

  private static func verdict(_ stage: MailDialogue.Stage, _ answer: String) throws -> SendVerdict {
    var dialogue = MailDialogue()
    switch stage {
    case .greeting: dialogue.read("< \(answer.replacing("\n", with: "\r\n< "))\r\n".utf8)
    case .end:
      let commands = try #require(stages.last?.commands)
      dialogue.read(trace(commands, "354 go\n\(answer)").utf8)
    default:
      let commands = try #require(stages.first { $0.stage == stage }?.commands)
      dialogue.read(trace(commands, answer).utf8)
    }
    #expect(dialogue.stage == stage, "\(answer)")
    return SendVerdict.judge(TransferResult(exit: 55, wasSent: true, dialogue: dialogue), kind: .smtp, at: noon)
  }

  private enum Whose { case channel, recipient, message, laterAll, laterOne }

  private static func whose(_ verdict: SendVerdict) -> Whose? {
    switch verdict {
    case .broken: .channel
    case .noSuchAddress: .recipient
    case .refused: .message
    case .later(_, _, let affectsWholeServer): affectsWholeServer ? .laterAll : .laterOne
    case .delivered, .moved, .singledOut, .rateLimited, .unknown: nil
    }
  }

  /// Answers from bug reports of other senders, most of them with RFC 3463's codes.
  private static let table: [(MailDialogue.Stage, String, Whose)] = [
    (.greeting, "554 5.7.1 Service unavailable; client host blocked using dnsbl", .channel),
    (.greeting, "421 4.3.2 too many connections", .laterAll), (.greeting, "450 4.7.1 try later", .laterAll),
    (.hello, "550 5.7.1 helo rejected", .channel), (.hello, "421 busy", .laterAll),
    (.login, "535 5.7.8 Authentication credentials invalid", .channel),
    (.login, "454 4.7.0 Temporary authentication failure", .laterAll),
    (.login, "534 5.7.9 mechanism too weak", .channel),
    (.sender, "553 5.7.1 <routes@example.com>: Sender address rejected: not owned by user routes", .channel),
    (.sender, "550 5.7.1 Sending domain SPF fail", .channel), (.sender, "550 5.1.0 Sender rejected", .channel),
    (.sender, "553 5.3.0 DNSBL 192.0.2.1 is_blocked", .channel), (.sender, "550 no such user", .channel),
    (.sender, "530 5.7.0 Authentication required", .channel), (.sender, "553-5.7.1 no\n553 5.7.1 not yours", .channel),
    (.sender, "501 5.1.7 bad sender address syntax", .channel), (.sender, "552 5.3.4 message size exceeds", .message),
    (.sender, "451 4.7.1 greylisted", .laterAll), (.sender, "452 4.3.1 insufficient storage", .laterAll),
    (.recipient, "550 5.1.1 no such user", .recipient), (.recipient, "550 no such user", .recipient),
    (.recipient, "553 5.1.3 bad address syntax", .recipient), (.recipient, "551 user not local", .recipient),
    (.recipient, "550 5.4.1 Recipient address rejected: Access denied", .recipient),
    (.recipient, "550 5.2.1 mailbox disabled", .recipient), (.recipient, "556 5.1.10 domain takes no mail", .recipient),
    (.recipient, "550 5.5.0 Requested action not taken: mailbox unavailable", .recipient),
    (.recipient, "550 5.1.1 <b@y>: User unknown in relay recipient table", .recipient),
    (.recipient, "550 5.7.1 Relaying denied", .channel), (.recipient, "550 5.7.1 client host blocked", .channel),
    (.recipient, "554 5.7.1 <b@y>: Relay access denied", .channel), (.recipient, "550 relay not permitted", .channel),
    (.recipient, "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", .channel),
    (.recipient, "553 5.7.1 <a@x>: Sender address rejected: not owned by user", .channel),
    (.recipient, "450 4.1.8 <a@x>: Sender address rejected: Domain not found", .laterOne),
    (.recipient, "550 5.1.8 <a@x>: Sender address rejected: Domain not found", .channel),
    (.recipient, "530 5.7.0 Must issue a STARTTLS command first", .channel), (.recipient, "554 no", .channel),
    (.recipient, "550 5.2.2 mailbox full", .laterOne), (.recipient, "552 mailbox full", .laterOne),
    (.recipient, "452 4.2.2 mailbox full", .laterOne), (.recipient, "450 4.2.0 greylisted", .laterOne),
    (.recipient, "421 4.7.0 too many errors", .laterAll), (.data, "554 5.5.1 no valid recipients", .channel),
    (.data, "451 4.3.0 queue file write error", .laterOne), (.end, "554 5.7.1 spam message rejected", .channel),
    (.end, "550 5.7.26 unauthenticated mail", .channel), (.end, "554 no", .message),
    (.end, "552 5.3.4 too large", .message), (.end, "552 too large", .message), (.end, "550 5.6.0 bad MIME", .message),
    (.end, "550 5.1.1 no such user", .recipient), (.end, "552 5.2.2 over quota", .laterOne),
    (.end, "451 4.3.0 later", .laterOne), (.end, "421 4.3.2 shutting down", .laterAll),
  ]

  @Test func `a refusal is judged by the command, the code and the enhanced code`() throws {
    for (stage, answer, expected) in Self.table {
      let verdict = try Self.verdict(stage, answer)
      #expect(Self.whose(verdict) == expected, "\(stage): \(answer): \(verdict)")
      // No reason quotes the server's text, which contains addresses.
      #expect(!"\(verdict)".contains("@") && !"\(verdict)".contains("dnsbl"), "\(verdict)")
    }
  }

  @Test func `a reason names the code and the enhanced code`() throws {
    #expect(
      try Self.verdict(.sender, "553-5.7.1 no\n553 5.7.1 not yours")
        == .broken("the mail server refused the sender, which From= names (553 5.7.1)"))
    #expect(try Self.verdict(.recipient, "550 5.1.1 gone") == .noSuchAddress("no such mailbox (550 5.1.1)"))
    // A code of another class is ignored (RFC 2034 §4).
    #expect(try Self.verdict(.recipient, "550 2.1.5 gone") == .noSuchAddress("no such mailbox (550)"))
  }

  @Test func `a trace gives the same result however it is split`() throws {
    let commands = ["EHLO me", "AUTH PLAIN", "MAIL FROM:<a@x>", "RCPT TO:<b@y>"]
    let text = Self.trace(commands, "550-5.1.1 gone\n550 5.1.1 see https://example.com")
    var whole = MailDialogue()
    whole.read(text.utf8)
    for cut in 0...text.utf8.count {
      var parts = MailDialogue()
      parts.read(text.utf8.prefix(cut))
      parts.read(text.utf8.dropFirst(cut))
      #expect(parts == whole, "cut at \(cut)")
    }
    #expect(whole.stage == .recipient && whole.reply?.code == 550)
  }

  @Test func `replies to AUTH steps, mail text and QUIT do not change the dialogue's stage`() {
    var dialogue = MailDialogue()
    dialogue.read("< 220 a\n> EHLO me\n< 250 AUTH\n> AUTH PLAIN\n< 334 \n> AHUAcA==\n".utf8)
    #expect(dialogue.stage == .login && dialogue.reply == nil)
    dialogue.read("< 235 ok\n> MAIL FROM:<a@x>\n< 250 ok\n> RCPT TO:<b@y>\n< 250 ok\n> DATA\n< 354 go\n".utf8)
    #expect(dialogue.mayHaveMail)
    dialogue.read("} [18 bytes data]\n* We are completely uploaded and fine\n".utf8)
    #expect(dialogue.mayHaveMail)
    dialogue.read("< 250 taken\n> QUIT\n< 221 bye\n".utf8)
    #expect(!dialogue.mayHaveMail && dialogue.stage == .end && dialogue.reply?.code == 250)
  }

  @Test func `an endless server reply uses no memory and gives no result`() {
    var dialogue = MailDialogue()
    for _ in 0..<10_000 { dialogue.read("< 250-again and again\r\n".utf8) }
    dialogue.read("< \(String(repeating: "x", count: 1 << 20))".utf8)
    #expect(dialogue.reply == nil)
  }

  @Test func `a mail's outcome is unknown only after its complete text`() {
    let verdict = { (stage: MailDialogue.Stage, isWhole: Bool) in
      SendVerdict.judge(
        TransferResult(exit: 56, wasSent: true, isWhole: isWhole, dialogue: MailDialogue(stage)), kind: .smtp, at: noon)
    }
    #expect(verdict(.end, true) == .unknown("the connection ended before the mail server accepted the mail (curl 56)"))
    for stage in [.greeting, .hello, .login, .sender, .recipient, .data] as [MailDialogue.Stage] {
      #expect(
        verdict(stage, true) == .later("the mail server does not answer (curl 56)", affectsWholeServer: true),
        "\(stage)")
    }
    // The final dot was not sent (RFC 5321 §4.1.1.4).
    #expect(verdict(.end, false) == .later("the mail server does not answer (curl 56)", affectsWholeServer: true))
    let killed = { (stage: MailDialogue.Stage) in
      SendVerdict.judge(
        TransferResult(isHung: true, wasSent: true, dialogue: MailDialogue(stage)), kind: .smtp, at: noon)
    }
    #expect(killed(.end) == .unknown("no answer in time"))
    #expect(killed(.recipient) == .later("no answer in time", affectsWholeServer: true))
  }

  @Test func `msmtp's errors give the stage and the reply code`() throws {
    let table: [(String, MailDialogue.Stage, Int)] = [
      (
        "msmtp: envelope from address routes@example.com not accepted by the server\n"
          + "msmtp: server message: 553 5.7.1 not owned by user\nmsmtp: could not send mail", .sender, 553
      ),
      (
        "msmtp: recipient address maria@example.com not accepted by the server\nmsmtp: server message: 550-5.1.1 no\n"
          + "msmtp: server message: 550 5.1.1 such user", .recipient, 550
      ),
      ("msmtp: the server did not accept the mail\nmsmtp: server message: 552 5.3.4 too large", .end, 552),
      ("msmtp: authentication failed (method PLAIN)\nmsmtp: server message: 535 5.7.8 no", .login, 535),
      ("msmtp: the server does not accept mail data\nmsmtp: server message: 451 4.3.0 no", .data, 451),
      ("msmtp: server message: 550 5.1.1 no such user", .recipient, 550),
    ]
    for (text, stage, code) in table {
      let dialogue = try #require(MailDialogue(msmtp: text, exit: 65))
      #expect(dialogue.stage == stage && dialogue.reply?.code == code, "\(text)")
    }
    for text in ["", "server message: ", "server message: 5x2", "server message: 250 ok", "552"] {
      #expect(MailDialogue(msmtp: text, exit: 65) == nil, "\(text)")
    }
    let refused = TransferResult(exit: 65, dialogue: try #require(MailDialogue(msmtp: table[0].0, exit: 65)))
    #expect(Self.whose(.judge(refused, kind: .sendmail, at: noon)) == .channel, "MAIL is about the sender")
  }
}
