import FlowControl
import FlowModel
import Foundation
import Testing

@testable import FlowCommandKit

struct VisibleTextTests {
  @Test(arguments: [
    ("Steve Baird", "Steve Baird"), ("Müller 🏊", "Müller 🏊"), ("a\u{1B}[31mred", "a\\u{1B}[31mred"),
    ("a\nb\tc\r", "a\\u{A}b\\u{9}c\\u{D}"), ("\u{202E}gnp.exe", "\\u{202E}gnp.exe"), ("\u{9B}1m", "\\u{9B}1m"),
  ])
  func `characters that move the cursor or reverse text are escaped`(text: String, shown: String) {
    #expect(visible(text) == shown)
  }

  @Test(arguments: [
    ("desert-blue", "desert-blue"), ("a@b.example/c:1", "a@b.example/c:1"), ("", "''"), ("Ann Lee", "'Ann Lee'"),
    ("Sean O'Brien", #"'Sean O'\''Brien'"#), ("$(date)", "'$(date)'"), ("Zoë", "'Zoë'"), ("a\nb", "'a\nb'"),
    ("o'\u{301}", "'o'\\''\u{301}'"),
  ])
  func `a name in a suggested command is quoted so that a shell reads it back`(name: String, word: String) throws {
    #expect(Array(shellWord(name).utf8) == Array(word.utf8))
    let shell = Process()
    let pipe = Pipe()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "printf %s \(shellWord(name))"]
    shell.standardOutput = pipe
    try shell.run()
    let read = try pipe.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    #expect(String(decoding: read, as: UTF8.self) == name)
  }

  @Test(arguments: [
    ("one", ["one"]), ("", [""]), ("gate\ndog", ["gate", "dog"]), ("gate\r\n\r\ndog\r\n", ["gate", "", "dog"]),
    ("\n\n", [""]), ("a\rb\n\u{1B}[2Jc\u{2028}d\te", ["a\\u{D}b", "\\u{1B}[2Jc\\u{2028}d\\u{9}e"]),
  ])
  func `a note keeps its lines, and other control characters are escaped`(text: String, lines: [String]) {
    #expect(DetailList.lines(of: text) == lines)
  }

  /// Unicode's own properties of a character: the table under test must agree for every character.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: break
    }
    if scalar.properties.isNoncharacterCodePoint || (0xFFF9...0xFFFB).contains(scalar.value) { return true }
    // Persian, Indic scripts and emoji need joiners and variation selectors.
    let shapes = scalar.value == 0x200C || scalar.value == 0x200D || scalar.properties.isVariationSelector
    return scalar.properties.isDefaultIgnorableCodePoint && !shapes
  }

  @Test func `every Unicode character is consistently shown or escaped`() throws {
    var hidden = 0
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isUnseen = Self.isUnseen(scalar)
      if isHidden(scalar) != isUnseen { Issue.record("U+\(String(value, radix: 16)): \(isUnseen)") }
      // Of the other characters only a sample is checked, for speed.
      guard isUnseen || value < 0x300 || value.isMultiple(of: 997) else { continue }
      if isUnseen { hidden += 1 }
      let text = "a\(scalar)b"
      let written = "a\\u{\(String(value, radix: 16, uppercase: true))}b"
      #expect(visible(text) == (isUnseen ? written : text))
      #expect(!removingInvisible(text).unicodeScalars.contains(where: isHidden))
      let screen = terminalText(text, colours: true)
      if value == 0x09 || value == 0x0A { #expect(screen == text) } else { #expect(screen == visible(text)) }
      let json = try Envelope.encode([text])
      #expect(try JSONDecoder().decode([String].self, from: Data(json)) == [text])
      #expect(!String(decoding: json, as: UTF8.self).unicodeScalars.contains(where: isHidden))
      var own = JSONText()
      own.object { $0.member("k", text) }
      #expect(try JSONDecoder().decode([String: String].self, from: Data(own.bytes)) == ["k": text])
      #expect(!String(decoding: own.bytes, as: UTF8.self).unicodeScalars.contains(where: isHidden))
    }
    #expect(hidden > 4_000)
  }

  @Test(arguments: [
    ("a\tb\nc", "a\tb\nc"), ("BEGIN:VCALENDAR\r", "BEGIN:VCALENDAR"), ("a\rb", "a\\u{D}b"), ("x\r\ny", "x\ny"),
    ("\u{1B}[31mred\u{1B}[0m", "\u{1B}[31mred\u{1B}[0m"), ("\u{1B}[2J", "\\u{1B}[2J"),
    ("\u{1B}[1;31m", "\\u{1B}[1;31m"), ("\u{1B}[m", "\\u{1B}[m"), ("\u{1B}]0;t\u{7}", "\\u{1B}]0;t\\u{7}"),
    ("\u{1B}[", "\\u{1B}["), ("\u{1B}", "\\u{1B}"),
    ("\u{2068}דוד\u{2069}: 7", "\u{2068}דוד\u{2069}: 7"), ("\u{2068}a", "\\u{2068}a"), ("a\u{2069}", "a\\u{2069}"),
    ("\u{2068}a\u{202E}b\u{2069}", "\\u{2068}a\\u{202E}b\\u{2069}"),
  ])
  func `a terminal gets our colours and isolates only`(text: String, shown: String) {
    #expect(terminalText(text, colours: true) == shown)
    let plain = shown.replacing("\u{1B}[31m", with: "\\u{1B}[31m").replacing("\u{1B}[0m", with: "\\u{1B}[0m")
    #expect(terminalText(text, colours: false) == plain)
  }

  @Test(arguments: [
    ("Steve Baird: 7:20", "Steve Baird: 7:20"), ("דוד כהן: 7:20", "\u{2068}דוד כהן\u{2069}: 7:20"),
    ("2. شركة 24 المسابح (Mesa)", "2. \u{2068}شركة 24 المسابح\u{2069} (Mesa)"),
    ("שָׁלוֹם and שלום", "\u{2068}שָׁלוֹם\u{2069} and \u{2068}שלום\u{2069}"), ("", ""),
  ])
  func `right-to-left text is isolated from its neighbours`(text: String, shown: String) {
    #expect(isolated(text) == shown)
    #expect(columns(of: shown) == columns(of: text))
  }

  @Test func `JSON output escapes every hidden character and keeps all others`() {
    // The basic plane and the tags plane, with a letter between any two; JSON contains no ASCII control characters.
    let scalars = [0x20...0xFFFF, 0xE0000...0xE0FFF].joined().compactMap { Unicode.Scalar(UInt32($0)) }
    var text = ""
    var expected = ""
    for scalar in scalars {
      text.unicodeScalars += [scalar, "a"]
      let units = String(scalar).utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }
      expected += (isHidden(scalar) ? units.joined() : String(scalar)) + "a"
    }
    #expect(
      String(decoding: escapedInJSON(Array(text.utf8)), as: UTF8.self).unicodeScalars.elementsEqual(
        expected.unicodeScalars))
    #expect(escapedInJSON(Array("\u{202E}".utf8)) == Array("\\u202e".utf8))
  }

  @Test func `a table is cut for a terminal and complete for a pipe`() {
    var table = Table([.init("CUSTOMER", minWidth: 6), .init("N", isNumber: true)])
    table.add([.init("A customer with a long name"), .init("7")])
    table.add([.init("Ann"), .init("120")])
    let plain: (String, Console.Style?) -> String = { text, _ in text }
    #expect(
      table.fitted(to: nil, heading: true, paint: plain).lines == [
        "CUSTOMER                       N", "A customer with a long name    7", "Ann                          120",
      ])
    for line in table.fitted(to: 20, heading: true, paint: plain).lines { #expect(columns(of: line) <= 20) }
    #expect(table.fitted(to: nil, heading: false, paint: plain).lines.count == 2)
  }

  @Test func `text recognised as plain by its bytes has no hidden or right-to-left characters`() {
    var plain = 0
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in [String(Character(scalar)), "a" + String(Character(scalar)) + "b"] where isPlainScript(text) {
        plain += 1
        if isHidden(scalar) || removingInvisible(text) != text || isolated(text) != text { Issue.record("U+\(value)") }
      }
    }
    // Latin letters, and the signs between U+2000 and U+2FFF.
    #expect(plain > 2 * 4_500)
    for text in ["", "Zoë's pool · 7.4 ▲", "→ 1/2″"] { #expect(isPlainScript(text)) }
    for text in ["a\nb", "a\u{7F}", "a\u{AD}b", "\u{202E}a", "\u{2066}", "שלום", "a\u{200B}"] {
      #expect(!isPlainScript(text))
    }
  }
}
