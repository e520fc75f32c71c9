/// A reply of a mail server: its three-digit code, its enhanced code if it has one, and its text, which is never shown because
/// it may quote addresses.
///
/// Source: RFC 5321 §4.2, RFC 2034 and RFC 3463 (enhanced codes).
struct MailReply: Hashable, Sendable {
  /// The last two numbers of an enhanced code such as `5.7.1`; the first one repeats the class of the reply code.
  struct Enhanced: Hashable, Sendable {
    let subject: Int
    let detail: Int
  }

  let code: Int
  private(set) var enhanced: Enhanced?
  /// The lowercase text; no further line is added after `longestText` bytes.
  private(set) var text: String

  private static let longestText = 4_000

  init(_ code: Int, _ enhanced: Enhanced? = nil, text: String = "") {
    (self.code, self.enhanced, self.text) = (code, enhanced, text.lowercased())
  }

  /// Reads `553 5.7.1 text`, `553-5.7.1 text` or `553`; nil for any other line.
  init?(line: Substring) {
    let digits = line.prefix(3)
    guard digits.utf8.count == 3, let code = Int(digits), (200...599).contains(code) else { return nil }
    let rest = line.dropFirst(3)
    guard rest.isEmpty || rest.first == " " || rest.first == "-" || rest.first == "\r" else { return nil }
    let text = rest.dropFirst().lowercased()
    self.init(code, Self.enhanced(in: text, class: code / 100), text: text)
  }

  /// Whether another line of the same reply follows.
  static func hasContinuation(_ line: Substring) -> Bool { line.dropFirst(3).first == "-" }

  /// Appends the next line of the same reply.
  mutating func append(_ next: MailReply) {
    enhanced = enhanced ?? next.enhanced
    if text.utf8.count < Self.longestText { text += "\n" + next.text }
  }

  /// Finds an enhanced code at the beginning or, as qmail writes it, in the form `(#5.7.1)`. A code of another class than the
  /// reply's is ignored.
  private static func enhanced(in text: String, class number: Int) -> Enhanced? {
    let first = text.prefix { $0 != " " && $0 != "\r" }
    let last = text.firstRange(of: "(#").map { text[$0.upperBound...].prefix { $0 != ")" } } ?? ""
    for word in [first, last] {
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { (1...3).contains($0.utf8.count) ? Int($0) : nil }
      guard parts.count == 3, numbers.count == 3, numbers[0] == number else { continue }
      return Enhanced(subject: numbers[1], detail: numbers[2])
    }
    return nil
  }

  /// The codes for messages, such as `553 5.7.1`.
  var displayCode: String { enhanced.map { "\(code) \(code / 100).\($0.subject).\($0.detail)" } ?? "\(code)" }
}

// MARK: - Verdict

extension MailReply {
  /// Returns the verdict for an error reply; nil for a reply that is no error.
  func verdict(to stage: MailDialogue.Stage) -> SendVerdict? {
    switch code {
    // 421 closes the connection, whatever the command was (RFC 5321 §3.8).
    case 421: .later("the mail server is busy (\(displayCode))", affectsWholeServer: true)
    case 400...499: temporary(to: stage)
    case 500...599: permanent(to: stage)
    default: nil
    }
  }

  /// The verdict for a reply 4xx to a command.
  private func temporary(to stage: MailDialogue.Stage) -> SendVerdict {
    switch stage {
    case .greeting, .hello, .encryption, .sender:
      .later("the mail server accepts no mail yet (\(displayCode))", affectsWholeServer: true)
    case .login: .later("the mail server cannot check the login yet (\(displayCode))", affectsWholeServer: true)
    case .recipient where isMailboxFull: .later("the mailbox is full (\(displayCode))")
    case .recipient, .data, .end: .later("the mail server does not accept the mail yet (\(displayCode))")
    }
  }

  /// The verdict for a reply 5xx to a command.
  private func permanent(to stage: MailDialogue.Stage) -> SendVerdict {
    switch stage {
    case .greeting, .hello: return .broken("the mail server does not serve this machine (\(displayCode))")
    case .encryption: return .broken("the mail server offers no encryption (\(displayCode))")
    case .login: return .broken("the mail server refused the login (\(displayCode))")
    case .sender: return isTooLarge || code == 552 ? tooLarge : demandsLogin ?? refusedSender
    case .recipient: return byEnhancedCode ?? refusedRecipient
    case .data:
      return byEnhancedCode ?? demandsLogin ?? .broken("the mail server accepts no message text (\(displayCode))")
    case .end:
      if let verdict = byEnhancedCode ?? demandsLogin { return verdict }
      return code == 552 ? tooLarge : .refused("the mail server refused the text (\(displayCode))")
    }
  }

  /// The verdict by the enhanced code; nil if the code is missing or does not show which side is at fault, such as 5.0.x, 5.3.x
  /// and 5.5.x. Source: RFC 3463 §3.
  private var byEnhancedCode: SendVerdict? {
    guard let enhanced else { return nil }
    if isTooLarge { return tooLarge }
    switch (enhanced.subject, enhanced.detail) {
    // The sender's address or domain is at fault.
    case (1, 7), (1, 8): return refusedSender
    // X.1.0, "other address status", may also concern the sender, if a server delays its decision until RCPT.
    case (1, 0) where text.contains("sender"): return refusedSender
    case (1, _): return noSuchMailbox
    case (2, 2): return .later("the mailbox is full (\(displayCode))")
    case (2, _): return .noSuchAddress("the mailbox accepts no mail (\(displayCode))")
    case (4, _): return .noSuchAddress("the mail system of that address cannot be reached (\(displayCode))")
    case (6, _): return .refused("the mail server refused the text (\(displayCode))")
    case (7, _): return demandsLogin ?? refusedByPolicy
    default: return nil
    }
  }

  /// The verdict for RCPT without a decisive enhanced code. 550, 551 and 553 concern the mailbox unless the text says
  /// otherwise: exim and old servers use them for "relay not permitted" too.
  private var refusedRecipient: SendVerdict {
    if let demandsLogin { return demandsLogin }
    switch code {
    case 552: return .later("the mailbox is full (\(displayCode))")
    case 550, 551, 553, 556:
      let isMailbox = Self.mailboxWords.contains(where: text.contains)
      return !isMailbox && Self.policyWords.contains(where: text.contains) ? refusedByPolicy : noSuchMailbox
    default: return refusedByPolicy
    }
  }

  private static let mailboxWords = [
    "user unknown", "unknown user", "no such user", "no such mailbox", "no such recipient", "unknown recipient",
    "recipient unknown", "does not exist", "mailbox unavailable", "mailbox not found",
  ]
  private static let policyWords = [
    "relay", "rcpthosts", "sender", "authenticat", "block", "blacklist", "denylist", "dnsbl", "listed", "spf", "dmarc",
    "dkim", "reverse dns", "ptr record", "spam", "banned", "policy",
  ]

  private var isMailboxFull: Bool { enhanced == Enhanced(subject: 2, detail: 2) }
  private var isTooLarge: Bool {
    [Enhanced(subject: 2, detail: 3), Enhanced(subject: 3, detail: 4)].contains(enhanced)
  }

  private var tooLarge: SendVerdict { .refused("the mail is too large (\(displayCode))") }
  private var noSuchMailbox: SendVerdict { .noSuchAddress("no such mailbox (\(displayCode))") }
  private var refusedSender: SendVerdict {
    .broken("the mail server refused the sender, which From= names (\(displayCode))")
  }
  private var refusedByPolicy: SendVerdict { .broken("the mail server's rules refuse mail from here (\(displayCode))") }

  /// The verdict for replies that require authentication. Source: RFC 4954 §6.
  private var demandsLogin: SendVerdict? {
    switch code {
    case 530, 534, 535, 538: .broken("the mail server demands a login (\(displayCode))")
    default: nil
    }
  }
}
