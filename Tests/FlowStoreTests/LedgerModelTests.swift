import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import FoundationEssentials
import PoolJobs
import Testing
import TradeStores

/// A model of two workers that claim, settle and crash in every order, including a worker of an ended process that does not
/// know of its end. Every path is replayed on the real ledger and must give the same results.
struct LedgerModelTests {
  enum Step: Hashable {
    case claim(worker: Int, slot: Int)
    case settle(worker: Int, slot: Int)
    /// The process ends, or is only believed to have ended; the next process reclaims its runs.
    case stop
  }

  private enum Row: Hashable {
    case open, told
    case running(life: Int)
  }

  /// The state of the ledger and the workers' beliefs.
  private struct Model: Hashable {
    var rows: [Row] = [.open, .open]
    /// The epoch in which each worker claimed each slot.
    var claims: [[Int?]] = [[nil, nil], [nil, nil]]
    /// How often a notice was written for each slot.
    var told = [0, 0]
    var life = 1
    var isFlawed = false

    static let lives = 3

    var steps: [Step] {
      var steps: [Step] = life < Self.lives ? [.stop] : []
      for slot in rows.indices {
        for worker in claims.indices {
          steps.append(
            claims[worker][slot] == nil ? .claim(worker: worker, slot: slot) : .settle(worker: worker, slot: slot))
        }
      }
      return steps
    }

    /// - Returns: true if the step was possible or changed the state.
    mutating func take(_ step: Step) -> Bool {
      switch step {
      case .claim(let worker, let slot):
        guard rows[slot] == .open else { return false }
        rows[slot] = .running(life: life)
        claims[worker][slot] = life
        return true
      case .settle(let worker, let slot):
        guard let granted = claims[worker][slot] else { return false }
        claims[worker][slot] = nil
        let isOurs = rows[slot] == .running(life: granted) || isFlawed && rows[slot] != .open
        if isOurs {
          rows[slot] = .told
          told[slot] += 1
        }
        return isOurs
      case .stop:
        life += 1
        var taken = false
        for slot in rows.indices {
          guard case .running = rows[slot] else { continue }
          rows[slot] = .running(life: life)
          // The first worker without the claim; the other worker may still believe that it has it.
          let worker = claims[0][slot] == nil ? 0 : 1
          claims[worker][slot] = life
          taken = true
        }
        return taken
      }
    }

    var violation: String? {
      if let twice = told.firstIndex(where: { $0 > 1 }) { return "slot \(twice) was told \(told[twice]) times" }
      for slot in rows.indices where rows[slot] == .told && told[slot] == 0 {
        return "slot \(slot) is notified without a notice"
      }
      return nil
    }
  }

  private static func search(
    _ start: Model
  ) -> (states: Int, transitions: Int, violation: String?, ways: [[Step]]) {
    var ways: [Model: [Step]] = [start: []]
    var edges: [[Step]] = []
    var open = [start]
    var next = 0
    while next < open.count {
      let state = open[next]
      let way = ways[state] ?? []
      next += 1
      if let words = state.violation { return (open.count, edges.count, "\(words) after \(way)", []) }
      for step in state.steps {
        var after = state
        _ = after.take(step)
        // A path for each transition: the shortest path to its state, and one more step.
        edges.append(way + [step])
        if ways[after] == nil {
          ways[after] = way + [step]
          open.append(after)
        }
      }
    }
    return (open.count, edges.count, nil, edges)
  }

  @Test func `every order of claims, settlements and crashes writes one notice per slot, like the model`() async throws
  {
    let found = Self.search(Model())
    #expect(found.violation == nil, "\(found.violation ?? "")")
    #expect(found.states > 100)
    let folder = try TemporaryFolder(inMemory: true)
    // Replay only paths that are no prefix of another: every step of a path is checked.
    let begun = Set(found.ways.map { Array($0.dropLast()) })
    let whole = found.ways.filter { !begun.contains($0) }
    try folder.make("template")
    try await makeTemplate("\(folder.path)/template/poolflow.db")
    for (number, way) in whole.enumerated() {
      try await lead(way, in: folder, "case-\(number)")
      try folder.remove("case-\(number)")
    }
    print(
      "\(found.states) states of two slots, \(found.transitions) transitions; \(whole.count) ways led through the ledger"
    )
  }

  @Test func `the model detects a ledger that accepts any settlement`() {
    var flawed = Model()
    flawed.isFlawed = true
    #expect(Self.search(flawed).violation?.contains("was told 2 times") == true)
  }

  /// A store with one team, the initial state of every path.
  private func makeTemplate(_ path: String) async throws {
    let store = try Store(path: path, now: Samples.mondayMorning, version: "test")
    _ = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: Samples.mondayMorning) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
  }

  private func lead(_ way: [Step], in folder: TemporaryFolder, _ name: String) async throws {
    try FileManager.default.copyItem(atPath: "\(folder.path)/template", toPath: "\(folder.path)/\(name)")
    let path = "\(folder.path)/\(name)/poolflow.db"
    let now = Samples.mondayMorning
    var lives = [try Store(path: path, now: now, version: "test")]
    let job = try #require(try await lives[0].jobs().first { $0.kind == .morningSummary })
    let slots = [now, now.advanced(by: .hours(24))]
    var held: [[(run: ClaimedRun, life: Int)?]] = [[nil, nil], [nil, nil]]
    var model = Model()
    for step in way {
      let before = model
      let expected = model.take(step)
      switch step {
      case .claim(let worker, let slot):
        let request = ClaimRequest(job: job, slot: slots[slot], cause: .schedule, asOf: slots[slot])
        let runs = try await lives[lives.count - 1].claim([request], now: now)
        #expect(runs.count == (expected ? 1 : 0), "\(way)")
        held[worker][slot] = runs.first.map { ($0, lives.count) }
      case .settle(let worker, let slot):
        let (run, life) = try #require(held[worker][slot])
        held[worker][slot] = nil
        let count = try await notices(lives[0])
        try await lives[life - 1].settle(
          [RunSettlement(run: run, outcome: outcome(run, now), finishedAt: now)], routes: [SinkRoute(sink: "drop")])
        #expect(try await notices(lives[0]) - count == (expected ? 1 : 0), "\(way)")
      case .stop:
        lives.append(try Store(path: path, now: now, version: "test"))
        let runs = try await lives[lives.count - 1].reclaimOrphans(now: now, crashed: false)
        #expect(runs.isEmpty == !expected, "\(way)")
        for run in runs {
          let slot = try #require(slots.firstIndex(of: run.slot))
          let worker = before.claims[0][slot] == nil ? 0 : 1
          held[worker][slot] = (run, lives.count)
        }
      }
    }
    #expect(try await notices(lives[0]) == model.told.reduce(0, +), "\(way)")
  }

  private func notices(_ store: Store) async throws -> Int { try await store.outbox(OutboxQuery()).count }

  private func outcome(_ run: ClaimedRun, _ now: Timestamp) -> Outcome {
    Outcome(
      result: .notified, reason: nil, detail: "…",
      notice: Notice(
        id: "\(run.slot.compact)-morning-summary-\(run.jobID.number)", teamID: run.teamID, teamName: "desert-blue",
        jobID: run.jobID, job: "morning-summary", slot: run.slot, identifier: "i", title: "t", body: "b", lines: [],
        dataJSON: "{}", lateness: .zero, createdAt: now, expiresAt: nil))
  }
}
