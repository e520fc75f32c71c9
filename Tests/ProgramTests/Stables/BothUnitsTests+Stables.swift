import FlowControl
import Testing

extension Programs.BothUnitsTests {
  @Test func `show-both-units exists for stables; values other than on and off are refused`() throws {
    let one = try OneTeam("barn", zone: "America/Phoenix", trade: "stable")
    try one.daemon.change("team", "set", "barn", "show-both-units=on")
    #expect(try one.daemon.ask("team", "show", "barn").output.contains(/show-both-units +on/))
    let bad = try one.daemon.ask("team", "set", "barn", "show-both-units=both")
    #expect(bad.code != 0 && bad.errors.contains("show-both-units"), "\(bad.errors)")
    let view = try one.daemon.query(TeamsCall.Show.Reply.self, "team", "show", "barn").team
    #expect(view.settings.showBothUnits == true)
  }
}
