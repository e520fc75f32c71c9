import PoolModel
import PoolStore
import Testing

@testable import PoolDaemon

/// Two nodes look, serve, fall silent, wake, die, are cut off and come back in every order, and the server restarts; the real
/// `Succession` decides for those that stand by. Whatever has happened, one of them serves soon after the last trouble, and none
/// that lives was ended.
@Suite struct SuccessionModelTests {
  private static let tick = Duration.seconds(2)

  private struct Node: Hashable {
    enum Life: Hashable {
      case down
      case standing(Succession)
      /// It begins anew, to take what nobody has.
      case beginning
      case serving
    }

    var life = Life.down
    /// Of the process.
    var mark = 0
    /// Stopped in its tracks.
    var isPaused = false
    /// Whether the server has its second session, and how long ago that was heard, in ticks.
    var isSeen = false
    var silent = 0
    var hasLooked = false

    var isAwake: Bool { life != .down && !isPaused }
  }

  private enum Step: Hashable {
    case look(Int)
    /// Two seconds pass, in which whoever is awake has looked.
    case tick
    case pause(Int)
    case wake(Int)
    case die(Int)
    case start(Int)
    /// Its sessions break; it makes new ones at its next look.
    case cut(Int)
    case restart

    var isTrouble: Bool {
      switch self {
      case .look, .tick, .wake, .start: false
      case .pause, .die, .cut, .restart: true
      }
    }
  }

  private struct Model: Hashable {
    var nodes = [Node(), Node()]
    /// The process whose session has the lock.
    var holder: Int?
    var marks = 0
    var ticks = 0
    var troubles = 0
    /// A node that lives, and was heard within its time, was ended.
    var endedALiving = false

    private func seen() -> NodesSeen {
      NodesSeen(
        holder: holder.map { NodesSeen.Holder(name: "node", mark: "\($0)") },
        nodes: nodes.filter(\.isSeen).map {
          NodeSeen(
            name: "node", mark: "\($0.mark)", version: "1", since: Timestamp(seconds: 0),
            silence: SuccessionModelTests.tick * $0.silent, clockAhead: .zero)
        }, clockAhead: .zero)
    }

    var steps: [Step] {
      var steps: [Step] = [.restart]
      // Nobody who is awake goes two seconds without a look.
      if nodes.allSatisfy({ $0.life == .down || $0.isPaused || $0.hasLooked }) { steps.append(.tick) }
      for (number, node) in nodes.enumerated() {
        if node.life == .down {
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
          // What has been silent for long is no other when it is silent for longer.
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

    /// The server ends a process's sessions, or finds them gone.
    private mutating func drop(_ mark: Int) {
      if holder == mark { holder = nil }
      for number in nodes.indices where nodes[number].mark == mark { nodes[number].isSeen = false }
    }

    private mutating func begin(_ number: Int) {
      drop(nodes[number].mark)
      marks += 1
      nodes[number] = Node(life: .standing(Succession()), mark: marks, isSeen: true, hasLooked: true)
      // The lock itself is one step of the server's.
      guard holder == nil else { return }
      holder = marks
      nodes[number].life = .serving
    }

    private mutating func look(_ number: Int) {
      nodes[number].isSeen = true
      nodes[number].silent = 0
      nodes[number].hasLooked = true
      switch nodes[number].life {
      case .down: break
      case .beginning: begin(number)
      case .serving:
        if holder == nil {
          holder = nodes[number].mark
        } else if holder != nodes[number].mark {
          begin(number)
        }
      case .standing(var succession):
        switch succession.judge(seen(), uptime: SuccessionModelTests.tick * ticks) {
        case .wait, .clockApart: nodes[number].life = .standing(succession)
        case .take: nodes[number].life = .beginning
        case .end(let ended):
          nodes[number].life = .standing(succession)
          guard let mark = ended.mark.flatMap({ Int($0) }) else { return }
          let wasHeard = nodes.contains {
            $0.mark == mark && $0.isSeen && SuccessionModelTests.tick * $0.silent < Limits.nodeSilence
          }
          endedALiving = endedALiving || wasHeard
          drop(mark)
        }
      }
    }

    /// How things stand after the last trouble, when time has passed.
    ///
    /// - Parameter isLasting: who is stopped or down stays so.
    func settled(isLasting: Bool) -> Model {
      var model = self
      for number in nodes.indices where !isLasting {
        if model.nodes[number].life == .down { model.take(.start(number)) }
        if model.nodes[number].isPaused { model.take(.wake(number)) }
      }
      for _ in 0..<8 {
        for _ in 0..<4 {
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
        let serving = end.nodes.filter { $0.life == .serving && $0.isAwake }
        guard serving.count == 1, serving[0].mark == end.holder else {
          return "sixteen seconds after the last trouble \(serving.count) nodes serve, \(end.holder ?? 0) has the store"
        }
      }
      return nil
    }
  }

  @Test func `in every order of troubles one node serves soon after the last, and none that lives is ended`() {
    var begin = Model()
    begin.take(.start(0))
    begin.take(.start(1))
    var (known, front) = (Set([begin]), [begin])
    var depth = 0
    while !front.isEmpty, depth < 14 {
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
}
