import FlowModel

extension HTMLWriter {
  /// Writes the chart as a figure: legend, picture, and the table of its values in a collapsible element.
  mutating func add(_ chart: Chart) {
    raw("<figure>")
    if let legend = chart.legend {
      raw("<figcaption class=\"m\">■ ")
      text(legend.now)
      raw(" &nbsp; □ ")
      text(legend.before)
      raw("</figcaption>")
    }
    picture(of: chart)
    if chart.isDescribed { element(.mutedParagraph, chart.description) }
    raw("<details><summary>")
    text(chart.tableTitle)
    raw("</summary>")
    table(chart.header, chart.rows)
    raw("</details></figure>")
  }

  /// Writes the chart as an SVG element.
  ///
  /// - Parameter isFile: true for a stand-alone file, which contains its own colours, background, margin and title.
  mutating func picture(of chart: Chart, isFile: Bool = false) {
    let geometry = ChartGeometry(chart)
    let (side, above) = isFile ? (10.0, 26.0) : (0.0, 0.0)
    let (width, height) = (ChartGeometry.width + 2 * side, geometry.height + above)
    let origin = "\(svgNumber(-side)) \(svgNumber(-above))"
    beginDrawing(
      viewBox: "\(origin) \(svgNumber(width)) \(svgNumber(height))", title: chart.title,
      description: chart.description, with: " class=\"c\"" + (isFile ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""))
    if isFile {
      raw("<style>\(PageStyle.chartFile)</style>")
      rect("cg", x: -side, y: -above, width: width, height: height)
      label(shortened(removingInvisible(chart.title), to: ChartGeometry.columns), x: 0, y: -10)
    }
    for (index, panel) in chart.panels.enumerated() {
      let top = geometry.step * Double(index)
      addText(panel, top: top)
      switch chart.shape {
      case .bars: addBars(panel, geometry, top: top + ChartGeometry.textHeight)
      case .columns: addColumns(panel, chart.ticks, geometry, top: top + ChartGeometry.textHeight)
      case .lines: addLines(panel, top: top + ChartGeometry.textHeight)
      }
    }
    raw("</svg>")
  }

  /// Writes the label and value above a row, shortened to the width of the picture.
  private mutating func addText(_ panel: Chart.Panel, top: Double) {
    let remainingColumns = ChartGeometry.columns - columns(of: panel.value) - 1
    label(shortened(removingInvisible(panel.label), to: max(8, remainingColumns)), x: 0, y: top + 11)
    label(panel.value, x: ChartGeometry.width, y: top + 11, class: "e")
  }

  private mutating func label(_ words: String, x: Double, y: Double, class name: String? = nil) {
    guard !words.isEmpty else { return }
    raw("<text x=\"\(svgNumber(x))\" y=\"\(svgNumber(y))\"\(name.map { " class=\"\($0)\"" } ?? "")>")
    text(words)
    raw("</text>")
  }

  private mutating func rect(_ name: String, x: Double, y: Double, width: Double, height: Double) {
    raw("<rect class=\"\(name)\" x=\"\(svgNumber(x))\" y=\"\(svgNumber(y))\" ")
    raw("width=\"\(svgNumber(width))\" height=\"\(svgNumber(height))\"/>")
  }

  /// Draws the bar of this period and, below it, the outline of the previous one.
  private mutating func addBars(_ panel: Chart.Panel, _ geometry: ChartGeometry, top: Double) {
    let zero = geometry.fraction(0) * ChartGeometry.width
    func bar(_ value: Double) -> (x: Double, width: Double) {
      let end = geometry.fraction(value) * ChartGeometry.width
      return (min(zero, end), abs(end - zero))
    }
    for value in panel.now.prefix(1) {
      let (x, width) = bar(value)
      rect(panel.warned.contains(0) ? "cw" : "cn", x: x, y: top + 1, width: width, height: 9)
    }
    for value in panel.before.prefix(1) {
      let (x, width) = bar(value)
      rect("cb", x: x + 0.6, y: top + 12, width: max(0, width - 1.2), height: 5)
    }
    raw("<path class=\"cz\" d=\"M\(svgNumber(zero)) \(svgNumber(top))v\(svgNumber(geometry.plot - 4))\"/>")
  }

  /// Draws a column per tick over the wider outline of the previous period.
  private mutating func addColumns(_ panel: Chart.Panel, _ ticks: [String], _ geometry: ChartGeometry, top: Double) {
    let floor = top + geometry.plot - 18
    let slot = ChartGeometry.width / Double(max(1, ticks.count))
    for index in ticks.indices {
      let x = slot * Double(index)
      if panel.before.indices.contains(index) {
        let height = geometry.fraction(panel.before[index]) * ChartGeometry.columnHeight
        rect("cb", x: x + slot * 0.12, y: floor - height, width: slot * 0.76, height: height)
      }
      guard panel.now.indices.contains(index) else { continue }
      let height = geometry.fraction(panel.now[index]) * ChartGeometry.columnHeight
      rect(
        panel.warned.contains(index) ? "cw" : "cn", x: x + slot * 0.22, y: floor - height, width: slot * 0.56,
        height: height)
      let highest = max(panel.now[index], panel.before.indices.contains(index) ? panel.before[index] : 0)
      if panel.marks.indices.contains(index) {
        label(
          panel.marks[index], x: x + slot / 2, y: floor - geometry.fraction(highest) * ChartGeometry.columnHeight - 3,
          class: "k")
      }
      label(ticks[index], x: x + slot / 2, y: floor + 11, class: "k")
    }
    raw("<path class=\"cz\" d=\"M0 \(svgNumber(floor))h\(svgNumber(ChartGeometry.width))\"/>")
  }

  /// Draws the line with a point per value over the band of its ideal range.
  private mutating func addLines(_ panel: Chart.Panel, top: Double) {
    let limits = panel.band?.limits
    let scale = ChartScale(panel.now + (limits.map { [$0.lowerBound, $0.upperBound] } ?? []))
    let (left, height) = (4.0, ChartGeometry.lineHeight)
    let width = ChartGeometry.width - (panel.band == nil ? 2 : 1) * left - (panel.band == nil ? 0 : 34)
    func y(_ value: Double) -> Double { top + 4 + (1 - scale.fraction(value)) * height }
    if let band = panel.band {
      let (high, low) = (y(band.limits.upperBound), y(band.limits.lowerBound))
      rect("ci", x: 0, y: high, width: width + left * 2, height: low - high)
      // Limits that are close together get their labels moved apart.
      let gap = max(0, (10 - (low - high)) / 2)
      label(band.highText, x: ChartGeometry.width, y: high + 3 - gap, class: "e l")
      label(band.lowText, x: ChartGeometry.width, y: low + 3 + gap, class: "e l")
    }
    let step = width / Double(max(1, panel.now.count - 1))
    let points = panel.now.enumerated().map { (left + step * Double($0), y($1)) }
    raw("<path class=\"cl\" d=\"")
    for (index, point) in points.enumerated() {
      raw("\(index == 0 ? "M" : "L")\(svgNumber(point.0)) \(svgNumber(point.1))")
    }
    raw("\"/>")
    for (index, point) in points.enumerated() {
      let isWarned = panel.warned.contains(index) || limits.map { !$0.contains(panel.now[index]) } ?? false
      // A warned point is larger in addition to its colour.
      raw("<circle class=\"\(isWarned ? "cw" : "cn")\" cx=\"\(svgNumber(point.0))\" cy=\"\(svgNumber(point.1))\" ")
      raw("r=\"\(isWarned ? "3.4" : "2")\"/>")
    }
  }
}

/// Maps values to fractions of the range between the smallest and the largest.
private struct ChartScale {
  private let low: Double
  private let span: Double

  init(_ values: [Double]) {
    low = values.min() ?? 0
    span = (values.max() ?? 0) - low
  }

  /// The position of `value`, clamped to 0…1; finite even for numbers from a store older than the limits.
  func fraction(_ value: Double) -> Double {
    let fraction = (value - low) / span
    return fraction.isFinite ? min(max(fraction, 0), 1) : 0
  }
}

/// The row heights of a picture, in units of which the picture is 340 wide: about one pixel each on the smallest phones.
private struct ChartGeometry {
  static let width = 340.0
  static let textHeight = 15.0
  static let columnHeight = 52.0
  static let lineHeight = 40.0
  /// The number of text columns that fit side by side, even in capitals; where text is wider, the value is drawn with an
  /// outline in the background colour.
  static let columns = 42

  /// The height of a row below its line of text.
  let plot: Double
  let height: Double
  private let scale: ChartScale

  init(_ chart: Chart) {
    let isCompared = chart.panels.contains { !$0.before.isEmpty }
    plot =
      switch chart.shape {
      case .bars: isCompared ? 24 : 14
      case .columns: Self.columnHeight + 12 + 18
      case .lines: Self.lineHeight + 16
      }
    height = (plot + Self.textHeight) * Double(chart.panels.count)
    scale = ChartScale([0] + chart.panels.flatMap { $0.now + $0.before })
  }

  var step: Double { plot + Self.textHeight }

  func fraction(_ value: Double) -> Double { scale.fraction(value) }
}
