package import PoolRouting

/// A page for people before it has a shape: the same blocks become text, Markdown and HTML.
///
/// Its texts are bare: each shape escapes, wraps and marks as it needs to.
package struct Document: Hashable, Sendable {
  package enum Tone: Hashable, Sendable {
    case plain, muted
    /// Said in words and marked by a sign, never by colour alone.
    case warning
  }

  package struct Line: Hashable, Sendable {
    let text: String
    let tone: Tone

    init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  package struct Cell: Hashable, Sendable {
    let text: String
    let isNumber: Bool
    let note: Line?

    init(_ text: String, isNumber: Bool = false, note: Line? = nil) {
      self.text = text
      self.isNumber = isNumber
      self.note = note
    }
  }

  /// A stop of a route.
  package struct StopEntry: Hashable, Sendable {
    let number: Int
    let time: String
    let name: String
    let address: String
    /// Volume, water, days since the visit.
    let facts: String
    let warnings: [String]
    /// Where a phone's map begins to guide; nil where there is nothing to go by.
    let link: String?
    let linkText: String
    /// What a sensitive page may hold; empty everywhere else.
    let secrets: [String]
  }

  package enum Block: Hashable, Sendable {
    /// 2 or 3 deep.
    case heading(String, level: Int)
    case paragraph(Line)
    case list([Line])
    case table(header: [Cell], rows: [[Cell]])
    case stops([StopEntry])
    case map(RouteMap)
    /// What belongs on a sheet of paper of its own.
    indirect case sheet([Block])
    /// An image as its page holds it: `data:image/jpeg;base64,…`.
    case image(data: String, alt: String)
  }

  /// Of the page, such as `pt-BR`.
  package let language: String
  package let title: String
  package let blocks: [Block]
  package let footer: [String]

  /// The first map, on whichever sheet.
  package var map: RouteMap? {
    func first(_ blocks: [Block]) -> RouteMap? {
      for block in blocks {
        switch block {
        case .map(let map): return map
        case .sheet(let blocks): if let map = first(blocks) { return map }
        case .heading, .paragraph, .list, .table, .stops, .image: continue
        }
      }
      return nil
    }
    return first(blocks)
  }
}
