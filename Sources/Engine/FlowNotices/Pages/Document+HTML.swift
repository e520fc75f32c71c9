import FlowModel

extension Document {
  /// The page as one HTML file without scripts or network access, for phones and print, in a light and a dark scheme.
  package var html: String { String(decoding: htmlBytes, as: UTF8.self) }

  /// The page as UTF-8.
  package var htmlBytes: [UInt8] {
    var writer = HTMLWriter(.page, title: title, colon: colon)
    writer.raw("<!doctype html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
    writer.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
    // Defence in depth: even if a name injected markup, the page could neither run scripts nor load anything.
    let own = folder == nil ? "" : " 'self';manifest-src 'self'"
    writer.raw("<meta http-equiv=\"Content-Security-Policy\" ")
    writer.raw("content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\(own)\">")
    if isPublished { writer.raw(PageSignature.robots) }
    writer.raw("<title>")
    writer.text(title)
    writer.raw("</title>")
    if folder != nil { writer.raw(HTMLWriter.homeScreenLinks) }
    writer.raw("<style>")
    writer.raw(PageStyle.css)
    if folder != nil { writer.raw(PageStyle.folder) }
    if blocks.count(where: \.isSheet) > 1 { writer.raw(PageStyle.sheets) }
    if blocks.sheetTitles.count > 1 { writer.raw(PageStyle.index) }
    if blocks.contains(where: \.hasWarnedItems) { writer.raw(PageStyle.warnedItems) }
    if blocks.contains(where: \.isImage) { writer.raw(PageStyle.images) }
    if blocks.contains(where: \.hasTable) { writer.raw(PageStyle.tables) }
    if blocks.contains(where: \.hasCards) { writer.raw(PageStyle.cards) }
    if blocks.contains(where: \.hasCharts) { writer.raw(PageStyle.charts) }
    writer.raw("@page{size:\(paper.rawValue);margin:10mm}</style></head><body><main>")
    writer.element(.heading1, heading)
    writer.index(of: blocks)
    writer.add(blocks)
    writer.raw("</main><footer>")
    for line in footer { writer.element(.footerLine, line) }
    if let folder { writer.made(folder) }
    writer.raw("</footer>")
    if let folder { writer.navigation(folder) }
    writer.raw("</body></html>\n")
    return writer.bytes
  }

  /// A drawing as an inline picture of a mail.
  package struct Picture: Sendable {
    /// The URL of the picture, such as `cid:map1@example.com`.
    let source: String
    /// The maximum display width, in CSS pixels.
    let width: Int

    package init(source: String, width: Int) { (self.source, self.width) = (source, width) }
  }

  /// The page as HTML for a mail.
  ///
  /// - Parameter pictures: pictures for the drawings, in their order; drawings without a picture are omitted.
  package func mailHTML(pictures: [Picture] = []) -> String {
    var writer = HTMLWriter(.mail, title: title, colon: colon, pictures: pictures)
    writer.raw("<!doctype html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
    writer.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>")
    writer.text(subject)
    writer.raw("</title></head>\n<body style=\"margin:0;padding:12px\">\n")
    writer.raw("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" width=\"100%\" ")
    writer.raw("style=\"max-width:600px\"><tr><td style=\"\(HTMLPart.mailFont)\">\n")
    writer.element(.heading1, heading)
    writer.add(blocks)
    for line in footer { writer.element(.footerLine, line) }
    writer.raw("</td></tr></table>\n</body></html>\n")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Document.Block {
  /// Whether the page needs the styles for charts; most pages do not.
  fileprivate var hasCharts: Bool {
    switch self {
    case .chart: true
    case .sheet(let blocks), .fold(_, let blocks): blocks.contains(where: \.hasCharts)
    default: false
    }
  }

  /// Whether the page needs the styles for warnings in a list.
  fileprivate var hasWarnedItems: Bool {
    switch self {
    case .list(let items): items.contains { $0.tone == .warning }
    case .sheet(let blocks), .fold(_, let blocks): blocks.contains(where: \.hasWarnedItems)
    default: false
    }
  }

  /// Whether the page needs the styles for tables.
  fileprivate var hasTable: Bool {
    switch self {
    case .table, .chart: true
    case .sheet(let blocks), .fold(_, let blocks): blocks.contains(where: \.hasTable)
    default: false
    }
  }

  /// Whether the page needs the styles for cards.
  fileprivate var hasCards: Bool {
    switch self {
    case .cards, .checklist, .highlights, .fold, .links: true
    case .sheet(let blocks): blocks.contains(where: \.hasCards)
    default: false
    }
  }
}

extension Document.Block {
  fileprivate var isSheet: Bool { if case .sheet = self { true } else { false } }
  fileprivate var isImage: Bool { if case .image = self { true } else { false } }
}

extension [Document.Block] {
  /// The headings with which the sheets begin.
  var sheetTitles: [String] {
    compactMap { block in
      if case .sheet(let blocks) = block, case .heading(let title, _)? = blocks.first { title } else { nil }
    }
  }
}
