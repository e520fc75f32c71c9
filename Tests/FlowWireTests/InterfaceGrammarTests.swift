import FlowWire
import Testing

struct InterfaceGrammarTests {
  @Test(arguments: [
    "", "interface a.b\nmethod", "interface a.b\nmethod X(", "interface a.b\nmethod X() -> (a: )",
    "interface a.b\ntype T (a, b: int)", "interface a.b\nnonsense X ()", "interface a.b\nmethod X(a: int b: int) -> ()",
  ])
  func `a description that breaks the grammar is refused`(text: String) {
    #expect(throws: WireFault.self) { try InterfaceGrammar(text) }
  }

  @Test func `comments and annotations belong to the member below them`() throws {
    let grammar = try InterfaceGrammar(
      """
      # The head.
      interface a.b

      # A thing.
      #@ compared
      type T (
        # Its name.
        name: string
      )

      # Says it.
      #@ changes: say {name}
      method Say(name: string) -> ()
      """)
    #expect(grammar.comment == ["The head."])
    #expect(grammar.types[0].comment == ["A thing."])
    #expect(grammar.types[0].annotations == [.compared])
    #expect(grammar.methods[0].annotations == [.changes(words: "say {name}", unless: nil)])
    guard case .fields(let fields) = grammar.types[0].shape else {
      Issue.record("a type with fields was read as another")
      return
    }
    #expect(fields[0].comment == ["Its name."])
  }
}
