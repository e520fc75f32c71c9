import StableModel
import Testing
import TradeCommands

@testable import FlowCommandKit
@testable import FlowSetup

extension SetupPlanTests {
  private var stableTimes: [SetupTime] {
    get throws { try #require(CommandCatalogue.every.trade(named: "stable")).setup.times }
  }

  @Test func `a missing stable is added with its trade`() {
    #expect(
      lines(
        SetupPlan(team: "hill-barn", state: SetupState()).teamSteps(
          zone: "Europe/Berlin", language: nil, trade: .stable))
        == ["pfctl team add hill-barn --zone Europe/Berlin --trade stable"])
  }

  @Test func `a stable's times are rules of its jobs, unchanged ones need no step`() throws {
    let plan = SetupPlan(team: "barn", state: SetupState())
    let feed = try stableTimes[1]
    #expect(
      lines(plan.timeSteps("08:30", of: feed, known: "*-*-* 09:00:00"))
        == ["pfctl job set feed-am --team barn 'rule=*-*-* 08:30:00'"])
    #expect(plan.timeSteps("09:00", of: feed, known: "*-*-* 09:00:00") == [])
    #expect(plan.timeSteps("09:00", of: feed, known: nil) == [])
  }

  @Test func `every step of a stable's plan is a valid pfctl command line`() throws {
    let plan = SetupPlan(team: "t", state: SetupState())
    let steps =
      plan.teamSteps(zone: "Europe/Berlin", language: nil, trade: .stable)
      + (try stableTimes).flatMap { plan.timeSteps("08:15", of: $0, known: nil) }
    #expect(steps.count == 4)
    try expectValid(steps)
  }

  @Test func `a stable is chosen by its records, and an unknown trade is refused with all records`() throws {
    let trades = CommandCatalogue.every.trades
    #expect(try SetupAnswer.trade("Horses", among: trades).trade == .stable)
    let noTrade = #expect(throws: InvalidAnswer.self) { try SetupAnswer.trade("cats", among: trades) }
    #expect(noTrade?.why == "answer pools, or horses for a stable, not 'cats'")
  }
}
