import FlowBackup
import FlowCalendar
import FlowModel
import FlowTestKit
import Testing

struct RetentionTests {
  private func nightly(_ days: Int, good: (Int) -> Bool = { _ in true }) -> [Retention.Candidate] {
    // 2026-03-02 is a Monday.
    (0..<days).map { day in
      let at = Timestamp(seconds: 1_772_417_700).advanced(by: .hours(24 * day))
      return Retention.Candidate(id: "\(day)", createdAt: at, isGood: good(day))
    }
  }

  private func kept(_ rule: Retention, _ candidates: [Retention.Candidate]) -> [Int] {
    let gone = Set(rule.expired(candidates, zone: .utc))
    return candidates.map(\.id).filter { !gone.contains($0) }.compactMap { Int($0) }
  }

  @Test func `a hundred nights leave a week of days, four Sundays and the month ends`() {
    // Nights 0 to 99 are 2 March to 9 June, a Tuesday: Sundays are nights 6, 13, …, and months end on nights 29, 59 and 90.
    #expect(kept(.standard, nightly(100)) == [29, 59, 83, 90, 93, 94, 95, 96, 97, 98, 99])
  }

  @Test func `pruning every night equals pruning once`() {
    var left: [Retention.Candidate] = []
    for candidate in nightly(100) {
      left.append(candidate)
      let gone = Set(Retention.standard.expired(left, zone: .utc))
      left.removeAll { gone.contains($0.id) }
    }
    #expect(left.compactMap { Int($0.id) } == kept(.standard, nightly(100)))
  }

  @Test func `the newest intact backup always stays, and a damaged one never replaces it`() {
    let lastIsBad = nightly(5) { $0 < 3 }
    let rule = Retention(daily: 0, weekly: 0, monthly: 0)
    #expect(kept(rule, lastIsBad) == [2, 3, 4])
    #expect(kept(rule, nightly(5) { _ in false }) == [0, 1, 2, 3, 4])
    #expect(kept(rule, nightly(5) { $0 != 1 }) == [4])
  }

  @Test(arguments: [
    ("7 daily, 4 weekly, 6 monthly", Retention.standard), ("3 daily", Retention(daily: 3, weekly: 0, monthly: 0)),
    ("1 monthly,2 daily", Retention(daily: 2, weekly: 0, monthly: 1)),
  ])
  func `a retention rule is parsed as written`(text: String, rule: Retention) {
    #expect(Retention(text) == rule)
    #expect(Retention("\(rule)") == rule)
  }

  @Test(arguments: ["", "7", "0 daily", "7 days", "-1 daily", "1 daily, 2 daily", "1 daily,", "99999 daily", "daily 7"])
  func `an invalid retention rule is refused`(text: String) {
    #expect(Retention(text) == nil)
  }

  @Test func `backups dated ahead by a wrong clock replace no other, eight at most stay`() {
    let nights = nightly(8)
    let today = nights.map(\.createdAt).max() ?? Timestamp(seconds: 0)
    let ahead = (1...10).map {
      Retention.Candidate(id: "ahead-\($0)", createdAt: today.advanced(by: .hours(24 * 400 + $0)), isGood: true)
    }
    let rule = Retention(daily: 7, weekly: 0, monthly: 0)
    let gone = rule.expired(nights + ahead, zone: .utc, notAfter: today)
    #expect(Set(gone) == Set(rule.expired(nights, zone: .utc) + ["ahead-1", "ahead-2"]))
  }
}
