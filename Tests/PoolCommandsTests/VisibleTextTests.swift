import PoolModel
import Testing

@testable import PoolCommands

struct VisibleTextTests {
  @Test(arguments: [
    ("Steve Baird", "Steve Baird"), ("Müller 🏊", "Müller 🏊"), ("a\u{1B}[31mred", "a\\u{1B}[31mred"),
    ("a\nb\tc\r", "a\\u{A}b\\u{9}c\\u{D}"), ("\u{202E}gnp.exe", "\\u{202E}gnp.exe"), ("\u{9B}1m", "\\u{9B}1m"),
  ])
  func `what could move the cursor or turn the text is written out`(text: String, shown: String) {
    #expect(visible(text) == shown)
  }

  @Test(arguments: [
    ("Steve Baird: 7:20", "Steve Baird: 7:20"), ("דוד כהן: 7:20", "\u{2068}דוד כהן\u{2069}: 7:20"),
    ("2. شركة 24 المسابح (Mesa)", "2. \u{2068}شركة 24 المسابح\u{2069} (Mesa)"),
    ("שָׁלוֹם and שלום", "\u{2068}שָׁלוֹם\u{2069} and \u{2068}שלום\u{2069}"), ("", ""),
  ])
  func `what is written from right to left leaves its neighbours where they are`(text: String, shown: String) {
    #expect(isolated(text) == shown)
    #expect(columns(of: shown) == columns(of: text))
  }

  @Test func `a table is cut to the terminal, and a pipe gets it whole`() {
    var table = Table([.init("CUSTOMER", least: 6), .init("N", isNumber: true)])
    table.add([.init("A customer with a long name"), .init("7")])
    table.add([.init("Ann"), .init("120")])
    let plain: (String, Console.Style?) -> String = { text, _ in text }
    #expect(
      table.lines(width: nil, heading: true, paint: plain) == [
        "CUSTOMER                       N", "A customer with a long name    7", "Ann                          120",
      ])
    for line in table.lines(width: 20, heading: true, paint: plain) { #expect(columns(of: line) <= 20) }
    #expect(table.lines(width: nil, heading: false, paint: plain).count == 2)
  }

  @Test func `every command has a summary and a help with an example`() {
    for command in Catalogue.commands {
      #expect(!command.description.summary.isEmpty && !command.description.summary.hasSuffix("."))
    }
    #expect(Set(Catalogue.descriptions.map(\.name)).count == Catalogue.commands.count)
  }
}
