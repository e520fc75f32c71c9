import PoolDelivery
import Testing

@Suite struct LogBudgetTests {
  private let start = ContinuousClock.now

  @Test func `a stretch takes so many lines, and the next one tells once how many were left out`() {
    let budget = LogBudget(lines: 3, each: .seconds(30))
    let first = (0..<10).map { budget.permit(at: start + .seconds($0)).isGranted }
    #expect(first == [true, true, true] + Array(repeating: false, count: 7))
    let next = budget.permit(at: start + .seconds(30))
    #expect(next.isGranted && next.omitted == 7)
    let after = budget.permit(at: start + .seconds(31))
    #expect(after.isGranted && after.omitted == 0)
  }

  @Test func `a stretch begins with its first line, not with the clock's`() {
    let budget = LogBudget(lines: 1, each: .seconds(30))
    #expect(budget.permit(at: start + .seconds(29)).isGranted)
    #expect(!budget.permit(at: start + .seconds(31)).isGranted)
    #expect(budget.permit(at: start + .seconds(59)).isGranted)
  }

  @Test func `lines left out over several stretches are told with the first that is written`() {
    let budget = LogBudget(lines: 1, each: .seconds(30))
    for second in [0, 1, 2, 30] { _ = budget.permit(at: start + .seconds(second)) }
    #expect(!budget.permit(at: start + .seconds(45)).isGranted)
    #expect(budget.permit(at: start + .seconds(60)).omitted == 1)
  }
}
