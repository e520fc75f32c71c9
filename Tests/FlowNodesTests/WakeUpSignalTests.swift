import FlowTestKit
import Testing

@testable import FlowNodes

/// The in-process wake-up signal of a node's waiting tasks.
@Suite struct WakeUpSignalTests {
  @Test func `a signal wakes all waiting tasks; a signal before the wait counts`() async {
    let wakeUpSignal = WakeUpSignal()
    let count = wakeUpSignal.count
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { await wakeUpSignal.wait(past: count, atMost: .seconds(600)) } }
      wakeUpSignal.send()
    }
    #expect(wakeUpSignal.count == count + 1)
    // A ring between reading the count and waiting is not missed.
    await wakeUpSignal.wait(past: count, atMost: .seconds(600))
  }

  @Test func `a wait ends after its limit or at once when cancelled`() async {
    let wakeUpSignal = WakeUpSignal()
    await wakeUpSignal.wait(past: wakeUpSignal.count, atMost: .milliseconds(1))
    let waiting = Task { await wakeUpSignal.wait(past: wakeUpSignal.count, atMost: .seconds(600)) }
    waiting.cancel()
    await waiting.value
    #expect(wakeUpSignal.count == 0)
  }
}
