import FlowControl
import FlowWire
import Foundation
import Testing
import TradeInterfaces

struct TradeInterfacesTests {
  @Test func `no interface, method or error is listed twice or in another interface`() {
    #expect(InterfaceCatalogue.every.faults == [])
    #expect(InterfaceCatalogue.every.interfaces.first?.name == "org.varlink.service")
  }

  @Test func `each interface lists the methods and errors of its description, in order`() throws {
    for interface in InterfaceCatalogue.every.interfaces {
      let grammar = try InterfaceGrammar(interface.text)
      #expect(interface.methods.map { $0.method } == grammar.methods.map { "\(interface.name).\($0.name)" })
      #expect(interface.errors.map(\.kind.rawValue) == grammar.errors.map { "\(interface.name).\($0.name)" })
    }
  }

  /// The interfaces of each module that has a folder `Interfaces`, by its folder, such as `Pools`.
  private static func grammars() throws -> [(folder: String, grammar: InterfaceGrammar)] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources").path
    return try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".varlink") }.map {
      path in
      let text = try String(contentsOf: URL(filePath: "\(sources)/\(path)"), encoding: .utf8)
      return (String(path.prefix { $0 != "/" }), try InterfaceGrammar(text))
    }
  }

  @Test func `every interface file with calls or errors is listed`() throws {
    let files = try Self.grammars().map(\.grammar).filter { !$0.methods.isEmpty || !$0.errors.isEmpty }
    #expect(files.map(\.name).sorted() == InterfaceCatalogue.every.interfaces.map(\.name).sorted())
  }

  @Test func `a type that two trades share is declared by the engine`() throws {
    var trades: [String: Set<String>] = [:]
    for (folder, grammar) in try Self.grammars() {
      for type in grammar.types { trades[type.name, default: []].insert(folder) }
    }
    for (name, folders) in trades {
      #expect(folders.count == 1 || folders.contains("Engine"), "\(name): \(folders.sorted())")
    }
    #expect(
      trades["PageFormatView"] == [
        "Engine",
        "Pools",
        "Stables",  // Stables
      ])
  }
}
