import FlowDelivery
import Testing

@Suite struct LogRateLimiterTests {
  private let start = ContinuousClock.now

  @Test func `an interval logs a limited number of lines and the next reports the omitted ones`() {
    let budget = LogRateLimiter(lines: 3, each: .seconds(30))
    let first = (0..<10).map { budget.permit(at: start + .seconds($0)).isGranted }
    #expect(first == [true, true, true] + Array(repeating: false, count: 7))
    let next = budget.permit(at: start + .seconds(30))
    #expect(next.isGranted && next.omitted == 7)
    let after = budget.permit(at: start + .seconds(31))
    #expect(after.isGranted && after.omitted == 0)
  }

  @Test func `an interval starts with its first line`() {
    let budget = LogRateLimiter(lines: 1, each: .seconds(30))
    #expect(budget.permit(at: start + .seconds(29)).isGranted)
    #expect(!budget.permit(at: start + .seconds(31)).isGranted)
    #expect(budget.permit(at: start + .seconds(59)).isGranted)
  }

  @Test func `lines omitted over several intervals are counted in the next line written`() {
    let budget = LogRateLimiter(lines: 1, each: .seconds(30))
    for second in [0, 1, 2, 30] { _ = budget.permit(at: start + .seconds(second)) }
    #expect(!budget.permit(at: start + .seconds(45)).isGranted)
    #expect(budget.permit(at: start + .seconds(60)).omitted == 1)
  }
}
