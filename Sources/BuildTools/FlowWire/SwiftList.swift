/// Generates the source with the list of a module's interfaces.
struct SwiftList {
  private let names: [String]
  private let module: String
  private let imported: String?

  /// - Parameters:
  ///   - grammars: the interfaces, in the order of the list.
  ///   - module: the module that contains them.
  ///   - protocolModule: the module that declares `InterfaceDescription`.
  init(_ grammars: [InterfaceGrammar], of module: String, in protocolModule: String) {
    names = grammars.filter(\.isServed).map { "." + SwiftNames.description(of: $0.name) }
    self.module = module
    imported = module == protocolModule ? nil : protocolModule
  }

  var source: String {
    var swift = SwiftText()
    swift.line("// Generated from the .varlink files of \(module); do not edit.")
    swift.line()
    if let imported {
      swift.line("package import \(imported)")
      swift.line()
    }
    swift.line("extension [InterfaceDescription] {")
    swift.line("  /// The interfaces of the module \(module).")
    let name = SwiftNames.quoted(module.prefix(1).lowercased() + module.dropFirst())
    swift.line("  package static var \(name): [InterfaceDescription] { [\(names.joined(separator: ", "))] }")
    swift.line("}")
    return swift.text
  }
}
