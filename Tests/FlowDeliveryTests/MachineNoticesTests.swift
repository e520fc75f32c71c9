import FlowDelivery
import FlowModel
import FlowNotices
import Testing

/// Operator notices about the machine, and how often they are sent.
struct MachineNoticesTests {
  private let now = Timestamp(seconds: 1_772_460_000)
  private func words(_ notices: [OperatorNotice]) -> [String] { notices.map(\.word) }

  @Test func `low disk space is reported once, and again only after it recovered`() {
    var news = MachineNotices()
    func newNotices(_ free: Int?) -> [String] { words(news.newNotices(freeBytes: free, at: "/state", now: now)) }
    #expect(newNotices(Limits.freeSpaceWarning) == [])
    #expect(newNotices(Limits.freeSpaceWarning - 1) == ["disk-low"])
    #expect(newNotices(Limits.freeSpaceWarning - 1) == [])
    // Reaching the threshold again does not count as recovered yet.
    #expect(newNotices(Limits.freeSpaceWarning) == [])
    #expect(newNotices(Limits.freeSpaceWarning - 1) == [])
    #expect(newNotices(nil) == [])
    #expect(newNotices(Limits.freeSpaceWarning * 2) == [])
    #expect(newNotices(0) == ["disk-low"])
  }

  @Test func `a notice that could not be sent is due again at the next check`() {
    var news = MachineNotices()
    func newNotices() -> [OperatorNotice] { news.newNotices(freeBytes: 0, at: "/state", now: now) }
    for _ in 1...3 {
      let told = newNotices()
      #expect(words(told) == ["disk-low"])
      for notice in told { news.forget(notice) }
    }
    #expect(words(newNotices()) == ["disk-low"])
    #expect(newNotices().isEmpty)
  }

  @Test func `an unset clock is reported once, and again only after it was set`() {
    var news = MachineNotices()
    func newNotices(_ now: Timestamp) -> [String] { words(news.newNotices(freeBytes: nil, at: "/state", now: now)) }
    #expect(newNotices(now) == [])
    #expect(newNotices(Timestamp(seconds: 60)) == ["clock-implausible"])
    #expect(newNotices(Timestamp(seconds: 120)) == [])
    #expect(newNotices(now) == [])
    #expect(newNotices(Limits.earliestPlausibleNow.advanced(by: .milliseconds(-1))) == ["clock-implausible"])
  }
}
