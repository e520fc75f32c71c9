/// Figures as a picture, with the table of what it shows; text and Markdown have the table alone.
package struct Chart: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// A bar a panel, left of zero where it is negative; all panels to one scale.
    case bars
    /// A column over each of `ticks`; all panels to one scale.
    case columns
    /// A line over its band; each panel to a scale of its own.
    case lines
  }

  /// One row of the picture, with a line of text above it.
  package struct Panel: Hashable, Sendable {
    let label: String
    /// What it comes to, at the end of the line of text.
    let value: String
    let now: [Double]
    /// The same of the period before, drawn as outlines; empty where nothing is compared.
    let before: [Double]
    /// What stands over each column; empty for nothing.
    let marks: [String]
    /// The limits of a line, with their texts.
    let band: Band?
    /// The columns that are a warning; of a bar 0. A line's points outside of its band are, besides.
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

  /// Within these limits all is well.
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

  /// What filled and what outlined marks are of.
  package struct Legend: Hashable, Sendable {
    let now: String
    let before: String

    package init(now: String, before: String) {
      self.now = now
      self.before = before
    }
  }

  /// What it shows, said before the picture is looked at.
  let title: String
  let description: String
  /// Whether people who see the picture read that, too.
  let isDescribed: Bool
  let shape: Shape
  let panels: [Panel]
  let ticks: [String]
  let legend: Legend?
  /// What the table is called.
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

  /// The picture alone, as a file of its own.
  package var svg: String {
    var writer = HTMLWriter(title: title)
    writer.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    writer.picture(of: self, isFile: true)
    writer.raw("\n")
    return writer.result
  }
}
