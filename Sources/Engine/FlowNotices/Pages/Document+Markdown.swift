import FlowModel

extension Document {
  /// The page as Markdown (CommonMark 0.31 with GitHub tables); all text is escaped, so names cannot add markup.
  package var markdown: String {
    var lines = ["# " + Self.escaped(title), ""]
    Self.add(blocks, colon, to: &lines)
    if lines.last != "" { lines.append("") }
    for line in footer { lines.append("*\(Self.escaped(line))*  ") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// `text` on one line with every Markdown character escaped.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in isolated(removingInvisible(text)) {
      if "\\`*_{}[]<>()#+-.!|~&".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  private static func marked(_ line: Line) -> String {
    switch line.tone {
    case .plain: escaped(line.text)
    case .muted: "*\(escaped(line.text))*"
    case .warning: "**⚠ \(escaped(line.text))**"
    }
  }

  private static func add(_ blocks: [Block], _ colon: String, to lines: inout [String]) {
    for block in blocks {
      switch block {
      case .heading(let title, let level): lines += [String(repeating: "#", count: level) + " " + escaped(title), ""]
      case .paragraph(let line): lines += [marked(line), ""]
      case .list(let items): lines += items.map { "- " + marked($0) } + [""]
      case .table(let header, let rows): lines += table(header, rows) + [""]
      case .cards(let cards, _): lines += cards.flatMap { Self.lines(of: $0, colon) } + [""]
      case .highlights(let highlights):
        lines += highlights.map { "- " + marked(Line($0.sentence(colon), .warning)) } + [""]
      case .checklist(let items): lines += items.flatMap(Self.lines) + [""]
      case .links(let links): lines += [links.map(Self.link).joined(separator: " · "), ""]
      case .sheet(let blocks): add(blocks, colon, to: &lines)
      case .fold(let title, let blocks) where blocks.hasText:
        lines += ["### " + escaped(title), ""]
        add(blocks, colon, to: &lines)
      case .drawing, .fold: break
      case .chart(let chart): lines += table(chart.header, chart.rows) + [""]
      case .image(let data, let alt): lines += ["![\(escaped(alt))](\(data))", ""]
      }
    }
  }

  private static func table(_ header: [Cell], _ rows: [[Cell]]) -> [String] {
    let columns = rows.first ?? header
    func row(_ cells: [Cell]) -> String {
      "| " + cells.map { escaped($0.text) + ($0.note.map { " " + marked($0) } ?? "") }.joined(separator: " | ") + " |"
    }
    let titles = header.isEmpty ? columns.map { Cell("", isNumber: $0.isNumber) } : header
    return [row(titles), "|" + titles.map { $0.isNumber ? " ---: |" : " --- |" }.joined()] + rows.map(row)
  }

  private static func link(_ link: Link) -> String { "[\(escaped(link.text))](<\(link.target)>)" }

  private static func lines(of item: CheckItem) -> [String] {
    let note = item.note.map { ["  " + marked($0)] } ?? []
    let facts = item.facts.isEmpty ? [] : ["  " + escaped(item.facts)]
    return broken(["- [ ] **\(escaped(item.amount))** \(escaped(item.name))"] + facts + note)
  }

  private static func lines(of card: Card, _ colon: String) -> [String] {
    var head = "\(card.number). **\(escaped(card.time))** **\(escaped(card.name))**"
    for case .navigate(_, let targets) in card.actions {
      for target in [targets.web, targets.apple, targets.geo] { head += " " + link(target) }
    }
    var rest = card.address.isEmpty ? [] : [escaped(card.address)]
    rest += card.labels.map { escaped("\($0.label)\(colon) \($0.text)") }
    rest += card.alerts.map(marked)
    if !card.note.isEmpty { rest.append(escaped(card.note)) }
    for task in card.tasks {
      rest.append("☐ **\(escaped(task.text))**" + (task.detail.isEmpty ? "" : escaped(" (\(task.detail))")))
      if let advice = task.advice { rest.append(marked(Line(advice, .warning))) }
    }
    rest += ([card.readingsText, card.facts] + (card.later?.lines ?? [])).filter { !$0.isEmpty }.map(escaped)
    return broken([head] + rest.map { "   " + $0 })
  }

  /// The lines with a hard line break after each but the last.
  private static func broken(_ lines: [String]) -> [String] { lines.dropLast().map { $0 + "  " } + lines.suffix(1) }
}
