import FlowModel
import FlowSettings

/// The outcome of one try. Its texts are reasons without addresses.
///
/// Not a `SinkVerdict`, although both end a try: a sink is a folder or a stream of this machine, which has taken an entry or not,
/// and any failure can be retried. A server of other people also rejects addresses, moves them, limits rates, or leaves open
/// whether a message arrived, and each of these needs another next step. The delays between tries are one type, `RetryPolicy`.
enum SendVerdict: Hashable, Sendable {
  case delivered
  /// The server refuses this message for any recipient.
  case refused(String)
  /// The server accepts no message for this address; it is not retried.
  case noSuchAddress(String)
  /// A Telegram group has a new chat id, because it became a supergroup.
  case moved(to: String)
  /// The channel refuses this message and, as far as one answer shows, every other message.
  case broken(String)
  /// The channel refuses this message, but has accepted others since it first refused this one.
  case singledOut(String)
  /// A temporary failure; the next try is at least `after` later.
  ///
  /// - Parameter affectsWholeServer: true if it concerns the whole server, not only this message.
  case later(String, after: Duration? = nil, affectsWholeServer: Bool = false)
  /// The server limits the rate of requests.
  case rateLimited(String, after: Duration?)
  /// The message may have arrived, but the server has not confirmed it.
  case unknown(String, of: Extent = .server)

  /// The extent of a failure, as far as one answer shows.
  enum Extent: Hashable, Sendable {
    /// Only this message; the server works.
    case message
    /// The server does not answer at present.
    case server
    /// The channel gives wrong answers until its settings or its server are repaired.
    case channel
  }
}

/// The result of a transfer by curl or sendmail.
struct TransferResult: Hashable, Sendable {
  /// The exit code; nil if the program was killed or reported nothing.
  var exit: Int?
  /// True if poolflow-post ended the program after the timeout.
  var isHung = false
  /// The status code of HTTP or SMTP; 0 for none.
  var status = 0
  /// True if at least a part of the request was sent.
  var wasSent = false
  /// True if the whole body was sent; curl sends an empty body if it cannot read it.
  var isWhole = true
  /// The Retry-After header: seconds or an HTTP date.
  var retryAfter: String?
  /// The beginning of the server's answer, at most `Limits.postAnswerBytes`.
  var answer = ""
  /// For mail: the last command and the server's reply to it.
  var dialogue = MailDialogue()
}

extension SendVerdict {
  /// Judges the result of a transfer.
  ///
  /// - Parameter isOnce: true if the message must not be sent twice; after a server error its outcome is then unknown.
  static func judge(
    _ result: TransferResult, kind: PostSettings.Kind, at now: Timestamp, isOnce: Bool = false
  ) -> SendVerdict {
    if kind == .sendmail { return sendmail(result) }
    guard let exit = result.exit else {
      return kind == .smtp && !result.dialogue.mayHaveMail
        ? .later("no answer in time", affectsWholeServer: true) : .unknown("no answer in time")
    }
    if kind == .smtp { return mail(exit, result) }
    // curl returns 23 if poolflow-post closed the pipe after enough of a long answer.
    guard exit == 0 || (exit == 23 && result.status > 0) else { return transport(exit, result) }
    guard result.isWhole || result.status >= 300 else {
      return .later("the body was not sent", affectsWholeServer: true)
    }
    if isOnce, result.status >= 500, result.status != 503 {
      return .unknown("the server failed (\(result.status))", of: .message)
    }
    return http(result, kind, now)
  }

  /// Judges a failed transfer by curl's exit code. Source: curl(1), "EXIT CODES".
  static func transport(_ exit: Int, _ result: TransferResult) -> SendVerdict {
    switch exit {
    case 1, 2, 3, 26: .broken("the settings of the channel cannot be used (curl \(exit))")
    case 35: .broken("no encrypted connection can be made (curl 35)")
    case 60, 77: .broken("the server's certificate is not trusted (curl \(exit))")
    case 67: .broken("the login was refused (curl 67)")
    case 5, 6: .later("the server's name is not known (curl \(exit))", affectsWholeServer: true)
    case 7: .later("the server cannot be reached (curl 7)", affectsWholeServer: true)
    case 18, 28, 52, 55, 56, 92:
      result.wasSent
        ? .unknown("the connection ended without a whole answer (curl \(exit))")
        : .later("the server does not answer (curl \(exit))", affectsWholeServer: true)
    default: .later("the transfer failed (curl \(exit))", affectsWholeServer: true)
    }
  }
}
