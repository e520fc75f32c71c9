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
  /// The channel refuses this message, and would refuse every other one as far as a single answer shows.
  case broken(String)
  /// The channel refuses this message in that way, and has taken others since it first did.
  case singledOut(String)
  /// - Parameter isEverybodys: the place as a whole is away, not this message alone.
  case later(String, after: Duration? = nil, isEverybodys: Bool = false)
  /// The place wants fewer.
  case tooMany(String, after: Duration?)
  /// It may have arrived, and the server has not said so.
  case unknown(String, of: Extent = .server)

  /// How far a failure reaches, as far as one answer shows.
  enum Extent: Hashable, Sendable {
    /// The server works.
    case message
    /// The server does not answer, which passes.
    case server
    /// The channel answers what it should not, until its settings or its server are repaired.
    case channel
  }
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
  /// At most `Limits.postAnswerBytes` of what the server said.
  var answer = ""
  /// Of mail: what the server replied, and to which command.
  var dialogue = MailDialogue()
}

extension Verdict {
  /// - Parameter isOnce: never twice; what a server that failed has done with it is not known then.
  static func judge(
    _ result: TransferResult, kind: PostSettings.Kind, at now: Timestamp, isOnce: Bool = false
  ) -> Verdict {
    if kind == .sendmail { return sendmail(result) }
    guard let exit = result.exit else {
      return kind == .smtp && !result.dialogue.mayHaveMail
        ? .later("no answer in time", isEverybodys: true) : .unknown("no answer in time")
    }
    if kind == .smtp { return mail(exit, result) }
    // curl gives 23 where we had read enough of a long answer.
    guard exit == 0 || (exit == 23 && result.status > 0) else { return transport(exit, result) }
    guard result.isWhole || result.status >= 300 else { return .later("the body was not sent", isEverybodys: true) }
    if isOnce, result.status >= 500, result.status != 503 {
      return .unknown("the server failed (\(result.status))", of: .message)
    }
    return http(result, kind, now)
  }

  /// Source: curl(1), "EXIT CODES".
  static func transport(_ exit: Int, _ result: TransferResult) -> Verdict {
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
}
