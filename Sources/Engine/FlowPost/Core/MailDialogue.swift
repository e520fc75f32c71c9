/// The dialogue with a mail server: the last command and the reply to it, read from curl's trace or from the error output of
/// msmtp.
///
/// A reply code has no meaning without its command: 553 to MAIL concerns the sender, 553 to RCPT the recipient (RFC 5321
/// §4.2.2, §4.3.2).
struct MailDialogue: Hashable, Sendable {
  /// The command that a reply answers, in the order of a session.
  enum Stage: Hashable, Sendable { case greeting, hello, encryption, login, sender, recipient, data, end }

  private(set) var stage = Stage.greeting
  /// The complete reply to the last command; nil while it is awaited.
  private(set) var reply: MailReply?
  /// The lines read so far of a multi-line reply.
  private var partial: MailReply?
  /// True after QUIT; later replies are ignored.
  private var isOver = false
  private var line: [UInt8] = []

  init() {}

  /// - Parameters:
  ///   - stage: the command that was answered.
  ///   - reply: the server's reply; nil if it has not answered.
  init(_ stage: Stage, _ reply: MailReply? = nil) { (self.stage, self.reply) = (stage, reply) }

  /// Longer lines are truncated: RFC 5321 §4.5.3.1.5 allows 512 bytes.
  private static let maxLineLength = 1_000

  /// True if the server may have the whole mail: it accepted DATA and has not replied to the text yet.
  var mayHaveMail: Bool { stage == .end && reply == nil }

  /// Reads further bytes of the trace from `curl --verbose`, where `> ` precedes sent lines and `< ` received ones.
  mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        read(line: String(decoding: line, as: UTF8.self))
        line = []
      } else if line.count < Self.maxLineLength {
        line.append(byte)
      }
    }
  }

  private mutating func read(line: String) {
    guard !isOver else { return }
    if line.hasPrefix("> ") { processSent(line.dropFirst(2)) }
    if line.hasPrefix("< ") { processReply(line.dropFirst(2)) }
  }

  /// Processes a line that curl sent.
  private mutating func processSent(_ command: Substring) {
    let verb = command.prefix { $0.isLetter }.uppercased()
    switch verb {
    case "EHLO", "HELO": stage = .hello
    case "STARTTLS": stage = .encryption
    case "AUTH": stage = .login
    case "MAIL": stage = .sender
    case "RCPT": stage = .recipient
    case "DATA": stage = .data
    case "QUIT":
      isOver = true
      return
    // A further line of a login is not a command.
    default: break
    }
    (reply, partial) = (nil, nil)
  }

  /// Processes a line that the server sent.
  private mutating func processReply(_ line: Substring) {
    guard let next = MailReply(line: line) else { return }
    var whole = partial ?? next
    if partial != nil { whole.append(next) }
    partial = MailReply.hasContinuation(line) ? whole : nil
    guard partial == nil else { return }
    switch (stage, whole.code) {
    case (.data, 354): (stage, reply) = (.end, nil)
    // An intermediate reply of a login in several steps.
    case (.login, 334): break
    default: reply = whole
    }
  }
}

extension MailDialogue {
  /// Reads the error output of msmtp: a sentence that names the refused command, and the server's reply after `server message:
  /// `. Returns nil if the output quotes no error reply.
  ///
  /// - Parameter exit: the exit code, for a program without msmtp's sentences: 69 means that the text was refused, others RCPT.
  ///
  /// Source: msmtp 1.8.23, smtp.c.
  init?(msmtp text: String, exit: Int) {
    var stage: Stage?
    var reply: MailReply?
    for line in text.split(separator: "\n") {
      if let found = Self.sentences.first(where: { line.contains($0.words) }) { stage = found.stage }
      guard let quoted = line.firstRange(of: "server message: "),
        let next = MailReply(line: line[quoted.upperBound...])
      else { continue }
      if reply == nil { reply = next } else { reply?.append(next) }
    }
    guard let reply, (400...599).contains(reply.code) else { return nil }
    self.init(stage ?? (exit == 69 ? .end : .recipient), reply)
  }

  /// Parts of msmtp's sentences, and the command that each one names.
  private static let sentences: [(words: String, stage: Stage)] = [
    ("initial OK message", .greeting), ("not accept EHLO", .hello), ("TLS via the STARTTLS", .encryption),
    ("authentication failed", .login), ("envelope from address", .sender), ("recipient address", .recipient),
    ("does not accept mail data", .data), ("did not accept the mail", .end),
  ]
}
