import FlowModel
import Testing

struct SearchTextTests {
  @Test(arguments: [
    ("müller", "MULLER GmbH"), ("muller", "Jörg Müller"), ("MULLER", "Mu\u{308}ller"), ("strasse", "Lange Straße 4"),
    ("sao joao", "São João"), ("ǹ", "n"), ("søren", "SOREN"), ("elm", "12 Elm St"), (" elm ", "12 Elm St"),
    ("elm st", "12 ELM ST"), ("Łódź", "lodz"), ("иван", "ИВАН"), ("דוד", "דוד כהן"),
  ])
  func `a text is found regardless of case and accents`(wanted: String, text: String) throws {
    #expect(try #require(SearchText(wanted)).isFound(in: text))
  }

  @Test(arguments: [("elms", "12 Elm St"), ("st elm", "12 Elm St"), ("a", ""), ("é", "a"), ("æ", "a")])
  func `a missing text is not found`(wanted: String, text: String) throws {
    #expect(try !#require(SearchText(wanted)).isFound(in: text))
  }

  @Test(arguments: ["", "  ", "\t", "\u{301}"])
  func `blank text is no search`(_ text: String) { #expect(SearchText(text) == nil) }
}
