/// Builder for indented Swift source text.
struct SwiftText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: depth) + line }
    text += "\n"
  }

  mutating func comment(_ words: [String]) { for word in words { line("/// \(word)") } }

  /// Writes `opening`, the indented lines that `body` writes, and the closing brace.
  mutating func block(_ opening: String, _ body: (inout SwiftText) throws(WireFault) -> Void) throws(WireFault) {
    line(opening + " {")
    depth += 1
    try body(&self)
    depth -= 1
    line("}")
  }
}
