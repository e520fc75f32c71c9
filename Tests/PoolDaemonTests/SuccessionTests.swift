import PoolModel
import PoolStore
import Testing

@testable import PoolDaemon

/// When a node that stands by takes the store, and when it has another's sessions ended.
@Suite struct SuccessionTests {
  private static let since = Timestamp(seconds: 1_772_460_000)

  private func seen(
    holder: (name: String, mark: String?)?, silence: Duration? = nil, ahead: Duration = .zero
  ) -> NodesSeen {
    let node = holder.flatMap { holder in
      silence.map { silence in
        NodeSeen(
          name: holder.name, mark: holder.mark ?? "", version: "0.2.0", since: Self.since, silence: silence,
          clockAhead: .zero)
      }
    }
    return NodesSeen(
      holder: holder.map { NodesSeen.Holder(name: $0.name, mark: $0.mark) }, nodes: node.map { [$0] } ?? [],
      clockAhead: ahead)
  }

  @Test func `a store that nobody has is taken at the second look`() {
    var succession = Succession()
    #expect(succession.judge(seen(holder: nil), uptime: .seconds(1)) == .wait)
    #expect(succession.judge(seen(holder: nil), uptime: .seconds(2)) == .take)
  }

  @Test func `who comes back between two looks keeps it`() {
    var succession = Succession()
    #expect(succession.judge(seen(holder: nil), uptime: .seconds(1)) == .wait)
    #expect(succession.judge(seen(holder: ("a", "1"), silence: .zero), uptime: .seconds(2)) == .wait)
    #expect(succession.judge(seen(holder: nil), uptime: .seconds(3)) == .wait)
  }

  @Test(arguments: [(5_999, false), (6_000, true), (60_000, true)])
  func `a node that says nothing for six seconds is ended`(silence: Int64, isEnded: Bool) {
    var succession = Succession()
    let verdict = succession.judge(
      seen(holder: ("a", "1"), silence: .milliseconds(silence)), uptime: .seconds(1))
    #expect(verdict == (isEnded ? .end(NodesSeen.Holder(name: "a", mark: "1")) : .wait))
  }

  @Test
  func `one that is not heard at all is ended six seconds after that was seen first, and not for another's silence`() {
    var succession = Succession()
    let silent = seen(holder: ("a", "1"))
    #expect(succession.judge(silent, uptime: .seconds(1)) == .wait)
    #expect(succession.judge(silent, uptime: .milliseconds(6_999)) == .wait)
    // Another has it meanwhile.
    #expect(succession.judge(seen(holder: ("b", "2")), uptime: .seconds(7)) == .wait)
    #expect(succession.judge(seen(holder: ("b", "2")), uptime: .milliseconds(12_999)) == .wait)
    let end = succession.judge(seen(holder: ("b", "2")), uptime: .seconds(13))
    #expect(end == .end(NodesSeen.Holder(name: "b", mark: "2")))
    // It was heard in between.
    #expect(succession.judge(seen(holder: ("b", "2"), silence: .zero), uptime: .seconds(14)) == .wait)
    #expect(succession.judge(seen(holder: ("b", "2")), uptime: .seconds(15)) == .wait)
  }

  @Test func `a daemon without a name is never ended`() {
    var succession = Succession()
    for second in 0..<100 {
      #expect(succession.judge(seen(holder: ("a daemon", nil)), uptime: .seconds(second)) == .wait)
    }
  }

  @Test(arguments: [(-30_001, false), (-30_000, true), (0, true), (30_000, true), (30_001, false)])
  func `only a clock within half a minute of the server's takes it`(ahead: Int64, takes: Bool) {
    var succession = Succession()
    let free = seen(holder: nil, ahead: .milliseconds(ahead))
    _ = succession.judge(free, uptime: .seconds(1))
    #expect(succession.judge(free, uptime: .seconds(2)) == (takes ? .take : .clockApart(.milliseconds(ahead))))
  }
}
