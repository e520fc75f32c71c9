import PoolControl
import PoolTestKit
import Testing

/// Users are numbers: 0 is root, 7 the daemon's own user, 1000 and above are group members.
struct CallLimiterTests {
  private static let late: Duration = .seconds(1_000)

  /// Small limits, so that a test can reach them; a call has its connection's number.
  private struct Stand {
    var limiter = CallLimiter(
      ownUID: 7, short: CallLimiter.ConcurrencyLimits(total: 4, reserved: 1, perUser: 2),
      long: CallLimiter.ConcurrencyLimits(total: 2, reserved: 1, perUser: 1), budget: 30, reservedBudget: 10)

    mutating func enqueue(_ call: UInt64, uid: UInt32, work: CallWork = .short, answerBytes: Int = 0) {
      limiter.enqueue(call, of: call, uid: uid, work: work, answerBytes: answerBytes, until: CallLimiterTests.late)
    }

    /// The calls that start now.
    mutating func begun() -> [UInt64] {
      var calls: [UInt64] = []
      while let call = limiter.begin() { calls.append(call) }
      return calls
    }
  }

  @Test func `a flooding user is limited, and root and the daemon's user are served at once`() {
    var stand = Stand()
    for call in 1...60 { stand.enqueue(UInt64(call), uid: 1_000) }
    #expect(stand.begun() == [1, 2])
    stand.enqueue(100, uid: 0)
    stand.enqueue(101, uid: 7)
    #expect(stand.begun() == [100, 101])
    stand.enqueue(102, uid: 1_001)
    #expect(stand.begun().isEmpty)
    stand.limiter.end(100)
    #expect(stand.begun() == [102])
  }

  @Test func `the slots reserved for root stay free with many users`() {
    var stand = Stand()
    for user in 0..<10 { stand.enqueue(UInt64(user + 1), uid: UInt32(1_000 + user)) }
    #expect(stand.begun() == [1, 2, 3])
    stand.enqueue(50, uid: 0)
    #expect(stand.begun() == [50])
  }

  @Test func `users take turns, whatever the number of their earlier calls`() {
    var stand = Stand()
    for call in 1...10 { stand.enqueue(UInt64(call), uid: 0) }
    stand.enqueue(20, uid: 1_000)
    stand.enqueue(21, uid: 1_001)
    #expect(stand.begun() == [1, 20, 21, 2])
    for call in [1, 20, 21, 2] { stand.limiter.end(UInt64(call)) }
    #expect(stand.begun() == [3, 4, 5, 6])
  }

  @Test func `one user's connections are served in the order of their calls`() {
    var stand = Stand()
    for call in 1...6 { stand.enqueue(UInt64(call), uid: 7) }
    #expect(stand.begun() == [1, 2, 3, 4])
    stand.limiter.end(2)
    // The served connection calls again and queues behind the waiting ones.
    stand.enqueue(2, uid: 7)
    #expect(stand.begun() == [5])
    stand.limiter.end(5)
    #expect(stand.begun() == [6])
    stand.limiter.end(1)
    #expect(stand.begun() == [2])
  }

  @Test func `long calls leave slots for queries, and watchers use none`() {
    var stand = Stand()
    for call in 1...5 { stand.enqueue(UInt64(call), uid: 0, work: .long) }
    for call in 6...9 { stand.enqueue(UInt64(call), uid: 0, work: .watching) }
    stand.enqueue(10, uid: 0)
    #expect(Set(stand.begun()) == [1, 2, 6, 7, 8, 9, 10])
  }

  @Test func `a call whose caller has disconnected is never started`() {
    var stand = Stand()
    for call in 1...4 { stand.enqueue(UInt64(call), uid: 0) }
    #expect(stand.begun() == [1, 2, 3, 4])
    for call in 5...40 { stand.enqueue(UInt64(call), uid: 0) }
    for call in 5...39 { #expect(stand.limiter.dropCalls(UInt64(call)) == [UInt64(call)]) }
    stand.limiter.end(1)
    #expect(stand.begun() == [40])
    #expect(!stand.limiter.isWaiting)
  }

  @Test func `one-way calls outlive their caller, with low priority, until their slot is needed`() {
    var stand = Stand()
    for call in 1...4 { stand.enqueue(UInt64(call), uid: 0) }
    #expect(stand.begun() == [1, 2, 3, 4])
    for call in 5...7 {
      stand.limiter.enqueue(
        UInt64(call), of: UInt64(call), uid: 0, work: .short, answerBytes: 0, until: Self.late, isOneway: true)
    }
    for call in 5...6 { #expect(stand.limiter.callerDidDisconnect(UInt64(call)).isEmpty) }
    stand.enqueue(8, uid: 0)
    stand.enqueue(9, uid: 0)
    #expect(stand.limiter.callerDidDisconnect(8) == [8])
    #expect(stand.limiter.dropCalls(6) == [6])
    for call in 1...4 { stand.limiter.end(UInt64(call)) }
    #expect(stand.begun() == [9])
    // One-way calls run one at a time.
    stand.limiter.end(9)
    #expect(stand.begun() == [5])
    stand.enqueue(10, uid: 0)
    #expect(stand.begun() == [10])
    stand.limiter.end(5)
    #expect(stand.begun().isEmpty)
    stand.limiter.end(10)
    #expect(stand.begun() == [7])
  }

  @Test func `a long reply starts with memory for the longest, and short ones pass it`() {
    var stand = Stand()
    for call in 1...3 { stand.enqueue(UInt64(call), uid: 0, answerBytes: 10) }
    #expect(stand.begun() == [1, 2, 3])
    for call in 1...3 { stand.limiter.didBuild(UInt64(call), bytes: 10) }
    stand.enqueue(4, uid: 0, answerBytes: 10)
    stand.enqueue(5, uid: 0)
    #expect(stand.begun() == [5])
    #expect(stand.limiter.waitsForMemory)
    #expect(stand.limiter.connectionsWithAnswers == [1, 2, 3])
    stand.limiter.didRead(1, bytes: 4)
    #expect(stand.begun().isEmpty)
    stand.limiter.didRead(2, bytes: 6)
    #expect(stand.begun() == [4])
    #expect(stand.limiter.reservedBytes == 30)
  }

  @Test func `a finished reply counts with its actual size`() {
    var stand = Stand()
    stand.enqueue(1, uid: 0, answerBytes: 10)
    #expect(stand.begun() == [1])
    stand.limiter.didBuild(1, bytes: 2)
    #expect(stand.limiter.reservedBytes == 2)
    stand.limiter.end(1)
    #expect(stand.limiter.reservedBytes == 0)
  }

  @Test func `the last of the memory is reserved for root`() {
    var stand = Stand()
    for call in 1...3 { stand.enqueue(UInt64(call), uid: UInt32(1_000 + call), answerBytes: 10) }
    #expect(stand.begun() == [1, 2])
    stand.enqueue(9, uid: 0, answerBytes: 10)
    #expect(stand.begun() == [9])
  }

  @Test func `a caller that waits for much memory is not overtaken by smaller requests`() {
    var stand = Stand()
    stand.enqueue(1, uid: 0, answerBytes: 25)
    #expect(stand.begun() == [1])
    stand.limiter.didBuild(1, bytes: 25)
    stand.enqueue(2, uid: 1_000, answerBytes: 10)
    stand.enqueue(3, uid: 1_001, answerBytes: 1)
    #expect(stand.begun().isEmpty)
    // Now call 3 would fit, but call 2 is first.
    stand.limiter.didRead(1, bytes: 10)
    #expect(stand.begun().isEmpty)
    stand.limiter.end(1)
    #expect(stand.begun() == [2, 3])
  }

  @Test func `a disconnected caller releases its memory`() {
    var stand = Stand()
    for call in 1...3 { stand.enqueue(UInt64(call), uid: 0, answerBytes: 10) }
    #expect(stand.begun() == [1, 2, 3])
    for call in 1...3 { stand.limiter.didBuild(UInt64(call), bytes: 10) }
    stand.enqueue(4, uid: 0, answerBytes: 10)
    #expect(stand.begun().isEmpty)
    #expect(stand.limiter.dropCalls(2).isEmpty)
    #expect(stand.begun() == [4])
  }

  @Test func `a reply larger than expected waits for memory budget`() {
    var stand = Stand()
    stand.enqueue(1, uid: 0, answerBytes: 10)
    stand.enqueue(2, uid: 0)
    #expect(stand.begun() == [1, 2])
    stand.limiter.didBuild(1, bytes: 20)
    stand.limiter.enqueueAnswer(2, of: 2, uid: 0, bytes: 15, until: Self.late)
    #expect(stand.begun().isEmpty)
    stand.limiter.end(1)
    #expect(stand.begun() == [2])
    #expect(stand.limiter.reservedBytes == 15)
  }

  @Test func `no call waits longer than its deadline`() {
    var stand = Stand()
    for call in 1...4 { stand.enqueue(UInt64(call), uid: 0) }
    _ = stand.begun()
    stand.limiter.enqueue(5, of: 5, uid: 0, work: .short, answerBytes: 0, until: .seconds(5))
    stand.limiter.enqueue(6, of: 6, uid: 0, work: .short, answerBytes: 0, until: .seconds(9))
    #expect(stand.limiter.nextDeadline == .seconds(5))
    #expect(stand.limiter.expire(at: .seconds(4)).isEmpty)
    #expect(stand.limiter.expire(at: .seconds(5)) == [5])
    #expect(stand.limiter.nextDeadline == .seconds(9))
  }

  @Test func `random events never exceed the limits, and every call starts in the end`() {
    var generator = SeededNumbers(seed: 5)
    for _ in 0..<50 {
      var stand = Stand()
      var next: UInt64 = 0
      var under: [UInt64: UInt32] = [:]
      var pending: [UInt64: UInt32] = [:]
      func begin() {
        for call in stand.begun() {
          under[call] = pending.removeValue(forKey: call)
          let users = under.values
          #expect(users.count <= 4)
          #expect(users.count { $0 >= 1_000 } <= 3)
          for user in Set(users) where user >= 1_000 { #expect(users.count { $0 == user } <= 2) }
          #expect(stand.limiter.reservedBytes <= 30)
        }
      }
      for _ in 0..<300 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0, 1:
          next += 1
          let uid: UInt32 = [0, 7, 1_000, 1_001][Int.random(in: 0..<4, using: &generator)]
          pending[next] = uid
          stand.enqueue(next, uid: uid, answerBytes: Bool.random(using: &generator) ? 10 : 0)
        case 2:
          if let call = under.keys.sorted().randomElement(using: &generator) {
            under[call] = nil
            stand.limiter.end(call)
          }
        default:
          if let call = pending.keys.sorted().randomElement(using: &generator), Bool.random(using: &generator) {
            #expect(stand.limiter.dropCalls(call) == [call])
            pending[call] = nil
          }
        }
        begin()
      }
      while let call = under.keys.min() {
        under[call] = nil
        stand.limiter.end(call)
        begin()
      }
      #expect(pending.isEmpty)
      #expect(stand.limiter.reservedBytes == 0)
    }
  }
}

struct ConnectionLimiterTests {
  private var limiter = ConnectionLimiter(ownUID: 7, places: 6, reserved: 2, perUser: 3)

  @Test func `a flooding user leaves connections to others, and all users leave some to root`() {
    var limiter = limiter
    for connection in 1...3 { limiter.join(UInt64(connection), uid: 1_000) }
    #expect(limiter.obstacle(to: 1_000) == .userLimit)
    #expect(limiter.obstacle(to: 1_001) == nil)
    limiter.join(4, uid: 1_001)
    #expect(limiter.obstacle(to: 1_001) == .unreserved)
    #expect(limiter.obstacle(to: 0) == nil && limiter.obstacle(to: 7) == nil)
    limiter.join(5, uid: 7)
    limiter.join(6, uid: 0)
    #expect(limiter.obstacle(to: 0) == .all)
    limiter.leave(1)
    #expect(limiter.obstacle(to: 0) == nil && limiter.obstacle(to: 1_000) == nil)
  }

  @Test func `the daemon's own user may use every connection`() {
    var limiter = limiter
    for connection in 1...6 {
      #expect(limiter.obstacle(to: 7) == nil)
      limiter.join(UInt64(connection), uid: 7)
    }
    #expect(limiter.obstacle(to: 7) == .all)
  }

  @Test func `only a connection whose end frees a usable slot counts as helpful`() {
    var limiter = limiter
    limiter.join(1, uid: 1_000)
    limiter.join(2, uid: 1_001)
    limiter.join(3, uid: 0)
    #expect(limiter.wouldRemove(1, against: .userLimit, for: 1_000))
    #expect(!limiter.wouldRemove(2, against: .userLimit, for: 1_000))
    #expect(limiter.wouldRemove(2, against: .unreserved, for: 1_000))
    #expect(!limiter.wouldRemove(3, against: .unreserved, for: 1_000))
    #expect(limiter.wouldRemove(3, against: .all, for: 0))
    #expect(!limiter.wouldRemove(4, against: .all, for: 0))
  }
}
