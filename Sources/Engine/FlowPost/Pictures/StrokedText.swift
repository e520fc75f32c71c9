/// Draws digits and the characters of a map's scale as pen strokes, so that no font is needed.
enum StrokedText {
  /// The strokes of a character, each as `x, y, x, y, …` in a box of height 6, from its upper left corner.
  private struct Glyph {
    let width: Double
    let lines: [[Double]]

    init(_ width: Double, _ lines: [[Double]]) { (self.width, self.lines) = (width, lines) }
  }

  private static let glyphs: [Character: Glyph] = [
    "0": Glyph(
      4,
      [
        [
          1.2, 0, 2.8, 0, 3.7, 0.9, 4, 2.2, 4, 3.8, 3.7, 5.1, 2.8, 6, 1.2, 6, 0.3, 5.1, 0, 3.8, 0, 2.2, 0.3, 0.9, 1.2,
          0,
        ]
      ]),
    "1": Glyph(2.4, [[0, 1.5, 1.9, 0, 1.9, 6]]),
    "2": Glyph(4, [[0.1, 1.4, 0.4, 0.6, 1.2, 0, 2.8, 0, 3.7, 0.6, 4, 1.5, 3.8, 2.4, 0, 6, 4, 6]]),
    "3": Glyph(
      4,
      [
        [0.1, 0.9, 1.1, 0, 2.8, 0, 3.7, 0.7, 3.8, 1.8, 3.1, 2.7, 1.7, 2.8],
        [3.1, 2.9, 3.9, 3.6, 4, 4.6, 3.6, 5.5, 2.7, 6, 1.1, 6, 0, 5.1],
      ]),
    "4": Glyph(4.2, [[3.1, 6, 3.1, 0, 0, 4.2, 4.2, 4.2]]),
    "5": Glyph(
      4, [[3.7, 0, 0.6, 0, 0.3, 2.7, 1.3, 2.2, 2.7, 2.2, 3.7, 2.9, 4, 4.1, 3.7, 5.2, 2.8, 6, 1.1, 6, 0, 5.2]]),
    "6": Glyph(
      4,
      [
        [
          3.7, 0.5, 2.8, 0, 1.6, 0, 0.5, 0.9, 0, 2.4, 0, 4.2, 0.3, 5.3, 1.2, 6, 2.8, 6, 3.7, 5.3, 4, 4.3, 3.7, 3.2, 2.8,
          2.6, 1.2, 2.6, 0.2, 3.4,
        ]
      ]),
    "7": Glyph(4, [[0, 0, 4, 0, 1.5, 6]]),
    "8": Glyph(
      4,
      [
        [1.2, 0, 2.8, 0, 3.7, 0.7, 3.7, 2, 2.8, 2.8, 1.2, 2.8, 0.3, 2, 0.3, 0.7, 1.2, 0],
        [1.2, 2.8, 0.2, 3.6, 0, 4.6, 0.4, 5.5, 1.2, 6, 2.8, 6, 3.6, 5.5, 4, 4.6, 3.8, 3.6, 2.8, 2.8],
      ]),
    "9": Glyph(
      4,
      [
        [
          0.3, 5.5, 1.2, 6, 2.4, 6, 3.5, 5.1, 4, 3.6, 4, 1.8, 3.7, 0.7, 2.8, 0, 1.2, 0, 0.3, 0.7, 0, 1.7, 0.3, 2.8, 1.2,
          3.4, 2.8, 3.4, 3.8, 2.6,
        ]
      ]),
    ".": Glyph(0.6, [[0.3, 5.9, 0.3, 6]]),
    " ": Glyph(1, []),
    "i": Glyph(0.8, [[0.4, 2.2, 0.4, 6], [0.4, 0.1, 0.4, 0.2]]),
    "k": Glyph(3.4, [[0, 0, 0, 6], [3, 2.2, 0, 4.6], [1.3, 3.7, 3.3, 6]]),
    "m": Glyph(
      5,
      [[0, 2.2, 0, 6], [0, 3.1, 0.9, 2.2, 1.8, 2.2, 2.5, 2.9, 2.5, 6], [2.5, 3.1, 3.4, 2.2, 4.3, 2.2, 5, 2.9, 5, 6]]),
  ]
  private static let gap = 2.0

  /// Returns the strokes of a text, centred on `middle`, with characters of this height. Characters without a glyph are
  /// omitted.
  static func strokes(_ text: String, middle: Canvas.Point, height: Double) -> [Canvas.Shape] {
    let scale = height / 6
    let characterGlyphs = text.compactMap { glyphs[$0] }
    let width = characterGlyphs.reduce(-gap) { $0 + $1.width + gap }
    var left = middle.x - width / 2 * scale
    var strokes: [Canvas.Shape] = []
    for glyph in characterGlyphs {
      for line in glyph.lines {
        let points = stride(from: 0, to: line.count, by: 2).map { index in
          Canvas.Point(left + line[index] * scale, middle.y + (line[index + 1] - 3) * scale)
        }
        for (start, end) in zip(points, points.dropFirst()) {
          strokes.append(.stroke(start, end, width: height * 0.21))
        }
      }
      left += (glyph.width + gap) * scale
    }
    return strokes
  }
}
