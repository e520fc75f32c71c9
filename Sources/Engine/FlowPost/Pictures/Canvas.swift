import Glibc

/// A picture with few inks, painted shape over shape with smooth edges.
///
/// A pixel mixes at most two inks, in eighths; a third ink replaces the weaker one. The number of colours is thus bounded and
/// fits a palette, and the same shapes always give the same bytes.
struct Canvas {
  /// An RGB colour.
  struct Ink: Hashable, Sendable {
    let red, green, blue: UInt8

    /// Creates a colour from its hexadecimal RGB value, such as `Ink(0x005EA8)`.
    init(_ hex: Int) {
      (red, green, blue) = (UInt8(hex >> 16 & 255), UInt8(hex >> 8 & 255), UInt8(hex & 255))
    }
  }

  /// A position in pixels from the upper left corner.
  struct Point: Hashable, Sendable {
    var x, y: Double

    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  /// A convex shape, so that a horizontal line crosses it in one segment.
  enum Shape: Sendable {
    case disc(Point, radius: Double)
    /// A line with round ends.
    case stroke(Point, Point, width: Double)
    case polygon([Point])
  }

  /// The colour of a pixel: `over` painted on `under`.
  private struct Mix: Hashable {
    let under, over: Ink
    /// The eighths of `over`, from 1 to 7; 0 if the pixel has the colour `under` only.
    let part: Int
  }

  let width: Int
  let height: Int
  /// One palette index per pixel, row by row.
  private(set) var pixels: [UInt8]
  private var mixes: [Mix]
  private var indices: [Mix: UInt8]
  private static let levels = 8
  /// The number of horizontal sample lines per pixel.
  private static let sampleLines = 4

  init(width: Int, height: Int, background: Ink) {
    (self.width, self.height) = (width, height)
    let plain = Mix(under: background, over: background, part: 0)
    (mixes, indices) = ([plain], [plain: 0])
    pixels = [UInt8](repeating: 0, count: width * height)
  }

  /// The colours of the palette, in the order of their indices.
  var palette: [Ink] {
    mixes.map { mix in
      func part(_ under: UInt8, _ over: UInt8) -> Int {
        (Int(under) * (Self.levels - mix.part) + Int(over) * mix.part + Self.levels / 2) / Self.levels
      }
      return Ink(
        part(mix.under.red, mix.over.red) << 16 | part(mix.under.green, mix.over.green) << 8
          | part(mix.under.blue, mix.over.blue))
    }
  }

  /// Paints a shape over the present picture.
  mutating func paint(_ shape: Shape, _ ink: Ink) {
    let (top, bottom) = shape.rows
    let (first, last) = (max(0, Int(top.rounded(.down))), min(height, Int(bottom.rounded(.up))))
    guard first < last else { return }
    let whole = index(of: Mix(under: ink, over: ink, part: 0))
    var spans = [Span](repeating: Span(), count: Self.sampleLines)
    for row in first..<last {
      var (left, right) = (Double(width), 0.0)
      for line in 0..<Self.sampleLines {
        var span = Span()
        shape.cut(at: Double(row) + (Double(line) + 0.5) / Double(Self.sampleLines), &span)
        spans[line] = span
        (left, right) = (min(left, span.left), max(right, span.right))
      }
      let (start, end) = (max(0, Int(left.rounded(.down))), min(width, Int(right.rounded(.up))))
      guard start < end else { continue }
      for column in start..<end {
        var covered = 0.0
        for line in 0..<Self.sampleLines { covered += spans[line].coverage(of: Double(column)) }
        let part = Int((covered * Double(Self.levels) / Double(Self.sampleLines)).rounded())
        if part >= Self.levels {
          pixels[row * width + column] = whole
        } else if part > 0 {
          blend(ink, part, at: row * width + column)
        }
      }
    }
  }

  /// Paints `part` eighths of a pixel with an ink.
  private mutating func blend(_ ink: Ink, _ part: Int, at pixel: Int) {
    let old = mixes[Int(pixels[pixel])]
    if old.part > 0, old.over == ink {
      // Two strokes of one ink in the same pixel cover more of it than either alone.
      let sum = old.part + part - old.part * part / Self.levels
      pixels[pixel] = index(of: Mix(under: sum >= Self.levels ? ink : old.under, over: ink, part: sum % Self.levels))
    } else {
      let under = old.part * 2 > Self.levels ? old.over : old.under
      pixels[pixel] = index(of: Mix(under: under, over: ink, part: under == ink ? 0 : part))
    }
  }

  /// Returns the palette index of a mix, which is added if it is new. Seven inks have 301 mixes, of which a map uses about a
  /// third; a mix beyond 256 is replaced by its lower ink.
  private mutating func index(of mix: Mix) -> UInt8 {
    if let known = indices[mix] { return known }
    guard mixes.count < 256 else { return indices[Mix(under: mix.under, over: mix.under, part: 0)] ?? 0 }
    indices[mix] = UInt8(mixes.count)
    mixes.append(mix)
    return UInt8(mixes.count - 1)
  }
}

/// The segment of a horizontal line inside a shape; empty if `right` is less than `left`.
private struct Span {
  var left = Double.infinity
  var right = -Double.infinity

  /// The part of the pixel at `column` that the segment covers, from 0 to 1.
  func coverage(of column: Double) -> Double { max(0, min(right, column + 1) - max(left, column)) }

  /// Extends the segment to include `x`.
  mutating func extend(_ x: Double) {
    if x < left { left = x }
    if x > right { right = x }
  }

  /// Extends the segment by the line's intersection with a disc.
  mutating func disc(_ center: Canvas.Point, _ radius: Double, at y: Double) {
    let square = radius * radius - (y - center.y) * (y - center.y)
    guard square > 0 else { return }
    extend(center.x - square.squareRoot())
    extend(center.x + square.squareRoot())
  }

  /// Extends the segment by the line's intersection with an edge.
  mutating func edge(_ from: Canvas.Point, _ to: Canvas.Point, at y: Double) {
    guard (from.y <= y) != (to.y <= y) else { return }
    extend(from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x))
  }
}

extension Canvas.Shape {
  /// The highest and lowest y of the shape.
  fileprivate var rows: (top: Double, bottom: Double) {
    switch self {
    case .disc(let center, let radius): (center.y - radius, center.y + radius)
    case .stroke(let start, let end, let width): (min(start.y, end.y) - width / 2, max(start.y, end.y) + width / 2)
    case .polygon(let corners): (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    }
  }

  /// Extends `span` by the shape's segment on the horizontal line at `y`.
  fileprivate func cut(at y: Double, _ span: inout Span) {
    switch self {
    case .disc(let center, let radius): span.disc(center, radius, at: y)
    case .stroke(let start, let end, let width):
      span.disc(start, width / 2, at: y)
      span.disc(end, width / 2, at: y)
      let (across, down) = (end.x - start.x, end.y - start.y)
      let length = (across * across + down * down).squareRoot()
      guard length > 0 else { return }
      // The offset of the long sides from the middle line.
      let (aside, below) = (-down / length * width / 2, across / length * width / 2)
      let (one, two) = (Canvas.Point(start.x + aside, start.y + below), Canvas.Point(end.x + aside, end.y + below))
      let (three, four) = (Canvas.Point(end.x - aside, end.y - below), Canvas.Point(start.x - aside, start.y - below))
      span.edge(one, two, at: y)
      span.edge(two, three, at: y)
      span.edge(three, four, at: y)
      span.edge(four, one, at: y)
    case .polygon(let corners):
      for index in corners.indices { span.edge(corners[index], corners[(index + 1) % corners.count], at: y) }
    }
  }
}
