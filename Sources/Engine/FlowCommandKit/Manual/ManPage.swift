internal import FlowControl

/// A manual page in the man(7) language.
package struct ManPage {
  /// The date of the last change that readers should notice.
  private static let lastRevised = "2026-11-23"

  private var lines: [String]

  /// - Parameters:
  ///   - name: the page's name, such as `pfctl`.
  ///   - summary: one line without a full stop.
  package init(_ name: String, section: Int, _ summary: String) {
    lines = [
      ".\\\" Made by `pfctl help --man \(name).\(section)`; change the descriptions in FlowCommands instead.",
      ".TH \(name.uppercased()) \(section) \(Self.lastRevised) \"poolflow \(ProductVersion.text)\" poolflow",
      ".SH NAME",
      "\(Self.escaped(name)) \\- \(Self.escaped(summary))",
    ]
  }

  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// The text as a sentence: capitalised, with a full stop.
  package static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  package mutating func section(_ title: String) {
    // The name of a settings section is not upper-cased.
    lines.append(".SH \(Self.quoted(title.hasPrefix("[") ? title : title.uppercased()))")
  }

  mutating func subsection(_ title: String) { lines.append(".SS \(Self.quoted(title))") }

  /// Adds a paragraph.
  package mutating func paragraph(_ text: String) {
    // The first paragraph of a section needs no `.PP`.
    if let last = lines.last, !last.hasPrefix(".SH"), !last.hasPrefix(".SS") { lines.append(".PP") }
    add(text)
  }

  /// Adds a command line in bold; each is on a line of its own.
  package mutating func synopsis(_ text: String) {
    if let last = lines.last, last.hasPrefix(".B ") { lines.append(".br") }
    lines.append(".B \(Self.quoted(text))")
  }

  package mutating func item(_ term: String, _ text: String) {
    lines.append(".TP")
    lines.append(".B \(Self.quoted(term))")
    add(text)
  }

  /// Adds lines verbatim, whatever their width.
  package mutating func example(_ text: [String]) {
    if let last = lines.last, !last.hasPrefix(".SH"), !last.hasPrefix(".SS") { lines.append(".PP") }
    lines += [".RS 4", ".nf"]
    for line in text { lines.append(Self.escapingLeadingDot(Self.escaped(line))) }
    lines += [".fi", ".RE"]
  }

  /// Adds text that man(7) fills, in source lines of at most 80 bytes.
  private mutating func add(_ text: String) {
    var line = ""
    for word in Self.escaped(text).split(separator: " ") {
      if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > 77 {
        lines.append(Self.escapingLeadingDot(line))
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(Self.escapingLeadingDot(line)) }
  }

  /// Escapes a leading dot, which would start a request; a leading quote is escaped already.
  private static func escapingLeadingDot(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default:
        if scalar.value < 0x80 {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }
      }
    }
    return result
  }
}
