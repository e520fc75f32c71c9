import FoundationEssentials
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings

/// A mail as its bytes go over the wire: ASCII, CR LF, every part in base64. The same delivery makes the same bytes at every
/// try, so that whoever drops repeats can know one.
///
/// Source: RFC 5322 (headers), RFC 2045 to 2047 (MIME), RFC 3834 (automatic mail).
struct MailMessage: Sendable {
  let event: PostEvent
  let delivery: Delivery
  let from: PostAddress
  let to: PostAddress
  let detail: PostSettings.Detail
  /// The stops' calendar, as the drop had it; empty for none.
  let calendar: [UInt8]

  var messageID: String { "<\(event.id).\(delivery.key.prefix(12))@\(from.domain)>" }

  /// No base64 holds `_` or `=_`.
  private func boundary(_ part: String) -> String { "=_\(part)_\(delivery.key)" }

  func bytes() -> [UInt8] {
    let document = delivery.isPlain ? nil : page()
    var text = headers(title: document?.title ?? event.data.title)
    let letter = Letter(event, detail: detail, isPlain: delivery.isPlain, isRepeat: false)
    let words =
      document?.text(width: 76) ?? ([letter.title, "", letter.body, ""] + letter.lines).joined(separator: "\n")
    let html = document?.mailHTML ?? Self.page(of: letter, event.language).mailHTML
    let plainPart = Self.part("text/plain; charset=utf-8", Array(words.utf8))
    guard !delivery.isPlain else { return Array((text + plainPart).utf8) }
    var alternative = Self.multipart(
      "alternative", boundary("alt"), [plainPart, Self.part("text/html; charset=utf-8", Array(html.utf8))])
    if !calendar.isEmpty, detail != .headline {
      let file = Self.part(
        "text/calendar; charset=utf-8; name=\"route.ics\"", Self.withoutMethod(calendar), attachment: "route.ics")
      alternative = Self.multipart("mixed", boundary("mix"), [alternative, file])
    }
    text += alternative
    return Array(text.utf8)
  }

  /// The whole page, where a reader would not cut it off.
  private func page() -> Document? {
    guard let document = event.document(detail) else { return nil }
    return document.mailHTML.utf8.count * 4 / 3 * 78 / 76 <= Limits.mailPageBytes ? document : nil
  }

  private static func page(of letter: Letter, _ language: Language) -> Document {
    var blocks: [Document.Block] = [.paragraph(.init(letter.body))]
    let shown = letter.lines(within: 30_000) { $0.utf8.count + 40 }
    if !shown.isEmpty { blocks.append(.list(shown.map { .init($0) })) }
    return Document(language: language.rawValue, title: letter.title, blocks: blocks, footer: [])
  }

  // MARK: Headers

  private func headers(title: String) -> String {
    let time = Timestamp(milliseconds: delivery.madeAt)
    let day = time.description.prefix(10).filter { $0 != "-" }
    let team = String(delivery.team.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    // The day's mails belong together; a conversation for ever would be folded away.
    let thread = "<day-\(day).\(team.isEmpty ? "poolflow" : team)@\(from.domain)>"
    let name = delivery.recipient == "*" ? to.name : withoutHidden(event.data.recipient?.name ?? to.name)
    return [
      "Date: \(Self.date(time))", "From: \(Self.address(from.name, from.address, after: 6))",
      "To: \(Self.address(name, to.address, after: 4))",
      "Subject: \(Self.encoded(withoutHidden(title), after: 9))", "Message-ID: \(messageID)",
      "In-Reply-To: \(thread)", "References: \(thread)", "Auto-Submitted: auto-generated",
      "X-Auto-Response-Suppress: All", "List-Id: <\(team.isEmpty ? "operator" : team).poolflow.\(from.domain)>",
      "MIME-Version: 1.0",
    ].map { $0 + "\r\n" }.joined()
  }

  /// `Mon, 02 Mar 2026 14:00:00 +0000` (RFC 5322, §3.3).
  static func date(_ time: Timestamp) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let text = time.description
    let date = text.prefix(10).split(separator: "-")
    let day = Int((time.seconds / 86_400 % 7 + 7) % 7)
    guard date.count == 3, let month = Int(date[1]), (1...12).contains(month) else { return "" }
    return "\(days[day]), \(date[2]) \(months[month - 1]) \(date[0]) \(text.dropFirst(11).prefix(8)) +0000"
  }

  private static func address(_ name: String, _ address: String, after column: Int) -> String {
    name.isEmpty ? address : "\(encoded(name, after: column, isPhrase: true))\r\n <\(address)>"
  }

  /// A header's words as RFC 2047 has them: of ASCII alone as they are, else in encoded words of 75 characters at most, cut
  /// between characters and folded between words.
  ///
  /// - Parameter isPhrase: it stands before an address, where most signs mean something.
  static func encoded(_ text: String, after column: Int, isPhrase: Bool = false) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "=")
        && (!isPhrase || byte == 0x20 || byte == UInt8(ascii: "-") || Character(Unicode.Scalar(byte)).isLetter
          || Character(Unicode.Scalar(byte)).isNumber)
    }
    if isPlain, text.utf8.count + column <= 76, text.first != " ", text.last != " " { return text }
    var words: [String] = []
    var bytes: [UInt8] = []
    var room = (75 - column - 12) / 4 * 3
    func close() { words.append("=?UTF-8?B?\(Data(bytes).base64EncodedString())?=") }
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > room {
        close()
        bytes = []
        room = 45
      }
      bytes += next
    }
    close()
    return words.joined(separator: "\r\n ")
  }

  // MARK: Parts

  private static func multipart(_ kind: String, _ boundary: String, _ parts: [String]) -> String {
    "Content-Type: multipart/\(kind);\r\n boundary=\"\(boundary)\"\r\n\r\n"
      + parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n"
  }

  private static func part(_ type: String, _ bytes: [UInt8], attachment: String? = nil) -> String {
    var text = "Content-Type: \(type)\r\nContent-Transfer-Encoding: base64\r\n"
    if let attachment { text += "Content-Disposition: attachment; filename=\"\(attachment)\"\r\n" }
    text += "\r\n"
    let base64 = Data(bytes).base64EncodedString().utf8
    var start = base64.startIndex
    while start < base64.endIndex {
      let end = base64.index(start, offsetBy: 76, limitedBy: base64.endIndex) ?? base64.endIndex
      text += "\(Substring(base64[start..<end]))\r\n"
      start = end
    }
    return text
  }

  /// A calendar with a method is a meeting to some readers, who then show its first entry alone.
  private static func withoutMethod(_ calendar: [UInt8]) -> [UInt8] {
    Array(
      String(decoding: calendar, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("METHOD:") }.joined(separator: "\r\n").utf8)
  }
}
