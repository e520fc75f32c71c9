import PoolModel
import PoolSettings

/// What became of one try.
enum Verdict: Hashable, Sendable {
  case delivered
  /// This message will not be taken, whoever it is for.
  case refused(String)
  /// This address will take nothing; without another try.
  case noSuchAddress(String)
  /// A group of Telegram has another number since it has grown.
  case moved(to: String)
  /// Nothing will be taken here until somebody mends something.
  case broken(String)
  /// - Parameter isEverybodys: the place as a whole is away, not this message alone.
  case later(String, after: Duration? = nil, isEverybodys: Bool = false)
  /// The place wants fewer.
  case tooMany(String, after: Duration?)
  /// It may have arrived, and nobody said so.
  case unknown(String)
}

/// What a transfer came to, in curl's terms or sendmail's.
struct TransferResult: Hashable, Sendable {
  /// Nil where the program was killed or said nothing.
  var exit: Int?
  /// We ended it, since it went on for too long.
  var isHung = false
  /// Of HTTP or SMTP; 0 for none.
  var status = 0
  /// Whether the request, or a part of it, was sent.
  var wasSent = false
  /// All of the body went out; curl sends an empty one where it cannot read it.
  var isWhole = true
  /// As the header has it: seconds or an HTTP date.
  var retryAfter: String?
  /// At most 16 KiB of what the server said.
  var answer = ""
}

extension Verdict {
  /// - Parameter isOnce: never twice; what a server that failed has done with it is not known then.
  static func judge(
    _ result: TransferResult, kind: PostSettings.Kind, at now: Timestamp, isOnce: Bool = false
  ) -> Verdict {
    if kind == .sendmail { return isOnce && result.isHung ? .unknown("sendmail does not end") : sendmail(result) }
    guard let exit = result.exit else { return .unknown("no answer in time") }
    if kind == .smtp { return mail(exit, result) }
    // curl gives 23 where we had read enough of a long answer.
    guard exit == 0 || (exit == 23 && result.status > 0) else { return transport(exit, result) }
    guard result.isWhole || result.status >= 300 else { return .later("the body was not sent", isEverybodys: true) }
    if isOnce, result.status >= 500, result.status != 503 { return .unknown("the server failed (\(result.status))") }
    return http(result, kind, now)
  }

  /// Source: curl(1), "EXIT CODES".
  private static func transport(_ exit: Int, _ result: TransferResult) -> Verdict {
    switch exit {
    case 1, 2, 3, 26: .broken("the settings of the channel cannot be used (curl \(exit))")
    case 35: .broken("no encrypted connection can be made (curl 35)")
    case 60, 77: .broken("the server's certificate is not trusted (curl \(exit))")
    case 67: .broken("the login was refused (curl 67)")
    case 5, 6: .later("the server's name is not known (curl \(exit))", isEverybodys: true)
    case 7: .later("the server cannot be reached (curl 7)", isEverybodys: true)
    case 18, 28, 52, 55, 56, 92:
      result.wasSent
        ? .unknown("the connection ended without a whole answer (curl \(exit))")
        : .later("the server does not answer (curl \(exit))", isEverybodys: true)
    default: .later("the transfer failed (curl \(exit))", isEverybodys: true)
    }
  }

  /// Verdict by the server's code where there is one, by curl's only without.
  private static func mail(_ exit: Int, _ result: TransferResult) -> Verdict {
    let code = result.status
    switch (exit, code) {
    case (0, _): return result.isWhole ? .delivered : .later("the mail was not sent whole", isEverybodys: true)
    case (67, _): return .broken("the mail server refused the login (\(code))")
    case (64, _): return .broken("the mail server offers no encryption")
    // Busy or closing: so it is for everybody.
    case (_, 421): return .later("the mail server is busy (421)", isEverybodys: true)
    case (55, 450...499): return .later("the mail server does not take it yet (\(code))")
    case (55, 530), (55, 535), (55, 538): return .broken("the mail server demands a login (\(code))")
    case (55, 550), (55, 551), (55, 553), (55, 521), (55, 556): return .noSuchAddress("no such mailbox (\(code))")
    case (55, 500...599): return .noSuchAddress("the mail server refused sender or address (\(code))")
    case (8, 400...499): return .later("the mail server does not take it yet (\(code))")
    case (8, 552): return .refused("the mail is too large (552)")
    case (8, 500...599): return .refused("the mail server refused the text (\(code))")
    // The text was under way: 354 is the server's word to begin with it.
    case (_, 354): return .unknown("the connection ended before the mail server said yes (curl \(exit))")
    case (18, _), (28, _), (52, _), (55, _), (56, _), (92, _):
      return .later("the mail server does not answer (curl \(exit))", isEverybodys: true)
    default: return transport(exit, TransferResult(exit: exit))
    }
  }

  /// Source: sysexits(3) and msmtp(1), whose 69 is "later" where the book says "never", and whose 69 after the text may be
  /// either: only the server's own code, which it quotes, tells.
  private static func sendmail(_ result: TransferResult) -> Verdict {
    guard let exit = result.exit else {
      return .broken(
        result.isHung
          ? "sendmail does not end; that of postfix or exim cannot hand over a mail without rights that this service does "
            + "not have: use Type = smtp with Server = smtp://127.0.0.1:25" : "sendmail was killed")
    }
    switch (exit, result.status) {
    case (0, _): return .delivered
    case (65, 550), (65, 551), (65, 553), (65, 556), (67, _):
      return .noSuchAddress("no such mailbox (sendmail \(exit))")
    case (69, 552): return .refused("the mail is too large (552)")
    case (65, _): return .refused("sendmail refused the mail (65)")
    case (69, 500...599): return .refused("the mail server refused the text (\(result.status))")
    // The connection ended, perhaps after the text.
    case (76, _): return .unknown("the connection ended before the mail server said yes (sendmail 76)")
    case (64, _): return .broken("sendmail does not take -i -t -f (64)")
    case (77, _), (78, _): return .broken("sendmail's own settings or login are wrong (\(exit))")
    case (126, _), (127, _): return .broken("sendmail cannot be run (\(exit))")
    default: return .later("sendmail does not take it yet (\(exit))", isEverybodys: exit != 69 || result.status == 0)
    }
  }

  private static func http(_ result: TransferResult, _ kind: PostSettings.Kind, _ now: Timestamp) -> Verdict {
    let status = result.status
    let wish = RetryAfter.read(result.retryAfter, answer: result.answer, kind, now)
    switch status {
    case 200...299: return .delivered
    case 300...399: return .broken("the server wants to be found elsewhere (\(status)); name its new URL")
    // An own code of ntfy's server: nothing more is taken today.
    case 429 where kind == .ntfy && result.answer.contains("42908"):
      return .tooMany("what the server takes in a day is used up (429)", after: wish ?? .minutes(15))
    case 429: return .tooMany("the server wants fewer (429)", after: wish)
    case 408, 425: return .later("the server was not ready (\(status))", after: wish)
    case 503: return .later("the server is not ready (503)", after: wish, isEverybodys: true)
    case 500...599: return .later("the server failed (\(status))", after: wish, isEverybodys: wish != nil)
    case 401: return .broken("the credential is not taken (401)")
    case 400 where kind == .slack && result.answer.contains("invalid_token"):
      return .broken("the URL is not taken (400)")
    case 400 where kind == .telegram && result.answer.contains("migrate_to_chat_id"):
      return RetryAfter.chat("migrate_to_chat_id", in: result.answer).map { .moved(to: $0) }
        ?? .noSuchAddress("the group has another number since it has grown (400); set it anew")
    case 400 where kind == .telegram && result.answer.contains("chat not found"):
      return .noSuchAddress("no such chat (400)")
    // Of a channel that many share one address of a person is refused, not all of them.
    case 403 where !kind.isAddressedByName: return .noSuchAddress("the address may not be written to (403)")
    case 404 where kind == .matrix: return .noSuchAddress("no such room (404)")
    case 403, 404, 405, 410: return .broken("nobody takes it at that URL (\(status))")
    case 413: return .refused("it is too large (413)")
    case 400...499: return .refused("the server refused it (\(status))")
    default: return .later("the server's answer is no answer (\(status))", isEverybodys: true)
    }
  }
}

/// How long a server wants to be left alone.
enum RetryAfter {
  /// From the header, seconds or a date (RFC 9110, §10.2.3), else from where Telegram and Matrix say it in the answer.
  static func read(_ header: String?, answer: String, _ kind: PostSettings.Kind, _ now: Timestamp) -> Duration? {
    if let header, !header.isEmpty {
      if let seconds = Int64(header), seconds >= 0 { return .seconds(min(seconds, 86_400)) }
      if let date = httpDate(header) { return max(.zero, date.since(now)) }
    }
    switch kind {
    case .telegram: return number("retry_after", in: answer).map { .seconds($0) }
    case .matrix: return number("retry_after_ms", in: answer).map { .milliseconds($0) }
    default: return nil
    }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, the form that RFC 9110 §5.6.7 has senders write.
  private static func httpDate(_ text: String) -> Timestamp? {
    let words = text.split { $0 == " " || $0 == "," }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else { return nil }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    guard let day = Int(words[1]) else { return nil }
    return Timestamp(rfc3339: "\(words[3])-\(two(month + 1))-\(two(day))T\(words[4])Z")
  }

  /// A chat's number, as it stands; nil where there is none that could be one.
  static func chat(_ key: String, in answer: String) -> String? {
    guard let found = answer.firstRange(of: "\"\(key)\"") else { return nil }
    let rest = answer[found.upperBound...].drop { $0 == ":" || $0 == " " }
    let digits = rest.drop { $0 == "-" }.prefix { ("0"..."9").contains($0) }
    let chat = (rest.hasPrefix("-") ? "-" : "") + digits
    return digits.isEmpty || ReachChannel.telegram.fault(in: chat) != nil ? nil : chat
  }

  private static func number(_ key: String, in answer: String) -> Int64? {
    guard let found = answer.firstRange(of: "\"\(key)\"") else { return nil }
    let rest = answer[found.upperBound...].drop { $0 == ":" || $0 == " " }
    return Int64(rest.prefix { ("0"..."9").contains($0) }).map { min($0, 86_400_000) }
  }
}
