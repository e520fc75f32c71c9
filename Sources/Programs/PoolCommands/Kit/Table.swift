internal import PoolModel

/// Rows under headings, cut to the width of a terminal: long texts first, then whole columns that matter least.
struct Table {
  struct Column {
    let title: String
    /// Numbers stand to the right.
    let isNumber: Bool
    /// Texts may be cut to this many columns; nil for what is never cut.
    let least: Int?
    /// Columns with a higher number are left out first; 0 stays always.
    let rank: Int
    /// Times and the like are cut only when nothing else helps.
    let cutsLast: Bool

    init(_ title: String, isNumber: Bool = false, least: Int? = nil, rank: Int = 0, cutsLast: Bool = false) {
      self.title = title
      self.isNumber = isNumber
      self.least = least
      self.rank = rank
      self.cutsLast = cutsLast
    }
  }

  struct Cell: ExpressibleByStringLiteral {
    let text: String
    let style: Console.Style?

    /// Makes `text` safe to print.
    init(_ text: String, _ style: Console.Style? = nil) {
      self.text = visible(text)
      self.style = style
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has one cell for each column")
    rows.append(cells)
  }

  private static let gap = "  "

  func lines(width: Int?, heading: Bool, paint: (String, Console.Style?) -> String) -> [String] {
    let widths = fitted(to: width, heading: heading)
    var lines: [String] = []
    if heading, !rows.isEmpty {
      lines.append(line(columns.map { Cell($0.title, .bold) }, widths, paint))
    }
    for row in rows { lines.append(line(row, widths, paint)) }
    return lines
  }

  /// One row a line with a tab between its cells; no cell holds a tab, because each was made visible.
  var plainLines: [String] { rows.map { $0.map(\.text).joined(separator: "\t") } }

  private func line(_ cells: [Cell], _ widths: [Int?], _ paint: (String, Console.Style?) -> String) -> String {
    var line = ""
    // Spaces are written only before a text, so that no line ends in them.
    var owed = ""
    for (index, cell) in cells.enumerated() {
      guard let width = widths[index] else { continue }
      let text = shortened(cell.text, to: width)
      let padding = String(repeating: " ", count: max(0, width - PoolModel.columns(of: text)))
      if columns[index].isNumber { owed += padding }
      if !text.isEmpty {
        line += owed + paint(text, cell.style)
        owed = ""
      }
      if !columns[index].isNumber { owed += padding }
      owed += Self.gap
    }
    return line
  }

  /// The width of each column; nil for one that is left out.
  private func fitted(to width: Int?, heading: Bool) -> [Int?] {
    var widths: [Int?] = columns.indices.map { index in
      let title = heading ? PoolModel.columns(of: columns[index].title) : 0
      return rows.reduce(title) { max($0, PoolModel.columns(of: $1[index].text)) }
    }
    guard let width else { return widths }
    let whole = widths
    func total() -> Int {
      let shown = widths.compactMap { $0 }
      return shown.reduce(0, +) + max(0, shown.count - 1) * Self.gap.count
    }
    func cut(_ isCuttable: (Column) -> Bool) {
      while total() > width {
        let cuttable = columns.indices.filter { index in
          guard let least = columns[index].least, let width = widths[index] else { return false }
          return isCuttable(columns[index]) && width > least
        }
        guard let widest = cuttable.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }), let current = widths[widest]
        else { return }
        let excess = total() - width
        widths[widest] = max(columns[widest].least ?? 0, current - max(1, excess / cuttable.count))
      }
    }
    cut { !$0.cutsLast }
    while total() > width {
      let removable = columns.indices.filter { widths[$0] != nil && columns[$0].rank > 0 }
      guard let least = removable.max(by: { columns[$0].rank < columns[$1].rank }) else { break }
      widths[least] = nil
    }
    cut { $0.cutsLast }
    // A column left out may have made room for what was cut before.
    for index in columns.indices {
      guard let current = widths[index], let wanted = whole[index] else { continue }
      widths[index] = current + max(0, min(wanted - current, width - total()))
    }
    return widths
  }
}
