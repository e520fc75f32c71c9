import PoolDigests
import PoolModel
import PoolNotices
import PoolRouting
import PoolSettings
import StableDigests

/// What is said, in plain parts, before a channel gives it its shape. Only these parts are ever cut.
struct Letter: Hashable, Sendable {
  let title: String
  let body: String
  let lines: [String]
  let isUrgent: Bool

  init(_ event: PostEvent, detail: PostSettings.Detail, isPlain: Bool, isRepeat: Bool) {
    title = withoutHidden(event.data.title) + (isRepeat ? Self.again(event.language) : "")
    body = withoutHidden(event.data.body)
    lines = detail == .headline || isPlain ? [] : event.data.lines.map(Self.line)
    isUrgent = event.isUrgent
  }

  init(title: String, body: String, lines: [String], isUrgent: Bool = false) {
    (self.title, self.body, self.lines, self.isUrgent) = (title, body, lines, isUrgent)
  }

  /// What follows the title of a message that may have arrived before.
  static func again(_ language: Language) -> String {
    switch language {
    case .english: " (repeat)"
    case .spanish: " (repetido)"
    case .french: " (répété)"
    case .portuguese: " (repetido)"
    case .german: " (Wiederholung)"
    }
  }

  /// `  1  Elena` becomes `1. Elena`: where blanks are lost, number and name stay apart.
  private static func line(_ text: String) -> String {
    let words = withoutHidden(text).drop { $0 == " " }
    let number = words.prefix { ("0"..."9").contains($0) }
    guard !number.isEmpty, words.dropFirst(number.count).hasPrefix("  ") else { return String(words) }
    return "\(number). \(words.dropFirst(number.count + 2))"
  }

  /// As many of the lines as fit, and then how many do not: `… +5`.
  ///
  /// - Parameters:
  ///   - room: for the lines, what is before them not counted.
  ///   - size: what a line takes once it has its shape, its end included.
  func lines(within room: Int, size: (String) -> Int) -> [String] {
    let rest = size("… +\(lines.count)")
    var shown: [String] = []
    var used = 0
    for line in lines {
      let next = used + size(line)
      let isLast = shown.count == lines.count - 1
      guard next + (isLast ? 0 : rest) <= room else { return shown + ["… +\(lines.count - shown.count)"] }
      shown.append(line)
      used = next
    }
    return shown
  }

  /// One text without any marks, as long as it may be.
  func text(within room: Int, size: (String) -> Int) -> String {
    let head = [title, body].filter { !$0.isEmpty }.map { cut($0, to: room / 3, size) }
    let rest = lines(within: room - head.reduce(0) { $0 + size($1) + size("\n") }) { size($0) + size("\n") }
    return (head + rest).joined(separator: "\n")
  }
}

/// The beginning of a text that is no larger than `room`.
func cut(_ text: String, to room: Int, _ size: (String) -> Int) -> String {
  guard size(text) > room else { return text }
  var (low, high) = (0, text.count)
  while low < high {
    let middle = (low + high + 1) / 2
    if size(text.prefix(middle) + "…") <= room { low = middle } else { high = middle - 1 }
  }
  return text.prefix(low) + "…"
}

extension PostEvent {
  /// The page that its details make; nil where they make none, or no more than a headline may be told.
  func document(_ detail: PostSettings.Detail) -> Document? {
    guard detail != .headline else { return nil }
    switch data.details {
    case .morning(let digest): return digest.document(access: detail == .full ? access : [])
    case .week(let digest): return digest.document()
    case .reminder(let digest): return digest.document()
    case .barn(let digest): return digest.document
    case .barnWeek(let digest): return digest.document
    case nil: return data.page?.document
    }
  }

  /// The maps of that page, one for each of its drawings.
  var maps: [RouteMap] {
    guard case .morning(let digest)? = data.details else { return [] }
    let speech = digest.speaks.speech
    return digest.sections.compactMap { digest.map(of: $0, speech) }
  }

  /// That of its page, which names the day, however little else is told: what is told of one day is one conversation to a
  /// reader of mail, and of another day another.
  var mailTitle: String { document(.stops)?.title ?? withoutHidden(data.title) }

  private var access: [PoolAccess] {
    (data.access ?? [:]).compactMap { name, access in
      PoolID(name).map {
        PoolAccess(
          poolID: $0, customer: access.customer, notes: access.notes, contact: access.contact, phone: access.phone,
          email: access.email, gate: access.gate)
      }
    }
  }
}
