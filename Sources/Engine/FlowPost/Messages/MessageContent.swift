import FlowModel
import FlowNotices
import FlowSettings

/// The plain parts of a message, before a channel formats them. Only these parts are ever truncated.
struct MessageContent: Hashable, Sendable {
  let title: String
  let body: String
  let lines: [String]
  let isUrgent: Bool
  /// The address of the published page; nil for none.
  let link: String?

  /// The few lines of the details' summary, with a link to the published page; without such a page, the lines of the notice follow.
  init(_ event: PostEvent, detail: PostSettings.Detail, isPlain: Bool, isRepeat: Bool) {
    let summary = event.details?.summary
    let hasNames = detail != .headline && !isPlain
    title =
      removingInvisible(summary?.title ?? event.data.title) + (isRepeat ? Self.repeatSuffix(event.language) : "")
    body = removingInvisible(summary?.body ?? event.data.body)
    link = isPlain ? nil : event.link(detail)
    let own = (isPlain ? [] : summary?.lines ?? []) + (hasNames ? summary?.namedLines ?? [] : [])
    let rest = hasNames && (summary == nil || link == nil) ? event.data.lines.map(Self.line) : []
    let shown = own.map(removingInvisible)
    // The lines of the notice begin with some of the summary's.
    lines = shown + rest.filter { !shown.contains($0) }
    isUrgent = event.isUrgent
  }

  init(title: String, body: String, lines: [String], isUrgent: Bool = false, link: String? = nil) {
    (self.title, self.body, self.lines, self.isUrgent, self.link) = (title, body, lines, isUrgent, link)
  }

  /// The suffix of the title of a message that may have arrived before.
  static func repeatSuffix(_ language: Language) -> String {
    switch language {
    case .english: " (repeat)"
    case .spanish: " (repetido)"
    case .french: " (répété)"
    case .portuguese: " (repetido)"
    case .german: " (Wiederholung)"
    }
  }

  /// Turns `  1  Elena` into `1. Elena`, because a channel may collapse spaces.
  private static func line(_ text: String) -> String {
    let words = removingInvisible(text).drop { $0 == " " }
    let number = words.prefix { ("0"..."9").contains($0) }
    guard !number.isEmpty, words.dropFirst(number.count).hasPrefix("  ") else { return String(words) }
    return "\(number). \(words.dropFirst(number.count + 2))"
  }

  /// Returns as many lines as fit, followed by the number of omitted ones, such as `… +5`.
  ///
  /// - Parameters:
  ///   - space: the space for these lines, in units of `size`.
  ///   - size: returns the size of a formatted line, including its line break.
  func lines(within space: Int, size: (String) -> Int) -> [String] {
    let rest = size("… +\(lines.count)")
    var shown: [String] = []
    var used = 0
    for line in lines {
      let next = used + size(line)
      let isLast = shown.count == lines.count - 1
      guard next + (isLast ? 0 : rest) <= space else { return shown + ["… +\(lines.count - shown.count)"] }
      shown.append(line)
      used = next
    }
    return shown
  }

  /// Returns the whole message as one text without markup, as long as `space` permits.
  func text(within space: Int, size: (String) -> Int) -> String {
    let head = [title, body].filter { !$0.isEmpty }.map { truncated($0, to: space / 3, size) }
    let rest = lines(within: space - head.reduce(0) { $0 + size($1) + size("\n") }) { size($0) + size("\n") }
    return (head + rest).joined(separator: "\n")
  }
}

/// Truncates a text to at most `space` units of `size`, with an ellipsis at the end.
func truncated(_ text: String, to space: Int, _ size: (String) -> Int) -> String {
  guard size(text) > space else { return text }
  var (low, high) = (0, text.count)
  while low < high {
    let middle = (low + high + 1) / 2
    if size(text.prefix(middle) + "…") <= space { low = middle } else { high = middle - 1 }
  }
  return text.prefix(low) + "…"
}

extension PostEvent {
  /// The page of the event's details; nil if they have none, or the channel gets only headlines.
  func document(_ detail: PostSettings.Detail) -> Document? {
    guard detail != .headline else { return nil }
    return details?.document(access: detail == .full ? data.access ?? [:] : [:]) ?? data.page?.document
  }

  /// The address of the recipient's published page, if the channel may show everything that the page shows; else nil.
  func link(_ detail: PostSettings.Detail) -> String? {
    guard let published = data.published, detail == .full || detail == .stops && !published.isSensitive,
      published.url.hasPrefix("https://") || published.url.hasPrefix("http://"),
      published.url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return nil }
    return published.url
  }

  /// The subject of a mail. It names the day even if the mail holds only a headline: mail programs group mails of one subject,
  /// and each day is a conversation of its own.
  var mailTitle: String { document(.stops).map { removingInvisible($0.subject) } ?? removingInvisible(data.title) }
}
