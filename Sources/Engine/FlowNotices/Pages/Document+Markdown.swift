import FlowModel

extension Document {
  /// The page as Markdown (CommonMark 0.31 with GitHub tables); all text is escaped, so names cannot add markup.
  package var markdown: String {
    var lines = ["# " + Self.escaped(title), ""]
    Self.add(blocks, to: &lines)
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

  private static func add(_ blocks: [Block], to lines: inout [String]) {
    for block in blocks {
      switch block {
      case .heading(let title, let level): lines += [String(repeating: "#", count: level) + " " + escaped(title), ""]
      case .paragraph(let line): lines += [marked(line), ""]
      case .list(let items): lines += items.map { "- " + marked($0) } + [""]
      case .table(let header, let rows): lines += table(header, rows) + [""]
      case .appointments(let appointments, _): lines += appointments.flatMap(Self.lines) + [""]
      case .overview(let blocks), .sheet(let blocks): add(blocks, to: &lines)
      case .drawing: break
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

  private static func lines(of appointment: Appointment) -> [String] {
    var head = "\(appointment.number). **\(escaped(appointment.time))** **\(escaped(appointment.name))**"
    for map in appointment.maps { head += " [\(escaped(map.text))](<\(map.target)>)" }
    let rest =
      [appointment.address, appointment.facts].filter { !$0.isEmpty }.map(escaped)
      + appointment.warnings.map { marked(Line($0, .warning)) }
      + appointment.secrets.map { escaped("\($0.label): \($0.text)") }
    return [head + (rest.isEmpty ? "" : "  ")]
      + rest.enumerated().map { "   " + $1 + ($0 == rest.count - 1 ? "" : "  ") }
  }
}
