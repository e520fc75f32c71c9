/// Figures as a picture together with the table of the values; text and Markdown show only the table.
package struct Chart: Hashable, Sendable {
  /// The type of picture.
  package enum Shape: Hashable, Sendable {
    /// One bar per panel, to the left of zero if negative; all panels share one scale.
    case bars
    /// One column per tick; all panels share one scale.
    case columns
    /// One line over its band; each panel has its own scale.
    case lines
  }

  /// One row of the picture, with a line of text above it.
  package struct Panel: Hashable, Sendable {
    let label: String
    /// The total, shown at the end of the line of text.
    let value: String
    let now: [Double]
    /// The values of the previous period, drawn as outlines; empty without a comparison.
    let before: [Double]
    /// The label over each column; empty for none.
    let marks: [String]
    /// The ideal range of a line; nil for none.
    let band: Band?
    /// The indexes of columns drawn as warnings; 0 for a bar. Points of a line outside its band are warnings too.
    let warned: Set<Int>

    package init(
      _ label: String, value: String, now: [Double], before: [Double] = [], marks: [String] = [], band: Band? = nil,
      warned: Set<Int> = []
    ) {
      self.label = label
      self.value = value
      self.now = now
      self.before = before
      self.marks = marks
      self.band = band
      self.warned = warned
    }
  }

  /// The ideal range of a line, with the labels of its limits.
  package struct Band: Hashable, Sendable {
    let limits: ClosedRange<Double>
    let lowText: String
    let highText: String

    package init(_ limits: ClosedRange<Double>, low: String, high: String) {
      self.limits = limits
      lowText = low
      highText = high
    }
  }

  /// The labels for filled marks (this period) and outlined marks (the previous period).
  package struct Legend: Hashable, Sendable {
    let now: String
    let before: String

    package init(now: String, before: String) {
      self.now = now
      self.before = before
    }
  }

  /// The accessible title of the picture.
  let title: String
  let description: String
  /// Whether `description` is also shown as visible text.
  let isDescribed: Bool
  let shape: Shape
  let panels: [Panel]
  let ticks: [String]
  let legend: Legend?
  /// The heading of the table.
  let tableTitle: String
  package let header: [Document.Cell]
  package let rows: [[Document.Cell]]

  package init(
    _ shape: Shape, title: String, description: String, isDescribed: Bool = false, panels: [Panel],
    ticks: [String] = [], legend: Legend? = nil,
    tableTitle: String, header: [Document.Cell], rows: [[Document.Cell]]
  ) {
    self.shape = shape
    self.title = title
    self.description = description
    self.isDescribed = isDescribed
    self.panels = panels
    self.ticks = ticks
    self.legend = legend
    self.tableTitle = tableTitle
    self.header = header
    self.rows = rows
  }

  /// The picture as a stand-alone SVG file.
  package var svg: String {
    var writer = HTMLWriter(.page, title: title)
    writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    writer.picture(of: self, isFile: true)
    writer.raw("\n")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
