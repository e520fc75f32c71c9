internal import FlowModel

/// An answer that consists mostly of one list. A caller with `more` receives it in pages, each a complete answer with some of
/// the rows, so that neither side has to hold all rows at once.
package protocol PagedReply: Codable, Sendable {
  associatedtype Row: Sendable
  var rows: [Row] { get set }
}

extension PagedReply {
  /// A copy of the answer with at most `count` rows from index `start` on.
  package func page(from start: Int, count: Int) -> Self {
    var page = self
    page.rows = Array(rows.dropFirst(start).prefix(count))
    return page
  }

  /// Appends the rows of the next page.
  package mutating func append(_ page: Self) { rows += page.rows }
}

extension PagedReply {
  /// The encoded answer: several pages for a caller with `more`, otherwise one frame.
  ///
  /// - Throws: `ControlError` of the kind `tooLarge`, as soon as the pages encoded so far exceed the limit.
  func frames(more: Bool) throws -> [[UInt8]] {
    let count = rows.count
    guard more || count > Limits.rowsPerPage else {
      let whole = try Envelope.answer(self)
      if whole.count > Limits.maxUnpagedAnswerBytes { throw ControlError.tooLongForOne }
      return [whole]
    }
    var frames: [[UInt8]] = []
    var bytes = 0
    var start = 0
    repeat {
      let isLast = start + Limits.rowsPerPage >= count
      let frame = try Envelope.answer(page(from: start, count: Limits.rowsPerPage), continues: more && !isLast)
      start += Limits.rowsPerPage
      bytes += frame.count
      if !more, bytes > Limits.maxUnpagedAnswerBytes { throw ControlError.tooLongForOne }
      if bytes > Limits.maxAnswerBytes { throw ControlError.answerTooLong }
      frames.append(frame)
    } while start < count
    return more ? frames : [try Envelope.answer(self)]
  }
}

extension ControlError {
  package static let answerTooLong = ControlError(
    .tooLarge, "the answer is larger than \(Limits.maxAnswerBytes >> 20) MiB; ask for less, or for one team")

  package static let tooLongForOne = ControlError(
    .tooLarge,
    "the answer is larger than the \(Limits.maxUnpagedAnswerBytes >> 20) MiB of one reply; call with `more` to get it in "
      + "pages, or ask for less")
}
