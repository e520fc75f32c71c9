import FlowControl
import FlowModel

/// Facts of an answer: added in any order, shown in order of time.
struct Explanation {
  private var facts: [(at: Timestamp?, view: FactView)] = []
  private(set) var advice: [AdviceView] = []
  private let local: (Timestamp) -> String

  /// Makes an explanation without facts.
  ///
  /// - Parameter local: formats an instant for people.
  init(local: @escaping (Timestamp) -> String) {
    self.local = local
  }

  mutating func add(_ word: String, at instant: Timestamp? = nil, _ text: String) {
    let view = FactView(at: instant?.description, local: instant.map(local), word: word, text: text)
    facts.append((instant, view))
  }

  /// Adds a command with its effect, each command once.
  mutating func advise(_ command: String, _ effect: String) {
    if !advice.contains(where: { $0.command == command }) {
      advice.append(AdviceView(command: command, effect: effect))
    }
  }

  /// All facts by time; a fact without an instant follows the fact that was added before it.
  var factsByTime: [FactView] {
    var last = Timestamp(milliseconds: .min)
    let placed = facts.enumerated().map { index, fact in
      if let at = fact.at { last = at }
      return (at: fact.at ?? last, index: index, view: fact.view)
    }
    return placed.sorted { ($0.at, $0.index) < ($1.at, $1.index) }.map(\.view)
  }
}
