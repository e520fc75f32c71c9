import PoolTestKit
import Testing

@testable import PoolDaemon

@Suite struct NodeBellTests {
  @Test func `a ring wakes all who wait, and none that comes after it has asked`() async {
    let bell = NodeBell()
    let count = bell.count
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { await bell.wait(past: count, atMost: .seconds(600)) } }
      bell.ring()
    }
    #expect(bell.count == count + 1)
    // What rang between the look and the wait is not missed.
    await bell.wait(past: count, atMost: .seconds(600))
  }

  @Test func `a wait has an end, and one that is cancelled ends at once`() async {
    let bell = NodeBell()
    await bell.wait(past: bell.count, atMost: .milliseconds(1))
    let waiting = Task { await bell.wait(past: bell.count, atMost: .seconds(600)) }
    waiting.cancel()
    await waiting.value
    #expect(bell.count == 0)
  }
}
