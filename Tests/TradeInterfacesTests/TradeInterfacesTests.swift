import FlowControl
import FlowWire
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
}
