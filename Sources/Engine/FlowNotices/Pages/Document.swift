/// A page for people, independent of its format: the same blocks are rendered as text, Markdown and HTML.
///
/// Its texts are unescaped; each renderer escapes, wraps and marks them as its format requires.
package struct Document: Hashable, Sendable {
  /// The emphasis of a line.
  package enum Tone: Hashable, Sendable {
    case plain, muted
    /// Marked by a sign and by its wording, never by colour alone.
    case warning
  }

  /// One line of text with its emphasis.
  package struct Line: Hashable, Sendable {
    package let text: String
    package let tone: Tone
    /// A relative link to another page, such as `../NAME/`; ignored in text and Markdown.
    package let link: String?

    package init(_ text: String, _ tone: Tone = .plain, link: String? = nil) {
      self.text = text
      self.tone = tone
      self.link = link
    }
  }

  /// A table cell; numbers are aligned to the right.
  package struct Cell: Hashable, Sendable {
    package let text: String
    package let isNumber: Bool
    package let note: Line?

    package init(_ text: String, isNumber: Bool = false, note: Line? = nil) {
      self.text = text
      self.isNumber = isNumber
      self.note = note
    }
  }

  /// A task at a place and time, such as a stop of a route.
  package struct Appointment: Hashable, Sendable {
    package let number: Int
    package let time: String
    package let name: String
    package let address: String
    /// Known facts about the stop, on one line.
    package let facts: String
    package let warnings: [String]
    /// Map links to the stop; the first one is for pages with space for only one; empty without coordinates or an address.
    package let maps: [Link]
    /// Access data for sensitive sinks only; empty on all other pages.
    package let secrets: [Labelled]

    package init(
      number: Int, time: String, name: String, address: String, facts: String, warnings: [String], maps: [Link],
      secrets: [Labelled]
    ) {
      self.number = number
      self.time = time
      self.name = name
      self.address = address
      self.facts = facts
      self.warnings = warnings
      self.maps = maps
      self.secrets = secrets
    }
  }

  /// A text with a link target.
  package struct Link: Hashable, Sendable {
    package let text: String
    /// A URI, percent-encoded.
    package let target: String

    package init(_ text: String, to target: String) {
      self.text = text
      self.target = target
    }
  }

  /// A text with a label: `Gate: HOA fob`.
  package struct Labelled: Hashable, Sendable {
    package let label: String
    package let text: String
    /// A URI that a phone opens, such as `tel:4805550117`; nil for none.
    package let link: String?

    package init(_ label: String, _ text: String, link: String? = nil) {
      self.label = label
      self.text = text
      self.link = link
    }
  }

  /// An SVG drawing; text and Markdown omit it.
  package struct Drawing: Hashable, Sendable {
    let width: Double
    let height: Double
    package let title: String
    package let description: String
    /// The content of the `svg` element, already escaped.
    let shapes: String

    package init(width: Double, height: Double, title: String, description: String, shapes: String) {
      self.width = width
      self.height = height
      self.title = title
      self.description = description
      self.shapes = shapes
    }
  }

  /// A part of a page.
  package enum Block: Hashable, Sendable {
    /// A heading of level 2 or 3.
    case heading(String, level: Int)
    case paragraph(Line)
    case list([Line])
    case table(header: [Cell], rows: [[Cell]])
    /// Appointments, each with labelled blanks in which to write measurements by hand.
    case appointments([Appointment], blanks: [String])
    case drawing(Drawing)
    /// A summary of the rest of the page, omitted in print.
    indirect case overview([Block])
    case chart(Chart)
    /// Blocks that begin on a new printed sheet.
    indirect case sheet([Block])
    /// An image embedded as a data URI: `data:image/jpeg;base64,…`.
    case image(data: String, alt: String)
  }

  /// The paper sizes for printing, named as in CSS.
  package enum Paper: String, Hashable, Sendable {
    case a4 = "A4"
    case letter
  }

  /// The language tag of the page, such as `pt-BR`.
  package let language: String
  package let title: String
  package let blocks: [Block]
  package let footer: [String]
  package let paper: Paper
  /// Whether the page is on a web server: search engines must not index it, and its links must not reveal its address.
  package private(set) var isPublished = false

  package init(language: String, title: String, blocks: [Block], footer: [String], paper: Paper = .a4) {
    self.language = language
    self.title = title
    self.blocks = blocks
    self.footer = footer
    self.paper = paper
  }

  /// A copy of the page for a web server.
  ///
  /// - Parameter last: replaces the last line of the footer, which refers to the notice.
  package func published(last: String) -> Document {
    var page = Document(
      language: language, title: title, blocks: blocks, footer: footer.dropLast() + [last], paper: paper)
    page.isPublished = true
    return page
  }
}
