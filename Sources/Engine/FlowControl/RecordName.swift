package import FlowModel

extension Limits {
  /// Characters of an id that are displayed; among 10,000 records, one team in a hundred has two with the same prefix.
  static let shownIDLength = 8
}

/// A run or notice as users name it: by its id, a prefix of the id, or its short form.
///
/// A run's id is `20260302T140000Z-morning-summary-17`: slot, job kind, job number. A notice's id adds the store's mark and,
/// for a personal notice, a person: `…-17-f3a91c02-t3`. All teams' morning ids start alike, so prefixes distinguish little; the
/// short form keeps time and job: `0302T1400-17`, or `0302T1400-17-t3` for a personal notice. Its time is as precise as the
/// slot: `0302T140512.123-17` is a manual run, and several of those can fall into one second.
///
/// A complete name matches only itself: job 1 is not a prefix of job 17, and `0302T1400-17` is the run of exactly 14:00, even
/// if other runs of the job started in that minute.
package struct RecordName: Hashable, Sendable {
  /// Search range: ids that start with `text`, with slots from `from` to `to`.
  package struct Span: Hashable, Sendable {
    package let text: String
    package let from: Timestamp
    package let to: Timestamp
  }

  package let spans: [Span]
  /// Exact instants meant by a complete short form, otherwise empty; matches here win over matches in `spans`.
  package let exact: [Span]
  /// SQL GLOB patterns for `-morning-summary-17-`, tried in order until one matches; nil matches everything in a span.
  package let runPatterns: [String?]
  /// GLOB patterns for complete notice ids, used like `runPatterns`.
  package let noticePatterns: [String?]

  /// - Parameters:
  ///   - text: the text as typed.
  ///   - years: candidate years for a time without a year.
  /// - Returns: nil if the text cannot be an id, for example a job name or a nonexistent day.
  package init?(_ text: String, years: ClosedRange<Int>) {
    let isSafe = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
    }
    guard isSafe, text.utf8.count <= Self.longest, text.first?.isNumber == true else { return nil }
    let time = String(text.prefix { $0 != "-" })
    let rest = text.dropFirst(time.count + 1)
    // Without a year the text starts with a month, 01 to 12; no stored year starts with these digits.
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
        ParsedRecordName(notice: text) != nil ? [text] : isRun ? ["\(text)-\(Self.mark)", "\(text)-*"] : [nil]
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

  /// GLOB pattern for the store's mark, eight hexadecimal digits.
  private static let mark = "????????"
  /// Upper limit for the length of an id; a kind's name has at most 64 characters.
  private static let longest = 200

  /// The first and last instant whose `compact` form starts with `text`; nil if there is none.
  private static func instants(of text: String) -> ClosedRange<Timestamp>? {
    if text.hasSuffix("Z") { return Timestamp(compact: text).map { $0...$0 } }
    let (first, last) = ("00000000T000000.000", "99999999T999999.999")
    guard text.count <= first.count else { return nil }
    guard let from = instant(text + first.dropFirst(text.count)), let to = instant(text + last.dropFirst(text.count)),
      from.compact.hasPrefix(text) || text.count > 15, to.compact.hasPrefix(text) || text.count > 15, from <= to
    else { return nil }
    return from...to
  }

  /// Parses a complete compact time; out-of-range parts are clamped (`20260231T…` becomes the last of February), and the caller
  /// compares the result with the text.
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

/// A parsed id.
private struct ParsedRecordName {
  let instant: Timestamp
  /// Job and person, such as `17` or `17-t3`; empty for a notice of the server.
  let tail: String

  /// Parses a run's id, such as `20260302T140000Z-morning-summary-17`.
  init?(run id: String) {
    let parts = id.split(separator: "-")
    guard parts.count > 2, let instant = Timestamp(compact: String(parts[0])), let job = Int64(parts[parts.count - 1])
    else { return nil }
    (self.instant, tail) = (instant, "\(job)")
  }

  /// Parses a notice's id, such as `20260302T140000Z-morning-summary-17-f3a91c02`, with an optional person at the end.
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

  /// Short form without the year, and without seconds if they are 0: `0302T1400-17`, `0302T140512.123-17`. Nil for a server
  /// notice at a whole second, which other notices can share.
  var short: String? {
    let time = instant.compact.dropFirst(4).dropLast()
    guard !tail.isEmpty else { return time.contains(".") ? String(time) : nil }
    let isWholeMinute = time.count == 11 && time.hasSuffix("00")
    return "\(isWholeMinute ? time.dropLast(2) : time)-\(tail)"
  }
}

/// The ids of one answer in the form shown to users: short (about twelve characters), or complete if two short forms would be
/// equal. Every shown id can be typed back and means the same record.
package struct ShownIDs: Sendable {
  private let shown: [String: String]

  package init(runs ids: some Sequence<String>) { self.init(ids) { ParsedRecordName(run: $0)?.short } }

  package init(notices ids: some Sequence<String>) { self.init(ids) { ParsedRecordName(notice: $0)?.short } }

  /// Ids of pools, items, equipment and visits: the shortest prefix, from eight characters, that distinguishes them within this
  /// answer.
  package init(records ids: some Sequence<String>) {
    let ids = Set(ids)
    let length = (Limits.shownIDLength..<UUIDText.length).first { length in
      Set(ids.map { $0.prefix(length) }).count == ids.count
    }
    shown = Dictionary(uniqueKeysWithValues: ids.map { ($0, String($0.prefix(length ?? UUIDText.length))) })
  }

  /// Uses the short form for every id whose short form is unique in the answer.
  private init(_ ids: some Sequence<String>, short: (String) -> String?) {
    var shown: [String: String] = [:]
    for id in ids where shown[id] == nil { shown[id] = short(id) ?? id }
    let counts = Dictionary(shown.values.map { ($0, 1) }, uniquingKeysWith: +)
    self.shown = Dictionary(uniqueKeysWithValues: shown.map { ($0, counts[$1] == 1 ? $1 : $0) })
  }

  /// The shown form of `id`; `id` itself if it does not belong to the answer.
  package subscript(id: String) -> String { shown[id] ?? id }
}

extension ImportReportView {
  /// Singular and plural noun for the records that the import creates or updates; nil unless the report's counts have the nouns.
  package var recordNoun: (one: String, many: String)? { before.others?.first.map { ($0.one, $0.many) } }
}
