internal import FlowModel

/// Prints names beside values.
package enum DetailList {
  /// - Parameter texts: the names whose values may have several lines, printed below each other. In any other value a line
  ///   break is escaped, so that it cannot forge a line of output.
  package static func show(_ rows: [(String, String)], texts: Set<String> = [], on console: Console) {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    for (title, value) in rows {
      let lines = texts.contains(title) ? lines(of: value) : [visible(value)]
      for (number, line) in lines.enumerated() {
        let name = number == 0 ? title : ""
        let padding = String(repeating: " ", count: width - name.count)
        console.line(line.isEmpty && number > 0 ? "" : "\(console.paint(name, .dim))\(padding)\(line)")
      }
    }
  }

  /// The lines of free text, each escaped for printing; trailing empty lines are dropped.
  package static func lines(of text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { visible(String($0)) }
    while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
