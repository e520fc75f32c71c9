import PoolDelivery
import PoolModel
import PoolNotices
import Testing

/// Operator notices about the machine, and how often they are sent.
struct MachineNewsTests {
  private let now = Timestamp(seconds: 1_772_460_000)
  private func words(_ notices: [OperatorNotice]) -> [String] { notices.map(\.word) }

  @Test func `low disk space is reported once, and again only after it recovered`() {
    var news = MachineNews()
    func look(_ free: Int?) -> [String] { words(news.look(freeBytes: free, at: "/state", now: now)) }
    #expect(look(Limits.freeSpaceWarning) == [])
    #expect(look(Limits.freeSpaceWarning - 1) == ["disk-low"])
    #expect(look(Limits.freeSpaceWarning - 1) == [])
    // Reaching the threshold again does not count as recovered yet.
    #expect(look(Limits.freeSpaceWarning) == [])
    #expect(look(Limits.freeSpaceWarning - 1) == [])
    #expect(look(nil) == [])
    #expect(look(Limits.freeSpaceWarning * 2) == [])
    #expect(look(0) == ["disk-low"])
  }

  @Test func `a notice that could not be sent is due again at the next check`() {
    var news = MachineNews()
    func look() -> [OperatorNotice] { news.look(freeBytes: 0, at: "/state", now: now) }
    for _ in 1...3 {
      let told = look()
      #expect(words(told) == ["disk-low"])
      for notice in told { news.forget(notice) }
    }
    #expect(words(look()) == ["disk-low"])
    #expect(look().isEmpty)
  }

  @Test func `an unset clock is reported once, and again after it was right`() {
    var news = MachineNews()
    func look(_ now: Timestamp) -> [String] { words(news.look(freeBytes: nil, at: "/state", now: now)) }
    #expect(look(now) == [])
    #expect(look(Timestamp(seconds: 60)) == ["clock-implausible"])
    #expect(look(Timestamp(seconds: 120)) == [])
    #expect(look(now) == [])
    #expect(look(Limits.earliestPlausibleNow.advanced(by: .milliseconds(-1))) == ["clock-implausible"])
  }
}
