import FlowControl
import FlowModel
import FlowNotices
import FlowStore
import FlowWork
import PoolChemistry
import PoolControl
import PoolJobs
import Testing

/// The enums of the wire format and those of the modules have the same raw values.
struct WireWordTests {
  func alike<Ours: RawRepresentable<String> & CaseIterable, Theirs: WireWord>(
    _ ours: Ours.Type, _ theirs: Theirs.Type
  ) -> Bool { ours.allCases.map(\.rawValue) == theirs.allCases.map(\.rawValue) }

  @Test func `each wire enum has the same cases as its domain enum`() {
    #expect(alike(UnitSystem.self, UnitsView.self))
    #expect(alike(TravelObjective.self, ObjectiveView.self))
    #expect(alike(Currency.self, CurrencyView.self))
    #expect(alike(ChemicalType.self, ChemicalTypeView.self))
    #expect(alike(DoseRecommendation.Kind.self, AdviceKindView.self))
    #expect(alike(WaterCondition.self, WaterConditionView.self))
    #expect(alike(ProfitOrder.self, ProfitOrderView.self))
    #expect(alike(EntryState.self, EntryStateView.self))
    #expect(Set(RunOutcome.allCases.map(\.rawValue)) == Set(OutcomeView.allCases.map(\.rawValue)))
    #expect(RunOutcome.allCases.allSatisfy { EventStateView(rawValue: $0.rawValue) != nil })
    #expect(Weekday.allCases.map(\.abbreviation).sorted() == DayView.allCases.map(\.rawValue).sorted())
    let plans: [Plan] = [.free, .trial(expires: Timestamp(seconds: 0)), .paid]
    #expect(plans.map(\.word) == PlanView.allCases.map(\.rawValue))
  }
}
