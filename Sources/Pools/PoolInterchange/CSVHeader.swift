import FlowModel

/// The first record of a CSV file, and the delimiter of all its records.
package struct CSVHeader {
  package let delimiter: CSVDelimiter
  package let texts: [String]
  /// The number of cells in the header, including the cells beyond `Limits.csvColumns` that `texts` leaves out.
  package let cellCount: Int

  /// A score for how well an import understands a header; used to choose the delimiter.
  package struct Sense {
    let score: Int

    /// Scores a header.
    ///
    /// - Parameters:
    ///   - required: the number of required columns that the header has.
    ///   - missing: the number of required columns that it lacks.
    ///   - others: the number of other columns that the import knows.
    package init(required: Int, missing: Int, others: Int) { score = 200 * required - 80 * missing + 10 * others }
  }

  /// Reads the header. The delimiter is the one named in a first line `sep=;`, as Excel writes it; otherwise the one
  /// with the best `sense` score, on a tie the earlier of comma, semicolon, tab and pipe (R-CSV-5).
  ///
  /// - Returns: the header, and a reader of the records after it.
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

  /// The headings of a file, for error messages that list the headings found.
  ///
  /// - Parameter sense: the score of a header, as for `read`.
  /// - Returns: no headings if the bytes are not text.
  package static func headings(of bytes: [UInt8], sense: ([String]) -> Sense) -> [String] {
    CSVText.decode(bytes).map { read($0.utf8, sense: sense).header.texts } ?? []
  }

  /// Up to `most` headings in quotes, separated by commas, then "and N more".
  package static func list(_ headings: [String], most: Int = 30) -> String {
    let shown = headings.prefix(most).map { "'\(TextRule.shown.truncated(visible($0)))'" }.joined(separator: ", ")
    return headings.count > most ? "\(shown) and \(headings.count - most) more" : shown
  }

  /// The headings of the unused columns as written in the file; a column without a heading is shown as its number,
  /// `#3`.
  package static func unused(_ headings: [String], where isUnused: [Bool]) -> [String] {
    headings.indices.filter { isUnused[$0] }.map { headings[$0].isEmpty ? "#\($0 + 1)" : headings[$0] }
  }

  /// Reads a first line `sep=;`.
  ///
  /// - Returns: the delimiter it names, nil if there is no such line or its delimiter is not supported; and the byte
  ///   offset of the header.
  private static func namedDelimiter(_ text: [UInt8]) -> (CSVDelimiter?, start: Int) {
    // The longest such line is `"sep=;"` with its line end.
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
      // The only possible error is an unterminated quote: then the header has no columns to report.
    }
    // A heading with too many combining marks cannot be compared with known names; treat it as empty.
    let texts = found.texts.map { hasTooManyCombiningMarks($0) ? "" : $0 }
    return (CSVHeader(delimiter: delimiter, texts: texts, cellCount: found.cellCount), records)
  }
}
