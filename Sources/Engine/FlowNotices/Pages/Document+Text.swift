import FlowModel

extension Document {
  /// The page as plain text, no line wider than `width` columns.
  package func text(width: Int = 78) -> String {
    var writer = TextWriter(width: width)
    writer.add(title)
    writer.rule("=", under: title)
    writer.add(blocks)
    writer.gap()
    for line in footer { writer.add(line) }
    return writer.text
  }
}

/// Collects lines, wrapped to a number of terminal columns.
private struct TextWriter {
  let width: Int
  private(set) var lines: [String] = []

  init(width: Int) { self.width = width }

  /// The text, with right-to-left runs isolated per line, because a run may be wrapped over two lines.
  var text: String { lines.map { isolated($0) + "\n" }.joined() }

  /// Appends an empty line unless the last line is empty.
  mutating func gap() { if lines.last != "" { lines.append("") } }

  mutating func rule(_ sign: String, under title: String) {
    lines.append(String(repeating: sign, count: min(width, max(1, columns(of: removingInvisible(title))))))
  }

  /// Adds one paragraph, wrapped; the first line begins with `first`, further lines with as many spaces.
  mutating func add(_ text: String, first: String = "") {
    let indent = String(repeating: " ", count: columns(of: first))
    var line = first
    var isEmpty = true
    for word in removingInvisible(text).split(whereSeparator: { $0 == " " }) {
      var rest = word
      while !rest.isEmpty {
        let remainingColumns = width - columns(of: line) - (isEmpty ? 0 : 1)
        if columns(of: String(rest)) <= remainingColumns {
          line += (isEmpty ? "" : " ") + rest
          isEmpty = false
          break
        }
        if isEmpty {
          // A word wider than a line is split.
          var part = ""
          while let character = rest.first, part.isEmpty || columns(of: part + String(character)) <= remainingColumns {
            part.append(character)
            rest.removeFirst()
          }
          line += part
        }
        lines.append(line)
        line = indent
        isEmpty = true
      }
    }
    if !isEmpty || line == first { lines.append(line.last == " " ? trimmed(line) : line) }
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  mutating func add(_ blocks: [Document.Block]) {
    for block in blocks {
      switch block {
      case .heading(let title, let level):
        gap()
        add(title)
        rule(level == 2 ? "-" : "·", under: title)
      case .paragraph(let line): add(line.text, first: line.tone == .warning ? "! " : "")
      case .list(let items):
        for item in items { add(item.text, first: item.tone == .warning ? "! " : "- ") }
      case .table(let header, let rows): add(header, rows)
      case .appointments(let appointments, _): for appointment in appointments { add(appointment) }
      case .overview(let blocks), .sheet(let blocks): add(blocks)
      case .drawing: break
      case .chart(let chart): add(chart.header, chart.rows)
      case .image(_, let alt): add("[\(alt)]")
      }
    }
  }

  /// Adds a table with columns as wide as their longest cell, within the width of the page.
  private mutating func add(_ header: [Document.Cell], _ rows: [[Document.Cell]]) {
    let all = (header.isEmpty ? [] : [header]) + rows
    let count = all.map(\.count).max() ?? 0
    var widths = (0..<count).map { column in
      all.map { $0.indices.contains(column) ? columns(of: removingInvisible($0[column].text)) : 0 }.max() ?? 0
    }
    // The first column holds names: it is shortened, or moved to a line of its own, before a figure is cut.
    let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    let isNameApart = others + Self.shortestName > width
    if let first = widths.first {
      widths[0] = isNameApart ? 0 : min(first, max(Self.shortestName, width - others))
    }
    for row in all {
      var cells = row
      if isNameApart, let name = row.first {
        add(name.text)
        cells[0] = Document.Cell("")
      }
      lines.append(line(of: cells, widths))
      for cell in row { if let note = cell.note { add(note.text, first: note.tone == .warning ? "  ! " : "  ") } }
    }
  }

  private static let shortestName = 8

  private func line(of cells: [Document.Cell], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let text = shortened(removingInvisible(cell.text), to: widths[column])
      let blank = String(repeating: " ", count: max(0, widths[column] - columns(of: text)))
      line += (column > 0 ? "  " : "") + (cell.isNumber ? blank + text : text + blank)
    }
    return trimmed(shortened(trimmed(line), to: width))
  }

  private mutating func add(_ appointment: Document.Appointment) {
    let number = String(appointment.number)
    let first = String(repeating: " ", count: max(0, 3 - number.count)) + number + "  "
    let indent = String(repeating: " ", count: columns(of: first))
    add("\(appointment.time)  \(appointment.name)", first: first)
    if !appointment.address.isEmpty { add(appointment.address, first: indent) }
    if !appointment.facts.isEmpty { add(appointment.facts, first: indent) }
    for warning in appointment.warnings { add(warning, first: indent + "! ") }
    for secret in appointment.secrets { add("\(secret.label): \(secret.text)", first: indent + "* ") }
  }
}
