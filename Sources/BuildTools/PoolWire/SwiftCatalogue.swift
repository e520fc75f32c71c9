/// Writes what is told of all interfaces together: the list of them, their methods, and every error with its exit code.
package struct SwiftCatalogue {
  private let grammars: [InterfaceGrammar]

  /// - Parameter grammars: in the order in which the daemon names them.
  package init(_ grammars: [InterfaceGrammar]) { self.grammars = grammars }

  package func source() throws(WireFault) -> String {
    var swift = SwiftText()
    swift.line("// Made from all .varlink files: change those.")
    swift.line()
    try swift.block("extension InterfaceDescription") { (swift) throws(WireFault) in
      swift.line("/// Every interface that the daemon serves.")
      let names = grammars.map { "." + SwiftNames.verb(String(SwiftNames.calls(of: $0.name).dropLast("Call".count))) }
      swift.line("package static let all: [InterfaceDescription] = [\(names.joined(separator: ", "))]")
      swift.line()
      swift.line("/// Every call that the daemon answers.")
      swift.line("package static let methods: [any ControlMethod.Type] = [")
      for grammar in grammars {
        for method in grammar.methods { swift.line("  \(SwiftNames.calls(of: grammar.name)).\(method.name).self,") }
      }
      swift.line("]")
    }
    swift.line()
    try swift.block("extension ControlError") { (swift) throws(WireFault) in
      swift.line("/// Every error that the daemon answers, named as on the wire.")
      try swift.block("package enum Kind: String, Codable, Sendable, CaseIterable") { (swift) throws(WireFault) in
        for grammar in grammars {
          for error in grammar.errors {
            swift.comment(error.comment)
            swift.line("case \(SwiftNames.verb(error.name)) = \(SwiftNames.literal("\(grammar.name).\(error.name)"))")
          }
        }
        swift.line()
        swift.line("/// What `pfctl` exits with.")
        try swift.block("package var exitCode: Int32") { (swift) throws(WireFault) in
          swift.line("switch self {")
          for grammar in grammars {
            for error in grammar.errors {
              // The protocol's own errors say that two programs do not understand each other, but for a parameter.
              let own = error.name == "InvalidParameter" ? "usage" : "protocolMismatch"
              swift.line("case .\(SwiftNames.verb(error.name)): ExitCode.\(error.annotations.exit ?? own)")
            }
          }
          swift.line("}")
        }
      }
    }
    return swift.text
  }
}
