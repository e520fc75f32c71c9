/// A page of headings, paragraphs and tables inside an event, for a program that renders it as a mail.
package struct PageData: Codable, Sendable {
  /// A table cell.
  package struct Cell: Codable, Sendable {
    let text: String
    let isNumber: Bool
    let note: String?
  }

  /// Exactly one member is set.
  package struct Block: Codable, Sendable {
    var heading: String?
    var paragraph: String?
    var rows: [[Cell]]?
  }

  let language: String
  let title: String
  let blocks: [Block]

  /// - Parameter document: the page; blocks other than headings, paragraphs and tables are left out.
  package init(_ document: Document) {
    language = document.language
    title = document.title
    blocks = document.blocks.compactMap { block in
      switch block {
      case .heading(let text, _): Block(heading: text)
      case .paragraph(let line): Block(paragraph: line.text)
      case .table(let header, let rows):
        Block(
          rows: ([header] + rows).filter { !$0.isEmpty }.map { row in
            row.map { Cell(text: $0.text, isNumber: $0.isNumber, note: $0.note?.text) }
          })
      case .list, .cards, .highlights, .checklist, .links, .drawing, .fold, .chart, .sheet, .image: nil
      }
    }
  }

  package var document: Document {
    Document(
      language: language, title: title,
      blocks: blocks.compactMap { block in
        if let heading = block.heading { return .heading(heading, level: 2) }
        if let paragraph = block.paragraph { return .paragraph(.init(paragraph)) }
        return block.rows.map { rows in
          .table(
            header: [],
            rows: rows.map { row in
              row.map { .init($0.text, isNumber: $0.isNumber, note: $0.note.map { .init($0, .muted) }) }
            })
        }
      }, footer: [])
  }
}
