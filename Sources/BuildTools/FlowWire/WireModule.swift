/// The generated Swift sources of all interfaces of a module.
package struct WireModule {
  /// A fault and the file that contains it.
  package struct Failure: Error, CustomStringConvertible {
    package let file: String
    package let fault: WireFault
    package var description: String { "\(file):\(fault)" }
  }

  package private(set) var sources: [(name: String, text: String)] = []

  /// - Parameter files: file names such as `org.poolflow.Field.varlink` with their contents, in catalogue order.
  package init(_ files: [(name: String, text: String)]) throws(Failure) {
    var types: [String: InterfaceGrammar.Kind] = [:]
    var grammars: [InterfaceGrammar] = []
    for file in files {
      do throws(WireFault) {
        let grammar = try InterfaceGrammar(file.text)
        guard "\(grammar.name).varlink" == file.name else {
          throw WireFault(line: 1, "the interface is named \(grammar.name), which differs from the file's name")
        }
        let source = try SwiftWriter(grammar, description: file.text, known: Set(types.keys)).source()
        for type in grammar.types {
          // Varlink has no imports: a type shared by two interfaces is declared in both, and the declarations must be equal.
          if let there = types[type.name], !Self.agree(there, type.shape) {
            throw WireFault(line: type.line, "type \(type.name) has a different definition in an earlier interface")
          }
          types[type.name] = type.shape
        }
        grammars.append(grammar)
        sources.append((Self.sourceName(file.name), source))
      } catch {
        throw Failure(file: file.name, fault: error)
      }
    }
    do {
      sources.append((Self.catalogueName, try SwiftCatalogue(grammars).source()))
    } catch {
      throw Failure(file: Self.catalogueName, fault: error)
    }
  }

  package static let catalogueName = "Catalogue.swift"

  /// Name of the generated file: `org.poolflow.Field.varlink` becomes `Field.swift`.
  package static func sourceName(_ file: String) -> String {
    let parts = file.split(separator: ".").dropLast()
    let last = parts.last.map(String.init) ?? file
    return last.prefix(1).uppercased() + last.dropFirst() + ".swift"
  }

  /// True if both types have equal structure and names; comments may differ.
  private static func agree(_ one: InterfaceGrammar.Kind, _ other: InterfaceGrammar.Kind) -> Bool {
    if case .fields(let left) = one, case .fields(let right) = other {
      return left.map(\.name) == right.map(\.name) && left.map(\.kind) == right.map(\.kind)
    }
    return one == other
  }
}
