import FlowModel

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

  /// A table cell; numbers are aligned to the right. A plain note is as important as the cell, and stands out below it.
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

  /// A numbered place of work at a time, with everything needed there.
  package struct Card: Hashable, Sendable {
    package let number: Int
    package let time: String
    package let name: String
    package let address: String
    package let actions: [Action]
    /// Facts that change today's work, such as hours that the arrival misses.
    package let alerts: [Line]
    /// A note of the office, in quotation marks; empty for none.
    package let note: String
    package let tasks: [Task]
    package let readings: [Reading]
    /// The readings as one sentence, for text and Markdown; on every page if there are no `readings`.
    package let readingsText: String
    /// Further known facts, on one line.
    package let facts: String
    /// Contact data; empty on all pages except those of sensitive sinks.
    package let contacts: [Labelled]
    /// Facts that need no action today; nil for none.
    package let later: Fold?

    package init(
      number: Int, time: String, name: String, address: String, actions: [Action] = [], alerts: [Line] = [],
      note: String = "", tasks: [Task] = [], readings: [Reading] = [], readingsText: String = "", facts: String = "",
      contacts: [Labelled] = [], later: Fold? = nil
    ) {
      self.number = number
      self.time = time
      self.name = name
      self.address = address
      self.actions = actions
      self.alerts = alerts
      self.note = note
      self.tasks = tasks
      self.readings = readings
      self.readingsText = readingsText
      self.facts = facts
      self.contacts = contacts
      self.later = later
    }
  }

  /// A button or a box in the first row of a card.
  package enum Action: Hashable, Sendable {
    /// A button that starts navigation.
    case navigate(String, MapTargets)
    /// A button that calls a telephone number.
    case call(String, number: String, link: String)
    /// A box with a text to be read at a glance, such as a gate code.
    case show(Labelled)
  }

  /// URIs of one place for the map programs of each platform. A page shows the one of the reader's platform.
  package struct MapTargets: Hashable, Sendable {
    /// For browsers on desktops.
    package let web: Link
    /// For iPhones and iPads.
    package let apple: Link
    /// A `geo:` URI, for other phones.
    package let geo: Link

    package init(web: Link, apple: Link, geo: Link) {
      self.web = web
      self.apple = apple
      self.geo = geo
    }
  }

  /// Something to do, with a box to tick.
  package struct Task: Hashable, Sendable {
    package let text: String
    /// The condition or reason of the task; empty for none.
    package let detail: String
    /// A warning about how to do it; nil for none.
    package let advice: String?

    package init(_ text: String, detail: String = "", advice: String? = nil) {
      self.text = text
      self.detail = detail
      self.advice = advice
    }
  }

  /// A measured value.
  package struct Reading: Hashable, Sendable {
    /// The position of a value relative to its range.
    package enum Status: Hashable, Sendable {
      case low, inRange, high
    }

    /// A name short enough for a fifth of a phone's width.
    package let label: String
    package let value: String
    package let unit: String
    package let status: Status
    /// A word about the value, such as `high` or `older`; empty for none.
    package let word: String

    package init(_ label: String, _ value: String, unit: String = "", status: Status = .inRange, word: String = "") {
      self.label = label
      self.value = value
      self.unit = unit
      self.status = status
      self.word = word
    }
  }

  /// Lines under a title that a page shows on demand.
  package struct Fold: Hashable, Sendable {
    package let title: String
    package let lines: [String]

    package init(_ title: String, _ lines: [String]) {
      self.title = title
      self.lines = lines
    }
  }

  /// A fact about several cards, with their numbers as links.
  package struct Highlight: Hashable, Sendable {
    package let text: String
    package let numbers: [Int]
    /// The number of further cards; 0 for none.
    package let more: Int

    package init(_ text: String, numbers: [Int], more: Int = 0) {
      self.text = text
      self.numbers = numbers
      self.more = more
    }
  }

  /// Something to take along, with a box to tick.
  package struct CheckItem: Hashable, Sendable {
    package let name: String
    package let amount: String
    /// Further facts, on one line; empty for none.
    package let facts: String
    package let note: Line?

    package init(_ name: String, amount: String, facts: String = "", note: Line? = nil) {
      self.name = name
      self.amount = amount
      self.facts = facts
      self.note = note
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
    /// Cards, each with labelled blanks in which to write measurements by hand on paper.
    case cards([Card], blanks: [String])
    case highlights([Highlight])
    case checklist([CheckItem])
    /// Links as a row of buttons.
    case links([Link])
    case drawing(Drawing)
    /// Blocks under a title that a page shows on demand, and paper always.
    indirect case fold(String, [Block])
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
  /// The heading of the HTML page.
  package let heading: String
  /// The subject of a mail with the page.
  package let subject: String
  package let blocks: [Block]
  /// The last line is technical: it refers to the notice or to the update of the page.
  package let footer: [String]
  package let paper: Paper
  /// Whether the page is on a web server: search engines must not index it, and its links must not reveal its address.
  package private(set) var isPublished = false
  /// The part of a published page that belongs to its folder; nil for none.
  package private(set) var folder: SiteFolderPart?

  /// - Parameters:
  ///   - heading: nil for the title.
  ///   - subject: nil for the title.
  package init(
    language: String, title: String, heading: String? = nil, subject: String? = nil, blocks: [Block], footer: [String],
    paper: Paper = .a4
  ) {
    self.language = language
    self.title = title
    self.heading = heading ?? title
    self.subject = subject ?? title
    self.blocks = blocks
    self.footer = footer
    self.paper = paper
  }

  /// The colon after a label in the page's language.
  var colon: String { Language(rawValue: language)?.colon ?? ":" }

  /// A copy of the page for a web server.
  ///
  /// - Parameters:
  ///   - last: replaces the technical line of the footer.
  ///   - folder: links to the other pages of the folder; nil for none.
  package func published(last: String, in folder: SiteFolderPart? = nil) -> Document {
    var page = with(footer: footer.dropLast() + [last])
    page.isPublished = true
    page.folder = folder
    return page
  }

  /// A copy of the page for a mail: entitled as the mail, without the technical line of the footer.
  ///
  /// - Parameter link: a link to the published page; nil for none.
  package func mailed(with link: Link?) -> Document {
    with(title: subject, blocks: (link.map { [.links([$0])] } ?? []) + blocks, footer: footer.dropLast())
  }

  private func with(title: String? = nil, blocks: [Block]? = nil, footer: [String]) -> Document {
    Document(
      language: language, title: title ?? self.title, heading: heading, subject: subject, blocks: blocks ?? self.blocks,
      footer: footer, paper: paper
    )
  }
}
