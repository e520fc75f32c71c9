import FlowModel
import StableControl
import StableModel
import StableRules
import Testing

extension WireWordTests {
  @Test func `each wire enum of stables has the same cases as its domain enum`() {
    #expect(alike(FeedSlot.self, FeedSlotView.self))
    #expect(alike(CareType.self, CareTypeView.self))
    #expect(alike(CareStatus.self, CareStatusView.self))
    #expect(alike(ForecastEffect.self, ForecastEffectView.self))
  }
}
