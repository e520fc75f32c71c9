import FlowModel

/// Reads a printed table back by its headings.
///
/// Columns are separated by at least two blank columns through all lines.
package enum ScreenTable {
  /// - Parameter lines: the heading and the rows, folded or not.
  /// - Returns: the text of all cells below each heading, joined without spaces.
  package static func cells(_ lines: [String]) -> [String: String] {
    let grids = lines.map { line -> [Character?] in
      line.flatMap { character -> [Character?] in
        let columns = FlowModel.columns(of: String(character))
        return [character] + [Character?](repeating: nil, count: max(0, columns - 1))
      }
    }
    let width = grids.map(\.count).max() ?? 0
    func isBlank(_ column: Int) -> Bool { grids.allSatisfy { column >= $0.count || $0[column] == " " } }
    var cells: [String: String] = [:]
    var start = 0
    while start < width {
      var end = start
      while end < width, !(isBlank(end) && (end + 1 >= width || isBlank(end + 1))) { end += 1 }
      let pieces = grids.map { grid in
        String(grid[min(start, grid.count)..<min(end, grid.count)].compactMap(\.self)).filter { $0 != " " }
      }
      if let title = pieces.first { cells[title] = pieces.dropFirst().joined() }
      start = end
      while start < width, isBlank(start) { start += 1 }
    }
    return cells
  }
}
