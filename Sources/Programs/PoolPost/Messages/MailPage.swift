import PoolModel
import PoolNotices

extension Document {
  /// A drawing as a picture that comes with the mail.
  struct Picture: Sendable {
    /// Such as `cid:map1@example.com`.
    let source: String
    /// In pixels of CSS, as wide as it is shown where there is room.
    let width: Int

    init(source: String, width: Int) { (self.source, self.width) = (source, width) }
  }

  /// The page as the HTML of a mail: every look written at its element with literal colours, tables for columns, no drawing
  /// and nothing from outside, since readers of mail take styles, pictures and scripts away.
  ///
  /// It reads right without any style or tag: between two words that stand in different elements there is a blank or a line
  /// end. Words have the reader's own colour, and what has another is legible on white and on black.
  ///
  /// - Parameter pictures: of the drawings, in their order; drawings beyond them are left out.
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

private struct MailWriter {
  /// At each cell, too: some readers do not hand it down into tables.
  static let font = "font:16px/1.4 sans-serif"
  /// Not grey, which nobody reads on both white and black.
  static let muted = "font-size:14px"
  private static let warning = "color:#c94b00"
  private static let link = "color:#1a75cc"
  private static let cell = "border-top:1px solid #999999;padding:8px 8px 8px 0;\(font)"

  var html = HTMLWriter(title: "")
  private var pictures: ArraySlice<Document.Picture>

  init(pictures: ArraySlice<Document.Picture>) { self.pictures = pictures }

  mutating func raw(_ text: String) { html.raw(text) }
  /// What shows no tag, such as an address.
  mutating func attribute(_ text: String) { html.text(text) }

  /// What is longer than a telephone's column may be broken within, so that nothing has to be scrolled sideways.
  private static let longest = 18
  private static let piece = 10

  /// Words that people read.
  mutating func text(_ text: String) {
    // Most have no long one, and stay one piece: what runs from right to left is closed off as a whole.
    guard text.split(separator: " ").contains(where: { $0.count > Self.longest }) else { return html.text(text) }
    for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { raw(" ") }
      var rest = word[...]
      while rest.count > Self.longest {
        let hyphen = rest.prefix(Self.longest).lastIndex(of: "-")
        let piece = hyphen.map { rest[...$0] } ?? rest.prefix(Self.piece)
        html.text(String(piece))
        raw("<wbr>")
        rest = rest[piece.endIndex...]
      }
      html.text(String(rest))
    }
  }

  mutating func element(_ tag: String, _ words: String, _ style: String) {
    raw("<\(tag) style=\"\(style)\">")
    text(words)
    raw("</\(tag)>\n")
  }

  private mutating func toned(_ tag: String, _ line: Document.Line) {
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
      case .paragraph(let line): toned("p", line)
      case .list(let items):
        raw("<ul style=\"margin:4px 0;padding-left:20px\">\n")
        for item in items { toned("li", item) }
        raw("</ul>\n")
      case .table(let header, let rows): table(header, rows)
      case .appointments(let appointments, _):
        begin()
        for appointment in appointments { add(appointment) }
        raw("</table>\n")
      // What is told again further on would only be told twice.
      case .overview: break
      case .drawing(let drawing): add(drawing)
      case .sheet(let blocks): add(blocks)
      case .chart(let chart): table(chart.header, chart.rows)
      case .image(_, let alt): element("p", "[\(alt)]", Self.muted)
      }
    }
  }

  /// The padding stays where styles are taken away.
  private mutating func begin() {
    raw("<table cellpadding=\"2\" cellspacing=\"0\" border=\"0\" width=\"100%\" style=\"border-collapse:collapse\">\n")
  }

  /// Its words say what the picture shows; every fact of it stands at the stops. Without a height, what is not shown takes no
  /// more room than its words.
  private mutating func add(_ drawing: Document.Drawing) {
    guard let picture = pictures.popFirst() else { return }
    raw("<p style=\"margin:8px 0\"><img src=\"")
    attribute(picture.source)
    raw("\" width=\"\(picture.width)\" alt=\"")
    attribute("\(drawing.title). \(drawing.description)")
    raw("\" style=\"display:block;border:0;width:100%;max-width:\(picture.width)px;height:auto\"></p>\n")
  }

  private mutating func table(_ header: [Document.Cell], _ rows: [[Document.Cell]]) {
    begin()
    for (tag, row) in (header.isEmpty ? [] : [("th", header)]) + rows.map({ ("td", $0) }) {
      raw("<tr>")
      for cell in row {
        raw("<\(tag) align=\"\(cell.isNumber ? "right" : "left")\" valign=\"top\" style=\"\(Self.cell)\">")
        text(cell.isNumber && tag == "td" && cell.text.count < 9 ? cell.text.replacing(" ", with: "\u{A0}") : cell.text)
        if let note = cell.note {
          raw("<br>\n")
          toned("span", note)
        }
        // A blank keeps the words of two cells apart where a reader shows no table.
        raw("</\(tag)> ")
      }
      raw("</tr>\n")
    }
    raw("</table>\n")
  }

  /// Number, time and place: the number has a full stop, or "1" and "6:45" would read as 16:45 where tables are lost.
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

  private mutating func add(_ words: String, to target: String?) {
    if let target {
      raw("<a href=\"")
      attribute(target)
      raw("\" style=\"\(Self.link)\">")
    }
    text(words)
    raw(target == nil ? "\n" : "</a>\n")
  }
}
