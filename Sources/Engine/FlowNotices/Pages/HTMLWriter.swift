import FlowModel

/// Writes blocks as HTML in a profile; everything that is not written with `raw` is escaped.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []
  let profile: HTMLProfile
  /// The page's title, repeated at the top of each further printed sheet.
  private let title: String
  /// The colon after a label.
  let colon: String
  private var pictures: ArraySlice<Document.Picture>
  private var drawings = 0
  private(set) var sheets = 0

  init(_ profile: HTMLProfile, title: String, colon: String = ":", pictures: [Document.Picture] = []) {
    self.profile = profile
    self.title = title
    self.colon = colon
    self.pictures = pictures[...]
    bytes.reserveCapacity(48 << 10)
  }

  // MARK: Texts

  /// Appends HTML without escaping it.
  mutating func raw(_ html: String) { bytes.append(contentsOf: html.utf8) }

  /// Appends text, escaped, without hidden characters and with right-to-left runs isolated.
  mutating func text(_ text: String) {
    if addedUnchanged(text) { return }
    // Fast path: scanning bytes is much cheaper than rebuilding the string.
    escape(isPlainScript(text) ? text : isolated(removingInvisible(text)))
  }

  /// Appends a text that HTML shows as it is, as most texts of a page are: printable ASCII without a character to escape.
  ///
  /// - Returns: false if it appended nothing, because the text has other characters.
  private mutating func addedUnchanged(_ text: String) -> Bool {
    let (and, less, greater, quote) = Self.signs
    guard
      text.utf8.allSatisfy({
        $0 >= 0x20 && $0 < 0x7F && $0 != and && $0 != less && $0 != greater && $0 != quote
      })
    else { return false }
    raw(text)
    return true
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

  /// Appends visible text. On a page it gets its own bidirectional context, so that a right-to-left name does not reorder the
  /// text around it; in a mail it gets break marks in long runs.
  mutating func words(_ words: String) {
    if profile.isMail { return broken(words) }
    if addedUnchanged(words) { return }
    // The first bytes of the scripts that are written from right to left; Latin text has none of them.
    guard words.utf8.contains(where: { 0xD6...0xE0 ~= $0 || $0 >= 0xEF }) else { return text(words) }
    raw("<bdi>")
    text(words)
    raw("</bdi>")
  }

  /// The longest run of characters that fits a phone's column; longer ones get break marks, so that a mail needs no sideways
  /// scrolling.
  private static let maxRunLength = 18
  private static let breakLength = 10

  /// Adds text with break marks (`<wbr>`) in long runs.
  private mutating func broken(_ text: String) {
    // Keep text without long runs in one piece, so that right-to-left text is isolated as a whole.
    guard text.split(separator: " ").contains(where: { $0.count > Self.maxRunLength }) else { return self.text(text) }
    for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { raw(" ") }
      var rest = word[...]
      while rest.count > Self.maxRunLength {
        let hyphen = rest.prefix(Self.maxRunLength).lastIndex(of: "-")
        let breakLength = hyphen.map { rest[...$0] } ?? rest.prefix(Self.breakLength)
        self.text(String(breakLength))
        raw("<wbr>")
        rest = rest[breakLength.endIndex...]
      }
      self.text(String(rest))
    }
  }

  // MARK: Elements

  /// Opens a part; `value` is written if the profile has a place for it.
  mutating func open(_ part: HTMLPart, _ value: String = "") {
    let mark = profile[part]
    raw(mark.open)
    guard let end = mark.openEnd else { return }
    text(value)
    raw(end)
  }

  mutating func close(_ part: HTMLPart) { raw(profile[part].close) }

  /// Writes a part that has only text.
  mutating func element(_ part: HTMLPart, _ content: String) {
    open(part)
    words(content)
    close(part)
  }

  mutating func link(_ part: HTMLPart, _ content: String, to target: String) {
    open(part, target)
    words(content)
    close(part)
  }

  mutating func add(_ line: Document.Line, _ plain: HTMLPart, _ muted: HTMLPart, _ warning: HTMLPart) {
    switch line.tone {
    case .plain:
      guard let target = line.link, !profile.isMail else { return element(plain, line.text) }
      open(plain)
      link(.link, line.text, to: target)
      close(plain)
    case .muted: element(muted, line.text)
    case .warning: element(warning, line.text)
    }
  }

  /// Writes links to the sheets of a page with more than one sheet, labelled by their headings.
  mutating func index(of blocks: [Document.Block]) {
    let titles = blocks.sheetTitles
    guard titles.count > 1 else { return }
    open(.navigation)
    for (index, title) in titles.enumerated() { link(.link, title, to: "#p\(index + 1)") }
    close(.navigation)
  }

  /// The links of a published page to the files for a phone's home screen; the credentials are for servers that ask for a password.
  static let homeScreenLinks =
    "<link rel=\"manifest\" href=\"\(SiteFolderPart.manifestName)\" crossorigin=\"use-credentials\">"
    + "<link rel=\"icon apple-touch-icon\" href=\"\(SiteFolderPart.iconName)\">"

  /// Writes the time at which a published page was made.
  mutating func made(_ folder: SiteFolderPart) {
    open(.footerLine)
    text(folder.made[0])
    raw(PageSignature.time.open)
    text(folder.made[1])
    raw(PageSignature.time.close)
    text(folder.made[2])
    close(.footerLine)
  }

  /// Writes the links between the pages of a folder.
  mutating func navigation(_ folder: SiteFolderPart) {
    raw("<nav class=\"pg\">")
    for one in folder.links {
      raw("<a href=\"")
      text(one.target)
      raw(one.target == folder.current ? "\" aria-current=\"page\">" : "\">")
      words(one.text)
      raw("</a>")
    }
    raw("</nav>")
  }

  // MARK: Blocks

  mutating func add(_ blocks: [Document.Block]) {
    for block in blocks {
      switch block {
      case .heading(let title, let level): element(level == 2 ? .heading2 : .heading3, title)
      case .paragraph(let line): add(line, .paragraph, .mutedParagraph, .warningParagraph)
      case .list(let items):
        open(.list)
        for item in items { add(item, .item, .mutedItem, .warningItem) }
        close(.list)
      case .table(let header, let rows): table(header, rows)
      case .cards(let cards, let blanks): add(cards, blanks)
      case .highlights(let highlights):
        open(.highlights)
        for highlight in highlights { add(highlight) }
        close(.highlights)
      case .checklist(let items):
        open(.checklist)
        for item in items { add(item) }
        close(.checklist)
      case .links(let links):
        open(.links)
        for one in links { link(.call, one.text, to: one.target) }
        close(.links)
      case .fold(let title, let blocks):
        open(.fold)
        if !profile.isMail || blocks.hasText { element(.foldTitle, title) }
        add(blocks)
        close(.fold)
      case .sheet(let blocks):
        sheets += 1
        open(.sheet, "p\(sheets)")
        if sheets > 1, !profile.isMail { element(.printedTitle, title) }
        // A page moves folded blocks below the cards by its styles, which a mail has not.
        add(profile.isMail ? blocks.foldsLast : blocks)
        close(.sheet)
      case .drawing(let drawing): add(drawing)
      case .chart(let chart): if profile.isMail { table(chart.header, chart.rows) } else { add(chart) }
      case .image(let data, let alt):
        guard !profile.isMail else {
          element(.mutedParagraph, "[\(alt)]")
          continue
        }
        raw("<img src=\"")
        text(data)
        raw("\" alt=\"")
        text(alt)
        raw("\">")
      }
    }
  }

  mutating func table(_ header: [Document.Cell], _ rows: [[Document.Cell]]) {
    open(.table)
    if !header.isEmpty {
      open(.headRow)
      for cell in header { element(cell.isNumber ? .headNumber : .headCell, cell.text) }
      close(.headRow)
    }
    for row in rows {
      open(.row)
      for cell in row {
        let part = cell.isNumber ? HTMLPart.number : .cell
        open(part)
        // A short number is kept on one line; a long one may wrap to leave space for its neighbours.
        words(cell.isNumber && cell.text.count < 9 ? cell.text.replacing(" ", with: "\u{A0}") : cell.text)
        if let note = cell.note, note.tone != .warning { element(note.tone == .muted ? .note : .strongNote, note.text) }
        close(part)
      }
      close(.row)
      // A warning is a sentence, so it gets a row over the whole width of the table.
      for note in row.compactMap(\.note) where note.tone == .warning {
        open(.warningRow, String(row.count))
        words(note.text)
        close(.warningRow)
      }
    }
    close(.table)
  }

  /// The number of links that fit beside a highlight's text on a phone, where the styles hide the others and show their number;
  /// with more, the first card would begin on the second screen.
  private static let linksOnPhone = 4

  private mutating func add(_ highlight: Document.Highlight) {
    open(.highlight)
    guard !profile.isMail else {
      // Few mail programs follow a link within a mail.
      words(highlight.sentence(colon))
      return close(.highlight)
    }
    element(.highlightText, highlight.text)
    for number in highlight.numbers { link(.stopLink, String(number), to: anchor(number)) }
    if highlight.more > 0 { raw("<i>+\(highlight.more)</i>") }
    let hidden = highlight.numbers.count - Self.linksOnPhone
    if hidden > 0 { raw("<small>+\(hidden + highlight.more)</small>") }
    close(.highlight)
  }

  private mutating func add(_ item: Document.CheckItem) {
    open(.checkItem)
    if profile.isMail {
      element(.checkAmount, item.amount)
      addName(of: item)
    } else {
      addName(of: item)
      element(.checkAmount, item.amount)
    }
    close(.checkItem)
  }

  private mutating func addName(of item: Document.CheckItem) {
    open(.checkName)
    words(item.name)
    if !item.facts.isEmpty { element(.checkFacts, item.facts) }
    if let note = item.note { element(note.tone == .warning ? .checkWarning : .checkNote, note.text) }
    close(.checkName)
  }

  // MARK: Drawings

  private mutating func add(_ drawing: Document.Drawing) {
    guard !profile.isMail else { return addPicture(of: drawing) }
    // Limits the width of a tall drawing to its possible height, so that it fills its frame.
    let widest = svgNumber(26 * drawing.width / drawing.height)
    beginDrawing(
      viewBox: "0 0 \(svgNumber(drawing.width)) \(svgNumber(drawing.height))", title: drawing.title,
      description: drawing.description, with: " style=\"max-width:\(widest)rem\"")
    raw(drawing.shapes)
    raw("</svg>")
  }

  /// Adds a drawing as the next picture. Its alternative text repeats the cards; without a height attribute, a blocked picture
  /// takes only the height of that text.
  private mutating func addPicture(of drawing: Document.Drawing) {
    guard let picture = pictures.popFirst() else { return }
    raw("<p style=\"margin:8px 0\"><img src=\"")
    text(picture.source)
    raw("\" width=\"\(picture.width)\" alt=\"")
    text("\(drawing.title). \(drawing.description)")
    raw("\" style=\"display:block;border:0;width:100%;max-width:\(picture.width)px;height:auto\"></p>\n")
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
