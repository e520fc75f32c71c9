import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import Testing

/// A search over every order of steps of two deliveries in two batches, with crashes and failures anywhere and a consumer that
/// takes files at any time.
struct DeliveryModelTests {
  private struct Search {
    var states = 0
    var transitions = 0
    var ends = 0
    var violation: (words: String, trace: [DeliveryModel.Step])?
    /// A path to each state of the sink and its folder.
    var ways: [String: DeliveryModel] = [:]
  }

  private static func search(_ start: DeliveryModel) -> Search {
    var search = Search()
    var seen: Set<String> = [start.key]
    var open = [start]
    var next = 0
    while next < open.count {
      let state = open[next]
      next += 1
      search.states += 1
      if let words = state.violation {
        search.violation = (words, state.trace)
        return search
      }
      let steps = state.steps
      if steps.isEmpty { search.ends += 1 }
      for step in steps {
        let after = state.after(step)
        search.transitions += 1
        let place = "\(after.staging.sorted()) \(after.new.sorted()) \(after.tokens.sorted()) \(after.calls.suffix(3))"
        if search.ways[place] == nil { search.ways[place] = after }
        if seen.insert(after.key).inserted { open.append(after) }
      }
    }
    return search
  }

  @Test func `every order of steps, crashes and failures delivers each notice once`() async throws {
    let search = Self.search(DeliveryModel(crashes: 3, failures: 2))
    #expect(search.violation == nil, "\(search.violation?.words ?? "") after \(search.violation?.trace ?? [])")
    #expect(search.ends > 0 && search.states > 1_000)
    var calls = 0
    for way in search.ways.values {
      calls += way.calls.count
      try await Self.compare(way)
    }
    print(
      "\(search.states) states of two deliveries, \(search.transitions) transitions, \(search.ends) ends; "
        + "\(search.ways.count) ways of \(calls) calls compared with the sink")
  }

  @Test(arguments: DeliveryModel.Flaw.allCases)
  func `the model search finds each deliberate flaw`(flaw: DeliveryModel.Flaw) {
    let search = Self.search(DeliveryModel(crashes: 3, failures: 2, flaw: flaw))
    #expect(search.violation != nil, "\(flaw) was not found in \(search.states) states")
  }

  /// Runs the real sink through the model's calls and compares its folder with the model's.
  private static func compare(_ model: DeliveryModel) async throws {
    let disk = MemoryDisk()
    let sampled = sampleEntries(Int64(DeliveryModel.notices))
    func sink() -> FileDropSink {
      FileDropSink(name: "drop", path: "/drop", source: "/poolflow/test", bounds: .init(sharedSync: .max), calls: disk)
    }
    var life = sink()
    for call in model.calls {
      switch call {
      case .life: life = sink()
      case .prepare(let staged): try await life.prepare(staged: Set(staged.map { sampled[$0].notice.id }))
      case .stage(let notices):
        let verdicts = await life.stage(notices.map { sampled[$0] })
        #expect(verdicts.allSatisfy { $0 == .delivered }, "\(model.trace)")
      case .publish(let notices):
        let verdicts = await life.publish(notices.map { sampled[$0] })
        #expect(verdicts.allSatisfy { $0 == .delivered }, "\(model.trace)")
      case .take(let notice): try disk.remove("\(sampled[notice].notice.id).json", in: MemoryDisk.new)
      }
    }
    func files(_ notices: Set<Int>) -> [String] { notices.map { "\(sampled[$0].notice.id).json" }.sorted() }
    #expect(try disk.names(in: MemoryDisk.new) == files(model.new), "\(model.trace)")
    #expect(try disk.names(in: MemoryDisk.staging) == files(model.staging), "\(model.trace)")
  }
}
