/// Generates what a program needs to know of an interface at run time: the names of its errors, and its `InterfaceDescription`.
struct SwiftDescription {
  private let grammar: InterfaceGrammar
  private let text: String
  private let calls: String

  /// - Parameter text: the content of the interface's file.
  init(_ grammar: InterfaceGrammar, text: String) {
    self.grammar = grammar
    self.text = text
    calls = SwiftNames.calls(of: grammar.name)
  }

  func write(to swift: inout SwiftText) throws(WireFault) {
    guard grammar.isServed else { return }
    if !grammar.errors.isEmpty {
      swift.line()
      try swift.block("extension ControlError.Kind") { (swift) throws(WireFault) in
        for error in grammar.errors {
          swift.comment(error.comment)
          let name = SwiftNames.literal("\(grammar.name).\(error.name)")
          swift.line("package static let \(SwiftNames.verb(error.name)) = Self(rawValue: \(name))")
        }
      }
    }
    swift.line()
    try swift.block("extension InterfaceDescription") { (swift) throws(WireFault) in
      swift.line("package static let \(SwiftNames.description(of: grammar.name)) = InterfaceDescription(")
      swift.line("  name: \(SwiftNames.literal(grammar.name)),")
      swift.line("  text: ##\"\"\"")
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        swift.line(line.isEmpty ? "" : "    \(line)")
      }
      swift.line("    \"\"\"##,")
      swift.line("  methods: [\(grammar.methods.map { "\(calls).\($0.name).self" }.joined(separator: ", "))],")
      swift.line("  errors: [")
      for error in grammar.errors { writeError(error, to: &swift) }
      swift.line("  ],")
      swift.line("  comments: ##\"\"\"")
      for (name, comment) in comments { swift.line("    \(name)\t\(comment)") }
      swift.line("    \"\"\"##)")
    }
  }

  private func writeError(_ error: InterfaceGrammar.Member<[InterfaceGrammar.Field]>, to swift: inout SwiftText) {
    // The Varlink protocol's own errors mean that client and daemon are incompatible, except for an invalid parameter.
    let own = error.name == "InvalidParameter" ? "usage" : "protocolMismatch"
    let meaning = SwiftNames.literal(error.comment.joined(separator: " "))
    swift.line("    ErrorDescription(")
    swift.line(
      "      .\(SwiftNames.verb(error.name)), exitCode: ExitCode.\(error.annotations.exit ?? own), meaning: \(meaning)),"
    )
  }

  /// Comments of types, answers and fields, by Swift type name or `TYPE.field`, without duplicates.
  private var comments: [(name: String, comment: String)] {
    var lines: [(name: String, comment: String)] = []
    var listed: Set<String> = []
    func add(_ name: String, _ comment: [String], _ fields: [InterfaceGrammar.Field]) {
      // Several methods can share an answer.
      guard listed.insert(name).inserted else { return }
      if !comment.isEmpty { lines.append((name, comment.joined(separator: " "))) }
      for field in fields where !field.comment.isEmpty {
        lines.append(("\(name).\(field.name)", field.comment.joined(separator: " ")))
      }
    }
    for type in grammar.types {
      if case .fields(let fields) = type.shape { add(type.name, type.comment, fields) }
    }
    for method in grammar.methods {
      let reply = method.annotations.reply ?? "\(method.name).Reply"
      add("\(calls).\(reply)", method.annotations.reply == nil ? method.comment : [], method.shape.output)
    }
    return lines
  }
}
