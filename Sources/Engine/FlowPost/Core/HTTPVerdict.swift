import FlowModel
import FlowSettings

extension SendVerdict {
  /// Judges an HTTP response by its status and the service's own answer (RFC 9110 §15 and each service's documentation).
  static func http(_ result: TransferResult, _ kind: PostSettings.Kind, _ now: Timestamp) -> SendVerdict {
    let answer = ServiceAnswer(result.answer, of: kind)
    let status = answer.ownStatus ?? result.status
    let requestedWait = RetryAfter.read(result.retryAfter, answer: result.answer, kind, now)
    switch status {
    case 200...299: return success(status, answer, result.answer, kind)
    case 300...399: return .broken("the server redirects to another address (\(status)); set its new URL")
    // 42908 is ntfy's own code for a used-up daily limit.
    case 429 where kind == .ntfy && result.answer.contains("42908"):
      return .rateLimited("the server's daily limit is used up (429)", after: requestedWait ?? .minutes(15))
    case 429: return .rateLimited("the server wants fewer (429)", after: requestedWait)
    case 408, 425: return .later("the server was not ready (\(status))", after: requestedWait)
    case 400...499: return refusal(status, answer, result.answer, kind)
    case 503: return .later("the server is not ready (503)", after: requestedWait, affectsWholeServer: true)
    // The server has not processed the request: no storage, unsupported method or version, or an error reported by the service.
    case 501, 505, 507:
      return .later("the server failed (\(status))", after: requestedWait, affectsWholeServer: requestedWait != nil)
    case 500...599 where answer.isOwnError || requestedWait != nil:
      return .later("the server failed (\(status))", after: requestedWait, affectsWholeServer: requestedWait != nil)
    // A server error during processing, or a gateway timeout: the service may have processed the request.
    case 500...599: return .unknown("the server failed (\(status))", of: .message)
    default: return .later("the server's answer is not valid HTTP (\(status))", affectsWholeServer: true)
    }
  }

  /// Judges a response of status 2xx.
  private static func success(
    _ status: Int, _ answer: ServiceAnswer, _ text: String, _ kind: PostSettings.Kind
  ) -> SendVerdict {
    if answer.isWebPage {
      return .broken("a web page, such as a login or a proxy, answered instead of \(kind.rawValue) (\(status))")
    }
    if answer.isAcceptance(status) { return .delivered }
    // Source: Microsoft, connectors, "Rate limiting": the error is in the body of a response with status 200.
    if kind == .teams, text.contains("HTTP error 429") { return .rateLimited("Teams wants fewer (429)", after: nil) }
    return .unknown("the answer does not come from \(kind.rawValue) (\(status))", of: .channel)
  }

  /// Judges a response of status 4xx.
  private static func refusal(
    _ status: Int, _ answer: ServiceAnswer, _ text: String, _ kind: PostSettings.Kind
  ) -> SendVerdict {
    switch status {
    case 401: return .broken("the server refused the credential (401)")
    case 400 where kind == .slack && text.contains("invalid_token"): return .broken("the server refused the URL (400)")
    case 400 where kind == .telegram && text.contains("migrate_to_chat_id"):
      return RetryAfter.chat("migrate_to_chat_id", in: text).map { .moved(to: $0) }
        ?? .noSuchAddress("the group has another number since it grew (400); set the new number")
    case _ where answer.isAboutAddress(status):
      return .noSuchAddress(
        status == 403
          ? "writing to the address is not allowed (403)" : "no such \(kind == .matrix ? "room" : "chat") (\(status))")
    // A proxy's error page says nothing about the message, whatever its status.
    case 400...499 where answer.isWebPage && kind != .webhook:
      return .broken("a web page, such as a login or a proxy, answered instead of \(kind.rawValue) (\(status))")
    case 413: return .refused("it is too large (413)")
    case 400, 414, 415, 422: return .refused("the server refused it (\(status))")
    case 403: return .broken("writing is not allowed there (403)")
    case 404, 405, 410: return .broken("nothing accepts messages at that URL (HTTP \(status))")
    default: return .broken("the server does not accept messages there (HTTP \(status))")
    }
  }
}
