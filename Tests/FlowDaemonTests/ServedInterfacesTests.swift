import FlowControl
import Testing
import TradeInterfaces

@testable import FlowAnswers

struct ServedInterfacesTests {
  @Test func `the daemon answers each call of the catalogue once, and no other`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    // The interface of the Varlink protocol is answered without services.
    let listed = InterfaceCatalogue.every.methods.map { $0.method }.filter { !$0.hasPrefix("org.varlink.service.") }
    #expect(fixture.services.verbs.map(\.method).sorted() == listed.sorted())
  }
}
