package import PoolModel

/// How people name a run or a notice: by its id, by the beginning of one, or by its short form.
///
/// A run's id is `20260302T140000Z-morning-summary-17`: its slot, its kind, its job. That of a notice has the store's mark
/// and perhaps a person's after it: `…-17-f3a91c02-t3`. All teams' mornings begin alike, so the first letters tell little
/// apart; the short form keeps what does, the time and the job: `0302T1400-17`, and `0302T1400-17-t3` of a person's own.
/// Its time is as exact as the slot: `0302T140512.123-17` is a run by hand, and several of those may have one second.
///
/// What is complete means itself alone: job 1 is not the beginning of job 17, and the run of 14:00 is meant by
/// `0302T1400-17` whatever ran in that minute besides.
package struct RecordName: Hashable, Sendable {
  /// Where to look: ids that begin with `text`, of slots from `from` to `to`.
  package struct Span: Hashable, Sendable {
    package let text: String
    package let from: Timestamp
    package let to: Timestamp
  }

  package let spans: [Span]
  /// The instants that a whole short form means, where it is one: what is found there is meant, before what lies in `spans`.
  package let exact: [Span]
  /// SQLite's patterns of `-morning-summary-17-`, the first that finds anything decides; nil takes everything of a span.
  package let runPatterns: [String?]
  /// The same of a notice's whole id.
  package let noticePatterns: [String?]

  /// - Parameters:
  ///   - text: as somebody typed it.
  ///   - years: those that a time without a year may be of.
  /// - Returns: nil for what can be no id: a job's name, or a day that does not exist.
  package init?(_ text: String, years: ClosedRange<Int>) {
    let isSafe = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
    }
    guard isSafe, text.utf8.count <= Self.longest, text.first?.isNumber == true else { return nil }
    let time = String(text.prefix { $0 != "-" })
    let rest = text.dropFirst(time.count + 1)
    // Months are 01 to 12; no store has years that begin so.
    let hasYear = Int(time.prefix(2)).map { $0 > 12 } ?? true
    let beginnings = hasYear ? [time] : years.reversed().map { "\($0)\(time)" }
    spans = beginnings.compactMap { beginning in
      Self.instants(of: beginning).map {
        Span(text: beginning + (hasYear && !rest.isEmpty ? "-\(rest)" : ""), from: $0.lowerBound, to: $0.upperBound)
      }
    }
    guard !spans.isEmpty else { return nil }
    let isShort = !hasYear && (time.utf8.count == 9 || time.utf8.count == 11)
    exact =
      isShort && rest.first?.isNumber == true
      ? spans.map { Span(text: $0.from.compact, from: $0.from, to: $0.from) } : []
    if rest.isEmpty {
      (runPatterns, noticePatterns) = ([nil], [nil])
    } else if hasYear {
      let isRun = rest.contains("-") && rest.split(separator: "-").last.flatMap { Int64($0) } != nil
      runPatterns = [isRun ? "-\(rest)-" : "-\(rest)*"]
      noticePatterns =
        RecordShape(notice: text) != nil ? [text] : isRun ? ["\(text)-\(Self.mark)", "\(text)-*"] : [nil]
    } else {
      let parts = rest.split(separator: "-", maxSplits: 1)
      let isJob = parts.first.flatMap { Int64($0) } != nil
      runPatterns = isJob && parts.count == 1 ? ["*-\(rest)-"] : []
      noticePatterns =
        !isJob
        ? ["*Z-\(rest)*"]
        : parts.count == 1
          ? ["*-\(rest)-\(Self.mark)", "*-\(rest)-\(Self.mark)-*"] : ["*-\(parts[0])-\(Self.mark)-\(parts[1])"]
    }
  }

  /// The store's mark: eight hexadecimal digits.
  private static let mark = "????????"
  /// No id is longer: a kind's name has 64 letters at most.
  private static let longest = 200

  /// The first and the last instant whose `compact` begins with `text`; nil where there is none.
  private static func instants(of text: String) -> ClosedRange<Timestamp>? {
    if text.hasSuffix("Z") { return Timestamp(compact: text).map { $0...$0 } }
    let (first, last) = ("00000000T000000.000", "99999999T999999.999")
    guard text.count <= first.count else { return nil }
    guard let from = instant(text + first.dropFirst(text.count)), let to = instant(text + last.dropFirst(text.count)),
      from.compact.hasPrefix(text) || text.count > 15, to.compact.hasPrefix(text) || text.count > 15, from <= to
    else { return nil }
    return from...to
  }

  /// `20260231T…` becomes the last of February: the caller sees by its text whether it is what was asked for.
  private static func instant(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }
    guard bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "."), let year = number(0..<4),
      let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11), let minute = number(11..<13),
      let second = number(13..<15), let millisecond = number(16..<19)
    else { return nil }
    var date = CivilDate(year: year, month: min(max(month, 1), 12), day: min(max(day, 1), 31))
    while !date.exists { date = CivilDate(year: date.year, month: date.month, day: date.day - 1) }
    guard let time = TimeOfDay(hour: min(hour, 23), minute: min(minute, 59), second: min(second, 59)) else {
      return nil
    }
    let seconds = LocalDateTime(date: date, time: time).secondsAsIfUTC
    return Timestamp(milliseconds: seconds * 1_000 + Int64(millisecond))
  }
}

/// An id taken apart.
private struct RecordShape {
  let instant: Timestamp
  /// `17`, `17-t3`; empty for a notice of the server itself.
  let tail: String

  /// `20260302T140000Z-morning-summary-17`.
  init?(run id: String) {
    let parts = id.split(separator: "-")
    guard parts.count > 2, let instant = Timestamp(compact: String(parts[0])), let job = Int64(parts[parts.count - 1])
    else { return nil }
    (self.instant, tail) = (instant, "\(job)")
  }

  /// `20260302T140000Z-morning-summary-17-f3a91c02`, perhaps with a person after it.
  init?(notice id: String) {
    var parts = id.split(separator: "-")[...]
    guard parts.count > 3, let instant = Timestamp(compact: String(parts[0])) else { return nil }
    var person = ""
    if let key = parts.last.flatMap({ PersonKey(String($0)) }) {
      person = "-\(key.text)"
      parts = parts.dropLast()
    }
    guard let mark = parts.popLast(), mark.utf8.count == 8, mark.allSatisfy(\.isHexDigit) else { return nil }
    self.instant = instant
    tail = parts.last.flatMap { Int64($0) }.map { "\($0)\(person)" } ?? ""
  }

  /// `0302T1400-17`, `0302T140512.123-17`: without the year, and without seconds where there are none. Nil for a notice of the
  /// server itself of a whole second, in which a whole morning may have come.
  var short: String? {
    let time = instant.compact.dropFirst(4).dropLast()
    guard !tail.isEmpty else { return time.contains(".") ? String(time) : nil }
    let isWholeMinute = time.count == 11 && time.hasSuffix("00")
    return "\(isWholeMinute ? time.dropLast(2) : time)-\(tail)"
  }
}

/// The ids of one answer as people read them: short, about twelve characters, and whole where that would be two of them.
/// What is shown can be typed, and means the one that it was shown of.
package struct ShownIDs: Sendable {
  private let shown: [String: String]

  package init(runs ids: some Sequence<String>) { self.init(ids) { RecordShape(run: $0)?.short } }

  package init(notices ids: some Sequence<String>) { self.init(ids) { RecordShape(notice: $0)?.short } }

  /// Of pools, items, equipment, visits: eight letters, or as many as tell those of the answer apart.
  package init(records ids: some Sequence<String>) {
    let ids = Set(ids)
    let length = (Limits.idShown..<UUIDText.length).first { length in
      Set(ids.map { $0.prefix(length) }).count == ids.count
    }
    shown = Dictionary(uniqueKeysWithValues: ids.map { ($0, String($0.prefix(length ?? UUIDText.length))) })
  }

  private init(_ ids: some Sequence<String>, short: (String) -> String?) {
    var shown: [String: String] = [:]
    for id in ids where shown[id] == nil { shown[id] = short(id) ?? id }
    let counts = Dictionary(shown.values.map { ($0, 1) }, uniquingKeysWith: +)
    self.shown = Dictionary(uniqueKeysWithValues: shown.map { ($0, counts[$1] == 1 ? $1 : $0) })
  }

  /// An id that is not of the answer stays as it is.
  package subscript(id: String) -> String { shown[id] ?? id }
}
