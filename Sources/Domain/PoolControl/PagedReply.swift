internal import PoolModel

/// An answer that is mostly one list: to a caller that takes `more` it comes in pages, each of them a whole answer with
/// some of the rows, so that neither side ever writes or reads all of them at once.
package protocol PagedReply: Codable, Sendable {
  associatedtype Row: Sendable
  var rows: [Row] { get set }
}

extension PagedReply {
  /// The answer with `count` of its rows from `start` on; at least one page, if an empty one.
  package func page(from start: Int, count: Int) -> Self {
    var page = self
    page.rows = Array(rows.dropFirst(start).prefix(count))
    return page
  }

  /// Puts the pages together again, in the order of their coming.
  package mutating func append(_ page: Self) { rows += page.rows }
}

extension PagedReply {
  /// The answer's frames: pages to a caller that takes several, else one frame that any client may leave unread.
  ///
  /// - Throws: `ControlError` with the kind `tooLarge`, found out page by page, so that what is refused was not made.
  func frames(more: Bool) throws -> [[UInt8]] {
    let count = rows.count
    guard more || count > Limits.rowsPerPage else {
      let whole = try Envelope.answer(self)
      if whole.count > Limits.controlWholeBytes { throw ControlError.tooLongForOne }
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
      if !more, bytes > Limits.controlWholeBytes { throw ControlError.tooLongForOne }
      if bytes > Limits.controlReplyBytes { throw ControlError.answerTooLong }
      frames.append(frame)
    } while start < count
    return more ? frames : [try Envelope.answer(self)]
  }
}

extension ControlError {
  package static let answerTooLong = ControlError(
    .tooLarge, "the answer passes \(Limits.controlReplyBytes >> 20) MiB; ask for less, or for one team")

  package static let tooLongForOne = ControlError(
    .tooLarge,
    "the answer passes the \(Limits.controlWholeBytes >> 20) MiB that one piece may have; ask with `more`, and it comes in "
      + "pages, or ask for less")
}
