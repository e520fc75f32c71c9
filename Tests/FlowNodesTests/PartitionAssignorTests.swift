import FlowModel
import FlowStore
import Testing
import TradeStores

@testable import FlowNodes

/// Which partitions a node acquires and releases, and which nodes it declares dead.
@Suite struct PartitionAssignorTests {
  private static let since = Timestamp(seconds: 1_772_460_000)

  /// The nodes seen by a node: names equal process ids, with each one's partitions.
  private struct Sight {
    var partitions: [String: PartitionSet]
    /// Nodes without a visible second session.
    var unheard: Set<String> = []
    var timeSinceHeartbeat: [String: Duration] = [:]
    var ahead: [String: Duration] = [:]
    var waiting: Set<String> = []
    var tables = ClusterStatus.Tables()

    func of(_ own: String) -> ClusterStatus {
      let names = partitions.keys.sorted()
      return ClusterStatus(
        holders: names.filter { partitions[$0] != PartitionSet.none }.map {
          ClusterStatus.LockHolder(name: $0, mark: $0, partitions: partitions[$0] ?? .none)
        },
        nodes: names.filter { !unheard.contains($0) }.map {
          NodeStatus(
            name: $0, mark: $0, version: "0.2.0", since: PartitionAssignorTests.since,
            timeSinceHeartbeat: timeSinceHeartbeat[$0] ?? .zero,
            clockAhead: ahead[$0] ?? .zero, isWaiting: waiting.contains($0))
        }, clockAhead: ahead[own] ?? .zero, tables: tables)
    }
  }

  private func keeping(_ name: String) -> PartitionAssignor { PartitionAssignor(name: name, mark: name) }

  private let low = PartitionSet(0..<32)
  private let high = PartitionSet(32..<64)

  @Test func `nodes' parts are equal and sum up to all partitions`() {
    for members in 1...64 {
      let parts = (0..<members).map { PartitionAssignor.quota($0, of: members) }
      #expect(parts.reduce(0, +) == 64 && (parts.max() ?? 0) - (parts.min() ?? 0) <= 1)
    }
  }

  @Test func `released partitions are acquired at once, orphaned ones at the second tick`() {
    var handed = Sight(partitions: ["a": .none])
    handed.tables.released = .all
    var first = keeping("a")
    #expect(first.nextSteps(handed.of("a"), uptime: .seconds(1)) == [.take(.all)])
    var second = keeping("a")
    let left = Sight(partitions: ["a": .none])
    #expect(second.nextSteps(left.of("a"), uptime: .seconds(1)) == [])
    #expect(second.nextSteps(left.of("a"), uptime: .seconds(2)) == [.take(.all)])
  }

  @Test(arguments: [(Int64(299), PartitionSet.none), (300, PartitionSet.all)] as [(Int64, PartitionSet)])
  func `a partition without owner is acquired after 0.3 s`(later: Int64, taken: PartitionSet) {
    var keeping = keeping("a")
    let left = Sight(partitions: ["a": .none])
    #expect(keeping.nextSteps(left.of("a"), uptime: .milliseconds(1_000)) == [])
    let steps = keeping.nextSteps(left.of("a"), uptime: .milliseconds(1_000 + later))
    #expect(steps == (taken.isEmpty ? [] : [.take(taken)]))
  }

  @Test func `a node that returns between two ticks keeps its partitions`() {
    var keeping = keeping("b")
    let (gone, back) = (Sight(partitions: ["a": .none, "b": high]), Sight(partitions: ["a": low, "b": high]))
    #expect(keeping.nextSteps(gone.of("b"), uptime: .seconds(1)) == [])
    #expect(keeping.nextSteps(back.of("b"), uptime: .seconds(2)) == [])
    #expect(keeping.nextSteps(gone.of("b"), uptime: .seconds(3)) == [])
  }

  @Test func `a lost node's partitions are divided among the others without overlap`() {
    let names = ["a", "b", "c"]
    var sight = Sight(partitions: ["a": PartitionSet(0..<21), "b": PartitionSet(21..<42), "c": PartitionSet(42..<64)])
    sight.partitions["b"] = nil
    var taken: [PartitionSet] = []
    for name in names where name != "b" {
      var keeping = keeping(name)
      _ = keeping.nextSteps(sight.of(name), uptime: .seconds(1))
      for case .take(let partitions) in keeping.nextSteps(sight.of(name), uptime: .seconds(2)) {
        taken.append(partitions)
      }
    }
    #expect(taken.count == 2 && (taken[0] & taken[1]).isEmpty && taken[0] + taken[1] == PartitionSet(21..<42))
    #expect(taken.map(\.count) == [11, 10])
  }

  @Test func `after 2 s a new node gets its part, 16 partitions per tick`() {
    var keeping = keeping("a")
    var sight = Sight(partitions: ["a": .all, "b": .none])
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(1)) == [])
    #expect(keeping.nextSteps(sight.of("a"), uptime: .milliseconds(2_999)) == [])
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(3)) == [.handOff(PartitionSet(48..<64))])
    sight.partitions = ["a": PartitionSet(0..<48), "b": PartitionSet(48..<64)]
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(4)) == [.handOff(PartitionSet(32..<48))])
    sight.partitions = ["a": low, "b": high]
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(5)) == [])
    // A node with its full part gets nothing more, and pinned partitions stay.
    sight.partitions = ["a": PartitionSet(0..<33), "b": PartitionSet(33..<64)]
    #expect(
      keeping.nextSteps(sight.of("a"), uptime: .seconds(6), keeping: PartitionSet(partition: 32)) == [
        .handOff(PartitionSet(partition: 31))
      ])
  }

  @Test func `a node with one surplus partition releases one, whatever others release`() {
    var keeping = keeping("a")
    let sight = Sight(partitions: ["a": PartitionSet(0..<22), "b": PartitionSet(22..<64), "c": .none])
    _ = keeping.nextSteps(sight.of("a"), uptime: .seconds(1))
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(4)) == [.handOff(PartitionSet(partition: 21))])
  }

  @Test func `a requested partition is handed off at once and left to the requester`() {
    var sight = Sight(partitions: ["a": low, "b": high])
    sight.tables.requested = PartitionSet([7, 40])
    var (a, b) = (keeping("a"), keeping("b"))
    #expect(a.nextSteps(sight.of("a"), uptime: .seconds(1), keeping: .all) == [.handOff(PartitionSet(partition: 7))])
    #expect(b.nextSteps(sight.of("b"), uptime: .seconds(1)) == [.handOff(PartitionSet(partition: 40))])
    sight.partitions["a"] = low - PartitionSet(partition: 7)
    sight.tables.released = PartitionSet(partition: 7)
    sight.tables.requested = PartitionSet(partition: 7)
    #expect(a.nextSteps(sight.of("a"), uptime: .seconds(2)) == [])
    // The requesting node is gone.
    sight.tables.requested = .none
    #expect(a.nextSteps(sight.of("a"), uptime: .seconds(3)) == [.take(PartitionSet(partition: 7))])
  }

  @Test(arguments: [(5_999, false), (6_000, true), (60_000, true)])
  func `a node without heartbeat for 6 s is ended`(timeSinceHeartbeat: Int64, isEnded: Bool) {
    var keeping = keeping("b")
    let sight = Sight(partitions: ["a": low, "b": high], timeSinceHeartbeat: ["a": .milliseconds(timeSinceHeartbeat)])
    let end = PartitionAssignor.Step.end(ClusterStatus.LockHolder(name: "a", mark: "a", partitions: low))
    #expect(keeping.nextSteps(sight.of("b"), uptime: .seconds(1)) == (isEnded ? [end] : []))
  }

  @Test(arguments: [(Int64(5_999), PartitionSet.none), (6_000, PartitionSet(32..<64))] as [(Int64, PartitionSet)])
  func `a node without heartbeat for 6 s gets no free partitions`(timeSinceHeartbeat: Int64, taken: PartitionSet) {
    var keeping = keeping("b")
    // The other node's part would be exactly the free partitions.
    var sight = Sight(partitions: ["a": .none, "b": low], timeSinceHeartbeat: ["a": .milliseconds(timeSinceHeartbeat)])
    sight.tables.released = high
    #expect(keeping.nextSteps(sight.of("b"), uptime: .seconds(1)) == (taken.isEmpty ? [] : [.take(taken)]))
  }

  @Test func `an owned partition is not acquired, even if marked as released`() {
    var keeping = keeping("b")
    var sight = Sight(partitions: ["a": low, "b": PartitionSet(40..<64)])
    sight.tables.released = PartitionSet([3, 40, 35])
    #expect(keeping.nextSteps(sight.of("b"), uptime: .seconds(1)) == [.take(PartitionSet(partition: 35))])
  }

  @Test func `a node never heard is ended 6 s after it was first seen`() {
    var keeping = keeping("b")
    var sight = Sight(partitions: ["a": low, "b": high], unheard: ["a"])
    let end = PartitionAssignor.Step.end(ClusterStatus.LockHolder(name: "a", mark: "a", partitions: low))
    // Its partitions may change meanwhile.
    #expect(!keeping.nextSteps(sight.of("b"), uptime: .seconds(1)).contains(end))
    sight.partitions["b"] = high - PartitionSet(partition: 63)
    #expect(!keeping.nextSteps(sight.of("b"), uptime: .milliseconds(6_999)).contains(end))
    #expect(keeping.nextSteps(sight.of("b"), uptime: .seconds(7)).contains(end))
    // A heartbeat came in between.
    sight.unheard = []
    #expect(!keeping.nextSteps(sight.of("b"), uptime: .seconds(8)).contains(end))
    sight.unheard = ["a"]
    #expect(!keeping.nextSteps(sight.of("b"), uptime: .seconds(9)).contains(end))
  }

  @Test func `a node never declares itself dead`() {
    var keeping = keeping("b")
    let sight = Sight(partitions: ["a": low, "b": high], unheard: ["b"])
    for second in 0..<100 { #expect(keeping.nextSteps(sight.of("b"), uptime: .seconds(second)) == []) }
  }

  @Test func `free partitions are divided among nodes in the order of their names`() {
    var sight = Sight(partitions: ["a": .none, "b": .none, "c": .none])
    sight.tables.released = .all
    for (name, part) in [("a", 0..<21), ("b", 21..<42), ("c", 42..<64)] {
      var keeping = keeping(name)
      #expect(keeping.nextSteps(sight.of(name), uptime: .milliseconds(1)) == [.take(PartitionSet(part))])
    }
  }

  @Test func `a daemon without a name is never ended and nothing is acquired`() {
    var keeping = keeping("a")
    for second in 0..<100 {
      let soleDaemon = ClusterStatus.LockHolder(name: "a daemon", mark: nil, partitions: .none)
      let seen = ClusterStatus(soleDaemon: soleDaemon, holders: [], nodes: [], clockAhead: .zero)
      #expect(
        keeping.nextSteps(seen, uptime: .seconds(second)).allSatisfy { if case .end = $0 { false } else { true } })
      #expect(obstacle(in: seen, of: "a") == "a daemon uses the store exclusively")
    }
  }

  private func obstacle(in seen: ClusterStatus, of node: String) -> String? {
    ClusterMember.obstacle(in: seen, for: NodeIdentity(name: node), schema: Schema.currentVersion)
  }

  @Test(arguments: [(-30_001, false), (-30_000, true), (0, true), (30_000, true), (30_001, false)])
  func `a node with a clock off by over 30 s releases everything`(
    ahead: Int64, serves: Bool
  ) {
    var keeping = keeping("a")
    let sight = Sight(partitions: ["a": low, "b": high], ahead: ["a": .milliseconds(ahead)])
    let aside = PartitionAssignor.Step.standBy(.clockApart(.milliseconds(ahead)))
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(1)) == (serves ? [] : [aside]))
    // A single node keeps working even with a wrong clock.
    #expect(
      keeping.nextSteps(Sight(partitions: ["a": .all], ahead: ["a": .seconds(40)]).of("a"), uptime: .seconds(2)) == [])
  }

  @Test func `a schema upgrade waits until nodes of the earlier version have left`() {
    var sight = Sight(partitions: ["a": .all])
    sight.tables.schema = Schema.currentVersion - 1
    let words = obstacle(in: sight.of("b"), of: "b")
    #expect(words == "this version migrates the store once 'a' of the previous version have stopped")
    sight.partitions = [:]
    #expect(obstacle(in: sight.of("b"), of: "b") == nil)
    sight.partitions = ["a": .all]
    sight.tables.schema = Schema.currentVersion
    #expect(obstacle(in: sight.of("b"), of: "b") == nil)
  }

  @Test func `a node waiting for a schema upgrade gets no partitions`() {
    var sight = Sight(partitions: ["a": low, "b": .none], waiting: ["b"])
    sight.tables.released = high
    var keeping = keeping("a")
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(1)) == [.take(high)])
    sight.partitions["a"] = .all
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(60)) == [])
    #expect(keeping.nextSteps(sight.of("a"), uptime: .seconds(120)) == [])
  }

  @Test func `a drained node releases everything if there are other nodes`() {
    var sight = Sight(partitions: ["a": low, "b": high])
    sight.tables.drained = ["a"]
    var (a, b) = (keeping("a"), keeping("b"))
    #expect(a.nextSteps(sight.of("a"), uptime: .seconds(1)) == [.standBy(.drained)])
    #expect(b.nextSteps(sight.of("b"), uptime: .seconds(1)) == [])
    sight.partitions["a"] = PartitionSet.none
    sight.tables.released = low
    #expect(b.nextSteps(sight.of("b"), uptime: .seconds(2)) == [.take(low)])
    sight.partitions = ["a": .all]
    #expect(a.nextSteps(sight.of("a"), uptime: .seconds(3)) == [])
  }
}
