/// Tokenizer and parser for `.varlink` files; comments are kept until the member below them is parsed.
struct WireReader {
  private let characters: [Character]
  private var index = 0
  private(set) var line = 1
  private var words: [String] = []
  private var annotations: [Annotation] = []

  init(_ text: String) { characters = Array(text) }

  var isAtEnd: Bool { index >= characters.count }

  func fault(_ message: String) -> WireFault { WireFault(line: line, message) }

  /// Returns and clears the comment and annotations read since the last member or field.
  mutating func takeComment() -> (words: [String], annotations: [Annotation]) {
    defer {
      words = []
      annotations = []
    }
    return (words, annotations)
  }

  /// Skips white space, and keeps comments for `takeComment()`.
  mutating func skip() throws(WireFault) {
    while index < characters.count {
      let character = characters[index]
      if character.isNewline { line += 1 }
      if character.isWhitespace {
        index += 1
      } else if character == "#" {
        let start = index + 1
        while index < characters.count, !characters[index].isNewline { index += 1 }
        try keep(characters[start..<index])
      } else {
        return
      }
    }
  }

  /// Stores a comment line, or parses it as an annotation if it begins with `@`.
  /// - Throws: `WireFault` for an unknown annotation.
  private mutating func keep(_ comment: ArraySlice<Character>) throws(WireFault) {
    guard comment.first == "@" else {
      words.append(trimmed(String(comment)))
      return
    }
    let text = trimmed(String(comment.dropFirst()))
    guard let annotation = Annotation(text) else { throw fault("no annotation is written '\(text)'") }
    annotations.append(annotation)
  }

  /// Reads a name: letters, digits, underscores, and the characters in `others`; empty if none follows.
  mutating func word(with others: String = "") throws(WireFault) -> String {
    var word = ""
    while index < characters.count {
      let character = characters[index]
      guard character.isLetter || character.isNumber || character == "_" || others.contains(character) else { break }
      word.append(character)
      index += 1
    }
    try skip()
    return word
  }

  /// Consumes `text` if it comes next.
  mutating func take(_ text: String) throws(WireFault) -> Bool {
    let wanted = Array(text)
    guard index + wanted.count <= characters.count, Array(characters[index..<index + wanted.count]) == wanted else {
      return false
    }
    index += wanted.count
    try skip()
    return true
  }

  mutating func expect(_ text: String) throws(WireFault) {
    guard try take(text) else { throw fault("'\(text)' is expected") }
  }

  /// Parses a parenthesized list of typed fields.
  mutating func fields() throws(WireFault) -> [InterfaceGrammar.Field] {
    guard case .fields(let fields) = try structure() else { throw fault("fields with types are expected") }
    return fields
  }

  /// Parses `(a: int, b: string)` or `(a, b)`.
  mutating func structure() throws(WireFault) -> InterfaceGrammar.Kind {
    try expect("(")
    var fields: [InterfaceGrammar.Field] = []
    var names: [String] = []
    while try !take(")") {
      if !fields.isEmpty || !names.isEmpty { try expect(",") }
      let comment = takeComment().words
      let name = try word()
      guard !name.isEmpty else { throw fault("a name is expected") }
      guard !fields.contains(where: { $0.name == name }), !names.contains(name) else {
        throw fault("'\(name)' stands twice")
      }
      if try take(":") {
        fields.append(InterfaceGrammar.Field(name: name, kind: try kind(), comment: comment))
      } else {
        names.append(name)
      }
    }
    guard names.isEmpty || fields.isEmpty else { throw fault("either fields or enum values are expected, not both") }
    return names.isEmpty ? .fields(fields) : .words(names)
  }

  /// Parses a type, such as `?[]string`.
  private mutating func kind() throws(WireFault) -> InterfaceGrammar.Kind {
    if try take("?") { return .optional(try kind()) }
    if try take("[string]") { return .map(try kind()) }
    if try take("[]") { return .array(try kind()) }
    if index < characters.count, characters[index] == "(" { return try structure() }
    let name = try word()
    switch name {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "": throw fault("a type is expected")
    default: return .named(name)
    }
  }
}

/// `text` without leading and trailing white space.
func trimmed(_ text: String) -> String {
  var rest = text[...]
  while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
  while rest.last?.isWhitespace == true { rest = rest.dropLast() }
  return String(rest)
}
