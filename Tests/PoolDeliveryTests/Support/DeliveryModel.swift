import PoolDelivery
import PoolModel
import PoolNotices
import PoolTestKit

/// Two notices on their way to a drop folder as one value, with every step that anybody can take next: the lane, a step at a
/// time; the consumer; who hands in the second notice; a death of the process; a commit that fails.
///
/// The lane is the real one. What it asks of the store and of the sink is written here a second time, so that all orders can
/// be gone through; `DeliveryModelTests` holds the real sink to it.
struct DeliveryModel {
  enum Step: Hashable, CustomStringConvertible {
    case lane, fail, crash, arrive
    case take(Int)

    var description: String {
      switch self {
      case .lane: "lane"
      case .fail: "fail"
      case .crash: "crash"
      case .arrive: "arrive"
      case .take(let notice): "take \(notice)"
      }
    }
  }

  /// What is left out, so that a search that finds nothing is known to look.
  enum Flaw: CaseIterable {
    /// The store is not told that a notice is staged.
    case unstaged
    /// What is gone from staging is written again, whoever staged it.
    case writesAgain
    /// The store is told that it is sent before it is moved.
    case sentFirst
  }

  /// What the real sink is asked, in the order in which it was.
  enum Call: Hashable {
    case life
    case prepare(Set<Int>)
    case stage([Int])
    case publish([Int])
    case take(Int)
  }

  static let notices = 2

  var store: [EntryState?] = [.pending, nil]
  var staging: Set<Int> = []
  var new: Set<Int> = []
  var taken = [0, 0]
  /// Of the process: what this life has staged.
  private(set) var tokens: Set<Int> = []
  private var lane = LaneState(sink: "drop", isStaging: true)
  private(set) var action: LaneState.Action
  /// How many entries of the action under way are done.
  private var done = 0
  private var crashes: Int
  private var failures: Int
  private let flaw: Flaw?
  /// The way here, which does not tell two states apart.
  private(set) var calls: [Call] = [.life]
  private(set) var trace: [Step] = []

  init(crashes: Int, failures: Int, flaw: Flaw? = nil) {
    self.crashes = crashes
    self.failures = failures
    self.flaw = flaw
    action = lane.start(now: slot)
  }

  /// Equal for states from which the same can follow.
  var key: String {
    "\(store) \(staging.sorted()) \(new.sorted()) \(taken) \(tokens.sorted()) \(done) \(crashes) \(failures) "
      + "\(short(action)) \(lane.troubles) \(Self.memory(of: lane))"
  }

  /// All that a lane remembers, notices by their numbers alone.
  private static func memory(of lane: LaneState) -> String {
    Mirror(reflecting: lane).children.map { child in
      if let entries = child.value as? [OutboxEntry] { return "\(entries.map(\.sequence))" }
      return child.label == "lastAction" ? "" : "\(child.value)"
    }.joined(separator: ",")
  }

  private func short(_ action: LaneState.Action) -> String {
    switch action {
    case .stage(let entries): "stage \(entries.map(\.sequence))"
    case .publish(let entries): "publish \(entries.map(\.sequence))"
    case .deliver(let entries): "deliver \(entries.map(\.sequence))"
    default: "\(action)"
    }
  }

  var steps: [Step] {
    var steps: [Step] = isAsleep ? [] : [.lane]
    if failures > 0, !isAsleep { steps.append(.fail) }
    if crashes > 0 { steps.append(.crash) }
    if store[1] == nil { steps.append(.arrive) }
    return steps + new.sorted().map(Step.take)
  }

  /// Nothing more is to come of the lane by itself.
  private var isAsleep: Bool { if case .wait = action { true } else { false } }

  /// What may never be, in words; nil where all is well.
  var violation: String? {
    for notice in 0..<Self.notices {
      let came = taken[notice] + (new.contains(notice) ? 1 : 0)
      if came > 1 { return "notice \(notice) came \(came) times" }
      if store[notice] == .sent, came == 0 { return "notice \(notice) is called sent and never came" }
    }
    guard steps.isEmpty || steps == [.crash] else { return nil }
    if store != [.sent, .sent] { return "it ends with \(store)" }
    if taken != [1, 1] { return "it ends with \(taken) taken" }
    return staging.isEmpty ? nil : "it ends with \(staging.sorted()) in staging"
  }

  func after(_ step: Step) -> DeliveryModel {
    var next = self
    next.trace.append(step)
    next.take(step)
    return next
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .take(let notice):
      new.remove(notice)
      taken[notice] += 1
      calls.append(.take(notice))
    case .arrive:
      store[1] = .pending
      if isAsleep { handle(.nudged) }
    case .crash:
      crashes -= 1
      tokens = []
      done = 0
      lane = LaneState(sink: "drop", isStaging: true)
      action = lane.start(now: slot)
      calls.append(.life)
    case .fail:
      failures -= 1
      done = 0
      switch action {
      // The sink says so of each entry that it did not come to, as after its folder was lost.
      case .stage(let entries), .publish(let entries):
        handle(.judged(entries.map { _ in .stalled(.temporary(.outputClosed(sink: "drop"))) }))
      default: handle(.failed(.temporary(.outputClosed(sink: "drop"))))
      }
    case .lane: act()
    }
  }

  private mutating func handle(_ event: LaneState.Event) {
    var random = SeededNumbers(seed: 7)
    done = 0
    action = lane.handle(event, now: slot, using: &random)
  }

  /// The entries of a sequence of numbers, whose notices are counted from 0.
  private static func index(_ entry: OutboxEntry) -> Int { Int(entry.sequence) - 1 }

  private mutating func act() {
    switch action {
    case .prepare:
      let known = Set(store.indices.filter { store[$0] == .staged })
      staging.formIntersection(known)
      tokens.formIntersection(known)
      calls.append(.prepare(known))
      handle(.prepared)
    case .fetch:
      let due = store.indices.filter { store[$0] == .staged } + store.indices.filter { store[$0] == .pending }
      handle(.fetched(due.map { sampleEntry(Int64($0 + 1), state: store[$0] ?? .pending) }))
    case .stage(let entries):
      let notice = Self.index(entries[done])
      staging.insert(notice)
      tokens.insert(notice)
      note(notice, first: done == 0, isStage: true)
      done += 1
      if done == entries.count { handle(.judged(entries.map { _ in .delivered })) }
    case .publish(let entries):
      publish(Self.index(entries[done]))
      done += 1
      if done == entries.count { handle(.judged(entries.map { _ in .delivered })) }
    case .commitStaged(let sequences):
      for sequence in sequences where flaw != .unstaged { store[Int(sequence) - 1] = .staged }
      if flaw == .sentFirst { for sequence in sequences { store[Int(sequence) - 1] = .sent } }
      handle(.committed)
    case .record(let record):
      for sequence in record.sent { store[Int(sequence) - 1] = .sent }
      handle(.recorded)
    case .askNextDue:
      let isDue = store.contains { $0 == .pending || $0 == .staged }
      handle(.nextDue(isDue ? slot : nil))
      if case .wait(.some) = action { handle(.timeReached) }
    case .pause: handle(.timeReached)
    case .deliver, .wait: preconditionFailure("a lane of two steps does not \(action)")
    }
  }

  private mutating func publish(_ notice: Int) {
    note(notice, first: done == 0, isStage: false)
    let isOurs = tokens.remove(notice) != nil
    if staging.remove(notice) == nil, !isOurs, flaw != .writesAgain { return }
    // Gone from our own staging: written again, then moved.
    new.insert(notice)
  }

  /// One call of the sink takes all entries; a death leaves the first of them.
  private mutating func note(_ notice: Int, first: Bool, isStage: Bool) {
    var known: [Int] = []
    // Whoever takes meanwhile is told after the call: what lies in `new` before it is another notice's.
    var later: [Call] = []
    if !first {
      while let last = calls.popLast() {
        if case .stage(let numbers) = last, isStage {
          known = numbers
          break
        }
        if case .publish(let numbers) = last, !isStage {
          known = numbers
          break
        }
        later.append(last)
      }
    }
    calls.append(isStage ? .stage(known + [notice]) : .publish(known + [notice]))
    calls += later.reversed()
  }
}
