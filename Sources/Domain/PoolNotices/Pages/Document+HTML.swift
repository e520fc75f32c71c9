import PoolModel

extension Document {
  /// The page as one HTML file: no script, no network, light and dark, for a phone and for paper.
  package var html: String { String(decoding: htmlBytes, as: UTF8.self) }

  /// The same as bytes, as it is written.
  package var htmlBytes: [UInt8] {
    var writer = HTMLWriter(title: title)
    writer.raw("<!doctype html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
    writer.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
    // A page that names hold could never run or fetch anything, whatever slipped through.
    writer.raw(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\">"
    )
    if isPublished { writer.raw(PageMark.robots) }
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

  /// Most pages have none, and need not know how they look.
  private var hasCharts: Bool { blocks.contains { if case .chart = $0 { true } else { false } } }
}

/// Writes HTML; everything that is not written as `raw` is escaped.
package struct HTMLWriter {
  package private(set) var bytes: [UInt8] = []
  package var result: String { String(decoding: bytes, as: UTF8.self) }
  /// Of the page; each further sheet of paper repeats it.
  private let title: String
  private var drawings = 0
  private var sheets = 0

  package init(title: String) {
    self.title = title
    bytes.reserveCapacity(32 << 10)
  }

  package mutating func raw(_ html: String) { bytes.append(contentsOf: html.utf8) }

  package mutating func text(_ text: String) {
    // Looking at the bytes of words is many times as fast as building them anew.
    escape(isPlainWriting(text) ? text : isolated(withoutHidden(text)))
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

  /// What means something to HTML.
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

  /// A name may be written from right to left: it must not turn what stands around it.
  private mutating func apart(_ words: String) {
    // No letter of ASCII runs from right to left.
    guard words.utf8.contains(where: { $0 >= 0x80 }) else { return text(words) }
    raw("<bdi>")
    text(words)
    raw("</bdi>")
  }

  /// A warning has a sign besides its colour.
  private mutating func toned(_ tag: String, _ line: Document.Line) {
    switch line.tone {
    case .plain where line.link != nil:
      raw("<")
      raw(tag)
      raw("><a href=\"")
      text(line.link ?? "")
      raw("\">")
      apart(line.text)
      raw("</a></")
      raw(tag)
      raw(">")
    case .plain: element(tag, line.text)
    case .muted: element(tag, line.text, class: "m")
    case .warning: element(tag, "▲ " + line.text, class: "w")
    }
  }

  /// Links to the sheets of a page that has several, by their headings.
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
      case .paragraph(let line): toned("p", line)
      case .list(let items):
        raw("<ul>")
        for item in items { toned("li", item) }
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
        // A short number stays in one line, a long one gives way to its neighbours.
        apart(cell.isNumber && cell.text.count < 9 ? cell.text.replacing(" ", with: "\u{A0}") : cell.text)
        if let note = cell.note, note.tone != .warning {
          raw(" ")
          toned("span", note)
        }
        raw("</td>")
      }
      raw("</tr>")
      // A warning is a sentence, and has the width of the table.
      for note in row.compactMap(\.note) where note.tone == .warning {
        raw("<tr><td class=\"n\" colspan=\"\(row.count)\">")
        toned("span", note)
        raw("</td></tr>")
      }
    }
    raw("</tbody></table>")
  }

  private mutating func add(_ appointments: [Document.Appointment], _ blanks: [String]) {
    // Once for all of them, as a string of the style: what would end it is left out.
    let line = blanks.map {
      $0.filter { $0 != "\"" && $0 != "\\" }.replacing(" ", with: "\u{A0}") + "\u{A0}________"
    }
    raw("<div class=\"ap\" style='--wr:\"")
    text(line.joined(separator: " "))
    raw("\"'>")
    // Of more than a sheet holds, the last stay together: none is alone on a further one.
    let first = appointments.count > Self.onSheet ? appointments.count - Self.keptTogether : appointments.count
    for part in [appointments[..<first], appointments[first...]] where !part.isEmpty {
      raw("<ol>")
      for appointment in part { add(appointment) }
      raw("</ol>")
    }
    raw("</div>")
  }

  /// How many appointments with everything on them a sheet of paper holds.
  private static let onSheet = 8
  private static let keptTogether = 4

  private mutating func add(_ appointment: Document.Appointment) {
    raw("<li><b>")
    raw(String(appointment.number))
    raw("</b><div>")
    text(appointment.time)
    raw(" <b>")
    apart(appointment.name)
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
    apart(appointment.address)
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
    apart(labelled.text)
    if labelled.link != nil { raw("</a>") }
    raw("</p>")
  }

  private mutating func add(_ drawing: Document.Drawing) {
    // A tall drawing is no wider than it can be high, so that it always fills its frame.
    let widest = svgNumber(26 * drawing.width / drawing.height)
    beginDrawing(
      viewBox: "0 0 \(svgNumber(drawing.width)) \(svgNumber(drawing.height))", title: drawing.title,
      description: drawing.description, with: " style=\"max-width:\(widest)rem\"")
    raw(drawing.shapes)
    raw("</svg>")
  }

  /// - Parameter attributes: further ones, each after a blank.
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
