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

  /// Reads the header under the delimiter that the file names in a first line `sep=;`, as Excel writes it, else under that
  /// with which it makes most sense, the earlier of comma, semicolon, tab and pipe on a tie (R-CSV-5).
  ///
  /// - Returns: the header, and the records after it.
  package static func read(
    _ text: [UInt8], sense: ([String]) -> Sense
  ) -> (header: CSVHeader, records: CSVRecords) {
    let (named, start) = namedDelimiter(text)
    if let named { return read(text, by: named, from: start) }
    var best = read(text, by: .comma, from: start)
    var highest = Int.min
    for delimiter in CSVDelimiter.allCases {
      let found = read(text, by: delimiter, from: start)
      let score = sense(found.header.texts).score + (found.header.cellCount > 1 ? 1 : 0)
      if score > highest { (best, highest) = (found, score) }
    }
    return best
  }

  /// The headings of a file, for a refusal that says what was found instead of what is wanted.
  ///
  /// - Parameter sense: as for `read`.
  /// - Returns: none for a file that cannot be read at all.
  package static func headings(of bytes: [UInt8], sense: ([String]) -> Sense) -> [String] {
    CSVText.decode(bytes).map { read($0.utf8, sense: sense).header.texts } ?? []
  }

  /// Some headings in quotes, and how many more there are.
  package static func list(_ headings: [String], most: Int = 30) -> String {
    let shown = headings.prefix(most).map { "'\(TextRule.shown.cut(visible($0)))'" }.joined(separator: ", ")
    return headings.count > most ? "\(shown) and \(headings.count - most) more" : shown
  }

  /// The headings of the columns that are not used, as they are written; a column without one by its number.
  package static func unused(_ headings: [String], where isUnused: [Bool]) -> [String] {
    headings.indices.filter { isUnused[$0] }.map { headings[$0].isEmpty ? "#\($0 + 1)" : headings[$0] }
  }

  /// - Returns: the delimiter of a first line `sep=;`, nil for another one, and where the header begins.
  private static func namedDelimiter(_ text: [UInt8]) -> (CSVDelimiter?, start: Int) {
    // The longest is `"sep=;"` with its line end.
    let line = text.prefix(8).prefix { $0 != 0x0A && $0 != 0x0D }
    let words = String(decoding: line, as: UTF8.self).filter { $0 != "\"" }
    guard line.count < 8, words.lowercased().hasPrefix("sep="), let sign = words.dropFirst(4).first, words.count == 5
    else {
      return (nil, 0)
    }
    var start = line.count
    if start < text.count, text[start] == 0x0D { start += 1 }
    if start < text.count, text[start] == 0x0A { start += 1 }
    return (CSVDelimiter(rawValue: sign), start)
  }

  private static func read(
    _ text: [UInt8], by delimiter: CSVDelimiter, from start: Int
  ) -> (header: CSVHeader, records: CSVRecords) {
    var records = CSVRecords(text, delimiter: delimiter, from: start)
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
