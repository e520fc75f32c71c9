/// A part of a page that each profile of the HTML renderer marks up in its own way.
enum HTMLPart: Int, CaseIterable {
  case heading1, heading2, heading3, paragraph, mutedParagraph, warningParagraph, list, item, mutedItem, warningItem
  case footerLine, link, stopLink, navigation, links
  case table, headRow, row, headCell, headNumber, cell, number, note, strongNote, warningRow
  case highlights, highlight, highlightText
  case checklist, checkItem, checkName, checkFacts, checkNote, checkWarning, checkAmount
  case cards, card, cardHead, cardNumber, cardTime, cardName, cardBody, address
  case actions, webMap, appleMap, geoMap, call, callNumber, shown, shownLabel
  case alert, warningAlert, quote, tasks, task, taskText, taskDetail, advice
  case readings, reading, readingOutside, readingLabel, readingValue, readingWord
  case facts, contact, later, laterTitle, laterLine
  case fold, foldTitle, sheet, printedTitle
}

/// The markup around a part's content.
struct HTMLMark: Sendable {
  let open: String
  /// The rest of the opening markup, after an attribute's value such as a link's target; nil if the part has no such value.
  let openEnd: String?
  let close: String

  init(_ open: String, _ close: String) { (self.open, openEnd, self.close) = (open, nil, close) }

  init(_ open: String, value end: String, _ close: String) { (self.open, openEnd, self.close) = (open, end, close) }
}

/// The markup of a kind of reader: the same blocks become a page for browsers and paper, or a mail.
struct HTMLProfile: Sendable {
  /// True for a mail: no style sheet, no controls, no vector drawings.
  let isMail: Bool
  private let marks: [HTMLMark]

  private init(isMail: Bool, _ mark: (HTMLPart) -> HTMLMark) {
    self.isMail = isMail
    marks = HTMLPart.allCases.map(mark)
  }

  subscript(part: HTMLPart) -> HTMLMark { marks[part.rawValue] }

  static let page = HTMLProfile(isMail: false) { $0.pageMark }
  static let mail = HTMLProfile(isMail: true) { $0.mailMark }
}

extension HTMLPart {
  /// For `PageStyle`. A warning has a sign in addition to its colour. In cards, of which a page has many, quotation marks and end
  /// tags are left out where HTML does not need them.
  fileprivate var pageMark: HTMLMark {
    switch self {
    case .heading1: HTMLMark("<h1>", "</h1>")
    case .heading2: HTMLMark("<h2>", "</h2>")
    case .heading3: HTMLMark("<h3>", "</h3>")
    case .paragraph, .footerLine: HTMLMark("<p>", "</p>")
    case .laterLine, .address, .quote: HTMLMark("<p>", "")
    case .mutedParagraph: HTMLMark("<p class=\"m\">", "</p>")
    case .facts, .contact: HTMLMark("<p class=m>", "")
    case .warningParagraph: HTMLMark("<p class=\"w\">▲ ", "</p>")
    case .list: HTMLMark("<ul>", "</ul>")
    case .item: HTMLMark("<li>", "</li>")
    case .mutedItem: HTMLMark("<li class=\"m\">", "</li>")
    case .warningItem: HTMLMark("<li class=\"w\">▲ ", "</li>")
    case .link: HTMLMark("<a href=\"", value: "\">", "</a>")
    case .stopLink: HTMLMark("<a href=#", value: ">", "</a>")
    case .navigation: HTMLMark("<nav>", "</nav>")
    case .links: HTMLMark("<p class=\"go\">", "</p>")
    case .table: HTMLMark("<table>", "</table>")
    case .headRow, .row: HTMLMark("<tr>", "</tr>")
    case .headCell: HTMLMark("<th>", "</th>")
    case .headNumber: HTMLMark("<th class=\"r\">", "</th>")
    case .cell: HTMLMark("<td>", "</td>")
    case .number: HTMLMark("<td class=\"r\">", "</td>")
    case .note: HTMLMark(" <span class=\"m\">", "</span>")
    case .strongNote: HTMLMark("<br><strong>", "</strong>")
    case .warningRow: HTMLMark("<tr><td class=\"n\" colspan=\"", value: "\"><span class=\"w\">▲ ", "</span></td></tr>")
    case .highlights: HTMLMark("<ul class=hl>", "</ul>")
    case .highlight: HTMLMark("<li>", "")
    case .highlightText: HTMLMark("<span>▲ ", "</span>")
    case .checklist: HTMLMark("<ul class=ck>", "</ul>")
    case .checkItem: HTMLMark("<li><label><input type=checkbox> ", "</label>")
    case .checkName: HTMLMark("<span>", "</span> ")
    case .checkFacts, .checkNote: HTMLMark(" <small>", "</small>")
    case .checkWarning: HTMLMark(" <small class=w>▲ ", "</small>")
    case .checkAmount: HTMLMark("<b>", "</b>")
    case .taskText, .readingValue: HTMLMark("", "")
    case .cards: HTMLMark("<ol>", "</ol>")
    case .card: HTMLMark("<li id=", value: ">", "")
    case .cardHead: HTMLMark("<label><input type=checkbox> ", "</label>")
    case .cardNumber: HTMLMark("<b>", "</b> ")
    case .cardTime: HTMLMark("<i>", "</i> ")
    case .cardName: HTMLMark("<b>", "</b>")
    case .cardBody: HTMLMark("<div>", "</div>")
    case .actions: HTMLMark("<p class=go>", "")
    case .webMap, .appleMap, .geoMap, .call: HTMLMark("<a href=\"", value: "\">", "</a> ")
    case .callNumber: HTMLMark(" <i>", "</i>")
    case .shown: HTMLMark("<b class=g>", "</b> ")
    case .shownLabel: HTMLMark("<i>", "</i> ")
    case .alert: HTMLMark("<p class=b>", "")
    case .warningAlert: HTMLMark("<p class=\"b w\">▲ ", "")
    case .tasks: HTMLMark("<ul>", "</ul>")
    case .task: HTMLMark("<li><label><input type=checkbox> ", "</label>")
    case .taskDetail: HTMLMark(" <small>(", ")</small>")
    case .advice: HTMLMark(" <small class=w>▲ ", "</small>")
    case .readings: HTMLMark("<p class=rd>", "")
    case .reading: HTMLMark("<b>", "</b> ")
    case .readingOutside: HTMLMark("<b class=w>", "</b> ")
    case .readingLabel: HTMLMark("<i>", "</i> ")
    case .readingWord: HTMLMark(" <em>", "</em>")
    case .later: HTMLMark("<details class=m>", "</details>")
    case .laterTitle: HTMLMark("<summary>", "</summary>")
    case .fold: HTMLMark("<div class=fo>", "</div>")
    case .foldTitle: HTMLMark("<label><input type=checkbox> <b>", "</b></label>")
    case .sheet: HTMLMark("<section id=\"", value: "\">", "</section>")
    case .printedTitle: HTMLMark("<p class=hd>", "</p>")
    }
  }
}

/// Inline styles for mail: literal colours, tables for columns and no external resources, because mail programs remove style
/// sheets, scripts and external pictures.
///
/// The text is readable without any style or tag: texts in different elements are separated by a space or line break. Normal
/// text uses the reader's own colour; all other colours are legible on white and on black.
extension HTMLPart {
  /// Repeated in each table cell, because some mail programs do not inherit fonts into tables.
  static let mailFont = "font:16px/1.4 sans-serif"
  /// A smaller font instead of grey, which would not be legible on both white and black.
  static let mailSmall = "font-size:14px"
  private static let mailTiny = "font-size:12px"
  private static let warning = "color:#c94b00"
  private static let linkColour = "color:#1a75cc"
  private static let line = "border-top:1px solid #999999"
  private static let button =
    "display:inline-block;padding:13px 14px;margin:4px 6px 4px 0;border:1px solid;border-radius:8px;font-weight:bold;"
    + "text-decoration:none"

  private static func element(_ tag: String, _ style: String, sign: String = "", end: String = "\n") -> HTMLMark {
    HTMLMark("<\(tag) style=\"\(style)\">\(sign)", "</\(tag)>\(end)")
  }

  private static func linked(_ style: String) -> HTMLMark {
    HTMLMark("<a href=\"", value: "\" style=\"\(style);\(linkColour)\">", "</a>\n")
  }

  private static func cell(_ tag: String, _ side: String) -> HTMLMark {
    // The space separates the texts of two cells in a mail program without tables.
    HTMLMark(
      "<\(tag) align=\"\(side)\" valign=\"top\" style=\"\(line);padding:8px 6px 8px 0;\(mailFont)\">", "</\(tag)> ")
  }

  /// The padding attribute still applies if a mail program removes styles.
  private static let tableMark = HTMLMark(
    "<table cellpadding=\"1\" cellspacing=\"0\" border=\"0\" width=\"100%\" style=\"border-collapse:collapse\">\n",
    "</table>\n")

  fileprivate var mailMark: HTMLMark {
    switch self {
    case .heading1: Self.element("h1", "font-size:20px;margin:0 0 12px")
    case .heading2: Self.element("h2", "font-size:18px;margin:20px 0 6px")
    case .heading3: Self.element("h3", "font-size:16px;margin:20px 0 6px")
    case .paragraph, .item: Self.element(self == .item ? "li" : "p", "margin:4px 0")
    case .mutedParagraph: Self.element("p", "margin:4px 0;\(Self.mailSmall)")
    case .warningParagraph: Self.element("p", "margin:4px 0;\(Self.warning)", sign: "▲ ")
    case .list: Self.element("ul", "margin:4px 0;padding-left:20px")
    case .highlights: Self.element("ul", "margin:4px 0;padding-left:0;list-style:none")
    case .mutedItem: Self.element("li", "margin:4px 0;\(Self.mailSmall)")
    case .warningItem, .highlight: Self.element("li", "margin:4px 0;\(Self.warning)", sign: "▲ ")
    case .highlightText, .stopLink, .navigation, .cards, .sheet, .fold, .cardHead, .cardTime, .cardBody, .later,
      .checkName:
      HTMLMark("", "")
    case .footerLine: Self.element("p", "\(Self.mailSmall);margin:12px 0 0")
    case .link: Self.linked("")
    case .links, .actions: HTMLMark("<div>\n", "</div>\n")
    case .table, .checklist: Self.tableMark
    case .headRow, .row: HTMLMark("<tr>", "</tr>\n")
    case .headCell: Self.cell("th", "left")
    case .headNumber: Self.cell("th", "right")
    case .cell: Self.cell("td", "left")
    case .number: Self.cell("td", "right")
    case .note, .checkFacts, .checkNote: HTMLMark("<br>\n<span style=\"\(Self.mailSmall)\">", "</span>\n")
    case .strongNote: HTMLMark("<br>\n<strong>", "</strong>\n")
    case .warningRow:
      HTMLMark("<tr><td colspan=\"", value: "\" style=\"\(Self.mailFont);\(Self.warning)\">▲ ", "</td></tr>\n")
    case .checkItem:
      HTMLMark("<tr><td valign=\"top\" style=\"\(Self.line);padding:8px 0;\(Self.mailFont)\">☐ ", "</td></tr>\n")
    case .checkWarning, .advice: HTMLMark("<br>\n<span style=\"\(Self.warning)\">▲ ", "</span>\n")
    case .checkAmount: HTMLMark("<b>", "</b> ")
    case .card:
      HTMLMark(
        "<table id=\"",
        value: "\" cellpadding=\"2\" width=\"100%\" style=\"\(Self.line)\"><tr><td style=\"\(Self.mailFont)\">\n",
        "</td></tr></table>\n")
    case .cardNumber: HTMLMark("<b>", ".</b> ")
    case .cardName: HTMLMark(" <b>", "</b>\n")
    case .address, .alert: HTMLMark("<div>", "</div>\n")
    case .webMap, .appleMap, .call: Self.linked(Self.button)
    case .geoMap: HTMLMark("", "")
    case .callNumber: HTMLMark(" ", "")
    case .shown:
      HTMLMark("<b style=\"display:inline-block;padding:13px 10px;border:1px dashed;border-radius:8px\">", "</b>\n")
    case .shownLabel: HTMLMark("", ": ")
    case .warningAlert: Self.element("div", Self.warning, sign: "▲ ")
    case .quote: HTMLMark("<div><i>", "</i></div>\n")
    case .tasks: HTMLMark("<div>\n", "</div>\n")
    case .task: HTMLMark("<div>☐ ", "</div>\n")
    case .taskText: HTMLMark("<b>", "</b>")
    case .taskDetail: HTMLMark(" (", ")\n")
    case .readings: HTMLMark("<table cellpadding=\"4\" cellspacing=\"0\" border=\"1\"><tr>\n", "</tr></table>\n")
    case .reading: HTMLMark("<td align=\"center\" valign=\"top\">", "</td>\n")
    case .readingOutside:
      HTMLMark("<td align=\"center\" valign=\"top\" style=\"\(Self.warning)\">", "</td>\n")
    case .readingLabel: HTMLMark("<span style=\"\(Self.mailTiny)\">", "</span><br>\n")
    case .readingWord: HTMLMark("<br>\n<span style=\"\(Self.mailTiny)\">", "</span>")
    case .readingValue: HTMLMark("<b>", "</b>")
    case .facts, .contact, .laterTitle, .laterLine: Self.element("div", Self.mailSmall)
    case .foldTitle: Self.element("h3", "font-size:16px;margin:20px 0 6px")
    case .printedTitle: HTMLMark("", "")
    }
  }
}
