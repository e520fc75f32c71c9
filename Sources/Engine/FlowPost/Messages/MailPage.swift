import FlowModel
import FlowNotices

extension Document {
  /// A drawing as an inline picture of a mail.
  struct Picture: Sendable {
    /// The URL of the picture, such as `cid:map1@example.com`.
    let source: String
    /// The maximum display width, in CSS pixels.
    let width: Int

    init(source: String, width: Int) { (self.source, self.width) = (source, width) }
  }

  /// Renders the page as HTML for mail: inline styles, literal colours, tables for columns, no vector drawings and no external
  /// resources, because mail programs remove style sheets, scripts and external pictures.
  ///
  /// The text is readable without any style or tag: texts in different elements are separated by a space or line break. Normal
  /// text uses the reader's own colour; all other colours are legible on white and on black.
  ///
  /// - Parameter pictures: pictures for the drawings, in their order; drawings without a picture are omitted.
  func mailHTML(pictures: [Picture] = []) -> String {
    var writer = MailWriter(pictures: pictures[...])
    writer.raw("<!doctype html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
    writer.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>")
    writer.attribute(title)
    writer.raw("</title></head>\n<body style=\"margin:0;padding:12px\">\n")
    writer.raw("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" width=\"100%\" ")
    writer.raw("style=\"max-width:600px\"><tr><td style=\"\(MailWriter.font)\">\n")
    writer.element("h1", title, "font-size:20px;margin:0 0 12px")
    writer.add(blocks)
    for line in footer { writer.element("p", line, "\(MailWriter.muted);margin:12px 0 0") }
    writer.raw("</td></tr></table>\n</body></html>\n")
    return writer.html.result
  }
}

/// Writes the elements of a mail page.
private struct MailWriter {
  /// Repeated in each table cell, because some mail programs do not inherit fonts into tables.
  static let font = "font:16px/1.4 sans-serif"
  /// A smaller font instead of grey, which would not be legible on both white and black.
  static let muted = "font-size:14px"
  private static let warning = "color:#c94b00"
  private static let link = "color:#1a75cc"
  private static let cell = "border-top:1px solid #999999;padding:8px 8px 8px 0;\(font)"

  var html = HTMLWriter(title: "")
  private var pictures: ArraySlice<Document.Picture>

  init(pictures: ArraySlice<Document.Picture>) { self.pictures = pictures }

  mutating func raw(_ text: String) { html.raw(text) }
  /// Adds text without break marks, such as an attribute's value.
  mutating func attribute(_ text: String) { html.text(text) }

  /// The longest run of characters that fits a phone's column; longer ones get break marks, so that the page needs no sideways
  /// scrolling.
  private static let maxRunLength = 18
  private static let breakLength = 10

  /// Adds visible text, with break marks (`<wbr>`) in long runs.
  mutating func text(_ text: String) {
    // Keep text without long runs in one piece, so that right-to-left text is isolated as a whole.
    guard text.split(separator: " ").contains(where: { $0.count > Self.maxRunLength }) else { return html.text(text) }
    for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { raw(" ") }
      var rest = word[...]
      while rest.count > Self.maxRunLength {
        let hyphen = rest.prefix(Self.maxRunLength).lastIndex(of: "-")
        let breakLength = hyphen.map { rest[...$0] } ?? rest.prefix(Self.breakLength)
        html.text(String(breakLength))
        raw("<wbr>")
        rest = rest[breakLength.endIndex...]
      }
      html.text(String(rest))
    }
  }

  mutating func element(_ tag: String, _ content: String, _ style: String) {
    raw("<\(tag) style=\"\(style)\">")
    text(content)
    raw("</\(tag)>\n")
  }

  /// Adds a line in the style of its tone; warnings begin with `▲`.
  private mutating func addToned(_ tag: String, _ line: Document.Line) {
    switch line.tone {
    case .plain: element(tag, line.text, "margin:4px 0")
    case .muted: element(tag, line.text, "margin:4px 0;\(Self.muted)")
    case .warning: element(tag, "▲ " + line.text, "margin:4px 0;\(Self.warning)")
    }
  }

  mutating func add(_ blocks: [Document.Block]) {
    for block in blocks {
      switch block {
      case .heading(let title, let level):
        element("h\(level)", title, "font-size:\(level == 2 ? 18 : 16)px;margin:20px 0 6px")
      case .paragraph(let line): addToned("p", line)
      case .list(let items):
        raw("<ul style=\"margin:4px 0;padding-left:20px\">\n")
        for item in items { addToned("li", item) }
        raw("</ul>\n")
      case .table(let header, let rows): table(header, rows)
      case .appointments(let appointments, _):
        beginTable()
        for appointment in appointments { add(appointment) }
        raw("</table>\n")
      // The overview repeats facts that follow further below, so it is omitted.
      case .overview: break
      case .drawing(let drawing): add(drawing)
      case .sheet(let blocks): add(blocks)
      case .chart(let chart): table(chart.header, chart.rows)
      case .image(_, let alt): element("p", "[\(alt)]", Self.muted)
      }
    }
  }

  /// Begins a table. The padding attribute still applies if a mail program removes styles.
  private mutating func beginTable() {
    raw("<table cellpadding=\"2\" cellspacing=\"0\" border=\"0\" width=\"100%\" style=\"border-collapse:collapse\">\n")
  }

  /// Adds the map as a picture. Its alternative text repeats the stop list; without a height attribute, a blocked picture takes
  /// only the height of that text.
  private mutating func add(_ drawing: Document.Drawing) {
    guard let picture = pictures.popFirst() else { return }
    raw("<p style=\"margin:8px 0\"><img src=\"")
    attribute(picture.source)
    raw("\" width=\"\(picture.width)\" alt=\"")
    attribute("\(drawing.title). \(drawing.description)")
    raw("\" style=\"display:block;border:0;width:100%;max-width:\(picture.width)px;height:auto\"></p>\n")
  }

  private mutating func table(_ header: [Document.Cell], _ rows: [[Document.Cell]]) {
    beginTable()
    for (tag, row) in (header.isEmpty ? [] : [("th", header)]) + rows.map({ ("td", $0) }) {
      raw("<tr>")
      for cell in row {
        raw("<\(tag) align=\"\(cell.isNumber ? "right" : "left")\" valign=\"top\" style=\"\(Self.cell)\">")
        text(cell.isNumber && tag == "td" && cell.text.count < 9 ? cell.text.replacing(" ", with: "\u{A0}") : cell.text)
        if let note = cell.note {
          raw("<br>\n")
          addToned("span", note)
        }
        // The space separates the texts of two cells in a mail program without tables.
        raw("</\(tag)> ")
      }
      raw("</tr>\n")
    }
    raw("</table>\n")
  }

  /// Adds a stop's number, time and details. The number ends with a full stop: without tables "1" and "6:45" would read as
  /// 16:45.
  private mutating func add(_ appointment: Document.Appointment) {
    raw("<tr><td valign=\"top\" style=\"\(Self.cell);white-space:nowrap\"><b>\(appointment.number).</b> ")
    text(appointment.time)
    raw(" </td><td valign=\"top\" style=\"\(Self.cell)\"><b>")
    text(appointment.name)
    raw("</b><br>\n")
    if !appointment.address.isEmpty { add(appointment.address, to: appointment.maps.first?.target) }
    if appointment.maps.count > 1 {
      raw("<div>")
      for map in appointment.maps.dropFirst() { add(map.text, to: map.target) }
      raw("</div>\n")
    }
    if !appointment.facts.isEmpty { element("div", appointment.facts, Self.muted) }
    for warning in appointment.warnings { element("div", "▲ " + warning, Self.warning) }
    for secret in appointment.secrets {
      raw("<div>")
      text(secret.label)
      raw(": ")
      add(secret.text, to: secret.link)
      raw("</div>\n")
    }
    raw("</td></tr>\n")
  }

  /// Adds text, as a link if it has a target.
  private mutating func add(_ content: String, to target: String?) {
    if let target {
      raw("<a href=\"")
      attribute(target)
      raw("\" style=\"\(Self.link)\">")
    }
    text(content)
    raw(target == nil ? "\n" : "</a>\n")
  }
}
