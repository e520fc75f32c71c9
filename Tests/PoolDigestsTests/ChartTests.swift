import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import FoundationXML
import Testing

/// Charts in pages and files: small, safe for any names, and always with their figures as text.
struct ChartTests {
  private static let nasty: [String] = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "שלום & دوד", "\u{202E}gnp.exe",
    "a\u{0}b\u{1B}[31m",
    String(repeating: "W", count: 300), "日本のプール会社", "]]>", "{0}",
  ]

  private func chart(
    _ shape: Chart.Shape, _ panels: [Chart.Panel], ticks: [String] = [], legend: Chart.Legend? = nil
  ) -> Chart {
    Chart(
      shape, title: "Title", description: "What it shows.", panels: panels, ticks: ticks, legend: legend,
      tableTitle: "Figures", header: [.init("Name"), .init("Now", isNumber: true)],
      rows: [[.init("Ann"), .init("7", isNumber: true)]])
  }

  private func page(_ charts: [Chart], language: String = "en") -> Document {
    Document(language: language, title: "Page", blocks: charts.map { .chart($0) }, footer: [])
  }

  /// Every element of a file with its attributes, in order.
  private final class Elements: NSObject, XMLParserDelegate {
    var all: [(name: String, attributes: [String: String])] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { all.append((name, attributes)) }

    func numbers(_ name: String, _ attribute: String, class wanted: String? = nil) -> [Double] {
      all.filter { $0.name == name && $0.attributes["class"] != "cg" }
        .filter { wanted == nil || $0.attributes["class"] == wanted }
        .compactMap { $0.attributes[attribute].flatMap(Double.init) }
    }
  }

  private func elements(_ chart: Chart) throws -> Elements {
    let parser = XMLParser(data: Data(chart.svg.utf8))
    let elements = Elements()
    parser.delegate = elements
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    return elements
  }

  @Test func `bar lengths are proportional, with negative values to the left`() throws {
    let bars = chart(
      .bars,
      [
        .init("a", value: "30", now: [30], before: [15]),
        .init("b", value: "-10", now: [-10], before: [0], warned: [0]),
      ], legend: .init(now: "now", before: "before"))
    let found = try elements(bars)
    // 40 units of value are 340 units of the picture, so zero is at 85.
    #expect(found.numbers("rect", "x", class: "cn") == [85] && found.numbers("rect", "width", class: "cn") == [255])
    #expect(found.numbers("rect", "x", class: "cw") == [0] && found.numbers("rect", "width", class: "cw") == [85])
    // The previous period is an outline drawn inside of its length.
    #expect(found.numbers("rect", "width", class: "cb") == [126.3, 0])
  }

  @Test func `columns are aligned with their ticks and share one scale across panels`() throws {
    let columns = chart(
      .columns,
      [
        .init("a", value: "6", now: [4, 2], marks: ["4", "2"]),
        .init("b", value: "1", now: [1, 0], before: [0, 1], marks: ["1", ""], warned: [0]),
      ], ticks: ["Mon", "Tue"])
    let found = try elements(columns)
    #expect(found.numbers("rect", "height", class: "cn") == [52, 26, 0])
    #expect(
      found.numbers("rect", "height", class: "cw") == [13] && found.numbers("rect", "height", class: "cb") == [0, 13])
    #expect(columns.svg.components(separatedBy: ">Tue<").count == 3)
    // Empty marks produce no text element.
    #expect(!columns.svg.contains("></text>"))
  }

  @Test func `a line's points keep the scale, and points outside of the band are larger`() throws {
    let band = Chart.Band(7.2...7.8, low: "7.2", high: "7.8")
    let found = try elements(chart(.lines, [.init("pH", value: "8.2", now: [7.2, 7.8, 8.2], band: band)]))
    #expect(found.numbers("circle", "r", class: "cn") == [2, 2] && found.numbers("circle", "r", class: "cw") == [3.4])
    let heights = found.numbers("circle", "cy")
    let (top, height) = (
      try #require(found.numbers("rect", "y", class: "ci").first),
      try #require(found.numbers("rect", "height", class: "ci").first)
    )
    #expect(heights == [top + height, top, 19])
    // A single point and no points also give a picture.
    #expect(try elements(chart(.lines, [.init("pH", value: "", now: [7], band: band)])).numbers("circle", "cx") == [4])
    #expect(try elements(chart(.lines, [.init("pH", value: "", now: [])])).numbers("circle", "cx").isEmpty)
  }

  @Test func `a chart with infinite or tiny numbers is still valid`() throws {
    let numbers: [[Double]] = [
      [.infinity, 1], [-.infinity, 0], [.nan, 1], [1e308, -1e308], [0, 0], [.leastNonzeroMagnitude, 0], [],
    ]
    for shape in [Chart.Shape.bars, .columns, .lines] {
      for values in numbers {
        let band = Chart.Band(-0.3...0.3, low: "-0.3", high: "0.3")
        let chart = chart(
          shape, [.init("a", value: "", now: values, before: values.reversed(), band: band)], ticks: ["1", "2"])
        let found = try elements(chart)
        for (name, attribute) in [
          ("rect", "x"), ("rect", "y"), ("rect", "width"), ("rect", "height"), ("circle", "cy"),
        ] {
          for number in found.numbers(name, attribute) { #expect((0...340).contains(number), "\(shape) \(values)") }
        }
        #expect(!chart.svg.contains("nan") && !chart.svg.contains("inf"))
      }
    }
  }

  @Test func `a chart has a title, a description and a table in every page format`() {
    let page = page([
      chart(.bars, [.init("Ann", value: "7", now: [7])], legend: .init(now: "May", before: "April")),
      chart(.bars, [.init("Ann", value: "7", now: [7])]),
    ])
    let html = page.html
    #expect(html.contains("role=\"img\" aria-labelledby=\"m1 m1d\""))
    #expect(html.contains("<title id=\"m2\">Title</title><desc id=\"m2d\">What it shows.</desc>"))
    #expect(html.contains("■ May &nbsp; □ April"))
    #expect(html.components(separatedBy: "<details><summary>Figures</summary><table>").count == 3)
    #expect(page.text().contains("Name  Now\nAnn     7\n") && page.markdown.contains("| Ann | 7 |"))
    #expect(!page.text().contains("svg") && !page.markdown.contains("svg"))
  }

  @Test func `a name adds no markup to a chart, and a long one is cut`() throws {
    let panels = Self.nasty.map { name in
      let figure = name.count < 20 ? name : "1"
      return Chart.Panel(name, value: figure, now: [1], before: [2], marks: [figure])
    }
    for shape in [Chart.Shape.bars, .columns, .lines] {
      let chart = chart(shape, panels, ticks: [Self.nasty[0]], legend: .init(now: Self.nasty[1], before: Self.nasty[2]))
      let found = try elements(chart)
      #expect(
        Set(found.all.map(\.name)).isSubset(of: ["svg", "title", "desc", "style", "rect", "text", "path", "circle"]))
      let html = page([chart]).html
      for sign in ["<script", "<img", "\u{202E}", "\u{1B}", "\u{0}", "url(", "http://"] {
        #expect(!html.contains(sign))
      }
      #expect(!chart.svg.contains(String(repeating: "W", count: 42)))
      #expect(html.unicodeScalars.count { $0 == "\u{2068}" } == html.unicodeScalars.count { $0 == "\u{2069}" })
    }
  }

  @Test func `a chart of twenty bars is below six kilobytes, without charts no style`() {
    let panels = (1...20).map { Chart.Panel("Customer \($0)", value: "$1\($0).00", now: [Double($0)], before: [9]) }
    #expect(chart(.bars, panels).svg.utf8.count < 6_000)
    let plain = Document(language: "en", title: "Page", blocks: [], footer: [])
    #expect(!plain.html.contains("figure{") && page([chart(.bars, panels)]).html.contains("figure{"))
  }
}
