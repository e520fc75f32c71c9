import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FoundationEssentials

/// A mail in the bytes sent to the server: ASCII, CR LF, every part in base64. All tries of a delivery have the same
/// Message-ID, so that a server can drop repeats, and the same bytes except for the mark of a repeat.
///
/// Source: RFC 5322 (headers), RFC 2045 to 2047 (MIME), RFC 3834 (automatic mail).
struct MailMessage: Sendable {
  let event: PostEvent
  let delivery: Delivery
  let from: PostAddress
  let to: PostAddress
  let detail: PostSettings.Detail
  /// The calendar of the stops, from the drop; empty for none.
  let calendar: [UInt8]
  /// The address for replies; nil for the sender's.
  var replyTo: PostAddress?
  var unsubscribe: PostUnsubscribe?
  /// The time zone of the `Date` header.
  var zone = Zone.utc

  /// The boundary of a part; `=_` cannot occur in base64.
  private func boundary(_ part: String) -> String { "=_\(part)_\(delivery.key)" }

  /// Returns the mail's bytes.
  func bytes() -> [UInt8] {
    let content = MessageContent(event, detail: detail, isPlain: delivery.isPlain, isRepeat: false)
    let title =
      truncated(event.mailTitle, to: 300) { $0.utf8.count }
      + (delivery.isRepeat ? MessageContent.repeatSuffix(event.language) : "")
    let link = event.link(detail).map { Document.Link(event.language.commonPhrases.openPage(), to: $0) }
    let document = delivery.isPlain ? nil : event.document(detail)?.mailed(with: link)
    // The plain text is never truncated.
    let words =
      document?.text(width: 76, showsLinks: true)
      ?? ([title, "", content.body, ""] + content.lines).joined(separator: "\n")
    let plain = Self.part("text/plain; charset=utf-8", Array(words.utf8))
    guard !delivery.isPlain else { return Array((headers(title: title) + plain).utf8) }
    let page = document.flatMap(page)
    let html = page?.html ?? Self.html(title, content, event.language, link)
    var whole = Self.multipart(
      "alternative", boundary("alt"),
      [plain, withPictures(Self.part("text/html; charset=utf-8", Array(html.utf8)), page?.maps ?? [])])
    if !calendar.isEmpty, detail != .headline {
      let file = Self.part(
        "text/calendar; charset=utf-8; name=\"route.ics\"", Self.withoutMethod(calendar),
        "Content-Disposition: attachment; filename=\"route.ics\"")
      whole = Self.multipart("mixed", boundary("mix"), [whole, file])
    }
    return Array((headers(title: title) + whole).utf8)
  }

  // MARK: The page

  /// The complete HTML page with its maps; nil if it exceeds the size at which mail programs truncate it.
  private func page(_ document: Document) -> (html: String, maps: [MapPicture])? {
    let maps = (event.details?.maps ?? []).map(MapPicture.init)
    let html = document.mailHTML(
      pictures: maps.enumerated().map { .init(source: "cid:\(pictureID($0))", width: $1.width) })
    return Self.isWithinSizeLimit(html) ? (html, maps) : nil
  }

  /// Whether the page in base64, with line breaks, is within `Limits.mailPageBytes`.
  private static func isWithinSizeLimit(_ html: String) -> Bool {
    let encoded = (html.utf8.count + 2) / 3 * 4
    return encoded + (encoded + 75) / 76 * 2 <= Limits.mailPageBytes
  }

  /// An HTML page with the headline, a link to the published page if there is one, and as many lines as fit within the size
  /// limit.
  private static func html(
    _ title: String, _ content: MessageContent, _ language: Language, _ link: Document.Link?
  ) -> String {
    let body = truncated(content.body, to: 4_000) { $0.utf8.count }
    func page(_ space: Int) -> String {
      var blocks: [Document.Block] = (link.map { [.links([$0])] } ?? []) + [.paragraph(.init(body))]
      let shown = content.lines(within: space) { $0.utf8.count + 40 }
      if !shown.isEmpty { blocks.append(.list(shown.map { .init($0) })) }
      return Document(language: language.rawValue, title: title, blocks: blocks, footer: []).mailHTML()
    }
    // HTML escapes make the page longer, so its size is known only after it is built.
    for space in [55_000, 30_000, 15_000, 5_000] {
      let html = page(space)
      if isWithinSizeLimit(html) { return html }
    }
    return page(0)
  }

  /// The Content-ID of a picture; `index` starts at 0.
  private func pictureID(_ index: Int) -> String { "map\(index + 1).\(delivery.key.prefix(12))@\(from.domain)" }

  /// The page together with the pictures that it shows (RFC 2387).
  private func withPictures(_ html: String, _ maps: [MapPicture]) -> String {
    guard !maps.isEmpty else { return html }
    let pictures = maps.enumerated().map { index, map in
      Self.part(
        "image/png; name=\"map\(index + 1).png\"", map.png(),
        "Content-ID: <\(pictureID(index))>\r\nContent-Disposition: inline; filename=\"map\(index + 1).png\"")
    }
    return Self.multipart("related; type=\"text/html\"", boundary("rel"), [html] + pictures)
  }

  // MARK: Headers

  /// The Message-ID. It contains the notice's id, to find it in server logs, unless the header line would exceed 78 characters.
  var messageID: String {
    let notice = event.id.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") ? $0 : "-" }
    let id = "<\(String(notice).replacing("..", with: ".-")).\(delivery.key.prefix(12))@\(from.domain)>"
    return id.utf8.count < 78 ? id : "<\(delivery.key)@\(from.domain)>"
  }

  private func headers(title: String) -> String {
    let time = Timestamp(milliseconds: delivery.madeAt)
    let team = String(delivery.team.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    let name = delivery.recipient == "*" ? to.name : removingInvisible(event.data.recipient?.name ?? to.name)
    var lines = [
      "Date: \(Self.date(time, offset: zone.offset(at: time)))",
      "From: \(Self.address(from.name, from.address, after: 6))",
      "To: \(Self.address(name, to.address, after: 4))",
    ]
    if let replyTo { lines.append("Reply-To: \(Self.address(replyTo.name, replyTo.address, after: 10))") }
    lines += [
      "Subject: \(Self.encoded(removingInvisible(title), after: 9))", Self.foldedHeader("Message-ID", messageID),
    ]
    if let date = event.details?.threadDay {
      // All mails about one day belong to one thread: the evening before, in the morning and corrections. The
      // thread starts with a mail that does not exist; a single thread for all days would be collapsed by mail programs.
      let day = date.description.filter { $0 != "-" }
      let thread = "<day-\(day).\(team.isEmpty ? "poolflow" : team)@\(from.domain)>"
      lines += [Self.foldedHeader("In-Reply-To", thread), Self.foldedHeader("References", thread)]
    }
    lines += [
      "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All",
      Self.foldedHeader("List-Id", "<\(team.isEmpty ? "operator" : team).poolflow.\(from.domain)>"),
    ]
    if let unsubscribe { lines += Self.list(unsubscribe, key: unsubscribeKey) }
    return (lines + ["MIME-Version: 1.0"]).map { $0 + "\r\n" }.joined()
  }

  /// The key in an unsubscribe request: team and recipient, such as `desert-blue.t12`, without an address.
  private var unsubscribeKey: String {
    [delivery.team, delivery.recipient == "*" ? "" : delivery.recipient].filter { !$0.isEmpty }.joined(separator: ".")
  }

  /// The headers of RFC 2369 and, with a URL, of RFC 8058. Each stays on one line of any length, because relays that sign these
  /// headers break folded ones.
  private static func list(_ unsubscribe: PostUnsubscribe, key: String) -> [String] {
    var targets: [String] = []
    let key = URLText.escaped(key)
    if let url = unsubscribe.url { targets.append("<\(url)\(key)>") }
    if let address = unsubscribe.address {
      targets.append("<mailto:\(URLText.escaped(address, but: "@"))?subject=stop%20\(key)>")
    }
    return ["List-Unsubscribe: \(targets.joined(separator: ", "))"]
      + (unsubscribe.url == nil ? [] : ["List-Unsubscribe-Post: List-Unsubscribe=One-Click"])
  }

  /// Formats a header, folded before its value if the line would exceed 78 characters.
  private static func foldedHeader(_ header: String, _ value: String) -> String {
    header.utf8.count + 2 + value.utf8.count <= 78 ? "\(header): \(value)" : "\(header):\r\n \(value)"
  }

  /// Formats a date such as `Mon, 02 Mar 2026 07:00:00 -0700` (RFC 5322 §3.3).
  ///
  /// - Parameter offset: the zone's offset from UTC in seconds, positive to the east.
  static func date(_ time: Timestamp, offset: Int = 0) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let local = Timestamp(seconds: time.seconds + Int64(offset))
    let text = local.description
    let date = text.prefix(10).split(separator: "-")
    let day = Int((local.seconds / 86_400 % 7 + 7) % 7)
    guard date.count == 3, let month = Int(date[1]), (1...12).contains(month) else { return "" }
    let minutes = abs(offset) / 60
    let zone = (offset < 0 ? "-" : "+") + padded(minutes / 60, 2) + padded(minutes % 60, 2)
    return "\(days[day]), \(date[2]) \(months[month - 1]) \(date[0]) \(text.dropFirst(11).prefix(8)) \(zone)"
  }

  /// Formats a name and address for a header.
  private static func address(_ name: String, _ address: String, after column: Int) -> String {
    name.isEmpty ? address : "\(encoded(name, after: column, isPhrase: true))\r\n <\(address)>"
  }

  /// Encodes a header's text by RFC 2047: plain ASCII stays unchanged, other text becomes encoded words of at most 75
  /// characters, split between characters and folded between words.
  ///
  /// - Parameter isPhrase: true for a name before an address, where most punctuation has a meaning.
  static func encoded(_ text: String, after column: Int, isPhrase: Bool = false) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "=")
        && (!isPhrase || byte == 0x20 || byte == UInt8(ascii: "-") || Character(Unicode.Scalar(byte)).isLetter
          || Character(Unicode.Scalar(byte)).isNumber)
    }
    if isPlain, text.utf8.count + column <= 76, text.first != " ", text.last != " " { return text }
    var words: [String] = []
    var bytes: [UInt8] = []
    var space = (75 - column - 12) / 4 * 3
    func close() { words.append("=?UTF-8?B?\(Data(bytes).base64EncodedString())?=") }
    // Keep the bytes of one visible character in one encoded word, unless it is too long, because some mail programs put a
    // space between words.
    let pieces = text.flatMap {
      $0.utf8.count <= 36 ? [Array($0.utf8)] : $0.unicodeScalars.map { Array(String($0).utf8) }
    }
    for piece in pieces {
      if bytes.count + piece.count > space {
        close()
        bytes = []
        space = 45
      }
      bytes += piece
    }
    close()
    return words.joined(separator: "\r\n ")
  }

  // MARK: Parts

  /// Joins parts into a multipart body with its header.
  private static func multipart(_ kind: String, _ boundary: String, _ parts: [String]) -> String {
    "Content-Type: multipart/\(kind);\r\n boundary=\"\(boundary)\"\r\n\r\n"
      + parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n"
  }

  /// Formats one part in base64.
  ///
  /// - Parameter header: further header lines, joined by CR LF.
  private static func part(_ type: String, _ bytes: [UInt8], _ header: String? = nil) -> String {
    var text = "Content-Type: \(type)\r\nContent-Transfer-Encoding: base64\r\n"
    if let header { text += "\(header)\r\n" }
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

  /// Removes the METHOD line: some mail programs treat a calendar with a method as a meeting, and then show only its first
  /// entry.
  private static func withoutMethod(_ calendar: [UInt8]) -> [UInt8] {
    Array(
      String(decoding: calendar, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("METHOD:") }.joined(separator: "\r\n").utf8)
  }
}
