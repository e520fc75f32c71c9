import PoolModel

extension Document {
  /// The page as the HTML of a mail: every look written at its element with literal colours, tables for columns, no drawing
  /// and nothing from outside, since readers of mail take styles, pictures and scripts away. Readable without any style.
  package var mailHTML: String {
    var writer = MailWriter()
    writer.raw("<!doctype html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
    writer.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>")
    writer.text(title)
    writer.raw("</title></head><body style=\"margin:0;padding:12px;\(MailWriter.font)\">")
    writer.raw("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" width=\"100%\" ")
    writer.raw("style=\"max-width:600px\"><tr><td>")
    writer.element("h1", title, "font-size:20px;margin:0 0 12px")
    writer.add(blocks)
    for line in footer { writer.element("p", line, "font-size:12px;color:#666666;margin:12px 0 0") }
    writer.raw("</td></tr></table></body></html>\n")
    return writer.html.result
  }
}

private struct MailWriter {
  static let font = "font:16px/1.4 sans-serif;color:#222222"
  private static let muted = "color:#666666"
  private static let warning = "color:#a03000"
  private static let rule = "border-top:1px solid #cccccc;padding:8px 8px 8px 0;vertical-align:top"

  var html = HTMLWriter(title: "")

  mutating func raw(_ text: String) { html.raw(text) }
  mutating func text(_ text: String) { html.text(text) }

  mutating func element(_ tag: String, _ words: String, _ style: String) {
    raw("<\(tag) style=\"\(style)\">")
    text(words)
    raw("</\(tag)>")
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
        raw("<ul style=\"margin:4px 0;padding-left:20px\">")
        for item in items { toned("li", item) }
        raw("</ul>")
      case .table(let header, let rows): table(header, rows)
      case .appointments(let appointments, _):
        begin()
        for appointment in appointments { add(appointment) }
        raw("</table>")
      // What is told again further on would only be told twice, and no reader of mail draws.
      case .overview, .drawing: break
      case .sheet(let blocks): add(blocks)
      case .chart(let chart): table(chart.header, chart.rows)
      case .image(_, let alt): element("p", "[\(alt)]", Self.muted)
      }
    }
  }

  private mutating func begin() {
    raw("<table cellpadding=\"0\" cellspacing=\"0\" border=\"0\" width=\"100%\" style=\"border-collapse:collapse\">")
  }

  private mutating func table(_ header: [Document.Cell], _ rows: [[Document.Cell]]) {
    begin()
    for (tag, row) in (header.isEmpty ? [] : [("th", header)]) + rows.map({ ("td", $0) }) {
      raw("<tr>")
      for cell in row {
        raw("<\(tag) align=\"\(cell.isNumber ? "right" : "left")\" style=\"\(Self.rule)\">")
        text(cell.text)
        if let note = cell.note {
          raw("<br>")
          toned("span", note)
        }
        // A blank keeps the words of two cells apart where a reader shows no table.
        raw("</\(tag)> ")
      }
      raw("</tr>\n")
    }
    raw("</table>")
  }

  /// Number, time and place: the number has a full stop, or "1" and "6:45" would read as 16:45 where tables are lost.
  private mutating func add(_ appointment: Document.Appointment) {
    raw("<tr><td style=\"\(Self.rule);white-space:nowrap\"><b>\(appointment.number).</b> ")
    text(appointment.time)
    raw(" </td><td style=\"\(Self.rule)\"><b>")
    text(appointment.name)
    raw("</b>")
    if !appointment.address.isEmpty {
      raw("<br>")
      if let link = appointment.link {
        raw("<a href=\"")
        text(link)
        raw("\" style=\"color:#0b57a4\">")
        text(appointment.address)
        raw("</a>")
      } else {
        text(appointment.address)
      }
    }
    if !appointment.facts.isEmpty { element("div", appointment.facts, Self.muted) }
    for warning in appointment.warnings { element("div", "▲ " + warning, Self.warning) }
    for secret in appointment.secrets { add(secret) }
    raw("</td></tr>\n")
  }

  private mutating func add(_ labelled: Document.Labelled) {
    raw("<div>")
    text(labelled.label)
    raw(": ")
    if let link = labelled.link {
      raw("<a href=\"")
      text(link)
      raw("\" style=\"color:#0b57a4\">")
    }
    text(labelled.text)
    raw(labelled.link == nil ? "</div>" : "</a></div>")
  }
}
