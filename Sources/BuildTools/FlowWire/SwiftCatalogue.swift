/// Generates the source shared by all interfaces: their list, their methods, and all errors with exit codes.
package struct SwiftCatalogue {
  private let grammars: [InterfaceGrammar]

  /// - Parameter grammars: the interfaces, in the order in which the daemon lists them.
  package init(_ grammars: [InterfaceGrammar]) { self.grammars = grammars }

  /// Returns the content of `Catalogue.swift`.
  package func source() throws(WireFault) -> String {
    var swift = SwiftText()
    swift.line("// Generated from all .varlink files; do not edit.")
    swift.line()
    try swift.block("extension InterfaceDescription") { (swift) throws(WireFault) in
      swift.line("/// Every interface that the daemon serves.")
      let names = grammars.map { "." + SwiftNames.verb(String(SwiftNames.calls(of: $0.name).dropLast("Call".count))) }
      swift.line("package static let all: [InterfaceDescription] = [\(names.joined(separator: ", "))]")
      swift.line()
      swift.line("/// The types of all calls.")
      swift.line("package static let methods: [any ControlMethod.Type] = [")
      for grammar in grammars {
        for method in grammar.methods { swift.line("  \(SwiftNames.calls(of: grammar.name)).\(method.name).self,") }
      }
      swift.line("]")
    }
    swift.line()
    try swift.block("extension ControlError") { (swift) throws(WireFault) in
      swift.line("/// All errors that the daemon can return; a raw value is the error's name in Varlink.")
      try swift.block("package enum Kind: String, Codable, Sendable, CaseIterable") { (swift) throws(WireFault) in
        for grammar in grammars {
          for error in grammar.errors {
            swift.comment(error.comment)
            swift.line("case \(SwiftNames.verb(error.name)) = \(SwiftNames.literal("\(grammar.name).\(error.name)"))")
          }
        }
        swift.line()
        swift.line("/// The exit code of `pfctl` for this error.")
        try swift.block("package var exitCode: Int32") { (swift) throws(WireFault) in
          swift.line("switch self {")
          for grammar in grammars {
            for error in grammar.errors {
              // The Varlink protocol's own errors mean that client and daemon are incompatible, except for an invalid
              // parameter.
              let own = error.name == "InvalidParameter" ? "usage" : "protocolMismatch"
              swift.line("case .\(SwiftNames.verb(error.name)): ExitCode.\(error.annotations.exit ?? own)")
            }
          }
          swift.line("}")
        }
        swift.line()
        swift.line("/// The comment on the error in its interface.")
        try swift.block("package var meaning: String") { (swift) throws(WireFault) in
          swift.line("switch self {")
          for grammar in grammars {
            for error in grammar.errors {
              let words = SwiftNames.literal(error.comment.joined(separator: " "))
              swift.line("case .\(SwiftNames.verb(error.name)): \(words)")
            }
          }
          swift.line("}")
        }
      }
    }
    swift.line()
    try writeWords(to: &swift)
    return swift.text
  }

  /// Writes the comments of types, answers and fields as one text, one line each, which is parsed only when needed.
  private func writeWords(to swift: inout SwiftText) throws(WireFault) {
    swift.line("/// The comments of the interfaces on their types, for schemas.")
    try swift.block("package enum InterfaceWords") { (swift) throws(WireFault) in
      swift.line(
        "/// One line for each type or field: `Type` or `Type.field_name`, a tab, and the comment."
      )
      swift.line("package static let text = ##\"\"\"")
      for (name, words) in words { swift.line("  \(name)\t\(words)") }
      swift.line("  \"\"\"##")
    }
  }

  /// Comments of types, answers and fields, by Swift type name or `TYPE.field`, without duplicates.
  private var words: [(name: String, words: String)] {
    var lines: [(name: String, words: String)] = []
    var told: Set<String> = []
    func add(_ name: String, _ comment: [String], _ fields: [InterfaceGrammar.Field]) {
      // Types can occur in several interfaces, and answers in several methods.
      guard told.insert(name).inserted else { return }
      if !comment.isEmpty { lines.append((name, comment.joined(separator: " "))) }
      for field in fields where !field.comment.isEmpty {
        lines.append(("\(name).\(field.name)", field.comment.joined(separator: " ")))
      }
    }
    for grammar in grammars {
      for type in grammar.types {
        if case .fields(let fields) = type.shape { add(type.name, type.comment, fields) }
      }
      let calls = SwiftNames.calls(of: grammar.name)
      for method in grammar.methods {
        let reply = method.annotations.reply ?? "\(method.name).Reply"
        add("\(calls).\(reply)", method.annotations.reply == nil ? method.comment : [], method.shape.output)
      }
    }
    return lines
  }
}
