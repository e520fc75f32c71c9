internal import FlowModel

/// Rows under headings, fitted to the width of a terminal.
///
/// Names, ids and times are never cut, because the next command needs them: they fold over several lines. Sentences are cut,
/// and columns of the lowest priority are left out; the table lists them.
package struct Table {
  /// A column: its title, and how it may shrink.
  package struct Column {
    package let title: String
    /// True to right-align the column.
    package let isNumber: Bool
    /// The minimum width: sentences are cut to it, keys folded; nil if the column shrinks only as a last resort.
    package let minWidth: Int?
    /// Columns with a higher rank are left out first; rank 0 always stays.
    package let rank: Int
    /// True for a name, an id or a time, which must not be cut.
    package let isKey: Bool

    package init(_ title: String, isNumber: Bool = false, minWidth: Int? = nil, rank: Int = 0, isKey: Bool = false) {
      self.title = title
      self.isNumber = isNumber
      self.minWidth = minWidth
      self.rank = rank
      self.isKey = isKey
    }
  }

  /// A cell whose text is safe to print.
  package struct Cell: ExpressibleByStringLiteral {
    package let text: String
    package let style: Console.Style?

    /// Escapes `text` for printing.
    package init(_ text: String, _ style: Console.Style? = nil) {
      self.text = visible(text)
      self.style = style
    }

    package init(stringLiteral text: String) { self.init(text) }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  package init(_ columns: [Column]) {
    self.columns = columns
  }

  package mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has one cell for each column")
    rows.append(cells)
  }

  private static let gap = "  "
  /// Columns of this rank and above are left out before anything folds.
  private static let firstOmittableRank = 3
  /// The minimum width of a folded column on any terminal.
  private static let minColumnWidth = 4

  /// The lines for a terminal of `width` columns (nil: unlimited), and the titles of the columns left out.
  func fitted(
    to width: Int?, heading: Bool, paint: (String, Console.Style?) -> String
  ) -> (lines: [String], hidden: [String]) {
    let widths = widths(within: width, heading: heading)
    var lines: [String] = []
    if heading, !rows.isEmpty { lines += row(columns.map { Cell($0.title, .bold) }, widths, paint, folds: true) }
    for cells in rows { lines += row(cells, widths, paint) }
    return (lines, columns.indices.filter { widths[$0] == nil && !rows.isEmpty }.map { columns[$0].title })
  }

  /// One line for each row, with tabs between cells; cells contain no tabs because they are escaped.
  var plainLines: [String] { rows.map { $0.map(\.text).joined(separator: "\t") } }

  /// The lines of one row: as many as its most folded cell needs.
  ///
  /// - Parameter folds: true to fold sentences too, as in a heading.
  private func row(
    _ cells: [Cell], _ widths: [Int?], _ paint: (String, Console.Style?) -> String, folds: Bool = false
  ) -> [String] {
    let pieces = cells.enumerated().map { index, cell -> [String] in
      guard let width = widths[index] else { return [] }
      return folds || columns[index].isKey ? folded(cell.text, to: width) : [shortened(cell.text, to: width)]
    }
    return (0..<max(1, pieces.map(\.count).max() ?? 1)).map { number in
      var line = ""
      // Padding is written only before text, so that no line has trailing spaces.
      var pendingSpaces = ""
      for (index, cell) in cells.enumerated() {
        guard let width = widths[index] else { continue }
        let text = number < pieces[index].count ? pieces[index][number] : ""
        let padding = String(repeating: " ", count: max(0, width - FlowModel.columns(of: text)))
        if columns[index].isNumber { pendingSpaces += padding }
        if !text.isEmpty {
          line += pendingSpaces + paint(text, cell.style)
          pendingSpaces = ""
        }
        if !columns[index].isNumber { pendingSpaces += padding }
        pendingSpaces += Self.gap
      }
      return line
    }
  }

  /// The width of each column; nil for a column that is left out.
  private func widths(within width: Int?, heading: Bool) -> [Int?] {
    let whole = columns.indices.map { index in
      let title = heading ? FlowModel.columns(of: columns[index].title) : 0
      return rows.reduce(title) { max($0, FlowModel.columns(of: $1[index].text)) }
    }
    guard let width else { return whole }
    var fitting = ColumnFitter(widths: whole, width: width, gap: Self.gap.count)
    fitting.shrink(columns.map { $0.isKey ? nil : $0.minWidth })
    fitting.omitColumns(columns.map { $0.rank >= Self.firstOmittableRank ? $0.rank : 0 })
    fitting.shrink(columns.map { $0.isKey ? $0.minWidth : nil })
    fitting.omitColumns(columns.map(\.rank))
    fitting.shrink(columns.map { $0.isKey ? Self.minColumnWidth : nil })
    // Numbers never shrink: a cut number is a wrong number.
    fitting.shrink(columns.map { $0.isNumber ? nil : Self.minColumnWidth })
    fitting.widen(to: whole)
    // A folded key may need less than its width; give the rest to the sentences.
    fitting.shrink(
      to: columns.indices.map { index in
        guard columns[index].isKey, let width = fitting.widths[index], width < whole[index] else { return nil }
        let texts = rows.map { $0[index].text } + (heading ? [columns[index].title] : [])
        return texts.flatMap { folded($0, to: width) }.map { FlowModel.columns(of: $0) }.max()
      })
    fitting.widen(to: columns.indices.map { columns[$0].isKey ? 0 : whole[$0] })
    return fitting.widths
  }
}

/// The state of fitting column widths into the available width.
private struct ColumnFitter {
  /// The current widths; nil for a column that is left out.
  private(set) var widths: [Int?]
  private let width: Int
  private let gap: Int

  init(widths: [Int], width: Int, gap: Int) {
    (self.widths, self.width, self.gap) = (widths, width, gap)
  }

  private var total: Int {
    let shown = widths.compactMap(\.self)
    return shown.reduce(0, +) + max(0, shown.count - 1) * gap
  }

  /// Shrinks the widest columns until all fit, each down to its entry in `minWidth`; nil keeps a column as it is.
  mutating func shrink(_ minWidth: [Int?]) {
    while total > width {
      let candidates = widths.indices.filter { index in
        guard let minWidth = minWidth[index], let current = widths[index] else { return false }
        return current > minWidth
      }
      guard let widest = candidates.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }), let current = widths[widest]
      else {
        return
      }
      widths[widest] = max(minWidth[widest] ?? 0, current - max(1, (total - width) / candidates.count))
    }
  }

  /// Shrinks columns to the width they need; nil keeps a column as it is.
  mutating func shrink(to needed: [Int?]) {
    for (index, needed) in needed.enumerated() {
      if let needed, let current = widths[index] { widths[index] = min(current, needed) }
    }
  }

  /// Leaves out columns until the others fit, the highest rank first; rank 0 always stays.
  mutating func omitColumns(_ ranks: [Int]) {
    while total > width {
      let candidates = widths.indices.filter { widths[$0] != nil && ranks[$0] > 0 }
      guard let first = candidates.max(by: { ranks[$0] < ranks[$1] }) else { return }
      widths[first] = nil
    }
  }

  /// Widens shrunk columns with the space that left-out columns have freed.
  mutating func widen(to whole: [Int]) {
    for index in widths.indices {
      guard let current = widths[index] else { continue }
      widths[index] = current + max(0, min(whole[index] - current, width - total))
    }
  }
}

/// `text` in lines of at most `width` columns, without losing a character: broken at a space, else after punctuation, else
/// anywhere.
func folded(_ text: String, to width: Int) -> [String] {
  guard FlowModel.columns(of: text) > width, width > 0 else { return [text] }
  var lines: [String] = []
  var rest = Substring(text)
  while FlowModel.columns(of: String(rest)) > width {
    var end = rest.startIndex
    var used = 0
    var punctuationBreak: Substring.Index?
    var space: Substring.Index?
    while end < rest.endIndex {
      let character = rest[end]
      if character == " " { space = end }
      let more = FlowModel.columns(of: String(character))
      guard used + more <= width else { break }
      used += more
      end = rest.index(after: end)
      if "-/:,.;@_".contains(character), used > width / 2 { punctuationBreak = end }
    }
    // A character wider than the column is printed anyway.
    if end == rest.startIndex { end = rest.index(after: end) }
    let cut = space.flatMap { $0 > rest.startIndex ? $0 : nil } ?? punctuationBreak ?? end
    lines.append(String(rest[..<cut]))
    rest = rest[cut...].drop { $0 == " " }
  }
  if !rest.isEmpty { lines.append(String(rest)) }
  return lines
}
