import FlowControl
import Testing

struct InterfaceCatalogueTests {
  private static func interface(
    _ name: String, _ methods: [any ControlMethod.Type] = [], _ errors: [ControlError.Kind] = []
  ) -> InterfaceDescription {
    InterfaceDescription(
      name: name, text: "interface \(name)", methods: methods,
      errors: errors.map { ErrorDescription($0, exitCode: ExitCode.usage, meaning: "") }, comments: "")
  }

  @Test func `the interfaces of several modules are listed by name, the protocol's own first`() {
    let catalogue = InterfaceCatalogue([
      [Self.interface("org.varlink.service"), Self.interface("org.poolflow.B")], [Self.interface("org.poolflow.A")],
    ])
    #expect(catalogue.interfaces.map(\.name) == ["org.varlink.service", "org.poolflow.A", "org.poolflow.B"])
    #expect(catalogue.interface(named: "org.poolflow.A") != nil && catalogue.interface(named: "org.poolflow.C") == nil)
  }

  @Test func `the engine's interfaces have no faults`() {
    let catalogue = InterfaceCatalogue([.flowControl])
    #expect(catalogue.faults == [])
    #expect(catalogue.interfaces.count > 10 && catalogue.methods.count > 50 && catalogue.errors.count > 20)
  }

  @Test func `an interface, a method and an error that are listed twice are faults`() {
    let some = Self.interface("org.poolflow.Teams", [TeamsCall.List.self], [.noSuchTeam])
    #expect(
      InterfaceCatalogue([[some], [some]]).faults == [
        "org.poolflow.Teams is listed twice", "org.poolflow.Teams.List is listed twice",
        "org.poolflow.Teams.NoSuchTeam is listed twice",
      ])
  }

  @Test func `a method or an error of another interface is a fault`() {
    let some = Self.interface("org.poolflow.People", [TeamsCall.List.self], [.noSuchTeam])
    #expect(
      InterfaceCatalogue([[some]]).faults == [
        "org.poolflow.Teams.List is listed in org.poolflow.People",
        "org.poolflow.Teams.NoSuchTeam is listed in org.poolflow.People",
      ])
  }

  @Test func `pfctl exits with the code of the error's interface, or of an internal fault`() {
    let catalogue = InterfaceCatalogue([[Self.interface("org.poolflow.Teams", [], [.noSuchTeam])]])
    #expect(catalogue.exitCode(of: .noSuchTeam("a")) == ExitCode.usage)
    #expect(catalogue.exitCode(of: .noSuchJob("a")) == ExitCode.internalFault)
  }
}
