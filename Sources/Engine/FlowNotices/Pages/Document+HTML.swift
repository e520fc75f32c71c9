import FlowModel

extension Document {
  /// The page as one HTML file without scripts or network access, for phones and print, in a light and a dark scheme.
  package var html: String { String(decoding: htmlBytes, as: UTF8.self) }

  /// The page as UTF-8.
  package var htmlBytes: [UInt8] {
    var writer = HTMLWriter(title: title)
    writer.raw("<!doctype html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
    writer.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
    // Defence in depth: even if a name injected markup, the page could neither run scripts nor load anything.
    writer.raw(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\">"
    )
    if isPublished { writer.raw(PageSignature.robots) }
    writer.raw("<title>")
    writer.text(title)
    writer.raw("</title><style>")
    writer.raw(PageStyle.css)
    if hasCharts { writer.raw(PageStyle.charts) }
    writer.raw("@page{size:\(paper.rawValue);margin:10mm}</style></head><body><main><h1>")
    writer.text(title)
    writer.raw("</h1>")
    writer.index(of: blocks)
    writer.add(blocks)
    writer.raw("</main><footer>")
    for line in footer { writer.element("p", line) }
    writer.raw("</footer></body></html>\n")
    return writer.bytes
  }

  /// Whether the page needs the styles for charts; most pages do not.
  private var hasCharts: Bool { blocks.contains { if case .chart = $0 { true } else { false } } }
}

/// Writes HTML; everything that is not written with `raw` is escaped.
package struct HTMLWriter {
  package private(set) var bytes: [UInt8] = []
  package var result: String { String(decoding: bytes, as: UTF8.self) }
  /// The page's title, repeated at the top of each further printed sheet.
  private let title: String
  private var drawings = 0
  private var sheets = 0

  package init(title: String) {
    self.title = title
    bytes.reserveCapacity(32 << 10)
  }

  /// Appends HTML without escaping it.
  package mutating func raw(_ html: String) { bytes.append(contentsOf: html.utf8) }

  /// Appends text, escaped, without hidden characters and with right-to-left runs isolated.
  package mutating func text(_ text: String) {
    // Fast path: scanning bytes is much cheaper than rebuilding the string.
    escape(isPlainScript(text) ? text : isolated(removingInvisible(text)))
  }

  private mutating func escape(_ text: String) {
    guard hasAny(Self.signs, in: text) else { return raw(text) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      default: bytes.append(byte)
      }
    }
  }

  /// The bytes that HTML requires to be escaped.
  private static let signs = (UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""))

  mutating func element(_ tag: String, _ words: String, class name: String? = nil) {
    raw("<")
    raw(tag)
    if let name {
      raw(" class=\"")
      raw(name)
      raw("\"")
    }
    raw(">")
    text(words)
    raw("</")
    raw(tag)
    raw(">")
  }

  /// Writes text in its own bidirectional context, so that a right-to-left name does not reorder the text around it.
  private mutating func isolatedText(_ words: String) {
    // ASCII contains no right-to-left characters.
    guard words.utf8.contains(where: { $0 >= 0x80 }) else { return text(words) }
    raw("<bdi>")
    text(words)
    raw("</bdi>")
  }

  /// Writes a line in its tone; a warning has a sign in addition to its colour.
  private mutating func addToned(_ tag: String, _ line: Document.Line) {
    switch line.tone {
    case .plain where line.link != nil:
      raw("<")
      raw(tag)
      raw("><a href=\"")
      text(line.link ?? "")
      raw("\">")
      isolatedText(line.text)
      raw("</a></")
      raw(tag)
      raw(">")
    case .plain: element(tag, line.text)
    case .muted: element(tag, line.text, class: "m")
    case .warning: element(tag, "▲ " + line.text, class: "w")
    }
  }

  /// Writes links to the sheets of a page with more than one sheet, labelled by their headings.
  mutating func index(of blocks: [Document.Block]) {
    let titles = blocks.compactMap { block -> String? in
      if case .sheet(let blocks) = block, case .heading(let title, _)? = blocks.first { title } else { nil }
    }
    guard titles.count > 1 else { return }
    raw("<nav>")
    for (index, title) in titles.enumerated() {
      raw("<a href=\"#p\(index + 1)\">")
      text(title)
      raw("</a>")
    }
    raw("</nav>")
  }

  mutating func add(_ blocks: [Document.Block]) {
    for block in blocks {
      switch block {
      case .heading(let title, let level): element("h\(level)", title)
      case .paragraph(let line): addToned("p", line)
      case .list(let items):
        raw("<ul>")
        for item in items { addToned("li", item) }
        raw("</ul>")
      case .table(let header, let rows): table(header, rows)
      case .appointments(let appointments, let blanks): add(appointments, blanks)
      case .overview(let blocks):
        raw("<div class=\"np\">")
        add(blocks)
        raw("</div>")
      case .sheet(let blocks):
        sheets += 1
        raw("<section id=\"p\(sheets)\">")
        if sheets > 1 { element("p", title, class: "hd") }
        add(blocks)
        raw("</section>")
      case .drawing(let drawing): add(drawing)
      case .chart(let chart): add(chart)
      case .image(let data, let alt):
        raw("<img src=\"")
        text(data)
        raw("\" alt=\"")
        text(alt)
        raw("\">")
      }
    }
  }

  mutating func table(_ header: [Document.Cell], _ rows: [[Document.Cell]]) {
    raw("<table>")
    if !header.isEmpty {
      raw("<thead><tr>")
      for cell in header { element("th", cell.text, class: cell.isNumber ? "r" : nil) }
      raw("</tr></thead>")
    }
    raw("<tbody>")
    for row in rows {
      raw("<tr>")
      for cell in row {
        raw(cell.isNumber ? "<td class=\"r\">" : "<td>")
        // A short number is kept on one line; a long one may wrap to leave space for its neighbours.
        isolatedText(cell.isNumber && cell.text.count < 9 ? cell.text.replacing(" ", with: "\u{A0}") : cell.text)
        if let note = cell.note, note.tone != .warning {
          raw(" ")
          addToned("span", note)
        }
        raw("</td>")
      }
      raw("</tr>")
      // A warning is a sentence, so it gets a row over the whole width of the table.
      for note in row.compactMap(\.note) where note.tone == .warning {
        raw("<tr><td class=\"n\" colspan=\"\(row.count)\">")
        addToned("span", note)
        raw("</td></tr>")
      }
    }
    raw("</tbody></table>")
  }

  private mutating func add(_ appointments: [Document.Appointment], _ blanks: [String]) {
    // Written once for all appointments as a CSS string; characters that would end the string are removed.
    let line = blanks.map {
      $0.filter { $0 != "\"" && $0 != "\\" }.replacing(" ", with: "\u{A0}") + "\u{A0}________"
    }
    raw("<div class=\"ap\" style='--wr:\"")
    text(line.joined(separator: " "))
    raw("\"'>")
    // If there are more appointments than fit on a sheet, the last ones stay together, so that none is alone on the next
    // sheet.
    let first =
      appointments.count > Self.appointmentsPerSheet
      ? appointments.count - Self.appointmentsKeptTogether : appointments.count
    for part in [appointments[..<first], appointments[first...]] where !part.isEmpty {
      raw("<ol>")
      for appointment in part { add(appointment) }
      raw("</ol>")
    }
    raw("</div>")
  }

  /// The number of full appointments that fit on a printed sheet.
  private static let appointmentsPerSheet = 8
  private static let appointmentsKeptTogether = 4

  private mutating func add(_ appointment: Document.Appointment) {
    raw("<li><b>")
    raw(String(appointment.number))
    raw("</b><div>")
    text(appointment.time)
    raw(" <b>")
    isolatedText(appointment.name)
    raw("</b></div>")
    if !appointment.maps.isEmpty {
      raw("<div class=\"go\">")
      for map in appointment.maps {
        raw("<a href=\"")
        text(map.target)
        raw("\">")
        text(map.text)
        raw("</a>")
      }
      raw("</div>")
    }
    raw("<p class=\"m\">")
    isolatedText(appointment.address)
    if !appointment.facts.isEmpty {
      raw("<br>")
      text(appointment.facts)
    }
    raw("</p>")
    for warning in appointment.warnings { element("p", "▲ " + warning, class: "w") }
    if !appointment.secrets.isEmpty {
      raw("<div class=\"k\">")
      for secret in appointment.secrets { add(secret) }
      raw("</div>")
    }
    raw("</li>")
  }

  private mutating func add(_ labelled: Document.Labelled) {
    raw("<p>")
    element("i", labelled.label)
    raw(" ")
    if let link = labelled.link {
      raw("<a href=\"")
      text(link)
      raw("\">")
    }
    isolatedText(labelled.text)
    if labelled.link != nil { raw("</a>") }
    raw("</p>")
  }

  private mutating func add(_ drawing: Document.Drawing) {
    // Limits the width of a tall drawing to its possible height, so that it fills its frame.
    let widest = svgNumber(26 * drawing.width / drawing.height)
    beginDrawing(
      viewBox: "0 0 \(svgNumber(drawing.width)) \(svgNumber(drawing.height))", title: drawing.title,
      description: drawing.description, with: " style=\"max-width:\(widest)rem\"")
    raw(drawing.shapes)
    raw("</svg>")
  }

  /// - Parameter attributes: further attributes, each preceded by a space.
  mutating func beginDrawing(
    viewBox: String, title: String, description: String, with attributes: String
  ) {
    drawings += 1
    let id = "m\(drawings)"
    raw("<svg viewBox=\"\(viewBox)\" role=\"img\" ")
    raw("aria-labelledby=\"\(id) \(id)d\"\(attributes)><title id=\"\(id)\">")
    text(title)
    raw("</title><desc id=\"\(id)d\">")
    text(description)
    raw("</desc>")
  }
}
