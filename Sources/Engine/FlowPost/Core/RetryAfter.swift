import FlowModel
import FlowSettings

/// The time for which a server asks to send nothing.
enum RetryAfter {
  /// Returns the wait from the Retry-After header, in seconds or as a date (RFC 9110 §10.2.3), or from the answer of Telegram
  /// or Matrix; nil if there is none.
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

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the format that RFC 9110 §5.6.7 requires of senders.
  private static func httpDate(_ text: String) -> Timestamp? {
    let words = text.split { $0 == " " || $0 == "," }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else { return nil }
    func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    guard let day = Int(words[1]) else { return nil }
    return Timestamp(rfc3339: "\(words[3])-\(twoDigits(month + 1))-\(twoDigits(day))T\(words[4])Z")
  }

  /// Returns the chat id after `key` in an answer, as text; nil if there is no valid one.
  static func chat(_ key: String, in answer: String) -> String? {
    guard let found = answer.firstRange(of: "\"\(key)\"") else { return nil }
    let rest = answer[found.upperBound...].drop { $0 == ":" || $0 == " " }
    let digits = rest.drop { $0 == "-" }.prefix { ("0"..."9").contains($0) }
    let chat = (rest.hasPrefix("-") ? "-" : "") + digits
    return digits.isEmpty || ReachChannel.telegram.fault(in: chat) != nil ? nil : chat
  }

  /// Returns the number after `key` in an answer, at most 86,400,000; nil if there is none.
  private static func number(_ key: String, in answer: String) -> Int64? {
    guard let found = answer.firstRange(of: "\"\(key)\"") else { return nil }
    let rest = answer[found.upperBound...].drop { $0 == ":" || $0 == " " }
    return Int64(rest.prefix { ("0"..."9").contains($0) }).map { min($0, 86_400_000) }
  }
}
