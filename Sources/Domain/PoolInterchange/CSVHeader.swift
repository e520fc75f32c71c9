import PoolModel

/// The first record of a file, and what divides the cells of all of them.
package struct CSVHeader {
  package let delimiter: CSVDelimiter
  package let texts: [String]
  /// Those that are too many to be kept, too.
  package let cellCount: Int

  /// What a header's columns mean to an import.
  package struct Sense {
    let score: Int

    /// - Parameters:
    ///   - required: columns that the import cannot do without, and that are there.
    ///   - missing: those that are not.
    ///   - others: all else that it knows.
    package init(required: Int, missing: Int, others: Int) { score = 200 * required - 80 * missing + 10 * others }
  }

  /// Reads the header under the delimiter with which it makes most sense, the earlier of comma, semicolon, tab and pipe on a
  /// tie (R-CSV-5).
  ///
  /// - Returns: the header, and the records after it.
  package static func read(
    _ text: [UInt8], sense: ([String]) -> Sense
  ) -> (header: CSVHeader, records: CSVRecords) {
    var best = read(text, by: .comma)
    var highest = Int.min
    for delimiter in CSVDelimiter.allCases {
      let found = read(text, by: delimiter)
      let score = sense(found.header.texts).score + (found.header.cellCount > 1 ? 1 : 0)
      if score > highest { (best, highest) = (found, score) }
    }
    return best
  }

  private static func read(_ text: [UInt8], by delimiter: CSVDelimiter) -> (header: CSVHeader, records: CSVRecords) {
    var records = CSVRecords(text, delimiter: delimiter)
    var found: (texts: [String], cellCount: Int) = ([], 0)
    do throws(CSVError) {
      found = try records.nextTexts(keeping: Limits.csvColumns) ?? found
    } catch {
      // The only thing it can throw is an open quote: a header that never ends has no columns we could name.
    }
    // What cannot be looked up is no column that anybody knows.
    let texts = found.texts.map { hasEndlessMarks($0) ? "" : $0 }
    return (CSVHeader(delimiter: delimiter, texts: texts, cellCount: found.cellCount), records)
  }
}
