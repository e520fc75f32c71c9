import FlowModel
import FlowStore
import Testing

@testable import FlowNodes

/// Model check of `PartitionAssignor`: two nodes tick, acquire, release, freeze, wake, die, are cut off and restart in every
/// order, and the server restarts. Soon after the last fault every partition must have an owner, each live node its part, and
/// no live node may have been ended. The server's lock, one atomic step, ensures that no partition has two owners.
@Suite struct PartitionAssignorModelTests {
  private static let tick = Duration.seconds(2)

  /// A node in the model: its process and what the server knows of it.
  private struct Node: Hashable {
    /// Nil for a stopped node.
    var keeping: PartitionAssignor?
    /// The id of the process.
    var mark = 0
    /// The partitions that the process believes it owns; its session's locks are the truth.
    var believed = PartitionSet.none
    /// True while the process is frozen.
    var isPaused = false
    /// True if the server has its second session; `silent` is the time since its last heartbeat, in ticks.
    var isSeen = false
    var silent = 0
    var hasLooked = false

    var isAwake: Bool { keeping != nil && !isPaused }
  }

  /// An event in the model; the number is the node's index.
  private enum Step: Hashable {
    case look(Int)
    /// Two seconds pass, in which each running node has ticked.
    case tick
    case pause(Int)
    case wake(Int)
    case die(Int)
    case start(Int)
    /// Breaks its sessions; it opens new ones at its next tick.
    case cut(Int)
    case restart

    var isTrouble: Bool {
      switch self {
      case .look, .tick, .wake, .start: false
      case .pause, .die, .cut, .restart: true
      }
    }
  }

  /// The state of both nodes and of the server.
  private struct Model: Hashable {
    var nodes = [Node(), Node()]
    /// The locked partitions by process; processes without locks are absent.
    var locks: [Int: PartitionSet] = [:]
    /// The owning process of each partition in the table; partitions without one are released.
    var worked: [Int: PartitionSet] = [:]
    var marks = 0
    var ticks = 0
    var troubles = 0
    /// True if a live node was ended within its heartbeat limit.
    var endedALiving = false

    private var released: PartitionSet { worked.values.reduce(.all) { $0 - $1 } }
    private var free: PartitionSet { locks.values.reduce(.all) { $0 - $1 } }

    private func seen() -> ClusterStatus {
      var tables = ClusterStatus.Tables()
      tables.released = released
      return ClusterStatus(
        holders: locks.sorted { $0.key < $1.key }.map {
          ClusterStatus.LockHolder(name: "node", mark: "\($0)", partitions: $1)
        },
        nodes: nodes.filter(\.isSeen).map {
          NodeStatus(
            name: "node", mark: "\($0.mark)", version: "1", since: Timestamp(seconds: 0),
            timeSinceHeartbeat: PartitionAssignorModelTests.tick * $0.silent, clockAhead: .zero)
        }, clockAhead: .zero, tables: tables)
    }

    var steps: [Step] {
      var steps: [Step] = [.restart]
      // No running node is without a tick for two seconds.
      if nodes.allSatisfy({ !$0.isAwake || $0.hasLooked }) { steps.append(.tick) }
      for (number, node) in nodes.enumerated() {
        if node.keeping == nil {
          steps.append(.start(number))
        } else {
          steps += [node.isPaused ? .wake(number) : .pause(number), .die(number), .cut(number)]
          if !node.isPaused { steps.append(.look(number)) }
        }
      }
      return steps
    }

    mutating func take(_ step: Step) {
      if step.isTrouble { troubles += 1 }
      switch step {
      case .look(let number): look(number)
      case .tick:
        ticks += 1
        for number in nodes.indices {
          nodes[number].hasLooked = false
          // Longer silence makes no difference, so the counter is capped.
          nodes[number].silent = min(nodes[number].silent + 1, 4)
        }
      case .pause(let number): nodes[number].isPaused = true
      case .wake(let number): nodes[number].isPaused = false
      case .die(let number):
        drop(nodes[number].mark)
        nodes[number] = Node()
      case .start(let number): begin(number)
      case .cut(let number): drop(nodes[number].mark)
      case .restart: for node in nodes { drop(node.mark) }
      }
    }

    /// The server ends a process's sessions, or finds them closed.
    private mutating func drop(_ mark: Int) {
      locks[mark] = nil
      for number in nodes.indices where nodes[number].mark == mark { nodes[number].isSeen = false }
    }

    private mutating func begin(_ number: Int) {
      drop(nodes[number].mark)
      marks += 1
      nodes[number] = Node(
        keeping: PartitionAssignor(name: "node", mark: "\(marks)"), mark: marks, isSeen: true, hasLooked: true)
    }

    private mutating func look(_ number: Int) {
      nodes[number].isSeen = true
      nodes[number].silent = 0
      nodes[number].hasLooked = true
      guard var keeping = nodes[number].keeping else { return }
      let mark = nodes[number].mark
      let believed = nodes[number].believed
      if locks[mark] ?? .none != believed {
        // With a new session the node keeps its partitions if they are free, or restarts.
        guard free.isSuperset(of: believed), (worked[mark] ?? .none) == believed else { return begin(number) }
        locks[mark] = believed
      }
      for step in keeping.nextSteps(seen(), uptime: PartitionAssignorModelTests.tick * ticks) {
        switch step {
        case .take(let wanted):
          let taken = wanted & free
          if taken.isEmpty { continue }
          for other in Array(worked.keys) { set(worked: (worked[other] ?? .none) - taken, of: other) }
          set(worked: (worked[mark] ?? .none) + taken, of: mark)
          locks[mark] = (locks[mark] ?? .none) + taken
          nodes[number].believed = nodes[number].believed + taken
        case .handOff(let given):
          set(worked: (worked[mark] ?? .none) - given, of: mark)
          let left = (locks[mark] ?? .none) - given
          locks[mark] = left.isEmpty ? nil : left
          nodes[number].believed = nodes[number].believed - given
        case .end(let ended):
          guard let dead = ended.mark.flatMap({ Int($0) }) else { continue }
          let wasHeard = nodes.contains {
            $0.mark == dead && $0.isSeen && PartitionAssignorModelTests.tick * $0.silent < Limits.nodeHeartbeatTimeout
          }
          endedALiving = endedALiving || wasHeard
          drop(dead)
        case .standBy: break
        }
      }
      nodes[number].keeping = keeping
    }

    private mutating func set(worked partitions: PartitionSet, of mark: Int) {
      worked[mark] = partitions.isEmpty ? nil : partitions
    }

    /// The model some time after the last fault.
    ///
    /// - Parameter isLasting: frozen and stopped nodes stay so.
    func settled(isLasting: Bool) -> Model {
      var model = self
      for number in nodes.indices where !isLasting {
        if model.nodes[number].keeping == nil { model.take(.start(number)) }
        if model.nodes[number].isPaused { model.take(.wake(number)) }
      }
      for _ in 0..<8 {
        for _ in 0..<2 {
          for number in nodes.indices where model.nodes[number].isAwake { model.take(.look(number)) }
        }
        model.take(.tick)
      }
      return model
    }

    var violation: String? {
      if endedALiving { return "a node that lives was ended" }
      for isLasting in [false, true] where !isLasting || nodes.contains(where: \.isAwake) {
        let end = settled(isLasting: isLasting)
        let awake = end.nodes.filter(\.isAwake)
        let parts = awake.map { end.locks[$0.mark]?.count ?? 0 }
        let beliefs = awake.allSatisfy { $0.believed == end.locks[$0.mark] ?? .none }
        // No node's number of partitions differs from its part.
        guard parts.reduce(0, +) == PartitionSet.count, beliefs, (parts.max() ?? 0) == PartitionSet.count / awake.count
        else {
          return "sixteen seconds after the last failure the running nodes own \(parts) partitions"
        }
      }
      return nil
    }
  }

  @Test func `soon after any faults every partition has an owner and no live node was ended`() {
    var begin = Model()
    begin.take(.start(0))
    begin.take(.start(1))
    begin = begin.settled(isLasting: false)
    var (known, front) = (Set([begin]), [begin])
    var depth = 0
    while !front.isEmpty, depth < Self.depth {
      depth += 1
      var next: [Model] = []
      for model in front {
        for step in model.steps where !step.isTrouble || model.troubles < 3 {
          var after = model
          after.take(step)
          guard known.insert(after).inserted else { continue }
          if let violation = after.violation {
            Issue.record("\(violation), after \(step) in \(model)")
            return
          }
          next.append(after)
        }
      }
      front = next
    }
    print("\(known.count) states of two nodes")
    #expect(known.count > 10_000)
  }

  private static let depth = 8
}
