import PoolTestKit
import Testing

@testable import PoolDaemon

/// The in-process wake-up signal of a node's waiting tasks.
@Suite struct NodeBellTests {
  @Test func `a ring wakes all waiting tasks; a ring before the wait counts`() async {
    let bell = NodeBell()
    let count = bell.count
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { await bell.wait(past: count, atMost: .seconds(600)) } }
      bell.ring()
    }
    #expect(bell.count == count + 1)
    // A ring between reading the count and waiting is not missed.
    await bell.wait(past: count, atMost: .seconds(600))
  }

  @Test func `a wait ends after its limit or at once when cancelled`() async {
    let bell = NodeBell()
    await bell.wait(past: bell.count, atMost: .milliseconds(1))
    let waiting = Task { await bell.wait(past: bell.count, atMost: .seconds(600)) }
    waiting.cancel()
    await waiting.value
    #expect(bell.count == 0)
  }
}
