import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowWork

/// Finds the run or notice that a caller names by a prefix of its id, by its short form or by `latest`.
struct RecordFinder: Sendable {
  let store: any Ledger & OutboxAdmin
  let clock: any WallClock

  static let latest = "latest"

  /// The full id of the run; nil if none matches.
  ///
  /// - Throws: `ControlError` if several runs match.
  func run(_ text: String, of team: TeamID? = nil) async throws -> String? {
    if text == Self.latest { return try await store.history(HistoryQuery(team: team, limit: 1)).first?.id }
    guard let name = RecordName(text, years: years) else { return nil }
    for (spans, pattern) in Self.searchPlan(name, name.runPatterns) {
      var found: [String] = []
      for span in spans where found.count < Self.matchLimit {
        let runs = try await store.runs(
          from: span.from, to: span.to, like: pattern, limit: Self.matchLimit - found.count)
        found += runs.map { $0.key.id(of: $0.kind) }
      }
      if found.isEmpty { continue }
      return try uniqueMatch(of: found, text, { ShownIDs(runs: $0) }, .ambiguousRun, "runs")
    }
    return nil
  }

  /// The full id of the notice; nil if none matches.
  ///
  /// - Parameter query: narrows `latest` to a team or sink.
  /// - Throws: `ControlError` if several notices match.
  func notice(_ text: String, query: OutboxQuery = OutboxQuery()) async throws -> String? {
    if text == Self.latest {
      return try await store.outbox(OutboxQuery(team: query.team, sink: query.sink, limit: 1)).first?.notice.id
    }
    guard let name = RecordName(text, years: years) else { return nil }
    for (spans, pattern) in Self.searchPlan(name, name.noticePatterns) {
      var found: [String] = []
      for span in spans where found.count < Self.matchLimit {
        found += try await store.noticeIDs(
          beginning: span.text, like: pattern, limit: Self.matchLimit - found.count)
      }
      if found.isEmpty { continue }
      return try uniqueMatch(of: found, text, { ShownIDs(notices: $0) }, .ambiguousNotice, "notices")
    }
    return nil
  }

  /// Matches to read: the five that a refusal lists, and one more that shows that there are others.
  private static let matchLimit = 6

  /// Time ranges and patterns to search, the most specific first: an exact short form is not treated as a prefix.
  private static func searchPlan(_ name: RecordName, _ patterns: [String?]) -> [([RecordName.Span], String?)] {
    [name.exact, name.spans].filter { !$0.isEmpty }.flatMap { spans in patterns.map { (spans, $0) } }
  }

  /// The only match, or the exact one; throws `ControlError` if several match.
  private func uniqueMatch(
    of found: [String], _ text: String, _ shown: ([String]) -> ShownIDs, _ kind: ControlError.Kind, _ things: String
  ) throws -> String {
    guard found.count > 1 else { return found[0] }
    // An exact match wins over records whose id starts with the text.
    let whole = found.filter { shown([$0])[$0] == text }
    if whole.count == 1 { return whole[0] }
    let ids = shown(found)
    throw ControlError.ambiguous(kind, text, things, found.map { (ids[$0], $0) })
  }

  /// Candidate years for a time without a year: the years that the ledger covers, and the next one.
  private var years: ClosedRange<Int> {
    let now = LocalDateTime(secondsAsIfUTC: clock.now().milliseconds / 1_000).date.year
    return now - 2...now + 1
  }
}
