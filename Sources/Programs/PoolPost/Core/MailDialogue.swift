/// What a mail server answered, and to which command: read line by line from curl's trace, or from msmtp's complaints.
///
/// A reply's three digits mean nothing without the command: 553 to MAIL is about the sender, 553 to RCPT about the recipient
/// (RFC 5321 §4.2.2, §4.3.2).
struct MailDialogue: Hashable, Sendable {
  /// The command that a reply answers, in the order of a session.
  enum Stage: Hashable, Sendable { case greeting, hello, encryption, login, sender, recipient, data, end }

  private(set) var stage = Stage.greeting
  /// The whole reply to the last command; nil while it is awaited.
  private(set) var reply: MailReply?
  /// Lines of a reply that goes on.
  private var partial: MailReply?
  /// QUIT was said: later replies are about that.
  private var isOver = false
  private var line: [UInt8] = []

  init() {}

  /// - Parameters:
  ///   - stage: what was answered.
  ///   - reply: nil where the server has not answered.
  init(_ stage: Stage, _ reply: MailReply? = nil) { (self.stage, self.reply) = (stage, reply) }

  /// A line longer than this is cut: RFC 5321 §4.5.3.1.5 allows 512 bytes.
  private static let longestLine = 1_000

  /// The server may have the whole mail: it asked for the text, and has not answered since.
  var mayHaveMail: Bool { stage == .end && reply == nil }

  /// Reads more of the trace that `curl --verbose` writes: `> ` before what was sent, `< ` before what was answered.
  mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        read(line: String(decoding: line, as: UTF8.self))
        line = []
      } else if line.count < Self.longestLine {
        line.append(byte)
      }
    }
  }

  private mutating func read(line: String) {
    guard !isOver else { return }
    if line.hasPrefix("> ") { sent(line.dropFirst(2)) }
    if line.hasPrefix("< ") { answered(line.dropFirst(2)) }
  }

  private mutating func sent(_ command: Substring) {
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
    // The next step of a login is no command.
    default: break
    }
    (reply, partial) = (nil, nil)
  }

  private mutating func answered(_ line: Substring) {
    guard let next = MailReply(line: line) else { return }
    var whole = partial ?? next
    if partial != nil { whole.append(next) }
    partial = MailReply.goesOn(line) ? whole : nil
    guard partial == nil else { return }
    switch (stage, whole.code) {
    case (.data, 354): (stage, reply) = (.end, nil)
    // A login in several steps.
    case (.login, 334): break
    default: reply = whole
    }
  }
}

extension MailDialogue {
  /// What msmtp writes to stderr: a sentence that says what was refused, and the server's reply after `server message: `.
  /// nil where it quotes no reply.
  ///
  /// - Parameter exit: of a program that quotes like msmtp without its sentence: 69 follows the text, others RCPT.
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

  private static let sentences: [(words: String, stage: Stage)] = [
    ("initial OK message", .greeting), ("not accept EHLO", .hello), ("TLS via the STARTTLS", .encryption),
    ("authentication failed", .login), ("envelope from address", .sender), ("recipient address", .recipient),
    ("does not accept mail data", .data), ("did not accept the mail", .end),
  ]
}
