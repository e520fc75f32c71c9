import FlowModel

extension Document {
  /// The page as plain text, no line wider than `width` columns except for links.
  ///
  /// - Parameter showsLinks: true to write the targets of the rows of links.
  package func text(width: Int = 78, showsLinks: Bool = false) -> String {
    var writer = TextWriter(width: width, colon: colon, showsLinks: showsLinks)
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
  /// The colon after a label.
  let colon: String
  let showsLinks: Bool
  private(set) var lines: [String] = []

  init(width: Int, colon: String, showsLinks: Bool) {
    (self.width, self.colon, self.showsLinks) = (width, colon, showsLinks)
  }

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
      case .cards(let cards, _): for card in cards { add(card) }
      case .highlights(let highlights): for highlight in highlights { add(highlight.sentence(colon), first: "! ") }
      case .checklist(let items): for item in items { add(item) }
      case .sheet(let blocks): add(showsLinks ? blocks.foldsLast : blocks)
      case .links(let links) where showsLinks: for link in links { lines.append("\(link.text)\(colon) \(link.target)") }
      case .fold(_, let blocks) where showsLinks && !blocks.hasText:
        gap()
        add(blocks)
      case .fold(let title, let blocks) where blocks.hasText:
        gap()
        add(title)
        rule("·", under: title)
        add(blocks)
      case .drawing, .fold, .links: break
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

  private mutating func add(_ item: Document.CheckItem) {
    add("\(item.name)\(colon) \(item.amount)", first: "[ ] ")
    if !item.facts.isEmpty { add(item.facts, first: "    ") }
    if let note = item.note { add(note.text, first: note.tone == .warning ? "    ! " : "    ") }
  }

  private mutating func add(_ card: Document.Card) {
    let number = String(card.number)
    let first = String(repeating: " ", count: max(0, 3 - number.count)) + number + "  "
    let indent = String(repeating: " ", count: columns(of: first))
    add("\(card.time)  \(card.name)", first: first)
    if !card.address.isEmpty { add(card.address, first: indent) }
    for label in card.labels { add("\(label.label)\(colon) \(label.text)", first: indent + "* ") }
    for alert in card.alerts { add(alert.text, first: alert.tone == .warning ? indent + "! " : indent) }
    if !card.note.isEmpty { add(card.note, first: indent) }
    for task in card.tasks {
      add(task.sentence, first: indent + "[ ] ")
      if let advice = task.advice { add(advice, first: indent + "    ! ") }
    }
    for text in [card.readingsText, card.facts] where !text.isEmpty { add(text, first: indent) }
    for line in card.later?.lines ?? [] { add(line, first: indent + "- ") }
  }
}

extension [Document.Block] {
  /// The blocks in the order of a mail, which cannot fold blocks: those that a page folds are last.
  var foldsLast: [Document.Block] {
    func isFold(_ block: Document.Block) -> Bool { if case .fold = block { true } else { false } }
    return filter { !isFold($0) } + filter(isFold)
  }

  /// Whether text and Markdown show any of the blocks.
  var hasText: Bool {
    contains { block in
      switch block {
      case .drawing, .links: false
      default: true
      }
    }
  }
}

extension Document.Card {
  /// The texts of the actions, such as the gate code and the telephone number, and then the contact data.
  var labels: [Document.Labelled] {
    actions.compactMap { action in
      switch action {
      case .navigate: nil
      case .call(let label, let number, let link): Document.Labelled(label, number, link: link)
      case .show(let label): label
      }
    } + contacts
  }
}

extension Document.Task {
  /// The text with its detail: `26 fl oz Muriatic acid (if pH is still 7.8)`.
  package var sentence: String { detail.isEmpty ? text : "\(text) (\(detail))" }
}

extension Document.Highlight {
  /// The text with the numbers: `Outside their hours: 2, 5`.
  package func sentence(_ colon: String) -> String {
    "\(text)\(colon) " + (numbers.map(String.init) + (more > 0 ? ["+\(more)"] : [])).joined(separator: ", ")
  }
}
