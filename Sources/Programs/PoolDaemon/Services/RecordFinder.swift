import PoolCalendar
import PoolControl
import PoolModel
import PoolNotices
import PoolPlatform
import PoolWork

/// Finds the one run or notice that a caller means by a beginning of its id, by its short form or by `latest`.
struct RecordFinder: Sendable {
  let store: any Ledger & OutboxAdmin
  let clock: any WallClock

  static let latest = "latest"

  /// The whole id of the one run; nil where no run is called so.
  ///
  /// - Throws: `ControlError` where it could be several.
  func run(_ text: String, of team: TeamID? = nil) async throws -> String? {
    if text == Self.latest { return try await store.history(HistoryQuery(team: team, limit: 1)).first?.id }
    guard let name = RecordName(text, years: years) else { return nil }
    for (spans, pattern) in Self.places(name, name.runPatterns) {
      var found: [String] = []
      for span in spans where found.count < Self.enough {
        let runs = try await store.runs(
          from: span.from, to: span.to, like: pattern, limit: Self.enough - found.count)
        found += runs.map { $0.key.id(of: $0.kind) }
      }
      if found.isEmpty { continue }
      return try one(of: found, text, { ShownIDs(runs: $0) }, .ambiguousRun, "runs")
    }
    return nil
  }

  /// The same of a notice.
  ///
  /// - Parameter query: narrows which of them is the latest.
  func notice(_ text: String, query: OutboxQuery = OutboxQuery()) async throws -> String? {
    if text == Self.latest {
      return try await store.outbox(OutboxQuery(team: query.team, sink: query.sink, limit: 1)).first?.notice.id
    }
    guard let name = RecordName(text, years: years) else { return nil }
    for (spans, pattern) in Self.places(name, name.noticePatterns) {
      var found: [String] = []
      for span in spans where found.count < Self.enough {
        found += try await store.noticeIDs(
          beginning: span.text, like: pattern, limit: Self.enough - found.count)
      }
      if found.isEmpty { continue }
      return try one(of: found, text, { ShownIDs(notices: $0) }, .ambiguousNotice, "notices")
    }
    return nil
  }

  /// What is told of several, and one more that says that there are others.
  private static let enough = 6

  /// Where to look, and for what, the likeliest first: a whole short form is no beginning.
  private static func places(_ name: RecordName, _ patterns: [String?]) -> [([RecordName.Span], String?)] {
    [name.exact, name.spans].filter { !$0.isEmpty }.flatMap { spans in patterns.map { (spans, $0) } }
  }

  private func one(
    of found: [String], _ text: String, _ shown: ([String]) -> ShownIDs, _ kind: ControlError.Kind, _ things: String
  ) throws -> String {
    guard found.count > 1 else { return found[0] }
    // One that is called so, and others that begin so.
    let whole = found.filter { shown([$0])[$0] == text }
    if whole.count == 1 { return whole[0] }
    let ids = shown(found)
    throw ControlError.ambiguous(kind, text, things, found.map { (ids[$0], $0) })
  }

  /// A time without a year is of those that the ledger remembers, or of one that begins these days.
  private var years: ClosedRange<Int> {
    let now = LocalDateTime(secondsAsIfUTC: clock.now().milliseconds / 1_000).date.year
    return now - 2...now + 1
  }
}
