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
    package let text: String
    package let tone: Tone
    /// Where a page leads from here, such as `../NAME/`; text and Markdown lead nowhere.
    package let link: String?

    package init(_ text: String, _ tone: Tone = .plain, link: String? = nil) {
      self.text = text
      self.tone = tone
      self.link = link
    }
  }

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

  /// What is to be done somewhere at a time.
  package struct Appointment: Hashable, Sendable {
    package let number: Int
    package let time: String
    package let name: String
    package let address: String
    /// What is known of it, in a line.
    package let facts: String
    package let warnings: [String]
    /// Maps that guide there, the first for pages with room for one; empty where there is nothing to go by.
    package let maps: [Link]
    /// What a sensitive page may hold; empty everywhere else.
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

  /// Words that lead somewhere.
  package struct Link: Hashable, Sendable {
    package let text: String
    /// A URI, escaped as such.
    package let target: String

    package init(_ text: String, to target: String) {
      self.text = text
      self.target = target
    }
  }

  /// Words with what they are: `Gate: HOA fob`.
  package struct Labelled: Hashable, Sendable {
    package let label: String
    package let text: String
    /// What a phone opens for them, such as `tel:4805550117`; nil for nothing.
    package let link: String?

    package init(_ label: String, _ text: String, link: String? = nil) {
      self.label = label
      self.text = text
      self.link = link
    }
  }

  /// A drawing; text and Markdown have none.
  package struct Drawing: Hashable, Sendable {
    let width: Double
    let height: Double
    package let title: String
    package let description: String
    /// What stands inside the `svg` element, escaped.
    let shapes: String

    package init(width: Double, height: Double, title: String, description: String, shapes: String) {
      self.width = width
      self.height = height
      self.title = title
      self.description = description
      self.shapes = shapes
    }
  }

  package enum Block: Hashable, Sendable {
    /// 2 or 3 deep.
    case heading(String, level: Int)
    case paragraph(Line)
    case list([Line])
    case table(header: [Cell], rows: [[Cell]])
    /// With what is measured at each, to be written down on paper.
    case appointments([Appointment], blanks: [String])
    case drawing(Drawing)
    /// What is told again further on: paper leaves it out.
    indirect case overview([Block])
    case chart(Chart)
    /// What belongs on a sheet of paper of its own.
    indirect case sheet([Block])
    /// An image as its page holds it: `data:image/jpeg;base64,…`.
    case image(data: String, alt: String)
  }

  /// The sheets that a page is printed to, by their names in CSS.
  package enum Paper: String, Hashable, Sendable {
    case a4 = "A4"
    case letter
  }

  /// Of the page, such as `pt-BR`.
  package let language: String
  package let title: String
  package let blocks: [Block]
  package let footer: [String]
  package let paper: Paper
  /// It lies on a web server: nobody may index it, nor learn its address from where it leads.
  package private(set) var isPublished = false

  package init(language: String, title: String, blocks: [Block], footer: [String], paper: Paper = .a4) {
    self.language = language
    self.title = title
    self.blocks = blocks
    self.footer = footer
    self.paper = paper
  }

  /// The same for a web server.
  ///
  /// - Parameter last: takes the place of the footer's last line, which tells of the notice that a page came with.
  package func published(last: String) -> Document {
    var page = Document(
      language: language, title: title, blocks: blocks, footer: footer.dropLast() + [last], paper: paper)
    page.isPublished = true
    return page
  }
}
