import StableModel
import Testing

@testable import FlowCommands

extension HelpOfTradesTests {
  @Test func `help of team set names all types of care`() {
    #expect(TeamSetCommand.careTypes == CareType.allCases.map(\.rawValue))
  }
}
