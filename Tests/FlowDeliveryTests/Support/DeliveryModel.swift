import FlowDelivery
import FlowModel
import FlowNotices
import FlowTestKit

/// Two notices on their way to a drop folder as one value, with every possible next step: of the lane, one at a time; of the
/// consumer; of the caller that adds the second notice; a crash; a failing commit.
///
/// The lane is the real one. Its requests to the store and the sink are modelled here, so that all orders can be searched;
/// `DeliveryModelTests` compares the model with the real sink.
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

  /// A deliberate defect, to prove that the search would find one.
  enum Flaw: CaseIterable {
    /// The store does not record that a notice is staged.
    case unstaged
    /// A file missing from staging is written again, whichever process staged it.
    case writesAgain
    /// The store records a notice as sent before it is published.
    case sentFirst
  }

  /// The calls to repeat on the real sink, in order.
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
  /// The notices that this process has staged.
  private(set) var tokens: Set<Int> = []
  private var lane = LaneState(sink: "drop", isStaging: true)
  private(set) var action: LaneState.Action
  /// The number of processed entries of the current action.
  private var done = 0
  private var crashes: Int
  private var failures: Int
  private let flaw: Flaw?
  /// The path to this state, which is not part of the state's identity.
  private(set) var calls: [Call] = [.life]
  private(set) var trace: [Step] = []

  init(crashes: Int, failures: Int, flaw: Flaw? = nil) {
    self.crashes = crashes
    self.failures = failures
    self.flaw = flaw
    action = lane.start(now: slot)
  }

  /// Equal for states with the same possible futures.
  var key: String {
    "\(store) \(staging.sorted()) \(new.sorted()) \(taken) \(tokens.sorted()) \(done) \(crashes) \(failures) "
      + "\(short(action)) \(lane.failureCount) \(Self.memory(of: lane))"
  }

  /// All state of a lane, with notices reduced to their numbers.
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

  /// True if the lane waits without a timer.
  private var isAsleep: Bool { if case .wait = action { true } else { false } }

  /// The violated invariant as text; nil if all hold.
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
      if isAsleep { handle(.woken) }
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
      // The sink stalls each entry that it did not reach, as after losing its folder.
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

  /// The index from 0 of an entry's notice.
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
    // Missing from staging and staged by this process: written again, then published.
    new.insert(notice)
  }

  /// One call of the sink processes all entries; a crash leaves only the first ones done.
  private mutating func note(_ notice: Int, first: Bool, isStage: Bool) {
    var known: [Int] = []
    // Files taken meanwhile are applied after the call: a file in `new` before it belongs to another notice.
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
