/// The generated Swift sources of all interfaces of a module.
package struct WireModule {
  /// A fault and the file that contains it.
  package struct Failure: Error, CustomStringConvertible {
    package let file: String
    package let fault: WireFault
    package var description: String { "\(file):\(fault)" }
  }

  /// File names such as `org.poolflow.Field.varlink` with their contents, in the order of the list.
  package typealias Files = [(name: String, text: String)]

  /// Another module with interfaces, which the module imports.
  package struct Import {
    package let module: String
    package let files: Files

    package init(_ module: String, _ files: Files) { (self.module, self.files) = (module, files) }
  }

  package private(set) var sources: Files = []

  /// - Parameters:
  ///   - name: the name of the Swift module.
  ///   - imports: the modules whose types these interfaces may share.
  package init(
    _ files: Files, named name: String = Self.protocolModule, importing imports: [Import] = []
  ) throws(Failure) {
    var types = DeclaredTypes()
    for imported in imports {
      for file in imported.files {
        try Self.check(file) { (grammar) throws(WireFault) in try types.add(grammar, of: imported.module) }
      }
    }
    var grammars: [InterfaceGrammar] = []
    for file in files {
      try Self.check(file) { (grammar) throws(WireFault) in
        let owners = Set(grammar.types.compactMap { types.modules[$0.name] })
        let others = owners.union([Self.protocolModule]).subtracting([name]).sorted()
        let writer = try SwiftWriter(grammar, description: file.text, known: types.names, imports: others)
        sources.append((Self.sourceName(file.name), try writer.source()))
        try types.add(grammar, of: name)
        grammars.append(grammar)
      }
    }
    sources.append((Self.listName, SwiftList(grammars, of: name, in: Self.protocolModule).source))
  }

  /// Parses a file.
  private static func check(
    _ file: (name: String, text: String), _ body: (InterfaceGrammar) throws(WireFault) -> Void
  ) throws(Failure) {
    do throws(WireFault) {
      let grammar = try InterfaceGrammar(file.text)
      guard "\(grammar.name).varlink" == file.name else {
        throw WireFault(line: 1, "the interface is named \(grammar.name), which differs from the file's name")
      }
      try body(grammar)
    } catch {
      throw Failure(file: file.name, fault: error)
    }
  }

  /// The module that declares the protocols and helpers of all generated types.
  package static let protocolModule = "FlowControl"
  /// Name of the generated file with the list of the module's interfaces.
  package static let listName = "InterfaceList.swift"

  /// Name of the generated file: `org.poolflow.Field.varlink` becomes `Field.swift`.
  package static func sourceName(_ file: String) -> String {
    let parts = file.split(separator: ".").dropLast()
    let last = parts.last.map(String.init) ?? file
    return last.prefix(1).uppercased() + last.dropFirst() + ".swift"
  }
}

/// The types that interfaces declare, each with the module that declares it in Swift.
///
/// Varlink has no imports: a type shared by two interfaces is declared in both, and the declarations must be equal. In Swift it
/// belongs to the first of them.
private struct DeclaredTypes {
  private var shapes: [String: InterfaceGrammar.Kind] = [:]
  private(set) var modules: [String: String] = [:]

  var names: Set<String> { Set(shapes.keys) }

  mutating func add(_ grammar: InterfaceGrammar, of module: String) throws(WireFault) {
    for type in grammar.types {
      if let there = shapes[type.name], !Self.agree(there, type.shape) {
        throw WireFault(line: type.line, "type \(type.name) has a different definition in an earlier interface")
      }
      shapes[type.name] = type.shape
      if modules[type.name] == nil { modules[type.name] = module }
    }
  }

  /// True if both types have equal structure and names; comments may differ.
  private static func agree(_ one: InterfaceGrammar.Kind, _ other: InterfaceGrammar.Kind) -> Bool {
    if case .fields(let left) = one, case .fields(let right) = other {
      return left.map(\.name) == right.map(\.name) && left.map(\.kind) == right.map(\.kind)
    }
    return one == other
  }
}
