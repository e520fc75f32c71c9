import PoolModel
import PoolStore
import Testing

@testable import PoolDaemon

/// Which partitions a node acquires and releases, and which nodes it declares dead.
@Suite struct ShareKeepingTests {
  private static let since = Timestamp(seconds: 1_772_460_000)

  /// The nodes seen by a node: names equal process ids, with each one's partitions.
  private struct Sight {
    var shares: [String: ShareSet]
    /// Nodes without a visible second session.
    var unheard: Set<String> = []
    var silence: [String: Duration] = [:]
    var ahead: [String: Duration] = [:]
    var waiting: Set<String> = []
    var tables = NodesSeen.Tables()

    func of(_ own: String) -> NodesSeen {
      let names = shares.keys.sorted()
      return NodesSeen(
        holders: names.filter { shares[$0] != ShareSet.none }.map {
          NodesSeen.Holder(name: $0, mark: $0, shares: shares[$0] ?? .none)
        },
        nodes: names.filter { !unheard.contains($0) }.map {
          NodeSeen(
            name: $0, mark: $0, version: "0.2.0", since: ShareKeepingTests.since, silence: silence[$0] ?? .zero,
            clockAhead: ahead[$0] ?? .zero, isWaiting: waiting.contains($0))
        }, clockAhead: ahead[own] ?? .zero, tables: tables)
    }
  }

  private func keeping(_ name: String) -> ShareKeeping { ShareKeeping(name: name, mark: name) }

  private let low = ShareSet(0..<32)
  private let high = ShareSet(32..<64)

  @Test func `nodes' parts are equal and sum up to all partitions`() {
    for members in 1...64 {
      let parts = (0..<members).map { ShareKeeping.quota($0, of: members) }
      #expect(parts.reduce(0, +) == 64 && (parts.max() ?? 0) - (parts.min() ?? 0) <= 1)
    }
  }

  @Test func `released partitions are acquired at once, orphaned ones at the second tick`() {
    var handed = Sight(shares: ["a": .none])
    handed.tables.laidDown = .all
    var first = keeping("a")
    #expect(first.judge(handed.of("a"), uptime: .seconds(1)) == [.take(.all)])
    var second = keeping("a")
    let left = Sight(shares: ["a": .none])
    #expect(second.judge(left.of("a"), uptime: .seconds(1)) == [])
    #expect(second.judge(left.of("a"), uptime: .seconds(2)) == [.take(.all)])
  }

  @Test(arguments: [(Int64(299), ShareSet.none), (300, ShareSet.all)] as [(Int64, ShareSet)])
  func `a partition without owner is acquired after 0.3 s`(later: Int64, taken: ShareSet) {
    var keeping = keeping("a")
    let left = Sight(shares: ["a": .none])
    #expect(keeping.judge(left.of("a"), uptime: .milliseconds(1_000)) == [])
    let steps = keeping.judge(left.of("a"), uptime: .milliseconds(1_000 + later))
    #expect(steps == (taken.isEmpty ? [] : [.take(taken)]))
  }

  @Test func `a node that returns between two ticks keeps its partitions`() {
    var keeping = keeping("b")
    let (gone, back) = (Sight(shares: ["a": .none, "b": high]), Sight(shares: ["a": low, "b": high]))
    #expect(keeping.judge(gone.of("b"), uptime: .seconds(1)) == [])
    #expect(keeping.judge(back.of("b"), uptime: .seconds(2)) == [])
    #expect(keeping.judge(gone.of("b"), uptime: .seconds(3)) == [])
  }

  @Test func `a lost node's partitions are divided among the others without overlap`() {
    let names = ["a", "b", "c"]
    var sight = Sight(shares: ["a": ShareSet(0..<21), "b": ShareSet(21..<42), "c": ShareSet(42..<64)])
    sight.shares["b"] = nil
    var taken: [ShareSet] = []
    for name in names where name != "b" {
      var keeping = keeping(name)
      _ = keeping.judge(sight.of(name), uptime: .seconds(1))
      for case .take(let shares) in keeping.judge(sight.of(name), uptime: .seconds(2)) { taken.append(shares) }
    }
    #expect(taken.count == 2 && (taken[0] & taken[1]).isEmpty && taken[0] + taken[1] == ShareSet(21..<42))
    #expect(taken.map(\.count) == [11, 10])
  }

  @Test func `after 2 s a new node gets its part, 16 partitions per tick`() {
    var keeping = keeping("a")
    var sight = Sight(shares: ["a": .all, "b": .none])
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(1)) == [])
    #expect(keeping.judge(sight.of("a"), uptime: .milliseconds(2_999)) == [])
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(3)) == [.give(ShareSet(48..<64))])
    sight.shares = ["a": ShareSet(0..<48), "b": ShareSet(48..<64)]
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(4)) == [.give(ShareSet(32..<48))])
    sight.shares = ["a": low, "b": high]
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(5)) == [])
    // A node with its full part gets nothing more, and pinned partitions stay.
    sight.shares = ["a": ShareSet(0..<33), "b": ShareSet(33..<64)]
    #expect(
      keeping.judge(sight.of("a"), uptime: .seconds(6), keeping: ShareSet(share: 32)) == [.give(ShareSet(share: 31))])
  }

  @Test func `a node with one surplus partition releases one, whatever others release`() {
    var keeping = keeping("a")
    let sight = Sight(shares: ["a": ShareSet(0..<22), "b": ShareSet(22..<64), "c": .none])
    _ = keeping.judge(sight.of("a"), uptime: .seconds(1))
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(4)) == [.give(ShareSet(share: 21))])
  }

  @Test func `a requested partition is handed off at once and left to the requester`() {
    var sight = Sight(shares: ["a": low, "b": high])
    sight.tables.wished = ShareSet([7, 40])
    var (a, b) = (keeping("a"), keeping("b"))
    #expect(a.judge(sight.of("a"), uptime: .seconds(1), keeping: .all) == [.give(ShareSet(share: 7))])
    #expect(b.judge(sight.of("b"), uptime: .seconds(1)) == [.give(ShareSet(share: 40))])
    sight.shares["a"] = low - ShareSet(share: 7)
    sight.tables.laidDown = ShareSet(share: 7)
    sight.tables.wished = ShareSet(share: 7)
    #expect(a.judge(sight.of("a"), uptime: .seconds(2)) == [])
    // The requesting node is gone.
    sight.tables.wished = .none
    #expect(a.judge(sight.of("a"), uptime: .seconds(3)) == [.take(ShareSet(share: 7))])
  }

  @Test(arguments: [(5_999, false), (6_000, true), (60_000, true)])
  func `a node without heartbeat for 6 s is ended`(silence: Int64, isEnded: Bool) {
    var keeping = keeping("b")
    let sight = Sight(shares: ["a": low, "b": high], silence: ["a": .milliseconds(silence)])
    let end = ShareKeeping.Step.end(NodesSeen.Holder(name: "a", mark: "a", shares: low))
    #expect(keeping.judge(sight.of("b"), uptime: .seconds(1)) == (isEnded ? [end] : []))
  }

  @Test(arguments: [(Int64(5_999), ShareSet.none), (6_000, ShareSet(32..<64))] as [(Int64, ShareSet)])
  func `a node without heartbeat for 6 s gets no free partitions`(silence: Int64, taken: ShareSet) {
    var keeping = keeping("b")
    // The other node's part would be exactly the free partitions.
    var sight = Sight(shares: ["a": .none, "b": low], silence: ["a": .milliseconds(silence)])
    sight.tables.laidDown = high
    #expect(keeping.judge(sight.of("b"), uptime: .seconds(1)) == (taken.isEmpty ? [] : [.take(taken)]))
  }

  @Test func `an owned partition is not acquired, even if marked as released`() {
    var keeping = keeping("b")
    var sight = Sight(shares: ["a": low, "b": ShareSet(40..<64)])
    sight.tables.laidDown = ShareSet([3, 40, 35])
    #expect(keeping.judge(sight.of("b"), uptime: .seconds(1)) == [.take(ShareSet(share: 35))])
  }

  @Test func `a node never heard is ended 6 s after it was first seen`() {
    var keeping = keeping("b")
    var sight = Sight(shares: ["a": low, "b": high], unheard: ["a"])
    let end = ShareKeeping.Step.end(NodesSeen.Holder(name: "a", mark: "a", shares: low))
    // Its partitions may change meanwhile.
    #expect(!keeping.judge(sight.of("b"), uptime: .seconds(1)).contains(end))
    sight.shares["b"] = high - ShareSet(share: 63)
    #expect(!keeping.judge(sight.of("b"), uptime: .milliseconds(6_999)).contains(end))
    #expect(keeping.judge(sight.of("b"), uptime: .seconds(7)).contains(end))
    // A heartbeat came in between.
    sight.unheard = []
    #expect(!keeping.judge(sight.of("b"), uptime: .seconds(8)).contains(end))
    sight.unheard = ["a"]
    #expect(!keeping.judge(sight.of("b"), uptime: .seconds(9)).contains(end))
  }

  @Test func `a node never declares itself dead`() {
    var keeping = keeping("b")
    let sight = Sight(shares: ["a": low, "b": high], unheard: ["b"])
    for second in 0..<100 { #expect(keeping.judge(sight.of("b"), uptime: .seconds(second)) == []) }
  }

  @Test func `free partitions are divided among nodes in the order of their names`() {
    var sight = Sight(shares: ["a": .none, "b": .none, "c": .none])
    sight.tables.laidDown = .all
    for (name, part) in [("a", 0..<21), ("b", 21..<42), ("c", 42..<64)] {
      var keeping = keeping(name)
      #expect(keeping.judge(sight.of(name), uptime: .milliseconds(1)) == [.take(ShareSet(part))])
    }
  }

  @Test func `a daemon without a name is never ended and nothing is acquired`() {
    var keeping = keeping("a")
    for second in 0..<100 {
      let alone = NodesSeen.Holder(name: "a daemon", mark: nil, shares: .none)
      let seen = NodesSeen(alone: alone, holders: [], nodes: [], clockAhead: .zero)
      #expect(keeping.judge(seen, uptime: .seconds(second)).allSatisfy { if case .end = $0 { false } else { true } })
      #expect(NodeStand.obstacle(in: seen, for: NodeIdentity(name: "a")) == "a daemon has the store to itself")
    }
  }

  @Test(arguments: [(-30_001, false), (-30_000, true), (0, true), (30_000, true), (30_001, false)])
  func `a node with a clock off by over 30 s releases everything`(
    ahead: Int64, serves: Bool
  ) {
    var keeping = keeping("a")
    let sight = Sight(shares: ["a": low, "b": high], ahead: ["a": .milliseconds(ahead)])
    let aside = ShareKeeping.Step.standAside(.clockApart(.milliseconds(ahead)))
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(1)) == (serves ? [] : [aside]))
    // A single node keeps working even with a wrong clock.
    #expect(keeping.judge(Sight(shares: ["a": .all], ahead: ["a": .seconds(40)]).of("a"), uptime: .seconds(2)) == [])
  }

  @Test func `a schema upgrade waits until nodes of the earlier version have left`() {
    var sight = Sight(shares: ["a": .all])
    sight.tables.schema = Schema.currentVersion - 1
    let words = NodeStand.obstacle(in: sight.of("b"), for: NodeIdentity(name: "b"))
    #expect(words == "this version brings the store to another shape once 'a' of the one before have left")
    sight.shares = [:]
    #expect(NodeStand.obstacle(in: sight.of("b"), for: NodeIdentity(name: "b")) == nil)
    sight.shares = ["a": .all]
    sight.tables.schema = Schema.currentVersion
    #expect(NodeStand.obstacle(in: sight.of("b"), for: NodeIdentity(name: "b")) == nil)
  }

  @Test func `a node waiting for a schema upgrade gets no partitions`() {
    var sight = Sight(shares: ["a": low, "b": .none], waiting: ["b"])
    sight.tables.laidDown = high
    var keeping = keeping("a")
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(1)) == [.take(high)])
    sight.shares["a"] = .all
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(60)) == [])
    #expect(keeping.judge(sight.of("a"), uptime: .seconds(120)) == [])
  }

  @Test func `a drained node releases everything if there are other nodes`() {
    var sight = Sight(shares: ["a": low, "b": high])
    sight.tables.drained = ["a"]
    var (a, b) = (keeping("a"), keeping("b"))
    #expect(a.judge(sight.of("a"), uptime: .seconds(1)) == [.standAside(.drained)])
    #expect(b.judge(sight.of("b"), uptime: .seconds(1)) == [])
    sight.shares["a"] = ShareSet.none
    sight.tables.laidDown = low
    #expect(b.judge(sight.of("b"), uptime: .seconds(2)) == [.take(low)])
    sight.shares = ["a": .all]
    #expect(a.judge(sight.of("a"), uptime: .seconds(3)) == [])
  }
}
