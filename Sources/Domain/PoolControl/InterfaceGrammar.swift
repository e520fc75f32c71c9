/// An interface description read: what each type, method and error is made of.
package struct InterfaceGrammar: Sendable {
  package indirect enum Kind: Hashable, Sendable {
    case bool, int, float, string, object
    case named(String)
    case array(Kind)
    case map(Kind)
    case optional(Kind)
    case words([String])
    case fields([Field])
  }

  package struct Field: Hashable, Sendable {
    package let name: String
    package let kind: Kind
  }

  package struct Method: Hashable, Sendable {
    package let input: [Field]
    package let output: [Field]
  }

  /// What the description breaks, and at which character of it.
  package struct Fault: Error, Hashable {
    package let expected: String
    package let offset: Int
  }

  package private(set) var name = ""
  package private(set) var types: [String: Kind] = [:]
  package private(set) var methods: [String: Method] = [:]
  package private(set) var errors: [String: [Field]] = [:]

  /// Reads a description. Source: varlink.org, "Interface Definition" (grammar of 2018).
  package init(_ text: String) throws(Fault) {
    var reader = Reader(text)
    guard reader.word() == "interface" else { throw reader.fault("interface") }
    name = reader.word(with: ".-")
    while !reader.isAtEnd {
      let member = reader.word()
      let memberName = reader.word()
      switch member {
      case "type": types[memberName] = try reader.structure()
      case "error": errors[memberName] = try reader.fields()
      case "method":
        let input = try reader.fields()
        try reader.expect("->")
        methods[memberName] = Method(input: input, output: try reader.fields())
      default: throw reader.fault("type, method or error")
      }
    }
  }
}

private struct Reader {
  private let characters: [Character]
  private var index = 0

  init(_ text: String) {
    characters = Array(text)
    skip()
  }

  var isAtEnd: Bool { index >= characters.count }

  func fault(_ expected: String) -> InterfaceGrammar.Fault { InterfaceGrammar.Fault(expected: expected, offset: index) }

  /// Passes spaces and comments.
  private mutating func skip() {
    while index < characters.count {
      if characters[index].isWhitespace {
        index += 1
      } else if characters[index] == "#" {
        while index < characters.count, !characters[index].isNewline { index += 1 }
      } else {
        return
      }
    }
  }

  mutating func word(with others: String = "") -> String {
    var word = ""
    while index < characters.count {
      let character = characters[index]
      guard character.isLetter || character.isNumber || character == "_" || others.contains(character) else { break }
      word.append(character)
      index += 1
    }
    skip()
    return word
  }

  mutating func take(_ text: String) -> Bool {
    let wanted = Array(text)
    guard index + wanted.count <= characters.count, Array(characters[index..<index + wanted.count]) == wanted else {
      return false
    }
    index += wanted.count
    skip()
    return true
  }

  mutating func expect(_ text: String) throws(InterfaceGrammar.Fault) {
    guard take(text) else { throw fault(text) }
  }

  mutating func fields() throws(InterfaceGrammar.Fault) -> [InterfaceGrammar.Field] {
    switch try structure() {
    case .fields(let fields): return fields
    case .words: throw fault("fields with types")
    default: throw fault("fields")
    }
  }

  /// `(a: int, b: string)` or `(a, b)`.
  mutating func structure() throws(InterfaceGrammar.Fault) -> InterfaceGrammar.Kind {
    try expect("(")
    var fields: [InterfaceGrammar.Field] = []
    var words: [String] = []
    while !take(")") {
      if !fields.isEmpty || !words.isEmpty { try expect(",") }
      let name = word()
      guard !name.isEmpty else { throw fault("a name") }
      if take(":") {
        fields.append(InterfaceGrammar.Field(name: name, kind: try kind()))
      } else {
        words.append(name)
      }
    }
    guard words.isEmpty || fields.isEmpty else { throw fault("either fields or words") }
    return words.isEmpty ? .fields(fields) : .words(words)
  }

  mutating func kind() throws(InterfaceGrammar.Fault) -> InterfaceGrammar.Kind {
    if take("?") { return .optional(try kind()) }
    if take("[string]") { return .map(try kind()) }
    if take("[]") { return .array(try kind()) }
    if index < characters.count, characters[index] == "(" { return try structure() }
    let name = word()
    switch name {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "": throw fault("a type")
    default: return .named(name)
    }
  }
}
