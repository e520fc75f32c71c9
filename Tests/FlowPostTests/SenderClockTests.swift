import FlowModel
import Testing

@testable import FlowPost

/// A wrong clock ends and deletes nothing, whenever the program starts.
struct SenderClockTests {
  private static let day: Duration = .hours(24)

  /// The memory of a process whose clock was right, running until noon.
  private static func before() throws -> SenderClock.SavedState {
    var clock = SenderClock(nil)
    _ = clock.update(at: noon, uptime: .seconds(100))
    return try #require(clock.savedState)
  }

  @Test(arguments: [26, 24 * 400, 24 * 20_000])
  func `a start far ahead sends nothing for a minute and ends nothing for a day`(hours: Int) throws {
    var clock = SenderClock(try Self.before())
    let wrong = noon.advanced(by: .hours(hours))
    #expect(clock.update(at: wrong, uptime: .seconds(5)).hasTrustChanged)
    #expect(!clock.isBelieved && clock.words?.contains("jumped") == true && clock.confirmed(wrong) == noon)
    _ = clock.update(at: wrong.advanced(by: .seconds(59)), uptime: .seconds(64))
    #expect(!clock.isBelieved)
    #expect(clock.update(at: wrong.advanced(by: .seconds(61)), uptime: .seconds(66)).hasTrustChanged)
    #expect(clock.isBelieved && clock.words == nil)
    // Deliveries not expired at noon are still valid: noon is the last confirmed time.
    var now = wrong.advanced(by: .seconds(61))
    for minute in 1...(24 * 60 - 1) {
      now = wrong.advanced(by: .seconds(61 + minute * 60))
      _ = clock.update(at: now, uptime: .seconds(66 + minute * 60))
      #expect(clock.confirmed(now) == noon && !clock.isConfirmed(now), "after \(minute) minutes")
    }
    now = now.advanced(by: .minutes(2))
    _ = clock.update(at: now, uptime: .seconds(66) + Self.day + .minutes(1))
    #expect(clock.confirmed(now) == now && clock.isConfirmed(now), "it has agreed with itself for a day")
  }

  @Test func `restarts with a wrong clock confirm nothing, and the right clock is trusted at once`() throws {
    var savedState = try Self.before()
    let wrong = noon.advanced(by: .hours(24 * 400))
    for life in 0..<50 {
      var clock = SenderClock(savedState)
      let begin = wrong.advanced(by: .minutes(life * 10))
      _ = clock.update(at: begin, uptime: .seconds(life * 600))
      _ = clock.update(at: begin.advanced(by: .seconds(61)), uptime: .seconds(life * 600 + 61))
      #expect(clock.isBelieved && clock.confirmed(begin.advanced(by: .seconds(61))) == noon)
      savedState = try #require(clock.savedState)
    }
    var right = SenderClock(savedState)
    let now = noon.advanced(by: .hours(9))
    let update = right.update(at: now, uptime: .zero)
    #expect(right.isBelieved && right.isConfirmed(now) && !update.hasTrustChanged)
    #expect(try #require(update.setBack) > .hours(24 * 399), "what it ended meanwhile is open again")
  }

  @Test func `a clock before 2024 is never trusted`() {
    for savedState in [nil, try? Self.before()] {
      var clock = SenderClock(savedState)
      for second in stride(from: 0, to: 600, by: 60) {
        _ = clock.update(at: Timestamp(seconds: Int64(second)), uptime: .seconds(second))
        #expect(!clock.isBelieved && clock.words?.contains("before 2024") == true)
      }
      _ = clock.update(at: noon, uptime: .seconds(601))
      #expect(clock.isBelieved)
    }
  }

  @Test func `a clock set back is noticed, also across restarts; a slow clock is not`() throws {
    var clock = SenderClock(nil)
    _ = clock.update(at: noon, uptime: .seconds(100))
    #expect(clock.update(at: noon.advanced(by: .seconds(31)), uptime: .seconds(130)).setBack == nil)
    // After half a minute of running the clock is ten seconds ahead: it was set back by twenty.
    #expect(clock.update(at: noon.advanced(by: .seconds(41)), uptime: .seconds(160)).setBack == .seconds(20))
    #expect(clock.update(at: noon.advanced(by: .seconds(40)), uptime: .seconds(160)).setBack == nil, "a correction")
    #expect(clock.update(at: noon.advanced(by: .hours(-3)), uptime: .seconds(161)).setBack != nil)
    var next = SenderClock(try Self.before())
    #expect(next.update(at: noon.advanced(by: .hours(-5)), uptime: .zero).setBack == .hours(5))
    var same = SenderClock(try Self.before())
    #expect(same.update(at: noon.advanced(by: .hours(20)), uptime: .zero).setBack == nil)
  }

  @Test func `without stored clock state the newest file's date is the earliest trusted time`() {
    var clock = SenderClock(nil, newest: noon)
    _ = clock.update(at: noon.advanced(by: .hours(24 * 400)), uptime: .zero)
    #expect(!clock.isBelieved && clock.confirmed(noon.advanced(by: .hours(24 * 400))) == noon)
    var fresh = SenderClock(nil)
    _ = fresh.update(at: noon, uptime: .zero)
    #expect(fresh.isBelieved)
  }

  @Test func `a message expired by an unconfirmed clock is neither sent nor ended`() throws {
    var queue = PostQueue()
    let old = try delivery("old", recipient: "same")
    queue.add(old)
    let later = Timestamp(milliseconds: old.expiresAt).advanced(by: .hours(24 * 400))
    #expect(queue.expired(at: noon, quietMinutesLeft: { _ in 0 }).isEmpty)
    let begun = queue.begin(at: later, quietMinutesLeft: { _ in 0 })
    #expect(begun == nil && queue.count == 1)
    #expect(queue.nextWakeUp(after: later, quietMinutesLeft: { _ in 0 }) == nil)
    #expect(queue.expired(at: later, quietMinutesLeft: { _ in 0 }).map(\.end) == [.expired])
  }
}
